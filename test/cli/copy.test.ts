/** `pda move`, `pda backup` and `pda restore`. test/database-copy.test.ts has the cases that are hard to copy. */
import { exec } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../src/database/postgres.ts';
import { makeEmptyDatabase } from '../harness/database.ts';
import { ask } from '../harness/gateway.ts';
import { fillHome, LOOKUP, makeHome } from '../harness/home.ts';
import { folderForFile, forFile } from '../harness/lifetime.ts';
import { run, startServerProcess } from '../harness/process.ts';

const pda = (words: string[], environment = home.environment) => run('pda', words, environment);

/** The URL of an empty database that belongs to a role without further rights. */
async function makeTarget(): Promise<string> {
  const { url, drop } = await makeEmptyDatabase('single');
  const [role, password] = [`pda_test_${randomBytes(6).toString('hex')}`, 'geheim'];
  const server = openPostgres({ url, poolSize: 1 });
  await server.script(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
  await server.script(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I OWNER TO ${role}', current_database()); END $$`);
  await server.close();
  onTestFinished(async () => {
    await drop();
    const others = openPostgres({ url: Object.assign(new URL(url), { pathname: '/postgres' }).href, poolSize: 1 });
    await others.script(`DROP ROLE ${role}`);
    await others.close();
  });
  return Object.assign(new URL(url), { username: role, password }).href;
}

/** What a server on a database answers, and a summary of its keys. */
async function answerOf(environment: Record<string, string>) {
  const server = await startServerProcess({ PUBLIC_URL: 'https://api.example', ...environment });
  try {
    const { status, body } = await ask(server.address + LOOKUP, { key });
    return { status, body, keys: (await pda(['keys', 'list', '--json'], environment)).stdout };
  } finally {
    await server.stop();
  }
}

const summary = { rows: expect.any(Number), tables: expect.objectContaining({ offer: 1, api_key: 1, click: 0 }) };

const folder = folderForFile('pda-copy-');
const home = await forFile(makeHome());
const key = await fillHome(home);

describe('pda move', () => {
  test('copies everything, after which both databases answer the same', async () => {
    const to = await makeTarget();
    const { status, stdout } = await pda(['move', '--to', to, '--json']);
    expect(status).toBe(0);
    const { host, pathname } = new URL(to);
    const named = { from: expect.stringMatching(/^PostgreSQL at /), to: `PostgreSQL at ${host}${pathname}` };
    expect(JSON.parse(stdout)).toEqual({ ...named, ...summary });
    const [there, here] = [await answerOf({ DATABASE_URL: to }), await answerOf(home.environment)];
    expect(there).toEqual(here);
    expect(there.status).toBe(200);

    const again = await pda(['move', '--to', to]);
    expect(again.status).toBe(3);
    expect(again.stderr).toMatch(/^The target has data, such as rows of \w+: use an empty database\.\n$/);
  });

  test('says what to do next, and never the password', async () => {
    const to = await makeTarget();
    expect(await pda(['migrate'], { DATABASE_URL: to })).toMatchObject({ status: 0 });
    const { status, stdout, stderr } = await pda(['move', '--to', to]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Copied \d+ rows of \d+ tables from .+ to .+\.\nNow set DATABASE_URL to the URL of --to/);
    expect(stdout + stderr).not.toContain('geheim');
  });

  test('refuses its own source', async () => {
    const { status, stderr } = await pda(['move', '--to', home.environment.DATABASE_URL ?? '']);
    expect([status, stderr]).toEqual([3, expect.stringContaining('use an empty database')]);
  });

  test('names a target that cannot be reached', async () => {
    const { status, stderr } = await pda(['move', '--to', 'postgresql://pda:geheim@127.0.0.1:1/pda']);
    expect(status).toBe(5);
    expect(stderr).toMatch(/^The copy from .* to PostgreSQL at 127\.0\.0\.1:1\/pda failed: .*ECONNREFUSED.*\. Check /);
    expect(stderr).not.toContain('geheim');
  });

  test.each([[[]], [['--to', 'mysql://pda:geheim@db/pda']]])('with %j is an invalid command line', async (words) => {
    const { status, stderr } = await pda(['move', ...words]);
    expect([status, stderr]).toEqual([2, expect.stringContaining('--to')]);
    expect(stderr).not.toContain('geheim');
  });
});

describe('pda backup and pda restore', () => {
  test('carry everything through one file that only its owner can read', async () => {
    const file = join(folder, 'backup.pda');
    const { status, stdout } = await pda(['backup', file, '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ file, bytes: statSync(file).size, ...summary });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['backup.pda']);

    const target = { DATABASE_URL: await makeTarget() };
    const restored = await pda(['restore', file, '--json'], target);
    expect([restored.status, JSON.parse(restored.stdout)]).toEqual([0, summary]);
    expect(await answerOf(target)).toEqual(await answerOf(home.environment));
    expect(await pda(['restore', file], target)).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('The target has data'),
    });
  });

  test('replace a file only with --force', async () => {
    const file = join(folder, 'present.pda');
    writeFileSync(file, 'mine');
    const refused = await pda(['backup', file]);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('add --force to replace it')]);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect((await pda(['backup', file, '--force'])).stdout).toMatch(/present\.pda has \d+ rows of \d+ tables\.\n$/);
    expect(statSync(file).size).toBeGreaterThan(1_000);
  });

  test('carry everything through a pipe', async () => {
    const DATABASE_URL = await makeTarget();
    const command = 'node dist/pda.js backup - | DATABASE_URL="$TARGET" node dist/pda.js restore - --json';
    const { stdout } = await promisify(exec)(command, {
      env: { PATH: process.env.PATH, ...home.environment, TARGET: DATABASE_URL },
    });
    expect(JSON.parse(stdout)).toEqual(summary);
    expect((await pda(['backup', '-', '--json'])).stderr).toContain('--json needs a file');
  });

  test('restore nothing from a file that is damaged, foreign or missing', async () => {
    const target = { DATABASE_URL: await makeTarget() };
    const file = join(folder, 'whole.pda');
    await pda(['backup', file]);
    const bytes = readFileSync(file);
    const broken: [string, RegExp][] = [
      ['cut.pda', /unexpected end of file|ends early/],
      ['foreign.pda', /incorrect header check/],
    ];
    writeFileSync(join(folder, 'cut.pda'), bytes.subarray(0, bytes.length - 9));
    writeFileSync(join(folder, 'foreign.pda'), 'PGDMP');
    for (const [name, reason] of broken) {
      const { status, stdout, stderr } = await pda(['restore', join(folder, name)], target);
      expect([status, stdout]).toEqual([3, '']);
      expect(stderr).toMatch(reason);
      expect(stderr).toContain('use another one');
    }
    const missing = await pda(['restore', join(folder, 'missing.pda')], { DATA_DIR: join(folder, 'none') });
    expect([missing.status, missing.stderr]).toEqual([2, expect.stringContaining('no such file')]);
    expect(existsSync(join(folder, 'none'))).toBe(false);
    expect((await pda(['keys', 'list', '--json'], target)).stdout).toBe('[]\n');
    expect(await pda(['restore', file], target)).toMatchObject({ status: 0 });
  });
});
