/** The life of the embedded database: whoever finds none starts it, whoever leaves last stops it, and it comes back when it dies. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addressOf } from '../../src/database/embedded/address.ts';
import { clusterIn } from '../../src/database/embedded/cluster.ts';
import { findPrograms } from '../../src/database/embedded/programs.ts';
import { planLaunch, startServer } from '../../src/database/embedded/server.ts';
import { type EmbeddedFolder, makeMigratedFolder } from '../harness/embedded.ts';
import { eventually } from '../harness/eventually.ts';
import { ask } from '../harness/gateway.ts';
import { isAlive } from '../harness/process.ts';
import { has } from '../harness/terminal.ts';

let home: EmbeddedFolder;
beforeEach(async () => {
  home = await makeMigratedFolder();
});
afterEach(() => home.remove());

// PostgreSQL looks for its folder once a minute, so this goes on during the other tests.
const deleted = deleteFolder().catch((error: unknown) => error);

async function deleteFolder() {
  const lost = await makeMigratedFolder();
  const server = await lost.start();
  const database = lost.process() ?? 0;
  rmSync(lost.folder, { recursive: true, force: true });
  const hasEnded = await eventually(
    async () => !isAlive(database) && server.child.exitCode !== null,
    (isSo) => isSo,
    90_000,
  );
  const outcome = { hasEnded, status: server.child.exitCode, isBack: existsSync(lost.folder) };
  await lost.remove();
  return outcome;
}

const statusOf = async (words: readonly string[]) => (await home.pda(words)).status;
const READY = '/readyz';

test('a command creates the database, and stops it at its end', async () => {
  home.clear();
  expect(await statusOf(['migrate'])).toBe(0);
  expect(existsSync(join(home.data, 'PG_VERSION'))).toBe(true);
  expect(home.process()).toBeUndefined();
});

test('commands and several servers use it at the same time, and the last one stops it', async () => {
  const [first, second] = [await home.start(), await home.start({ WORKERS: '2' })];
  const database = home.process();
  expect(await statusOf(['keys', 'create', '--name', 'a', '--plan', 'free'])).toBe(0);
  expect(await first.stop()).toBe(0);
  expect(home.process()).toBe(database);
  expect((await ask(second.address + READY)).status).toBe(200);
  expect(await second.stop()).toBe(0);
  expect(home.process()).toBeUndefined();
});

test('the database of a process that was killed is used by the next one, which stops it', async () => {
  const killed = await home.start();
  const database = home.process();
  await killed.kill();
  expect(home.process()).toBe(database);
  const next = await home.start();
  expect(home.process()).toBe(database);
  expect(await next.stop()).toBe(0);
  expect(home.process()).toBeUndefined();
});

test('a server starts the database again when it dies, and answers again', async () => {
  const server = await home.start();
  const { stdout } = await home.pda(['keys', 'create', '--name', 'a', '--plan', 'free', '--json']);
  const { key } = JSON.parse(stdout);
  const died = home.process() ?? 0;
  process.kill(died, 'SIGKILL');
  const { status } = await eventually(
    () => ask(`${server.address}/api/v1/brands`, { key }),
    (answer) => answer.status === 200 && home.process() !== died,
    60_000,
  );
  expect([status, home.process() === died]).toEqual([200, false]);
  expect(await server.stop()).toBe(0);
  expect(home.process()).toBeUndefined();
});

test('a lock file whose process number now belongs to another program does not prevent the start', async () => {
  const lock = `${process.pid}\n${home.data}\n0\n5432\n../socket\n\n\n\n`;
  for (const file of [join(home.data, 'postmaster.pid'), join(home.socket, '.s.PGSQL.5432.lock')])
    writeFileSync(file, lock);
  expect(await statusOf(['migrate'])).toBe(0);
  expect(home.process()).toBeUndefined();
});

test('a database that another version or another place of the program has left is started anew', async () => {
  const cluster = clusterIn(home.folder);
  const programs = findPrograms();
  const left = startServer(cluster, programs, planLaunch(cluster, programs), 20, { cluster_name: 'another-version' });
  const { url, close } = addressOf(cluster);
  const nameNow = async () => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query('SHOW cluster_name');
      return rows[0]?.cluster_name;
    } catch (error) {
      return String(error);
    } finally {
      await client.end().catch(() => {});
    }
  };
  expect(await eventually(nameNow, (name) => name === 'another-version', 30_000)).toBe('another-version');
  await home.start();
  expect(await nameNow()).toMatch(/^pda-/);
  expect(left.hasEnded()).toBe(true);
  close();
});

test('no link leads out of the folder, and a file without a password is named', async () => {
  const outside = join(home.folder, 'outside');
  writeFileSync(outside, 'a'.repeat(32));
  for (const [name, reason] of [
    ['log', /ELOOP/],
    ['password', /password has no password: restore the folder/],
  ] as const) {
    rmSync(join(home.within, name));
    symlinkSync(outside, join(home.within, name));
    const { status, stderr } = await home.pda(['keys', 'list']);
    expect([status, stderr]).toEqual([2, expect.stringMatching(reason)]);
    expect(readFileSync(outside, 'utf8')).toBe('a'.repeat(32));
    rmSync(join(home.within, name));
  }
});

test('only the role of the service can sign in, with a password that only its user can read', async () => {
  await home.start();
  expect(readFileSync(join(home.data, 'pg_hba.conf'), 'utf8')).toBe('local pda pda scram-sha-256\n');
  const { url, close } = addressOf(clusterIn(home.folder));
  const { username, password } = new URL(url);
  const enter = async (as: string, secret: string) => {
    const connectionString = url.replace(`${username}:${password}@`, `${as}:${secret}@`);
    const client = new pg.Client({ connectionString });
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query('SELECT rolsuper FROM pg_roles WHERE rolname = current_user');
      return rows[0];
    } catch (error) {
      return (error as { code?: string }).code;
    } finally {
      await client.end().catch(() => {});
    }
  };
  expect(await enter('pda', password)).toEqual({ rolsuper: false });
  expect(await enter('pda', 'wrong')).toBe('28P01');
  expect(await enter('postgres', password)).toBe('28000');
  close();
});

test.runIf(has('setsid'))(
  'Ctrl-C, which signals all processes of a terminal, lets requests in progress be answered and counted',
  async () => {
    const server = await home.start({}, ['setsid']);
    const { stdout } = await home.pda(['keys', 'create', '--name', 'a', '--plan', 'free', '--json']);
    const { id, key } = JSON.parse(stdout);
    const { url, close } = addressOf(clusterIn(home.folder));
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE usage_counter');
    const asking = ask(`${server.address}/api/v1/brands`, { key });
    const isWaiting = async () => (await holder.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount === 1;
    expect(await eventually(isWaiting, (isSo) => isSo, 30_000)).toBe(true);
    const ended = once(server.child, 'exit');
    process.kill(-(server.child.pid ?? 0), 'SIGINT');
    await holder.query('ROLLBACK');
    await holder.end();
    close();
    expect((await asking).status).toBe(200);
    expect((await ended)[0]).toBe(0);
    expect(home.process()).toBeUndefined();
    const usage = await home.pda(['usage', '--key', id, '--json']);
    expect(JSON.parse(usage.stdout)).toMatchObject([{ used: 1 }]);
  },
);

const AS_FIRST = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child', '--'];
const canBeFirst = spawnSync(AS_FIRST[0] ?? '', [...AS_FIRST.slice(1), 'true']).status === 0;

test.runIf(canBeFirst)('as process 1 of a container, SIGTERM stops the server and its database', async () => {
  const server = await home.start({}, AS_FIRST);
  const ended = once(server.child, 'exit');
  const pid = server.child.pid ?? 0;
  const [first = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  process.kill(Number(first), 'SIGTERM');
  expect((await ended)[0]).toBe(0);
  expect(home.process()).toBeUndefined();
});

test('deleting the data folder ends the database within a minute, and its server with a message', async () => {
  expect(await deleted).toEqual({ hasEnded: true, status: 1, isBack: false });
});
