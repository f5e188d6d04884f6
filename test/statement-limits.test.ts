/** The time limits of statements: those of requests are cancelled after four seconds, those of imports and commands never. */
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

test('a transaction of requests gives up its connection: a statement after four seconds, a wait for a lock after two', async () => {
  const ending = (sql: string) =>
    requests.transaction((transaction) => transaction.query(sql)).then(() => 'done', sqlStateOf);
  expect(await ending(ENDLESS)).toBe('57014');
  await commands.transaction(async (transaction) => {
    await transaction.query('LOCK TABLE note');
    expect(await ending('SELECT * FROM note')).toBe('55P03');
  });
});

test('statements of imports and of commands may take as long as they need', async () => {
  const importing = requests.transaction((transaction) => transaction.query(LONG), { isLong: true });
  expect(await Promise.all([importing, commands.query(LONG)])).toEqual([[{ rows: 1_000 }], [{ rows: 1_000 }]]);
});
