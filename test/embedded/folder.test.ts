/** The embedded database when its server is killed or cannot start, and folders that cannot be used. Uses real processes and folders. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type EmbeddedFolder, makeMigratedFolder } from '../harness/embedded.ts';
import { eventually } from '../harness/eventually.ts';
import { ask } from '../harness/gateway.ts';
import { run } from '../harness/process.ts';

let home: EmbeddedFolder;
beforeEach(async () => {
  home = await makeMigratedFolder();
});
afterEach(() => home.remove());

const start = () => home.start({ RATE_LIMIT_PRO: '1000000' });
const pda = async (...words: string[]) => {
  const { status, stdout, stderr } = await run('pda', [...words, '--json'], {
    DATA_DIR: home.folder,
    LOG_LEVEL: 'warn',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return JSON.parse(stdout);
};

/** An empty file in the folder. */
function aFile(): string {
  const path = join(home.folder, 'a-file');
  writeFileSync(path, '');
  return path;
}

test('requests that were counted before the server was killed are still counted afterwards', async () => {
  let server = await start();
  const { id, key } = await pda('keys', 'create', '--name', 'crash', '--plan', 'pro');
  let answered = 0;
  for (let kill = 0; kill < 3; kill += 1) {
    const asking = Array.from({ length: 50 }, () =>
      ask(`${server.address}/api/v1/lookup?ean=4006381333931`, { key }).then(
        ({ status }) => {
          if (status === 404) answered += 1;
        },
        () => {}, // Requests that the killed server left unanswered may or may not be counted.
      ),
    );
    await Promise.race(asking);
    await server.kill();
    await Promise.all(asking);
    server = await start();
    const [usage] = await pda('usage', '--key', id);
    expect(usage.used).toBeGreaterThanOrEqual(answered);
    expect(usage.used).toBeLessThanOrEqual(50 * (kill + 1));
  }
  expect(answered).toBeGreaterThan(0);
});

test('a server whose port is taken exits with a message, and leaves the folder free', async () => {
  const { address } = await start();
  const other = mkdtempSync(join(tmpdir(), 'pda-port-'));
  const { port } = new URL(address);
  const { status, stderr } = await run('main', [], { DATA_DIR: other, PORT: port, NODE_ENV: 'production' });
  expect(status).toBe(2);
  expect(stderr).toContain(`127.0.0.1:${port} (EADDRINUSE): set PORT`);
  expect(stderr).not.toMatch(/\n {4}at /);
  expect(existsSync(join(other, 'postgres', 'data', 'postmaster.pid'))).toBe(false);
  rmSync(other, { recursive: true, force: true });
});

test.each([
  ['is inside a file', () => join(aFile(), 'data')],
  ['is a file', () => aFile()],
  ['is on a file system where no folder can be created', () => '/proc/no-folder/data'],
  ['is a folder where no file can be created', () => '/proc'],
])('a data folder that %s makes the server and commands exit with one message', async (_, makePath) => {
  const path = makePath();
  const environment = { DATA_DIR: path, PORT: '0', NODE_ENV: 'production' };
  for (const [entry, words] of [['main', []] as const, ['pda', ['migrate']] as const]) {
    const { status, stderr } = await run(entry, words, environment);
    expect(stderr).toMatch(
      /^The data folder \S+ cannot be used \(.*\)\. Run this as the user that owns it, or set DATA_DIR to a folder .*\.\n$/m,
    );
    expect({ status, named: stderr.includes(path) }).toEqual({ status: 2, named: true });
  }
});

test('a server whose HOST is not an address says so, and does not blame the database', async () => {
  const environment = { DATA_DIR: home.folder, HOST: 'no-such-host.invalid', PORT: '0', NODE_ENV: 'production' };
  const { status, stderr } = await run('main', [], environment);
  expect(status).toBe(2);
  expect(stderr).toMatch(/cannot listen on no-such-host\.invalid \(E\w+\): set HOST/);
  expect(stderr).not.toMatch(/\n {4}at |DATABASE_URL/);
});

test.each([
  'SIGTERM',
  'SIGINT',
  'SIGHUP',
] as const)('a server that gets %s exits with status 0, and leaves no process of the database', async (signal) => {
  const server = await start();
  expect(await server.stop(signal)).toBe(0);
  expect(home.process()).toBeUndefined();
});

/** Sends a first start a signal while it creates the database. @returns its exit status. */
async function endWhileCreating(signal: NodeJS.Signals, WORKERS: string): Promise<number | null> {
  home.clear();
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: join(import.meta.dirname, '..', '..'),
    env: { PATH: process.env.PATH, DATA_DIR: home.folder, PORT: '0', NODE_ENV: 'production', WORKERS },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  while (!readdirSync(home.folder).some((name) => name.startsWith('postgres.creating')))
    await new Promise(setImmediate);
  child.kill(signal);
  return (await ended)[0];
}

test('a first start that is killed while it creates the database leaves the folder usable', async () => {
  await endWhileCreating('SIGKILL', '1');
  const server = await start();
  expect((await ask(`${server.address}/readyz`)).status).toBe(200);
});

test.each([
  '1',
  '2',
])('a first start of %s workers that is asked to stop meanwhile leaves no process of the database', async (workers) => {
  expect(await endWhileCreating('SIGTERM', workers)).toBe(0);
  expect(home.process()).toBeUndefined();
});

test('workers share the database, which ends with them', async () => {
  const server = await home.start({ WORKERS: '2', NODE_ENV: 'development' });
  expect((await ask(`${server.address}/readyz`)).status).toBe(200);
  const countKeys = async () => JSON.parse((await home.pda(['keys', 'list', '--json'])).stdout).length;
  expect(await eventually(countKeys, (count) => count === 5)).toBe(5); // Those of the demo.
  expect(await server.stop()).toBe(0);
  expect(home.process()).toBeUndefined();
});
