/** The ledger: everything that shops state about their offers, with the time from which it applies. */
import { beforeEach, describe, expect, test } from 'vitest';
import { migrate, ownMigrations } from '../../src/database/migrate.ts';
import type { ImportRequest } from '../../src/import/import-request.ts';
import { readLedger } from '../../src/ledger/read-ledger.ts';
import { openTestDatabase } from '../harness/database.ts';
import { isDistributedRun } from '../harness/distributed.ts';
import { type FeedRowFields, feedRow, importRows } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

const database = await forFile(openTestDatabase());
beforeEach(() =>
  database.script(
    'TRUNCATE product, offer, offer_seen, ledger, product_identifier, brand, merchant, import_run, due_product, click CASCADE',
  ),
);

const GTIN = '4006381333931';
const day = (number: number) => new Date(Date.UTC(2026, 5, number));
const run = (at: number, rows: readonly FeedRowFields[], options: Partial<ImportRequest> = {}) =>
  importRows(database, 'Shop', rows, { observedAt: day(at), isForced: true, ...options });

/** The entries of the only product's offers, by offer, as the readers of the ledger see them. */
async function entries(): Promise<string[][]> {
  const [product] = await database.query<{ id: bigint }>('SELECT id FROM product ORDER BY id LIMIT 1');
  const offers = (await readLedger(database, [product?.id ?? 0n])).get(product?.id ?? 0n) ?? [];
  return offers.map(({ entries: all }) =>
    all.map(({ at, total, availability }) =>
      [new Date(at).getUTCDate(), total ?? 'not listed', availability].filter((each) => each !== null).join(' '),
    ),
  );
}
const rowCount = async () => (await database.query<{ n: number }>('SELECT count(*)::int AS n FROM ledger'))[0]?.n;

describe('an entry', () => {
  test('has everything that the shop states, and the number of the import', async () => {
    await run(1, [
      feedRow({
        id: 'a',
        gtin: GTIN,
        price: '100.00 EUR',
        sale_price: '80.00 EUR',
        sale_price_effective_date: '2026-05-30T00:00Z/2026-06-20T12:00Z',
        shipping: ':::4.99 EUR',
        availability: 'preorder',
        condition: 'refurbished',
      }),
    ]);
    const [product] = await database.query<{ id: bigint }>('SELECT id FROM product');
    const [importRun] = await database.query<{ id: bigint }>('SELECT id FROM import_run');
    const [offer] = (await readLedger(database, [product?.id ?? 0n])).get(product?.id ?? 0n) ?? [];
    const number = offer?.entries[0]?.importRunId ?? 0n;
    expect(number).toBe(importRun?.id);
    expect(offer?.entries).toEqual([
      {
        at: day(1).getTime(),
        total: 8499n,
        price: 8000n,
        shipping: 499n,
        regularPrice: 10000n,
        saleFrom: Date.UTC(2026, 4, 30),
        saleUntil: Date.UTC(2026, 5, 20, 12),
        availability: 'preorder',
        condition: 'refurbished',
        importRunId: number,
      },
    ]);
  });

  test.each([
    ['the price', { price: '11.00 EUR' }],
    ['the shipping', { shipping: ':::1.00 EUR' }],
    ['the price and the shipping, with the same total', { price: '9.00 EUR', shipping: ':::1.00 EUR' }],
    ['the availability', { availability: 'out of stock' }],
    ['the condition', { condition: 'used' }],
    ['the sale price', { price: '20.00 EUR', sale_price: '10.00 EUR' }],
  ])('is added when the shop changes %s', async (_, change) => {
    await run(1, [feedRow({ id: 'a', gtin: GTIN, price: '10.00 EUR' })]);
    await run(2, [feedRow({ id: 'a', gtin: GTIN, price: '10.00 EUR', ...change })]);
    expect((await entries())[0]).toHaveLength(2);
    await run(3, [feedRow({ id: 'a', gtin: GTIN, price: '10.00 EUR', ...change })]);
    expect((await entries())[0]).toHaveLength(2);
  });

  test('is not added when only the link changes', async () => {
    await run(1, [feedRow({ id: 'a', gtin: GTIN })]);
    await run(2, [feedRow({ id: 'a', gtin: GTIN, link: 'https://shop.example/new' })]);
    expect((await entries())[0]).toHaveLength(1);
  });

  test('says when an offer was withdrawn, and when it was listed again', async () => {
    await run(1, [feedRow({ id: 'a', gtin: GTIN })]);
    await run(2, []);
    await run(3, [feedRow({ id: 'a', gtin: GTIN })]);
    expect(await entries()).toEqual([['1 1000 in_stock', '2 not listed', '3 1000 in_stock']]);
  });

  test('is never changed: of two feeds for one time, the later import counts and both are kept', async () => {
    await run(1, [feedRow({ id: 'a', gtin: GTIN, price: '1.00 EUR' })]);
    await run(1, [feedRow({ id: 'a', gtin: GTIN, price: '10.00 EUR' })]);
    expect(await entries()).toEqual([['1 1000 in_stock']]);
    expect(await rowCount()).toBe(2);
    // The wrong price lasted no time, so it is in no average.
    expect(await database.query('SELECT average_lowest(id) AS average FROM product')).toEqual([{ average: 1000 }]);
  });
});

test.each([
  ['UPDATE ledger SET total = 1'],
  ['DELETE FROM ledger'],
  ['UPDATE price_change SET total = 1'],
])('no role can change entries: %s is refused', async (statement) => {
  await run(1, [feedRow({ id: 'a', gtin: GTIN })]);
  // Citus refuses to write through any view.
  await expect(database.query(statement)).rejects.toThrow(/ledger is append-only|cannot modify views/);
  expect(await entries()).toEqual([['1 1000 in_stock']]);
});

describe('an archived feed', () => {
  test('adds its facts, and the earlier facts hold again from the next full feed on', async () => {
    await run(1, [feedRow({ id: 'a', gtin: GTIN, price: '10.00 EUR' })]);
    await run(9, [feedRow({ id: 'a', gtin: GTIN, price: '10.00 EUR' })]);
    await run(5, [feedRow({ id: 'a', gtin: GTIN, price: '10.00 EUR', availability: 'out of stock' })]);
    expect(await entries()).toEqual([['1 1000 in_stock', '5 1000 out_of_stock', '9 1000 in_stock']]);
  });

  test('imported twice adds nothing the second time', async () => {
    await run(9, [feedRow({ id: 'a', gtin: GTIN, price: '10.00 EUR' })]);
    await run(5, [feedRow({ id: 'a', gtin: GTIN, price: '8.00 EUR' })]);
    const before = await rowCount();
    await run(5, [feedRow({ id: 'a', gtin: GTIN, price: '8.00 EUR' })]);
    expect(await rowCount()).toBe(before);
  });

  test('removes no entry that it makes a repetition, which counts no longer', async () => {
    await run(1, [feedRow({ id: 'a', gtin: GTIN, price: '10.00 EUR' })]);
    await run(9, [feedRow({ id: 'a', gtin: GTIN, price: '8.00 EUR' })]);
    await run(5, [feedRow({ id: 'a', gtin: GTIN, price: '8.00 EUR' })]);
    expect(await entries()).toEqual([['1 1000 in_stock', '5 800 in_stock']]);
    expect(await rowCount()).toBe(3);
  });
});

describe('when an offer was last seen', () => {
  const seen = async () => {
    const [row] = await database.query<{ full: Date | null; delta: Date | null }>(
      `SELECT merchant.full_observed_at AS full, offer_seen.seen_at AS delta
       FROM offer
       JOIN merchant ON merchant.id = offer.merchant_id
       LEFT JOIN offer_seen ON offer_seen.offer_id = offer.id`,
    );
    return row && [row.full?.getUTCDate() ?? null, row.delta?.getUTCDate() ?? null];
  };

  test('is known from full feeds without writing the offer, and from delta feeds that list it', async () => {
    await run(1, [feedRow({ id: 'a', gtin: GTIN })]);
    expect(await seen()).toEqual([1, null]);
    await run(2, [feedRow({ id: 'a', gtin: GTIN })]);
    expect(await seen()).toEqual([2, null]);
    await run(3, [feedRow({ id: 'a', gtin: GTIN })], { mode: 'delta' });
    expect(await seen()).toEqual([2, 3]);
    await run(1, [feedRow({ id: 'a', gtin: GTIN })]);
    expect(await seen()).toEqual([2, 3]);
  });

  test('does not count as a change of the offer', async () => {
    await run(1, [feedRow({ id: 'a', gtin: GTIN })]);
    const { changed, same } = await run(2, [feedRow({ id: 'a', gtin: GTIN })], { mode: 'delta' });
    expect([changed, same]).toEqual([0, 1]);
    expect(await database.query('SELECT updated_at AS at FROM offer')).toEqual([{ at: day(1) }]);
  });
});

// A database is upgraded before it is distributed; replacing the schema would remove the extension.
describe.skipIf(isDistributedRun())('a database of the version before the ledger', () => {
  const isBefore = ({ name }: { name: string }) => name < '20261123';

  beforeEach(async () => {
    await database.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await migrate(database, ownMigrations().filter(isBefore));
    await database.script(`
      INSERT INTO merchant (id, slug, name, sort_name) VALUES (1, 'shop', 'Shop', 'shop');
      SELECT setval('merchant_id_seq', 1);
      INSERT INTO product (id, slug, name, sort_name, offer_count, min_total, max_total, lowest_ever, lowest_ever_at)
      VALUES (1, 'thing', 'Thing', 'thing', 1, 1200, 1200, 900, '2026-05-02');
      INSERT INTO product_identifier (product_id, kind, value) VALUES (1, 'gtin', '0${GTIN}');
      INSERT INTO offer (
        id, merchant_id, sku, product_id, price, shipping, total, availability, condition, link, created_at, updated_at, withdrawn_at
      )
      VALUES
        (1, 1, 'a', 1, 1000, 200, 1200, 'in_stock', 'new', 'https://shop.example/a', '2026-05-01', '2026-05-20', NULL),
        (2, 1, 'b', 1, 1500, NULL, 1500, 'in_stock', 'used', 'https://shop.example/b', '2026-05-01', '2026-05-09', '2026-05-09');
      SELECT setval('offer_id_seq', 2), setval('product_id_seq', 1);
      INSERT INTO price_change (product_id, offer_id, observed_at, total)
      VALUES (1, 1, '2026-05-01', 1100), (1, 1, '2026-05-02', 900), (1, 1, '2026-05-03', 1200),
             (1, 2, '2026-05-01', 1500), (1, 2, '2026-05-09', NULL);
      INSERT INTO import_run (id, merchant_id, mode, observed_at, read, added, changed, same, withdrawn, rejected)
      VALUES (7, 1, 'full', '2026-05-25', 1, 0, 0, 1, 0, 0);
      SELECT setval('import_run_id_seq', 7)`);
    expect(await migrate(database)).not.toEqual([]);
  });

  test('keeps its history, with unknown facts, and knows the present facts from the last change on', async () => {
    expect(await entries()).toEqual([
      ['1 1100', '2 900', '3 1200', '20 1200 in_stock'],
      ['1 1500', '9 not listed'],
    ]);
    const [merchant] = await database.query<{ at: Date }>('SELECT full_observed_at AS at FROM merchant');
    expect(merchant?.at).toEqual(new Date('2026-05-25'));
  });

  test('is read by gateways of that version until they are replaced', async () => {
    const read = 'SELECT total FROM price_change WHERE product_id = 1 AND offer_id = 2 ORDER BY observed_at';
    expect(await database.query(read)).toEqual([{ total: 1500n }, { total: null }]);
  });

  test('takes the next feed, whose unchanged offers need no new entry', async () => {
    const row = feedRow({
      id: 'a',
      gtin: GTIN,
      price: '10.00 EUR',
      shipping: ':::2.00 EUR',
      link: 'https://shop.example/a',
    });
    const { same } = await run(1, [row]);
    expect(same).toBe(1);
    await run(2, [{ ...row, availability: 'out of stock' }]);
    expect((await entries())[0]).toEqual(['1 1100', '2 900', '3 1200', '20 1200 in_stock', '2 1200 out_of_stock']);
    const [entry] = await database.query(
      'SELECT import_run_id > 7 AS later FROM ledger ORDER BY observed_at DESC LIMIT 1',
    );
    expect(entry).toEqual({ later: true });
  });
});
