/** The embedded database when its server is killed, and when two servers want its folder. Uses real processes and folders. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ask } from './harness/gateway.ts';
import { run, type ServerProcess, startServerProcess } from './harness/process.ts';

let folder: string;
let servers: ServerProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pda-embedded-'));
});

afterEach(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  servers = [];
  rmSync(folder, { recursive: true, force: true });
});

const start = async () => {
  const server = await startServerProcess({ DATA_DIR: folder, RATE_LIMIT_PRO: '1000000' });
  servers.push(server);
  return server;
};
const pda = async (...words: string[]) => {
  const { status, stdout, stderr } = await run('pda', [...words, '--json'], { DATA_DIR: folder, LOG_LEVEL: 'warn' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return JSON.parse(stdout);
};

/** An empty file in the folder. */
function aFile(): string {
  const path = join(folder, 'a-file');
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

test('a second server on the same folder exits with a message that names the first', async () => {
  const { child } = await start();
  const { status, stderr } = await run('main', [], { DATA_DIR: folder, PORT: '0', NODE_ENV: 'production' });
  expect(status).toBe(2);
  expect(stderr).toContain(`in use by process ${child.pid}`);
});

test('a server whose port is taken exits with a message, and leaves the folder free', async () => {
  const { address } = await start();
  const other = mkdtempSync(join(tmpdir(), 'pda-port-'));
  const { port } = new URL(address);
  const { status, stderr } = await run('main', [], { DATA_DIR: other, PORT: port, NODE_ENV: 'production' });
  expect(status).toBe(2);
  expect(stderr).toContain(`127.0.0.1:${port} (EADDRINUSE): set PORT`);
  expect(stderr).not.toMatch(/\n {4}at /);
  expect(readdirSync(other)).toEqual(['pg']);
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
  for (const [entry, words] of [['main', []] as const, ['pda', ['keys', 'list']] as const]) {
    const { status, stderr } = await run(entry, words, environment);
    expect(stderr).toMatch(/^The data folder \S+ cannot be used \(.*\)\. Set DATA_DIR to a folder .*\.\n$/);
    expect({ status, named: stderr.includes(path) }).toEqual({ status: 2, named: true });
  }
});

test('a server whose HOST is not an address says so, and does not blame the database', async () => {
  const environment = { DATA_DIR: folder, HOST: 'no-such-host.invalid', PORT: '0', NODE_ENV: 'production' };
  const { status, stderr } = await run('main', [], environment);
  expect(status).toBe(2);
  expect(stderr).toMatch(/cannot listen on no-such-host\.invalid \(E\w+\): set HOST/);
  expect(stderr).not.toMatch(/\n {4}at |DATABASE_URL/);
});

test('a server that is asked to stop exits with status 0 and leaves the folder free', async () => {
  const server = await start();
  expect(await server.stop()).toBe(0);
  expect(readdirSync(folder)).toEqual(['pg']);
  await start();
});

test('a first start that is killed while it creates the database leaves the folder usable', async () => {
  const starting = startServerProcess({ DATA_DIR: folder }).catch(() => undefined);
  while (!readdirSync(folder).includes('pg.creating')) await new Promise(setImmediate);
  const { pid } = JSON.parse(await import('node:fs/promises').then((fs) => fs.readFile(join(folder, 'lock'), 'utf8')));
  process.kill(pid, 'SIGKILL');
  await starting;
  const server = await start();
  expect((await ask(`${server.address}/readyz`)).status).toBe(200);
});
