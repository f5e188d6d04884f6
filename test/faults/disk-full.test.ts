/** The disk of the embedded database fills up: responses say so, no acknowledged data is lost, and free space is enough to recover. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { ask } from '../harness/gateway.ts';
import { fillHome, LOOKUP } from '../harness/home.ts';
import { deducted, startLoad } from '../harness/load.ts';
import { run, startServerProcess } from '../harness/process.ts';

const mount = (...words: string[]) => spawnSync('mount', words).status === 0;

/** A disk for these tests, which leaves room for an import until it is resized; `undefined` if this user may not mount one. */
function makeDisk(): { folder: string; resize(mebibytes: number): void; remove(): void } | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'pda-disk-'));
  if (!mount('-t', 'tmpfs', '-o', 'size=1g', 'tmpfs', folder)) {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  return {
    folder,
    resize: (mebibytes) => mount('-o', `remount,size=${mebibytes}m`, folder),
    remove() {
      spawnSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const disk = makeDisk();
if (!disk) process.stdout.write('The tests of a full disk are skipped: this user may not mount one.\n');
afterAll(() => disk?.remove());

/** @param page ends the links. */
const feed = (rows: number, page = '') =>
  `id\ttitle\tlink\tprice\tavailability\n${Array.from(
    { length: rows },
    (_, n) => `${n}\tThing ${n} of many\thttps://x.example/${n}${page}\t5.00 EUR\tin stock\n`,
  ).join('')}`;

// Writes a megabyte to the log only.
const WRITE_LOG = "SELECT pg_logical_emit_message(true, 'test', repeat('x', 1000000))";

describe.skipIf(!disk)('on a disk that is too small (needs permission to mount one)', () => {
  const folder = disk?.folder ?? '';
  const dataDir = join(folder, 'data');
  const home = {
    environment: { DATA_DIR: dataDir },
    open: () => openDatabase({ dataDir }, { purpose: 'bulk' }),
    async within<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
      const database = await home.open();
      try {
        return await work(database);
      } finally {
        await database.close();
      }
    },
  };
  let key: string;
  beforeAll(async () => {
    key = await fillHome(home);
    // The server keeps the files of its log for what it writes next, so requests can be counted for a while when the disk is full.
    await home.within((database) => database.query(`${WRITE_LOG} FROM generate_series(1, 20)`));
    disk?.resize(128);
  });

  const pda = (words: string[], input?: string) => run('pda', words, { ...home.environment, LOG_LEVEL: 'warn' }, input);
  /** Uses up all free space. */
  const fill = () => {
    // The second, smaller step leaves no byte free.
    for (const size of ['1M', '4K']) {
      spawnSync('dd', ['if=/dev/zero', `of=${join(folder, `filler-${size}`)}`, `bs=${size}`]);
    }
  };

  test('an import stops before the disk is full, at its start, while it reads or before it writes, and changes nothing', async () => {
    const server = await startServerProcess(home.environment);
    const load = startLoad({ addresses: [server.address], key, paths: [LOOKUP], clients: 2 });
    await load.answers(200, 10);
    const guarded = async (minFree: string, rows: number) => {
      const words = ['import', '-', '--merchant', 'Guarded', '--rejects', join(tmpdir(), 'guarded.jsonl')];
      const { status, stdout, stderr } = await pda([...words, '--min-free', minFree], feed(rows));
      expect([status, stdout]).toEqual([5, '']);
      return stderr;
    };
    const place = `The disk of the database in ${home.environment.DATA_DIR} has \\d+ MiB free, and the import needs`;
    const advice = 'nothing was changed. Make room and run this again, or choose a smaller reserve with --min-free.\n$';
    expect(await guarded('512MiB', 2)).toMatch(new RegExp(`^${place} a reserve of 512 MiB: ${advice}`, 'm'));
    const { bavail, bsize } = statfsSync(folder);
    const soon = `${Math.floor((bavail * bsize) / 1024) - 5_000}KiB`;
    expect(await guarded(soon, 60_000)).toMatch(new RegExp(`^${place} a reserve of \\d+ [KM]iB: ${advice}`, 'm'));
    expect(await guarded('1MiB', 30_000)).toMatch(
      new RegExp(`^${place} about \\d+ MiB and a reserve of 1 MiB: ${advice}`, 'm'),
    );
    await load.answers(200, 10);
    const books = await load.stop();
    expect(books.count(200)).toBe(books.asked.length);
    const left = await home.within((database) =>
      database.query(`
        SELECT name FROM merchant WHERE name = 'Guarded'
        UNION ALL
        SELECT tablename FROM pg_tables WHERE tablename LIKE 'import\\_rows\\_%'`),
    );
    expect(left).toEqual([]);
    expect(await server.stop()).toBe(0);
  });

  test('an import stops before it reads if the rejects file could grow beyond the free space of its disk', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'pda-elsewhere-'));
    onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
    const words = ['import', '-', '--merchant', 'A', '--rejects', join(folder, 'rejects'), '--min-free', '200MiB'];
    const imported = (most: string) =>
      run('pda', [...words, '--max-rejects', most], { DATA_DIR: join(elsewhere, 'data') }, feed(2));
    const { status, stderr } = await imported('1000000');
    expect([status, stderr]).toEqual([
      5,
      expect.stringMatching(/^The disk of the rejects file .* may need 200 MiB: nothing/),
    ]);
    expect((await imported('10')).status).toBe(0);
  });

  test('the server answers 200 or 503, an import changes nothing, and the doctor names the disk', async () => {
    const server = await startServerProcess(home.environment);
    const before = await home.within(deducted);
    const load = startLoad({ addresses: [server.address], key, paths: [LOOKUP], clients: 4 });
    await load.answers(200, 20);
    const unguarded = ['--min-free', '0'];
    // With long links, the table of the run fills the disk. It is not logged: the server ends only if its log cannot grow.
    const wide = feed(50_000, `?${'x'.repeat(1_800)}`);
    const imported = await pda(['import', '-', '--merchant', 'Large', '--json', ...unguarded], wide);
    expect(imported).toMatchObject({ status: 5, stdout: '' });
    expect(imported.stderr).toMatch(/^The disk of the database is full \(.*\): make room, and run this again\.\n$/m);
    fill();
    const doctor = await pda(['doctor']);
    expect(doctor.status).toBe(1);
    expect(doctor.stdout).toMatch(/problem {2}data disk +0 MiB free/);
    expect(doctor.stdout).toMatch(/ok {7}database +embedded database in /);
    const merchants = await pda(['import', '-', '--merchant', 'Small', '--json', ...unguarded], feed(2));
    expect([0, 5]).toContain(merchants.status);
    disk?.resize(512);
    for (const size of ['1M', '4K']) rmSync(join(folder, `filler-${size}`));
    await load.answers(200, 20);
    const books = await load.stop();
    expect(books.hangs + books.unanswered).toBe(0);
    expect(books.count(200) + books.count(503)).toBe(books.asked.length);
    for (const { status, headers } of books.asked) if (status === 503) expect(headers['retry-after']).toMatch(/^\d+$/);
    expect(await server.stop()).toBe(0);
    expect((await home.within(deducted)) - before).toBe(books.count(200));
    const whole = await pda(['import', '-', '--merchant', 'Large', '--json', ...unguarded], feed(3_000));
    expect(JSON.parse(whole.stdout)).toMatchObject({ new: 3_000 });
  });

  test('a server exits with a message if its database cannot write its log, and the next start has all counts', async () => {
    const server = await startServerProcess(home.environment);
    const said = readLog(server.child.stderr);
    const before = await home.within(deducted);
    const load = startLoad({ addresses: [server.address], key, paths: [LOOKUP], clients: 4 });
    await load.answers(200, 20);
    const database = await home.open();
    fill();
    const ended = once(server.child, 'exit');
    const writing = (async () => {
      for (;;) await database.query(WRITE_LOG);
    })();
    await expect(writing).rejects.toThrow();
    const [status] = await ended;
    expect(status).toBe(1);
    await database.close();
    const books = await load.stop();
    expect(books.hangs).toBe(0);
    // Its own log may not have room for the reason.
    expect(said()).toMatch(/The embedded database has ended \([^)]+\)\. .* has \d MiB free: make room/);

    // The disk is still full: a restart says so and does not hang, so a supervisor can keep restarting it.
    const again = await run('main', [], { ...home.environment, PORT: '0', NODE_ENV: 'production' });
    expect(again.status).toBe(1);
    expect(again.stderr).toMatch(/^The embedded database has ended \([^\n]*make room[^\n]*\n$/m);
    const keys = await pda(['keys', 'list']);
    expect(keys).toMatchObject({ status: 5, stderr: expect.stringContaining('make room') });
    expect((await pda(['doctor'])).stdout).toMatch(/problem {2}database .*has ended/);

    for (const size of ['1M', '4K']) rmSync(join(folder, `filler-${size}`));
    const restarted = await startServerProcess(home.environment);
    expect((await ask(restarted.address + LOOKUP, { key })).status).toBe(200);
    await restarted.kill();
    const used = (await home.within(deducted)) - before - 1;
    // Requests without a response, or with an error at that moment, may or may not have been counted.
    expect(used).toBeGreaterThanOrEqual(books.count(200));
    expect(used).toBeLessThanOrEqual(books.asked.length);
  });

  test('a rejects file that cannot be written leaves no table behind, and the message says that the import was done', async () => {
    const row = 'x\tThing\thttps://x.example/x\tno price\tin stock\n';
    const { status, stderr } = await pda(
      ['import', '-', '--merchant', 'Small', '--rejects', '/dev/full', '--min-free', '0'],
      feed(2) + row,
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/The feed was imported, but the rejects file \/dev\/full could not be written: ENOSPC/);
    const tables = await home.within((database) =>
      database.query("SELECT tablename FROM pg_tables WHERE tablename LIKE 'import\\_%' ORDER BY tablename"),
    );
    expect(tables).toEqual([{ tablename: 'import_failure' }, { tablename: 'import_run' }]);
  });
});

function readLog(stderr: NodeJS.ReadableStream | null): () => string {
  let text = '';
  if (stderr) createInterface({ input: stderr }).on('line', (line) => (text += `${line}\n`));
  return () => text;
}
