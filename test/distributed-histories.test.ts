/** The statements for a distributed ledger read the same as the others: they work on every PostgreSQL, where the two can be compared. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { PACKED_ENTRIES, parseEntries } from '../src/catalogue/price-history/packed-entries.ts';
import { openPriceHistories } from '../src/catalogue/price-history/read-changes.ts';
import { type Database, isUnavailable, type Queryable } from '../src/database/database.ts';
import { openTurns } from '../src/database/in-turn.ts';
import { ledgerHomeOf } from '../src/database/ledger-home.ts';
import { openShardLedgers, readLedger } from '../src/ledger/read-ledger.ts';
import { DAY_MS } from '../src/values/day.ts';
import { openTestDatabase } from './harness/database.ts';
import { feedRow, importRows } from './harness/gateway.ts';
import { forFile } from './harness/lifetime.ts';
import { capturing, type Sent, seeming } from './harness/statements.ts';
import { versionAt } from './harness/version.ts';

const database = await forFile(openTestDatabase());
const rows = ['4006381333931', '4006381333948'].map((gtin, n) => feedRow({ id: `${n}`, gtin, price: '10.00 EUR' }));
for (const shop of ['Alpha', 'Beta']) await importRows(database, shop, rows);
// Entries before, at and in the span, two of them for one time, and one that ends an offer.
await database.query(
  `INSERT INTO ledger (product_id, offer_id, observed_at, import_run_id, total, availability, condition)
     SELECT product_id, offer_id, now() - days * INTERVAL '1 day', run, CASE WHEN days = 40 THEN NULL ELSE 900 + days + run END,
            (CASE WHEN days = 60 THEN NULL WHEN days % 2 = 0 THEN 'in_stock' ELSE 'out_of_stock' END)::availability,
            (CASE WHEN days = 120 THEN 'used' WHEN days > 50 THEN 'new' END)::condition
     FROM (SELECT DISTINCT product_id, offer_id FROM ledger) AS listed,
          (VALUES (300, 1), (120, 1), (120, 2), (60, 1), (40, 1), (5, 1)) AS entry (days, run)
     WHERE offer_id % 2 = 0 OR days < 100`,
);
const productIds = (await database.query<{ id: bigint }>('SELECT id FROM product ORDER BY id')).map(({ id }) => id);

const ALL = { merchantId: null, condition: null, availability: null };

test.each([
  ['90 days', 90, ALL],
  ['ten years', 3_650, ALL],
  ['an hour', 1 / 24, ALL],
  ['90 days that ended 50 days ago', 90, ALL, 50],
  ['90 days, of new goods', 90, { ...ALL, condition: 'new' as const }],
  ['ten years, while out of stock', 3_650, { ...ALL, availability: 'out_of_stock' as const }],
])('a history of %s', async (_, days, filter, daysAgo = 0) => {
  const until = Date.now() - daysAgo * DAY_MS;
  const window = { from: until - days * DAY_MS, until, ...filter };
  const of = async (from: Queryable) => {
    const histories = openPriceHistories(
      from,
      versionAt(() => undefined),
    );
    const read = (id: bigint) => histories.points(id, window, 'day');
    const together = await Promise.all(productIds.map(read));
    const oneByOne = [];
    for (const id of productIds) oneByOne.push(await read(id));
    expect(oneByOne).toEqual(together);
    return together;
  };
  const expected = await of(database);
  expect(expected.every((points) => points.length > 0)).toBe(true);
  expect(await of(seeming(database))).toEqual(expected);
});

test('entries that the database returns in any order are read by offer, time and import', async () => {
  const [row] = await database.query<{ entries: Uint8Array }>(
    `SELECT ${PACKED_ENTRIES} AS entries
     FROM (
       VALUES (9::bigint, TIMESTAMPTZ '2026-02-01Z', 5::bigint, 300::bigint, 'in_stock'::availability, NULL::condition),
              (7, '2026-01-02Z', 2, 200, NULL, 'new'), (9, '1999-12-31Z', 1, NULL, NULL, NULL),
              (7, '2026-01-02Z', 1, 100, 'preorder', NULL), (7, '2026-01-01Z', 3, 9007199254740991, NULL, 'used')
     ) AS ledger (offer_id, observed_at, import_run_id, total, availability, condition)`,
  );
  const entry = (offerId: number, day: string, runId: number, more: object) => ({
    ...{ offerId, at: Date.parse(day), runId, total: null, availability: null, condition: null },
    ...more,
  });
  expect(parseEntries(row?.entries ?? new Uint8Array())).toEqual([
    entry(7, '2026-01-01', 3, { total: 9_007_199_254_740_991, condition: 'used' }),
    entry(7, '2026-01-02', 1, { total: 100, availability: 'preorder' }),
    entry(7, '2026-01-02', 2, { total: 200, condition: 'new' }),
    entry(9, '1999-12-31', 1, {}),
    entry(9, '2026-02-01', 5, { total: 300, availability: 'in_stock' }),
  ]);
});

test('the ledger of a product, and of one that has none', async () => {
  const expected = await readLedger(database, productIds);
  const read = openShardLedgers(database);
  for (const id of productIds) expect(await read(id)).toEqual(expected.get(id));
  expect(await read(0n)).toEqual([]);
});

describe('whether the ledger is distributed', () => {
  test('is read once, and again after a failure', async () => {
    let reads = 0;
    let isBroken = true;
    const { isDistributed } = ledgerHomeOf({
      ...seeming(database),
      query: async (...statement: Parameters<Database['query']>) => {
        reads += 1;
        if (isBroken) throw new Error('The database is unavailable.');
        return seeming(database).query(...statement);
      },
    } as Queryable);
    await expect(isDistributed()).rejects.toThrow('unavailable');
    isBroken = false;
    expect([await isDistributed(), await isDistributed()]).toEqual([true, true]);
    expect(reads).toBe(3);
  });

  const refused = () => Promise.reject(Object.assign(new Error('complex joins are not supported'), { code: '0A000' }));

  test('is looked up again when a joint statement is refused, which happens once it has been distributed', async () => {
    let isThere = false;
    const home = ledgerHomeOf({
      ...database,
      query: async () => [{ hasCitus: true, isDistributed: isThere }],
    } as unknown as Queryable);
    expect(
      await home.read(
        async () => 'joint',
        async () => 'divided',
      ),
    ).toBe('joint');
    await expect(home.read(refused, async () => 'divided')).rejects.toThrow('not supported');
    isThere = true;
    expect(await home.read(refused, async () => 'divided')).toBe('divided');
    expect(await home.read(refused, async () => 'divided')).toBe('divided');
  });

  test('is not asked again for other failures', async () => {
    const home = ledgerHomeOf({ ...database, query: async () => [{ hasCitus: false }] } as unknown as Queryable);
    const failed = home.read(
      () => Promise.reject(new Error('The product is odd.')),
      async () => 'divided',
    );
    await expect(failed).rejects.toThrow('odd');
  });
});

describe('what is read of single products', () => {
  test('is read four at a time, whatever the number of readers', async () => {
    const inTurn = openTurns();
    let underWay = 0;
    let most = 0;
    const work = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await setImmediate();
      underWay -= 1;
    };
    await Promise.all(Array.from({ length: 40 }, () => inTurn(work)));
    expect(most).toBe(4);
  });

  test('is answered soon although another request asks for very many', async () => {
    const inTurn = openTurns(1);
    const order: string[] = [];
    const note = (name: string) => inTurn(async () => void order.push(name));
    let release = () => {};
    const held = inTurn(() => new Promise<void>((resolve) => (release = resolve)));
    const many = Array.from({ length: 50 }, () => note('many'));
    await setImmediate();
    const one = note('one');
    release();
    await Promise.all([held, one, ...many]);
    expect(order.indexOf('one')).toBe(1);
    expect(order).toHaveLength(51);
  });

  test('fails alone', async () => {
    const inTurn = openTurns(1);
    const lost = inTurn(() => Promise.reject(new Error('Seven is lost.')));
    const kept = inTurn(async () => 'eight');
    await expect(lost).rejects.toThrow('Seven');
    expect(await kept).toBe('eight');
  });

  test('waits a moment for others, and not for a server that hangs', async () => {
    const inTurn = openTurns(1, 10);
    let answer = (_: string) => {};
    const hanging = inTurn(() => new Promise<string>((resolve) => (answer = resolve)));
    const refused = await inTurn(async () => 'two').catch((error: unknown) => error);
    expect(isUnavailable(refused)).toBe(true);
    answer('one');
    expect(await hanging).toBe('one');
    expect(await inTurn(async () => 'three')).toBe('three');
  });
});

const isOfHistory = ({ name }: Sent) => name === 'price_changes' || name === 'whole_histories';

test('the history of a product with very many entries is the same when only those of its time span are read', async () => {
  const [id = 0n] = productIds;
  await database.query(
    `INSERT INTO ledger (product_id, offer_id, observed_at, import_run_id, total, availability)
     SELECT product_id, offer_id, now() - n * INTERVAL '2 hours', 1, 1000 + n % 90, 'in_stock'
     FROM (SELECT DISTINCT product_id, offer_id FROM ledger WHERE product_id = $1) AS listed, generate_series(1, 1500) AS n`,
    [id],
  );
  const sent: Sent[] = [];
  const version = versionAt(() => undefined);
  const divided = openPriceHistories(capturing(seeming(database), sent), version);
  const joint = openPriceHistories(database, version);
  const filter = { merchantId: null, condition: null, availability: null };
  for (const days of [30, 7, 90]) {
    const window = { from: Date.now() - days * DAY_MS, until: Date.now(), ...filter };
    expect(await divided.points(id, window, 'day')).toEqual(await joint.points(id, window, 'day'));
  }
  const reads = sent.filter(isOfHistory).map(({ sql }) => sql.includes('RECURSIVE'));
  expect(reads).toEqual([false, true, true]);

  sent.length = 0;
  const together = openPriceHistories(capturing(seeming(database), sent), version);
  const window = { from: Date.now() - 30 * DAY_MS, until: Date.now(), ...filter };
  const of = (histories: typeof joint) => Promise.all(productIds.map((each) => histories.points(each, window, 'day')));
  expect(await of(together)).toEqual(await of(joint));
  const statements = sent.filter(isOfHistory).map(({ sql }) => sql.includes('RECURSIVE'));
  expect(statements).toEqual([false, true]);
});
