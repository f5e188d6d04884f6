/** The door to the embedded database, and its data folder: their permissions, and the effects of broken or stalled connections. */
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

describe('a server that was started with umask 0 on a folder open to everyone', () => {
  let folder: string;
  let server: ServerProcess;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pda-door-'));
    chmodSync(folder, 0o777);
    const mask = process.umask(0);
    try {
      server = await startServerProcess({ DATA_DIR: folder });
    } finally {
      process.umask(mask);
    }
  });
  afterAll(async () => {
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  const doorPath = (): string => JSON.parse(readFileSync(join(folder, 'lock'), 'utf8')).door;

  test('allows only its own user to access the folder, the door, the lock and the database', () => {
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
    ['is too long', frame(Buffer.alloc(16), 2 ** 32 - 1)],
    ['is empty', frame(Buffer.alloc(0))],
    ['is not a serialized value', frame(Buffer.from('{"kind":"query"}'))],
    ['is truncated', frame(serialize({ kind: 'script', sql: 'SELECT 1' }).subarray(0, 10))],
    ['is null', frame(serialize(null))],
    ['is of an unknown kind', frame(serialize({ kind: 'drop' }))],
    ['has no statement', frame(serialize({ kind: 'query', parameters: [] }))],
    ['has parameters that are not a list', frame(serialize({ kind: 'query', sql: 'SELECT 1', parameters: 1 }))],
    ['follows a valid one in an open transaction', Buffer.concat([frame(serialize(endless)), frame(serialize(7))])],
  ])('closes a connection whose frame %s, and keeps running', async (_, bytes) => {
    const visitor = connect(doorPath());
    visitor.on('error', () => {}); // Only the close matters.
    visitor.resume();
    visitor.write(bytes);
    await once(visitor, 'close');
    expect((await ask(`${server.address}/api/v1/plans`)).status).toBe(200);
    const { status, stdout } = await run('pda', ['keys', 'list', '--json'], { DATA_DIR: folder });
    expect([status, stdout]).toEqual([0, '[]\n']);
  });
});

describe('a command that is connected through the door', () => {
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

  test('and stalls inside a transaction blocks the server only for a limited time, and changes nothing', async () => {
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

  test('with other files in it keeps its permissions, and only its owner can access the database in it', async () => {
    const folder = makeFolder(0o755);
    writeFileSync(join(folder, 'notes.txt'), '');
    mkdirSync(join(folder, 'pg'));
    chmodSync(join(folder, 'pg'), 0o755);
    await take(folder);
    const [door = ''] = readdirSync(folder).filter((name) => name.startsWith('door-'));
    expect([folder, join(folder, 'pg'), join(folder, door)].map(modeOf)).toEqual(['755', '700', '600']);
    expect(warnings).toEqual([]);
  });

  test('with other files in it that is writable by others causes a warning that says what to do', async () => {
    const folder = makeFolder(0o777);
    writeFileSync(join(folder, 'notes.txt'), '');
    await take(folder);
    expect(warnings).toEqual([expect.stringMatching(/^Other users may write to .*mode 777.* Set DATA_DIR to /)]);
    expect(warnings[0]).toContain(folder);
    expect(modeOf(folder)).toBe('777');
  });

  test('that is writable by others but sticky, like /tmp, causes no warning', async () => {
    const folder = makeFolder(0o1777);
    writeFileSync(join(folder, 'notes.txt'), '');
    await take(folder);
    expect(warnings).toEqual([]);
  });
});
