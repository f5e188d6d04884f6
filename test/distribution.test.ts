/**
 * The ledger and the clicks can be distributed over the machines of a Citus cluster, by product. These tests need no cluster: they compare
 * the tables with docs/scaling.md, and read the statements that a gateway sends that takes its ledger for distributed. test/distributed runs on a cluster.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createKey } from '../src/access/key-admin.ts';
import { reportClicks } from '../src/clicks/click-report.ts';
import { readConfig } from '../src/config.ts';
import { DISTRIBUTED_TABLES, DISTRIBUTION_COLUMN } from '../src/database/ledger-home.ts';
import { ownMigrations } from '../src/database/migrate.ts';
import { startGateway } from '../src/gateway.ts';
import { openTestDatabase } from './harness/database.ts';
import { expectEventually } from './harness/eventually.ts';
import { ask, feedRow, importRows } from './harness/gateway.ts';
import { forFile } from './harness/lifetime.ts';
import {
  capturing,
  changesDistributed,
  isOnWorkers,
  partsOf,
  type Sent,
  seeming,
  tablesIn,
} from './harness/statements.ts';

const EAN = '4006381333931';
/** No database was distributed before it had this migration. */
const LAST_BEFORE_DISTRIBUTION = '20261126120000_clicks_by_product';

const sent: Sent[] = [];
const database = await openTestDatabase();
const row = feedRow({ id: 'a', gtin: EAN, price: '12 EUR' });
await importRows(database, 'Shop', [row], { observedAt: new Date(Date.now() - 86_400_000) });
await importRows(database, 'Shop', [{ ...row, sale_price: '9 EUR' }]);
const { key } = await createKey(database, { name: 'x', plan: 'pro', rateLimit: 1_000 });
const config = readConfig({ PORT: '0', LOG_LEVEL: 'silent', ANSWER_CACHE_MB: '0' });
const gateway = await forFile(startGateway(config, capturing(seeming(database), sent)));

const get = async (path: string, status = 200) => {
  const answer = await ask(gateway.address + path, { key });
  expect(answer.status).toBe(status);
  return answer;
};

const tablesOfSchema = async () => {
  const rows = await database.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename !~ '^(_prisma|staging)' ORDER BY 1",
  );
  return rows.map(({ name }) => name);
};

describe('docs/scaling.md', () => {
  const text = readFileSync(new URL('../docs/scaling.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| (`\w+`(?:, `\w+`)*) \| (`\w+`|coordinator) \| [^|]+ \|$/gm)];
  const placed = rows.flatMap(([, names = '', place = '']) =>
    names.split(', ').map((name) => [name.replaceAll('`', ''), place.replaceAll('`', '')] as const),
  );

  test('says of each table, once, where it is', async () => {
    expect(placed.map(([table]) => table).sort()).toEqual(await tablesOfSchema());
  });

  test('says which tables are distributed, and by which column', () => {
    const distributed = placed.filter(([, place]) => place !== 'coordinator');
    expect(distributed).toEqual(DISTRIBUTED_TABLES.map((table) => [table, DISTRIBUTION_COLUMN]));
  });
});

describe('the statements that read or write the ledger and the clicks', () => {
  test('name no other table beside them, because a join of two machines would copy a table', async () => {
    const { body } = await get(`/api/v1/lookup?ean=${EAN}`);
    await get('/api/v1/products/thing-a/offers');
    await get('/api/v1/products/thing-a/price-history?from=2026-01-01');
    await get('/api/v1/products/thing-a/price-history?condition=new&availability=in_stock');
    await get('/api/v1/products/thing-a/price-stats');
    await get('/api/v1/deals');
    await get(body.data.offers[0].url, 302);
    await reportClicks(capturing(database, sent), { from: '2026-01-01', to: '2026-01-31', shopId: undefined });
    const named = (name: string) => sent.some((statement) => statement.name === name);
    const names = ['whole_histories', 'lowest_price', 'reductions', 'clicks'];
    await expectEventually(async () => names.filter((name) => !named(name)), []);
    const parts = sent.flatMap(({ sql }) => partsOf(sql)).filter(isOnWorkers);
    const others = await tablesOfSchema();
    const mixed = parts.filter((part) =>
      tablesIn(part).some((table) => others.includes(table) && !isOnWorkers(`FROM ${table}`)),
    );
    expect(mixed).toEqual([]);
  });

  test('keep their guarantees on shards: each unique key of the ledger contains the product', async () => {
    const keys = await database.query<{ columns: string[] }>(`
      SELECT array_agg(attname::text) AS columns
      FROM pg_index
      JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
      WHERE indisunique AND indrelid = 'ledger'::regclass
      GROUP BY indexrelid`);
    expect(keys).not.toEqual([]);
    for (const { columns } of keys) expect(columns).toContain(DISTRIBUTION_COLUMN);
  });
});

test('a migration that changes a distributed table has no other statement, because Citus refuses most of them beside others', () => {
  const later = ownMigrations().filter(({ name }) => name > LAST_BEFORE_DISTRIBUTION);
  const statements = (sql: string) => sql.replaceAll(/--.*$/gm, '').trim().replace(/;$/, '');
  const wrong = later.filter(({ sql }) => changesDistributed(sql) && statements(sql).includes(';'));
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

describe('the reader of migrations', () => {
  test.each([
    'ALTER TABLE ledger ADD COLUMN note TEXT',
    'ALTER TABLE "ledger" ADD COLUMN note TEXT',
    'ALTER TABLE IF EXISTS ONLY click DROP COLUMN note',
    'CREATE INDEX ledger_note_idx ON ledger (note)',
    'DROP INDEX IF EXISTS ledger_note_idx',
    'CREATE TRIGGER a BEFORE UPDATE ON click EXECUTE FUNCTION b()',
    'UPDATE click SET note = NULL',
    'DROP TABLE click',
  ])('finds that %s changes a distributed table', (sql) => expect(changesDistributed(sql)).toBe(true));

  test.each([
    'ALTER TABLE offer ADD COLUMN note TEXT',
    'CREATE VIEW a AS SELECT 1 FROM offer JOIN ledger ON ledger.offer_id = offer.id',
  ])('finds that %s changes none', (sql) => expect(changesDistributed(sql)).toBe(false));
});

describe('the reader of statements', () => {
  test.each([
    ['SELECT 1 FROM ledger JOIN offer ON TRUE', [['ledger', 'offer']]],
    [
      'WITH a AS MATERIALIZED (SELECT (1) FROM ledger) SELECT 1 FROM a JOIN offer ON TRUE',
      [['ledger'], ['a', 'offer']],
    ],
    ['WITH a AS (SELECT 1 FROM ledger) SELECT 1 FROM a, b JOIN offer ON TRUE', [['ledger', 'a', 'b', 'offer']]],
    ['DELETE FROM ledger USING offer AS o, product WHERE TRUE', [['ledger', 'offer', 'product']]],
    ['SELECT 1 FROM unnest($1::int[]) AS asked', [[]]],
    ['SELECT 1 FROM (WITH a AS MATERIALIZED (SELECT 1 FROM click) SELECT 1 FROM a) AS b', [['click'], ['a']]],
    ['INSERT INTO click (day) SELECT 1', [['click']]],
  ])('finds the tables of each part of %s', (sql, tables) => {
    expect(partsOf(sql).map(tablesIn)).toEqual(tables);
  });
});
