/** On the embedded database, an import in steps has the outcome of one in a single transaction, and lets requests through. */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { FeedRefused } from '../../src/import/feed-refused.ts';
import type { ImportRequest } from '../../src/import/import-request.ts';
import { isOnPostgres, openTestDatabase } from '../harness/database.ts';
import { PATIENCE_MS, tries } from '../harness/fuzz.ts';
import { type FeedRowFields, feedRow, importRows } from '../harness/gateway.ts';

const day = (number: number) => new Date(Date.UTC(2026, 0, number));
const GTINS = ['4006381333931', '4006381333948', '4006381333955', '4006381333962', '4006381333979'];
const ASINS = ['B0DEMO0001', 'B0DEMO0002', 'B0DEMO0003', 'B0DEMO0004'];
const TABLES = `product, offer, ledger, product_identifier, brand, merchant, import_run, category, popular_product, search_word,
  identifier_dispute, identifier_detachment, change, due_product, offer_seen, feed, product_field, product_search`;

const shopOf = (table: string) =>
  `(SELECT merchant.name FROM merchant WHERE merchant.id = ${table}.merchant_id) AS shop`;

/** What each table says, without the numbers of rows, which follow the order of the steps. */
const OUTCOME = {
  product: `SELECT product.*, brand.name AS brand, merchant.name AS shop, found.search
            FROM (
              SELECT slug, name, sort_name, mpn, description, offer_count, min_total, max_total, lowest_ever, lowest_ever_at, popularity, rank,
                     discount, created_at, updated_at, id AS product_id, brand_id, merchant_id
              FROM product
            ) AS product
            LEFT JOIN brand ON brand.id = brand_id
            LEFT JOIN merchant ON merchant.id = product.merchant_id
            JOIN product_search AS found USING (product_id)`,
  identifier: `SELECT kind, value, slug, ${shopOf('identifier')}, row_number() OVER (PARTITION BY product_id, kind ORDER BY identifier.id) AS place
               FROM product_identifier AS identifier JOIN product ON product.id = product_id`,
  field: `SELECT slug, field, ${shopOf('product_field')} FROM product_field JOIN product ON product.id = product_id`,
  offer: `SELECT ${shopOf('offer')}, sku, slug, price, total, link, withdrawn_at, offer.updated_at, gtin, asin, title,
                 row_digest, seen_at
          FROM offer JOIN product ON product.id = product_id LEFT JOIN offer_seen ON offer_id = offer.id`,
  ledger: `SELECT sku, ${shopOf('offer')}, slug, observed_at, ledger.total,
                  row_number() OVER (PARTITION BY ledger.product_id, offer_id, observed_at ORDER BY import_run_id) AS place
           FROM ledger JOIN offer ON offer.id = offer_id JOIN product ON product.id = ledger.product_id`,
  change: `SELECT kind, types, observed_at, product.slug, old.slug AS old, sku, ${shopOf('change')}, price_before, price_after, total_before,
                  total_after, lowest_ever_before, state_before
           FROM change JOIN product ON product.id = change.product_id LEFT JOIN product AS old ON old.id = old_product_id
           LEFT JOIN offer ON offer.id = offer_id
           WHERE kind <> 'figures'`,
  // Withdrawals come last, so a product can have two changes of its figures where one transaction has one.
  figures: `SELECT slug, observed_at, array_agg(DISTINCT type::text ORDER BY type::text) AS types,
                   (array_agg(total_before ORDER BY seq))[1] AS before, (array_agg(total_after ORDER BY seq DESC))[1] AS after,
                   (array_agg(lowest_ever_before ORDER BY seq))[1] AS lowest_before
            FROM change JOIN product ON product.id = product_id CROSS JOIN LATERAL unnest(types) AS type
            WHERE kind = 'figures'
            GROUP BY slug, observed_at`,
  brand: 'SELECT name, slug, product_count FROM brand',
  merchant: 'SELECT name, offer_count, observed_at, full_observed_at FROM merchant',
  run: `SELECT ${shopOf('import_run')}, mode, observed_at, read, added, changed, same, withdrawn, rejected FROM import_run`,
  popular:
    'SELECT slug, popular.rank, popular.search FROM popular_product AS popular JOIN product ON product.id = product_id',
  word: 'SELECT word FROM search_word',
  due: 'SELECT slug FROM due_product JOIN product ON product.id = product_id',
  dispute: `SELECT ${shopOf('identifier_dispute')}, asin, gtin FROM identifier_dispute`,
};

/** Numbers follow the order of the steps. */
const NUMBERS = new Set(['product_id', 'brand_id', 'merchant_id']);
const toText = (name: string, value: unknown) =>
  NUMBERS.has(name) ? undefined : typeof value === 'bigint' ? String(value) : value;

async function outcomeOf(database: Database): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  for (const [name, sql] of Object.entries(OUTCOME)) {
    tables[name] = (await database.query(sql)).map((row) => JSON.stringify(row, toText)).sort();
  }
  return tables;
}

/** The rows that only one of two databases has. */
async function differences(one: Database, other: Database): Promise<unknown[]> {
  const [mine, theirs] = [await outcomeOf(one), await outcomeOf(other)];
  return Object.keys(OUTCOME).flatMap((table) => {
    const [rows, expected] = [mine[table] ?? [], theirs[table] ?? []];
    const surplus = rows.filter((row) => !expected.includes(row));
    const missing = expected.filter((row) => !rows.includes(row));
    const isSame = surplus.length + missing.length === 0 && rows.length === expected.length;
    return isSame ? [] : [{ table, surplus, missing, rows: rows.length, expected: expected.length }];
  });
}

describe.skipIf(isOnPostgres())('on the embedded database', () => {
  let database: Database;
  let atOnce: Database;
  beforeAll(async () => {
    [database, atOnce] = [await openTestDatabase(), await openTestDatabase()];
    const { writers, ...rest } = atOnce;
    atOnce = rest;
  });
  const empty = async () => {
    for (const each of [database, atOnce]) {
      await each.script(`TRUNCATE ${TABLES} RESTART IDENTITY CASCADE; UPDATE catalogue_version SET change_seq = 0`);
    }
  };
  beforeEach(empty);
  afterAll(() => Promise.all([database.close(), atOnce.close()]));

  const row = fc.record({
    sku: fc.integer({ min: 1, max: 7 }),
    gtin: fc.option(fc.constantFrom(...GTINS), { freq: 2 }),
    asin: fc.option(fc.constantFrom(...ASINS), { freq: 1 }),
    brand: fc.option(fc.constantFrom('Acme', 'Bolt')),
    mpn: fc.option(fc.constantFrom('M-1', 'M-2', 'M-3')),
    price: fc.integer({ min: 1, max: 4 }),
    description: fc.option(fc.constantFrom('Long.', 'Short.')),
  });
  const feed = fc.record({
    shop: fc.constantFrom('One', 'Two', 'Three'),
    rows: fc.array(row, { minLength: 1, maxLength: 12 }),
    mode: fc.constantFrom('full' as const, 'delta' as const),
    mostRowsAStep: fc.integer({ min: 1, max: 4 }),
    isDryRun: fc.boolean(),
  });

  test(
    'random feeds have the same outcome in steps as in one transaction',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(feed, { minLength: 1, maxLength: 4 }), async (feeds) => {
          await empty();
          for (const [at, { shop, rows, ...options }] of feeds.entries()) {
            const fields = rows.map(({ sku, price, ...values }, n) => {
              const stated = Object.entries(values).filter(([, value]) => value !== null);
              const title = `Thing ${at} ${n}`;
              return feedRow({ ...Object.fromEntries(stated), id: `${sku}`, title, price: `${price}.00 EUR` });
            });
            const request = { ...options, isForced: true, observedAt: day(at + 1) };
            const expected = await importRows(atOnce, shop, fields, request);
            expect(await importRows(database, shop, fields, request)).toEqual(expected);
            expect(await differences(database, atOnce)).toEqual([]);
          }
        }),
        tries(8),
      );
    },
    PATIENCE_MS,
  );

  const things = (count: number, price: string, from = 0): FeedRowFields[] =>
    Array.from({ length: count }, (_, n) => feedRow({ id: `${from + n}`, title: `Thing ${from + n}`, price }));
  const run = (rows: readonly FeedRowFields[], options: Partial<ImportRequest> = {}) =>
    importRows(database, 'Shop', rows, { mostRowsAStep: 2, ...options });
  const states = () =>
    database.query<{ total: bigint; gone: boolean }>('SELECT total, withdrawn_at IS NOT NULL AS gone FROM offer');

  /** The database, with a call before each transaction. */
  const watched = (before: (transaction: number) => unknown): Database => {
    let count = 0;
    return {
      ...database,
      async transaction(work, options) {
        count += 1;
        await before(count);
        return database.transaction(work, options);
      },
    };
  };

  test('a reader sees each product as before or as in the feed, and withdrawals after all changes', async () => {
    await run([...things(6, '10.00 EUR'), ...things(4, '10.00 EUR', 6)], { observedAt: day(1) });
    const seen: string[] = [];
    const look = async () => {
      const offers = await states();
      const changed = offers.filter(({ total }) => total === 500n).length;
      seen.push(`${changed} changed, ${offers.filter(({ gone }) => gone).length} gone`);
      const wrong = await database.query(
        `SELECT FROM product JOIN offer ON offer.product_id = product.id
         WHERE (min_total, offer_count) IS DISTINCT FROM
               (CASE WHEN withdrawn_at IS NULL THEN total END, CASE WHEN withdrawn_at IS NULL THEN 1 ELSE 0 END)`,
      );
      expect(wrong).toEqual([]);
    };
    const options = { mostRowsAStep: 2, observedAt: day(2) };
    await importRows(watched(look), 'Shop', things(6, '5.00 EUR'), options);
    const inOrder = [
      '0 changed, 0 gone',
      '2 changed, 0 gone',
      '4 changed, 0 gone',
      '6 changed, 0 gone',
      '6 changed, 2 gone',
    ];
    expect(seen.filter((each, n) => each !== seen[n - 1])).toEqual([...inOrder, '6 changed, 4 gone']);
  });

  test('an import that ends in the middle is continued by the next, which imports scheduled feeds in full', async () => {
    await run(things(6, '10.00 EUR'), { observedAt: day(1) });
    const [feed] = await database.query<{ id: bigint }>(
      `INSERT INTO feed (merchant, url, host, every_seconds, merchant_id, content_digest, report_token)
       SELECT 'Shop', 'https://x.example/', 'x.example', 3600, id, 'same', repeat('t', 32) FROM merchant RETURNING id`,
    );
    const fail = (transaction: number) => {
      if (transaction === 3) throw new Error('The machine stopped.');
    };
    const options = { mostRowsAStep: 2, observedAt: day(2) };
    const rows = things(6, '5.00 EUR');
    await expect(importRows(watched(fail), 'Shop', rows, options)).rejects.toThrow('The machine stopped.');
    expect((await states()).filter(({ total }) => total === 500n)).toHaveLength(4);
    expect(await database.query('SELECT content_digest FROM feed WHERE id = $1', [feed?.id])).toEqual([
      { content_digest: null },
    ]);
    expect(await run(rows, { observedAt: day(3) })).toMatchObject({ changed: 2, same: 4 });
    expect((await states()).every(({ total }) => total === 500n)).toBe(true);
  });

  test('an import that ends before the list of popular products is refreshed leaves that to the next, of any shop', async () => {
    const popular = () => database.query('SELECT product_id, rank FROM popular_product ORDER BY product_id');
    const isOfSearch = () =>
      database.query(
        `SELECT FROM invalidation WHERE 'search' = ANY (tags) AND version = (SELECT version FROM catalogue_version)`,
      );
    const rows = things(6, '10.00 EUR');
    const fail = (transaction: number) => {
      if (transaction === 4) throw new Error('The machine stopped.');
    };
    const options = { mostRowsAStep: 2, observedAt: day(1) };
    await expect(importRows(watched(fail), 'Shop', rows, options)).rejects.toThrow('The machine stopped.');
    expect(await states()).toHaveLength(6);
    expect(await popular()).toEqual([]);
    await run(rows, { observedAt: day(2), isDryRun: true });
    expect(await popular()).toEqual([]);
    await importRows(database, 'Other', [], { mode: 'delta', observedAt: day(2) });
    expect(await popular()).toEqual(await database.query('SELECT id AS product_id, rank FROM product ORDER BY id'));
    expect(await popular()).toHaveLength(6);
    expect(await isOfSearch()).toHaveLength(1);
    await run(rows, { observedAt: day(3) });
    expect(await isOfSearch()).toEqual([]);
  });

  test('a feed that would empty the shop changes nothing', async () => {
    await run(things(6, '10.00 EUR'), { observedAt: day(1) });
    const before = await outcomeOf(database);
    await expect(run(things(2, '5.00 EUR'), { observedAt: day(2) })).rejects.toThrow(FeedRefused);
    expect(await outcomeOf(database)).toEqual(before);
  });

  test('the limit on offers of one product counts all rows for it', async () => {
    const rows = Array.from({ length: 30 }, (_, n) => feedRow({ id: `${n}`, gtin: GTINS[0] }));
    for (const options of [
      { observedAt: day(1) },
      { observedAt: day(2) },
      { observedAt: day(3), mode: 'delta' as const },
    ]) {
      const summary = await importRows(atOnce, 'Shop', rows, options);
      expect(await run(rows, options)).toEqual(summary);
      expect(summary).toMatchObject({ reasons: { too_many_offers: 10 } });
    }
    expect(await differences(database, atOnce)).toEqual([]);
  });

  test('a statement that is sent during a step runs before the next step, and another import after the last', async () => {
    const order: string[] = [];
    let waiting: Promise<unknown>[] = [];
    const sendDuring = async (transaction: number) => {
      order.push(`step ${transaction}`);
      waiting.push(database.query('SELECT 1').then(() => order.push(`read ${transaction}`)));
      if (transaction === 1)
        waiting.push(run([feedRow({ id: 'other' })], { mode: 'delta' }).then(() => order.push('other import')));
    };
    const during: Database = {
      ...database,
      transaction: (work, options) => {
        const number = order.filter((each) => each.startsWith('step')).length + 1;
        return database.transaction(async (transaction) => {
          await sendDuring(number);
          return work(transaction);
        }, options);
      },
    };
    await importRows(during, 'Shop', things(6, '1.00 EUR'), { mostRowsAStep: 2, mode: 'delta' });
    await Promise.all(waiting);
    waiting = [];
    const steps = order.filter((each) => each.startsWith('step')).length;
    const expected = Array.from({ length: steps }, (_, n) => [`step ${n + 1}`, `read ${n + 1}`]).flat();
    expect(order).toEqual([...expected, 'other import']);
    expect(steps).toBeGreaterThan(3);
  });
});
