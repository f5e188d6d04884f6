/** Statements of requests on the embedded database: they end after a time, and none is run that has waited for too long. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../src/database/database.ts';
import { openEmbedded } from '../src/database/embedded.ts';
import { openForCommand } from '../src/database/open.ts';

// Some minutes of work, none of which asks the system for anything.
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

test('a statement of a request that runs for too long is ended and rolled back, and the next one runs', async () => {
  const writing = `WITH counted AS (${ENDLESS}) INSERT INTO note SELECT count::text FROM counted`;
  await expect(database.query(writing)).rejects.toMatchObject({ code: '57014' });
  expect(await notes()).toEqual([]);
  await expect(database.query(ENDLESS)).rejects.toMatchObject({ code: '57014' });
  expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('statements of transactions and of commands take as long as they need', async () => {
  // On any machine longer than the limit of this test.
  const long = 'SELECT pg_sleep(0.6), count(*)::int FROM generate_series(1, 200000)';
  const [inTransaction] = await database.transaction((transaction) => transaction.query(long));
  expect(inTransaction).toMatchObject({ count: 200_000 });
  const visitor = await openForCommand({ dataDir: folder });
  expect(visitor.description).toContain('through the server');
  expect(await visitor.query(long)).toMatchObject([{ count: 200_000 }]);
  await visitor.close();
});

test('a statement of a request that waited for longer than requests live is not run, and one in a transaction is', async () => {
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
