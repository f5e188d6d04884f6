/** The door to the embedded database and the folder it lies in: who may use them, and what a broken or stopped visitor does. */
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../src/database/database.ts';
import { openEmbedded } from '../src/database/embedded.ts';
import { lockFolder } from '../src/database/folder-lock.ts';
import { openForCommand } from '../src/database/open.ts';
import { ask } from './harness/gateway.ts';
import { run, type ServerProcess, startServerProcess } from './harness/process.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

function makeFolder(mode = 0o700): string {
  const folder = mkdtempSync(join(tmpdir(), 'pda-door-'));
  chmodSync(folder, mode);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('a server whose folder was open to everybody, under a mask that takes no rights away', () => {
  let folder: string;
  let server: ServerProcess;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pda-door-'));
    chmodSync(folder, 0o777);
    const mask = process.umask(0);
    server = await startServerProcess({ DATA_DIR: folder });
    process.umask(mask);
  });
  afterAll(async () => {
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  const doorPath = (): string => JSON.parse(readFileSync(join(folder, 'lock'), 'utf8')).door;

  test('lets nobody but its user use the folder, the door, the lock and the database', () => {
    expect(doorPath().startsWith(folder)).toBe(true);
    expect([folder, doorPath(), join(folder, 'lock'), join(folder, 'pg')].map(modeOf)).toEqual([
      '700',
      '600',
      '600',
      '700',
    ]);
  });

  const frame = (body: Buffer, length = body.length) => {
    const head = Buffer.alloc(4);
    head.writeUInt32BE(length);
    return Buffer.concat([head, body]);
  };
  const endless = { kind: 'begin' };

  test.each([
    ['is longer than may be', frame(Buffer.alloc(16), 2 ** 32 - 1)],
    ['is empty', frame(Buffer.alloc(0))],
    ['is no value', frame(Buffer.from('{"kind":"query"}'))],
    ['is cut off inside', frame(serialize({ kind: 'script', sql: 'SELECT 1' }).subarray(0, 10))],
    ['is nothing', frame(serialize(null))],
    ['is of an unknown kind', frame(serialize({ kind: 'drop' }))],
    ['has no statement', frame(serialize({ kind: 'query', parameters: [] }))],
    ['has parameters that are no list', frame(serialize({ kind: 'query', sql: 'SELECT 1', parameters: 1 }))],
    ['comes after a good one in an open transaction', Buffer.concat([frame(serialize(endless)), frame(serialize(7))])],
  ])('sends a visitor away whose frame %s, and goes on', async (_, bytes) => {
    const visitor = connect(doorPath());
    visitor.on('error', () => {}); // The end is what counts.
    visitor.resume();
    visitor.write(bytes);
    await once(visitor, 'close');
    expect((await ask(`${server.address}/api/v1/plans`)).status).toBe(200);
    const { status, stdout } = await run('pda', ['keys', 'list', '--json'], { DATA_DIR: folder });
    expect([status, stdout]).toEqual([0, '[]\n']);
  });
});

describe('a command that came in by the door', () => {
  let folder: string;
  let database: Database;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pda-door-'));
    database = await openEmbedded(folder, { doorIdleMs: 200 });
    await database.script('CREATE TABLE note (text TEXT)');
  });
  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  test('and stopped inside a transaction holds up the server for a bounded time, and has changed nothing', async () => {
    const command = await openForCommand({ dataDir: folder });
    let goOn = () => {};
    const stopped = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let isInside = () => {};
    const inside = new Promise<void>((resolve) => {
      isInside = resolve;
    });
    const transaction = command.transaction(async (on) => {
      await on.query("INSERT INTO note VALUES ('half')");
      isInside();
      await stopped;
      await on.query("INSERT INTO note VALUES ('whole')");
    });
    transaction.catch(() => {}); // Awaited below.
    await inside;
    expect(await database.query('SELECT text FROM note')).toEqual([]);
    goOn();
    await expect(transaction).rejects.toThrow(/waited too long.*Run this again/);
    await command.close();
  });
});

describe('a data folder', () => {
  const warnings: string[] = [];
  const take = async (folder: string) => {
    warnings.length = 0;
    const lock = await lockFolder(
      folder,
      () => {},
      (warning) => warnings.push(warning),
    );
    onTestFinished(() => lock.release());
  };

  test('that holds something else keeps its rights, and the database in it is closed to others', async () => {
    const folder = makeFolder(0o755);
    writeFileSync(join(folder, 'notes.txt'), '');
    mkdirSync(join(folder, 'pg'));
    chmodSync(join(folder, 'pg'), 0o755);
    await take(folder);
    const [door = ''] = readdirSync(folder).filter((name) => name.startsWith('door-'));
    expect([folder, join(folder, 'pg'), join(folder, door)].map(modeOf)).toEqual(['755', '700', '600']);
    expect(warnings).toEqual([]);
  });

  test('that others may write to and that holds something else is named in a warning that says what to do', async () => {
    const folder = makeFolder(0o777);
    writeFileSync(join(folder, 'notes.txt'), '');
    await take(folder);
    expect(warnings).toEqual([expect.stringMatching(/^Other users may write to .*mode 777.* Set DATA_DIR to /)]);
    expect(warnings[0]).toContain(folder);
    expect(modeOf(folder)).toBe('777');
  });

  test('that others may write to without replacing what is in it, as in /tmp, is taken without a word', async () => {
    const folder = makeFolder(0o1777);
    writeFileSync(join(folder, 'notes.txt'), '');
    await take(folder);
    expect(warnings).toEqual([]);
  });
});
