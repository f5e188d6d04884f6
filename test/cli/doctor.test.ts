/** `pda doctor` on healthy, half-finished and broken installations. */
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { examineEnvironment, examinePublicUrl } from '../../src/cli/doctor/environment.ts';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { examineMemory, examineNode, examineWorkers } from '../../src/cli/doctor/machine.ts';
import { readConfig } from '../../src/config.ts';
import { makePostgresDatabase } from '../harness/database.ts';
import { folderForFile, forTest } from '../harness/lifetime.ts';
import { run, startServerProcess } from '../harness/process.ts';

const folder = folderForFile('pda-doctor-');

/** Runs the doctor. @returns each check by its name. */
async function doctor(environment: Record<string, string>) {
  const { status, stdout, stderr } = await run('pda', ['doctor', '--json'], { PORT: '0', ...environment });
  expect(stderr).toBe('');
  const { checks, ...counts } = JSON.parse(stdout) as {
    checks: Finding[];
    ok: number;
    warnings: number;
    problems: number;
  };
  for (const check of checks) expect(check.remedy !== undefined).toBe(check.status !== 'ok');
  expect(counts.ok + counts.warnings + counts.problems).toBe(checks.length);
  expect(status).toBe(counts.problems > 0 ? 1 : 0);
  return { status, stdout, ...Object.fromEntries(checks.map((check) => [check.name, check])) } as {
    status: number | null;
    stdout: string;
  } & Record<string, Finding>;
}

describe('an embedded installation', () => {
  test('passes before its first start, and the doctor does not create it', async () => {
    const environment = { DATA_DIR: join(folder, 'none') };
    expect(await doctor(environment)).toMatchObject({
      status: 0,
      'data folder': { status: 'ok', says: expect.stringContaining('does not exist yet') },
      database: { status: 'ok' },
    });
    expect((await doctor(environment))['data folder']?.says).toContain('does not exist yet');
  });

  test('is examined while its server runs: version, migrations, clock, keys, imports', async () => {
    const DATA_DIR = join(folder, 'served');
    const server = await forTest(startServerProcess({ DATA_DIR }));
    const { port } = new URL(server.address);
    expect(await doctor({ DATA_DIR, PORT: port })).toMatchObject({
      status: 0,
      'data folder': { status: 'ok' },
      'data disk': { says: expect.stringMatching(/\d+ MiB free/) },
      database: { status: 'ok', says: expect.stringMatching(/version 1[5-9]/) },
      migrations: { status: 'ok' },
      clock: { status: 'ok' },
      keys: { status: 'warning', says: 'no working key' },
      imports: { status: 'warning', says: 'no shop has an offer' },
      server: { status: 'ok', says: expect.stringContaining('ready at') },
    });
    await run('pda', ['keys', 'create', '--name', 'x', '--plan', 'free'], { DATA_DIR });
    const feed = join(folder, 'old.tsv');
    writeFileSync(feed, 'id\ttitle\tlink\tprice\tavailability\na\tA\thttps://x.example/a\t1.00 EUR\tin stock\n');
    const words = ['import', feed, '--merchant', 'Old Shop', '--observed-at', '2026-01-31'];
    expect((await run('pda', words, { DATA_DIR })).status).toBe(0);
    expect(await doctor({ DATA_DIR })).toMatchObject({
      keys: { status: 'ok', says: '1 works' },
      imports: { status: 'warning', says: expect.stringContaining('Old Shop (2026-01-31)') },
    });
    await server.kill();
    expect(await doctor({ DATA_DIR })).toMatchObject({ database: { status: 'ok' } });
  });

  test('has a problem if its data folder is a file', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(await doctor({ DATA_DIR: file })).toMatchObject({ status: 1, 'data folder': { status: 'problem' } });
  });

  test('has a warning if other users can replace its database', async () => {
    const open = mkdtempSync(join(folder, 'open-'));
    chmodSync(open, 0o777);
    expect((await doctor({ DATA_DIR: open }))['data folder']).toMatchObject({
      status: 'warning',
      remedy: expect.stringContaining('chmod go-w'),
    });
  });
});

describe('a failed check is a problem with a remedy, and the other checks still run:', () => {
  test('an unreachable database, without its password in the output', async () => {
    const found = await doctor({ DATABASE_URL: 'postgresql://user:hunter2@127.0.0.1:1/x' });
    expect(found).toMatchObject({
      status: 1,
      node: { status: 'ok' },
      database: { status: 'problem', remedy: expect.stringContaining('DATABASE_URL') },
    });
    expect(found.stdout).not.toContain('hunter2');
  });

  test('unreachable Redis, without its password in the output', async () => {
    const found = await doctor({ DATA_DIR: join(folder, 'none'), REDIS_URL: 'redis://:hunter2@127.0.0.1:1' });
    expect(found.redis).toMatchObject({ status: 'problem', remedy: expect.stringContaining('REDIS_URL') });
    expect(found.stdout).not.toContain('hunter2');
  });

  test('a port that another program uses', async () => {
    const other = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    expect(await doctor({ DATA_DIR: join(folder, 'none'), PORT: String(port) })).toMatchObject({
      status: 1,
      server: { status: 'problem', says: expect.stringContaining('something else') },
    });
  });

  test('an invalid variable; a wrong DATABASE_URL does not fall back to the embedded database', async () => {
    expect(await doctor({ DATABASE_URL: 'mysql://host/x', LOG_LEVEL: 'loud' })).toMatchObject({
      status: 1,
      DATABASE_URL: { status: 'problem' },
      LOG_LEVEL: { status: 'problem' },
      database: { status: 'problem', says: 'not examined' },
    });
  });
});

test.runIf(process.env.TEST_DATABASE_URL)('PostgreSQL and Redis pass if they are healthy', async () => {
  const { url, drop } = await makePostgresDatabase();
  onTestFinished(drop);
  const REDIS_URL = process.env.TEST_REDIS_URL;
  expect(await doctor({ DATABASE_URL: url, ...(REDIS_URL && { REDIS_URL }) })).toMatchObject({
    status: 0,
    database: { status: 'ok' },
    migrations: { status: 'ok' },
    clock: { status: 'ok' },
    ...(REDIS_URL && { redis: { says: expect.stringContaining('eviction') } }),
  });
});

test('people get one line for each check, with the remedy below it', async () => {
  const { status, stdout } = await run('pda', ['doctor'], { DATA_DIR: join(folder, 'none'), PORT: '0', PDA_HOST: 'x' });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^ok {7}node /m);
  expect(stdout).toMatch(/^warning {2}PDA_HOST .*\n +→ Rename PDA_HOST to HOST/m);
  expect(stdout).toMatch(/\d+ ok, 1 warning, 0 problems\n$/);
});

test('replicas without DATABASE_URL are a problem, and so is a wrong DATABASE_URL with replicas', async () => {
  const DATABASE_REPLICA_URLS = 'postgresql://user:hunter2@127.0.0.1:1/x';
  for (const environment of [{ DATABASE_REPLICA_URLS }, { DATABASE_REPLICA_URLS, DATABASE_URL: 'mysql://host/x' }]) {
    const found = await doctor({ DATA_DIR: join(folder, 'none'), ...environment });
    expect(found).toMatchObject({ status: 1, DATABASE_REPLICA_URLS: { status: 'problem' } });
    expect(found.stdout).not.toContain('hunter2');
  }
});

describe('the environment', () => {
  const named = (environment: NodeJS.ProcessEnv) =>
    examineEnvironment(environment)
      .findings.filter(({ status }) => status !== 'ok')
      .map(({ name }) => name);

  test.each([
    'DATABSE_URL',
    'DATABASEURL',
    'database_url',
    'PDA_PORT',
    'REDIS_ULR',
    'RATE_LIMIT_FRE',
    'LOGLEVEL',
  ])('has a warning for %s, which looks like a typo', (name) => {
    expect(named({ [name]: 'x' })).toEqual([name]);
  });

  test('has no warning for the usual variables of a machine', () => {
    const usual = [
      'PATH',
      'HOME',
      'PWD',
      'SHELL',
      'TERM',
      'LANG',
      'HOSTNAME',
      'HOSTTYPE',
      'POSTGRES_URL',
      'NODE_OPTIONS',
    ];
    expect(named(Object.fromEntries(usual.map((name) => [name, 'x'])))).toEqual([]);
  });

  test('has a warning for NODE_ENV=prod', () => {
    expect(named({ NODE_ENV: 'prod' })).toEqual(['NODE_ENV']);
  });

  test.each([
    ['ok', {}],
    ['warning', { HOST: '0.0.0.0' }],
    ['warning', { NODE_ENV: 'production' }],
    ['warning', { NODE_ENV: 'production', PUBLIC_URL: 'http://localhost:4000' }],
    ['warning', { PUBLIC_URL: 'http://api.example.com' }],
    ['problem', { PUBLIC_URL: 'https://api.example.com/?x=1' }],
    ['ok', { NODE_ENV: 'production', PUBLIC_URL: 'https://api.example.com' }],
  ])('makes the check of the public address %s: %o', (status, environment) => {
    expect(examinePublicUrl(readConfig(environment)).status).toBe(status);
  });
});

test('an old Node.js and low memory are reported', () => {
  expect(examineNode('20.18.3').status).toBe('problem');
  expect(examineNode('20.19.0').status).toBe('ok');
  expect(examineNode('24.0.0').status).toBe('ok');
  expect(examineMemory(readConfig({}), 256 * 1024 * 1024).status).toBe('warning');
});

test('workers need a core and memory each', () => {
  const config = readConfig({ WORKERS: '4', DATABASE_URL: 'postgresql://pda@db/pda' });
  expect(examineWorkers(config, 4)).toMatchObject({ status: 'ok', says: '4 workers, 4 cores' });
  expect(examineWorkers(config, 2)).toMatchObject({ status: 'warning', remedy: expect.stringContaining('WORKERS') });
  expect(examineWorkers(readConfig({}), 1)).toMatchObject({ status: 'ok', says: 'one process, 1 core' });
  const GIB = 1024 ** 3;
  expect(examineMemory(config, GIB)).toMatchObject({ status: 'warning', remedy: expect.stringContaining('WORKERS') });
  expect(examineMemory(config, 2 * GIB).status).toBe('ok');
});
