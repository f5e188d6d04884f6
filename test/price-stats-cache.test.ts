/** How often a ledger is read for statistics. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { openStatistics } from '../src/catalogue/price-stats/read-statistics.ts';
import { tagOf } from '../src/catalogue/tags.ts';
import type { Database } from '../src/database/database.ts';
import { ledgerHomeOf } from '../src/database/ledger-home.ts';
import { observed } from '../src/database/observed.ts';
import { openTestDatabase } from './harness/database.ts';
import { isDistributedRun } from './harness/distributed.ts';
import { feedRow, importRows } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';
import { versionAt } from './harness/version.ts';

const ALL_TIME = { from: Number.NEGATIVE_INFINITY, until: Number.MAX_SAFE_INTEGER };

const database = await forFile(openTestDatabase());
await importRows(database, 'Alpha', [feedRow({ id: 'a', gtin: '4006381333931', price: '10.00 EUR' })]);
const [row] = await database.query<{ id: bigint }>('SELECT id FROM product');
const productId = row?.id ?? 0n;

/** Statistics over the database, with the number of statements so far. */
function open(known: () => bigint | undefined) {
  const version = versionAt(known);
  let statements = 0;
  const counting = observed(database, {
    observe: ({ name }) => {
      if (name === 'ledger_of_products') statements += 1;
    },
  });
  const statistics = openStatistics(counting, version);
  const load = (filter = {}, span = ALL_TIME) => statistics.load({ productId, filter, span });
  return { load, statements: () => statements, changes: version.changes };
}

test('a ledger is read once for all requests, filters and time spans until its product changes', async () => {
  const { load, statements, changes } = open(() => 1n);
  const [one, other, filtered] = await Promise.all([load(), load(), load({ condition: 'new' })]);
  expect(other).toBe(one);
  expect([one.current, filtered.current]).toEqual([1000n, 1000n]);
  expect(await load()).toBe(one);
  await load({ condition: 'used' }, { ...ALL_TIME, from: 0 });
  changes.announce([tagOf('product', productId + 1n)]);
  await load();
  expect(statements()).toBe(1);
  changes.announce([tagOf('product', productId)]);
  expect(await load()).toEqual(one);
  expect(statements()).toBe(2);
});

test('without a known version, each request reads the ledger as it is', async () => {
  const { load, statements } = open(() => undefined);
  await load();
  await load();
  expect(statements()).toBe(2);
});

test('ledgers with more than a hundred thousand entries together are read one after the other', async () => {
  const other = await forTest(openTestDatabase());
  const gtins = ['4006381333931', '4006381333948', '4006381333955', '4006381333962'];
  await importRows(
    other,
    'Alpha',
    gtins.map((gtin, n) => feedRow({ id: `${n}`, gtin, price: '10.00 EUR' })),
  );
  await other.query(
    `INSERT INTO ledger (product_id, offer_id, observed_at, total)
     SELECT product_id, offer_id, now() - n * INTERVAL '1 hour', 1000 + n % 7
     FROM (SELECT product_id, offer_id, row_number() OVER (ORDER BY product_id) AS place FROM ledger) AS listed
     CROSS JOIN generate_series(1, 60000) AS n
     WHERE place > 2`,
  );
  const products = await other.query<{ id: bigint }>('SELECT id FROM product ORDER BY id');
  const groups: number[] = [];
  const noting = {
    ...other,
    query: (sql, parameters, options) => {
      if (options?.name === 'ledger_of_products') groups.push(options.batchSize ?? 0);
      return other.query(sql, parameters, options);
    },
  } as Database;
  // The first reader would be the last one otherwise, because it looks where the ledger is.
  await ledgerHomeOf(noting).isDistributed();
  const statistics = openStatistics(
    noting,
    versionAt(() => 1n),
  );
  const all = await Promise.all(
    products.map(({ id }) => statistics.load({ productId: id, filter: {}, span: ALL_TIME })),
  );
  expect(all.map(({ observations }) => observations)).toEqual([1, 1, 60_001, 60_001]);
  // A distributed ledger has a statement for each product.
  expect(groups).toEqual(isDistributedRun() ? [1, 1, 1, 1] : [3, 1]);
});

test('a failed read is not cached', async () => {
  let isBroken = true;
  const failing = observed(database, { observe: () => {} });
  const statistics = openStatistics(
    {
      ...failing,
      query: async (...statement: Parameters<typeof failing.query>) => {
        if (isBroken) throw new Error('The database is unavailable.');
        return failing.query(...statement);
      },
    } as typeof failing,
    versionAt(() => 1n),
  );
  const key = { productId, filter: {}, span: ALL_TIME };
  await expect(statistics.load(key)).rejects.toThrow('unavailable');
  isBroken = false;
  expect((await statistics.load(key)).current).toBe(1000n);
});

test('an outlier counts once its shop has stated it for three days, without a change of the product', async () => {
  const own = await forTest(openTestDatabase());
  const DAY_MS = 86_400_000;
  for (const [days, price] of Object.entries({ 50: 90, 40: 91, 30: 90 })) {
    const row = feedRow({ id: 'a', gtin: '4006381333931', price: `${price} EUR` });
    await importRows(own, 'Alpha', [row], { observedAt: new Date(Date.now() - Number(days) * DAY_MS) });
  }
  const typo = feedRow({ id: 'b', gtin: '4006381333931', price: '9 EUR' });
  await importRows(own, 'Beta', [typo], { observedAt: new Date(Date.now() - 2 * DAY_MS) });
  const [product] = await own.query<{ id: bigint }>('SELECT id FROM product');
  const statistics = openStatistics(
    own,
    versionAt(() => 1n),
  );
  const load = () => statistics.load({ productId: product?.id ?? 0n, filter: {}, span: ALL_TIME });
  expect(await load()).toMatchObject({ current: 9_000n, excluded: 1, currentExcluded: { usual: 9_000n } });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * DAY_MS });
  onTestFinished(() => void vi.useRealTimers());
  expect(await load()).toMatchObject({ current: 900n, excluded: 0, currentExcluded: undefined });
});
