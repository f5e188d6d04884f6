/** The statements for a distributed ledger read the same as the others: they work on every PostgreSQL, where the two can be compared. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPriceHistories } from '../src/catalogue/price-history/read-changes.ts';
import type { Database, Queryable } from '../src/database/database.ts';
import { followDistribution } from '../src/database/distribution.ts';
import { readLedger, readLedgerFromShard } from '../src/ledger/read-ledger.ts';
import { DAY_MS } from '../src/values/day.ts';
import { openTestDatabase } from './harness/database.ts';
import { feedRow, importRows } from './harness/gateway.ts';
import { seeming } from './harness/statements.ts';
import { versionAt } from './harness/version.ts';

let database: Database;
let productIds: bigint[];

beforeAll(async () => {
  database = await openTestDatabase();
  const rows = ['4006381333931', '4006381333948'].map((gtin, n) => feedRow({ id: `${n}`, gtin, price: '10.00 EUR' }));
  for (const shop of ['Alpha', 'Beta']) await importRows(database, shop, rows);
  // Entries before, at and in the span, two of them for one time, and one that ends an offer.
  await database.query(
    `INSERT INTO ledger (product_id, offer_id, observed_at, import_run_id, total, availability)
     SELECT product_id, offer_id, now() - days * INTERVAL '1 day', run, CASE WHEN days = 40 THEN NULL ELSE 900 + days + run END,
            (CASE WHEN days % 2 = 0 THEN 'in_stock' ELSE 'out_of_stock' END)::availability
     FROM (SELECT DISTINCT product_id, offer_id FROM ledger) AS listed,
          (VALUES (300, 1), (120, 1), (120, 2), (60, 1), (40, 1), (5, 1)) AS entry (days, run)
     WHERE offer_id % 2 = 0 OR days < 100`,
  );
  productIds = (await database.query<{ id: bigint }>('SELECT id FROM product ORDER BY id')).map(({ id }) => id);
});
afterAll(() => database.close());

test.each([
  ['90 days', 90],
  ['ten years', 3_650],
  ['an hour', 1 / 24],
])('a history of %s', async (_, days) => {
  const until = Date.now();
  const window = { from: until - days * DAY_MS, until, merchantId: null, condition: null, availability: null };
  const of = (from: Queryable) => {
    const histories = openPriceHistories(
      from,
      versionAt(() => undefined),
    );
    return Promise.all(productIds.map((id) => histories.points(id, window, 'day')));
  };
  const expected = await of(database);
  expect(expected.every((points) => points.length > 0)).toBe(true);
  expect(await of(seeming(database))).toEqual(expected);
});

test('the ledger of a product, and of one that has none', async () => {
  const expected = await readLedger(database, productIds);
  for (const id of productIds) expect(await readLedgerFromShard(database, id)).toEqual(expected.get(id));
  expect(await readLedgerFromShard(database, 0n)).toEqual([]);
});

test('whether the ledger is distributed is read once, and again after a failure', async () => {
  let reads = 0;
  let isBroken = true;
  const { hasShards } = followDistribution({
    ...seeming(database),
    query: async (...statement: Parameters<Database['query']>) => {
      reads += 1;
      if (isBroken) throw new Error('The database is unavailable.');
      return seeming(database).query(...statement);
    },
  } as Queryable);
  await expect(hasShards()).rejects.toThrow('unavailable');
  isBroken = false;
  expect([await hasShards(), await hasShards()]).toEqual([true, true]);
  expect(reads).toBe(3);
});
