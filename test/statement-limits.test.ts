/** The time limits of statements: those of requests are cancelled after four seconds, those of transactions and commands never. */
import { afterAll, expect, test } from 'vitest';
import { sqlStateOf } from '../src/database/database.ts';
import { openPostgres } from '../src/database/postgres.ts';
import { makeHome } from './harness/home.ts';
import { forFile } from './harness/lifetime.ts';

// Some minutes of work without a system call.
const ENDLESS = 'SELECT count(*) FROM generate_series(1, 30000) a, generate_series(1, 30000) b WHERE a < b';
const LONG = 'SELECT count(*)::int AS rows FROM generate_series(1, 1000), pg_sleep(4.5)';

const home = await forFile(makeHome());
const requests = openPostgres({ url: home.environment.DATABASE_URL ?? '' });
const commands = home.open();
await commands.script('CREATE TABLE note (text TEXT)');
afterAll(async () => {
  await requests.close();
  await commands.close();
});

test('a request statement that would run for minutes is cancelled and rolled back, and the next one runs', async () => {
  const outcome = (sql: string) => requests.query(sql).then(() => 'done', sqlStateOf);
  const writing = `WITH counted AS (${ENDLESS}) INSERT INTO note SELECT count::text FROM counted`;
  expect(await Promise.all([outcome(writing), outcome(ENDLESS)])).toEqual(['57014', '57014']);
  expect(await requests.query('SELECT * FROM note')).toEqual([]);
});

test('statements of transactions and of commands may take as long as they need', async () => {
  const inTransaction = requests.transaction((transaction) => transaction.query(LONG));
  expect(await Promise.all([inTransaction, commands.query(LONG)])).toEqual([[{ rows: 1_000 }], [{ rows: 1_000 }]]);
});
