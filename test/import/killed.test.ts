/** A killed import leaves the shop unchanged, and succeeds when it is run again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHome } from '../harness/home.ts';
import { forFile } from '../harness/lifetime.ts';
import { run } from '../harness/process.ts';

const HEADER = 'id\ttitle\tlink\tprice\tavailability\n';
const feed = (price: string, rows: number) =>
  HEADER +
  Array.from({ length: rows }, (_, n) => `${n}\tThing ${n}\thttps://x.example/${n}\t${price} EUR\tin stock\n`).join('');
const ROWS = 4_000;

const home = await forFile(makeHome());

const importAll = async (price: string, ...words: string[]) => {
  const { status, stdout, stderr } = await run(
    'pda',
    ['import', '-', '--merchant', 'Shop', '--json', ...words],
    home.environment,
    feed(price, ROWS),
  );
  // On a busy machine it says how far it is.
  expect({ status, stderr: stderr.replace(/^Importing: .*\n/gm, '') }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
};

/** Starts an import, sends its feed except for the end, and kills it. */
async function killWhileReading(): Promise<void> {
  const child = spawn(process.execPath, ['dist/pda.js', 'import', '-', '--merchant', 'Shop'], {
    cwd: join(import.meta.dirname, '..', '..'),
    env: { PATH: process.env.PATH, ...home.environment },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  await new Promise<void>((resolve) => child.stdin.write(feed('5.00', ROWS), () => resolve()));
  child.kill('SIGKILL');
  await once(child, 'exit');
}

test('while it reads the feed: the shop is unchanged, and the next import is complete', async () => {
  expect(await importAll('10.00')).toMatchObject({ new: ROWS });
  await killWhileReading();
  expect(await importAll('10.00', '--dry-run')).toMatchObject({ same: ROWS, changed: 0 });
  expect(await importAll('5.00')).toMatchObject({ changed: ROWS });
});

test('while it writes: the shop is unchanged, and the next import is complete', async () => {
  await importAll('10.00');
  const child = spawn(process.execPath, ['dist/pda.js', 'import', '-', '--merchant', 'Shop'], {
    cwd: join(import.meta.dirname, '..', '..'),
    env: { PATH: process.env.PATH, ...home.environment },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end(feed('7.00', ROWS));
  await home.within(async (database) => {
    // The importer holds an advisory lock exactly while it writes.
    const isWriting = async () =>
      (
        await database.query(`
            SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
            WHERE locktype = 'advisory' AND datname = current_database()`)
      ).length > 0;
    while (!(await isWriting()) && child.exitCode === null) await new Promise(setImmediate);
  });
  child.kill('SIGKILL');
  await once(child, 'exit');
  const [row] = await home.within((database) =>
    database.query<{ low: bigint; high: bigint }>('SELECT min(total) AS low, max(total) AS high FROM offer'),
  );
  expect(row?.low).toBe(row?.high);
  await importAll('7.00');
  expect(await importAll('7.00')).toMatchObject({ same: ROWS });
});
