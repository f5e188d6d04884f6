/** Time limits of request statements on the embedded database: how long they may run, and how long they may wait. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../src/database/database.ts';
import { openEmbedded } from '../src/database/embedded.ts';
import { openForCommand } from '../src/database/open.ts';

// Some minutes of work without a system call.
const ENDLESS = 'SELECT count(*) FROM generate_series(1, 30000) a, generate_series(1, 30000) b WHERE a < b';

let folder: string;
let database: Database;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pda-limits-'));
  database = await openEmbedded(folder, { statementTimeoutMs: 300, longestWaitMs: 50 });
  await database.script('CREATE TABLE note (text TEXT)');
});
beforeEach(() => database.script('TRUNCATE note'));
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const notes = async () =>
  (await database.query<{ text: string }>('SELECT text FROM note ORDER BY text')).map((row) => row.text);

test('a request statement that runs too long is cancelled and rolled back, and the next one runs', async () => {
  const writing = `WITH counted AS (${ENDLESS}) INSERT INTO note SELECT count::text FROM counted`;
  await expect(database.query(writing)).rejects.toMatchObject({ code: '57014' });
  expect(await notes()).toEqual([]);
  await expect(database.query(ENDLESS)).rejects.toMatchObject({ code: '57014' });
  expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('statements of transactions and of commands may take as long as they need', async () => {
  // Takes longer than the limit of this test on any machine.
  const long = 'SELECT pg_sleep(0.6), count(*)::int FROM generate_series(1, 200000)';
  const [inTransaction] = await database.transaction((transaction) => transaction.query(long));
  expect(inTransaction).toMatchObject({ count: 200_000 });
  const visitor = await openForCommand({ dataDir: folder });
  expect(visitor.description).toContain('through the server');
  expect(await visitor.query(long)).toMatchObject([{ count: 200_000 }]);
  await visitor.close();
});

test('a request statement that has waited longer than its request lives is not run, but one in a transaction is', async () => {
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const holding = database.transaction(async (transaction) => {
    await held;
    await transaction.query("INSERT INTO note VALUES ('in the transaction')");
  });
  const late = database.query("INSERT INTO note VALUES ('late')");
  const importing = database.transaction((transaction) => transaction.query("INSERT INTO note VALUES ('an import')"));
  await expect(late).rejects.toMatchObject({ name: 'DatabaseUnavailable', isUndecided: false });
  goOn();
  await Promise.all([holding, importing]);
  expect(await notes()).toEqual(['an import', 'in the transaction']);
});
