/** The cost of a request in the database: a fixed number of statements, however many products it returns. */

import { graphql } from 'graphql';
import { describe, expect, test } from 'vitest';
import { followProducts } from '../src/catalogue/facets/follow-products.ts';
import { type KeepingQueryable, keepRows } from '../src/catalogue/keep.ts';
import { type Loaders, openLoaders } from '../src/catalogue/loaders.ts';
import { followVersion, NEVER_KNOWN } from '../src/catalogue/version.ts';
import type { Queryable } from '../src/database/database.ts';
import { observed } from '../src/database/observed.ts';
import { openPrisma } from '../src/database/prisma.ts';
import { schema } from '../src/graphql/schema.ts';
import { checkDigit } from '../src/values/gtin.ts';
import { importTaxonomyText, TAXONOMY } from './harness/catalogue.ts';
import { openTestDatabase } from './harness/database.ts';
import { isDistributedRun } from './harness/distributed.ts';
import { feedRow, importRows } from './harness/gateway.ts';
import { forFile } from './harness/lifetime.ts';
import { isOnWorkers } from './harness/statements.ts';
import { versionAt } from './harness/version.ts';

const PRODUCTS = 60;
const ean = (n: number) => {
  const body = `400638${String(100_000 + n)}`;
  return body + checkDigit(body);
};

let sql: string[] = [];
let rowsRead = 0;

const database = await forFile(openTestDatabase());
await importTaxonomyText(database, TAXONOMY);
const rows = Array.from({ length: PRODUCTS }, (_, n) =>
  feedRow({
    id: `i${n}`,
    title: `Gadget ${n}`,
    gtin: ean(n),
    brand: `Brand ${n % 7}`,
    google_product_category: ['223', '249', '505771'][n % 3],
    item_group_id: `g${n % 7}`,
    price: `${10 + n}.00 EUR`,
  }),
);
for (const shop of ['One', 'Two', 'Three']) await importRows(database, shop, rows);

/** Runs a query on the real resolvers and counts its statements. */
async function count(
  query: string,
  cached = (from: Queryable): KeepingQueryable => from,
  loaders: Partial<Loaders> = {},
): Promise<number> {
  sql = [];
  rowsRead = 0;
  const counting = observed(database, {
    observe: (statement) => {
      // Read once a minute by the whole process.
      if (statement.name === 'distribution') return;
      sql.push(statement.sql.replace(/\s+/g, ' ').trim());
      rowsRead += statement.rows ?? 0;
    },
  });
  const contextValue = {
    catalogue: cached(counting),
    prisma: openPrisma(counting),
    loaders: { ...openLoaders(counting), ...loaders },
    market: { currency: 'EUR', publicUrl: 'http://localhost' },
  };
  const { errors } = await graphql({ schema: schema(), source: query, contextValue });
  expect(errors).toBeUndefined();
  return sql.length;
}

const EVERYTHING = `
  id name brand { name productCount } brandName category { name path { slug } children { slug } } categoryPath { slug }
  identifier { ean } identifiers { ean asin } priceStats { min max } unitPrice { amount per } discount
  offers { totalPrice unitPrice { amount } merchantName merchant { name url offerCount } } variants { name differs { value } product { name } }
  priceHistory(days: 10) { lowestEver { price } points { date min } }
  atOne: priceHistory(days: 10, merchant: "one") { lowestEver { price } points { min } }
  statistics { current low { merchants } } newOnes: statistics(condition: new, days: 30) { current }`;

// Before the ledgers of several products are read, their entries are counted (src/ledger/read-ledger.ts).
const isCount = (statement: string) => statement.includes('count(*)::int AS entries FROM ledger');
const kindsOf = (statements: readonly string[]) =>
  [...new Set(statements.filter((each) => !isCount(each)).map((each) => each.slice(0, 60)))].sort();

// A distributed ledger is read with a statement for each product or for a few, and with one for the shops of a few.
const isOfShards = (statement: string) =>
  isOnWorkers(statement) || statement.includes('merchant_id AS "merchantId" FROM offer');
const onCoordinator = (statements: readonly string[]) =>
  statements.filter((each) => !isDistributedRun() || !isOfShards(each));

describe('at most two statements more for 50 products than for one:', () => {
  test.each([
    ['a list with all product fields', (n: number) => `{ products(first: ${n}) { nodes { ${EVERYTHING} } } }`],
    [
      'a search',
      (n: number) => `{ products(filter: { query: "gadget" }, first: ${n}) { totalCount nodes { ${EVERYTHING} } } }`,
    ],
    [
      'many lookups',
      (n: number) =>
        `{ lookups(identifiers: [${Array.from({ length: n }, (_, i) => `{ ean: "${ean(i)}" }`).join(' ')}]) { identifier { ean } priceStats { min } offers { merchantName } product { ${EVERYTHING} } } }`,
    ],
    [
      'lookups by aliases',
      (n: number) =>
        `{ ${Array.from({ length: n }, (_, i) => `l${i}: lookup(ean: "${ean(i)}") { offers { merchantName } product { ${EVERYTHING} } }`).join(' ')} }`,
    ],
    [
      'products by aliases',
      (n: number) =>
        `{ ${Array.from({ length: n }, (_, i) => `p${i}: product(id: "gadget-${i}") { ${EVERYTHING} }`).join(' ')} }`,
    ],
  ])('%s', async (_what, queryFor) => {
    await count(queryFor(1));
    const statements = onCoordinator(sql);
    await count(queryFor(50));
    expect(kindsOf(onCoordinator(sql))).toEqual(kindsOf(statements));
    const [one, fifty] = [statements.length, onCoordinator(sql).length];
    // From a distributed ledger, the products arrive one after the other, so what follows takes more batches.
    expect(fifty).toBeLessThanOrEqual(isDistributedRun() ? 50 : one + 2);
    if (!isDistributedRun()) expect(fifty).toBeLessThanOrEqual(20);
  });
});

describe('a page reads only a few more rows than it shows:', () => {
  test.each([
    ['products', '{ products(first: 20) { totalCount nodes { id } } }', 22],
    ['products by relevance', '{ products(first: 20, filter: { query: "gadget" }) { totalCount nodes { id } } }', 25],
    ['brands', '{ brands(first: 5) { totalCount nodes { id } } }', 7],
    ['merchants', '{ merchants(first: 2) { nodes { id } } }', 3],
    ['search', '{ search(query: "g") { id } }', 30],
  ])('%s', async (_what, query, most) => {
    await count(query);
    expect(rowsRead).toBeLessThanOrEqual(most);
  });
});

test('a lookup with all its offers costs one statement, and one for the names of shops that are not cached', async () => {
  const fields =
    'identifier { ean asin mpn } product { id slug name brandName url } priceStats { currency min max lowestEver offerCount }';
  expect(
    await count(`{ lookup(ean: "${ean(1)}") { ${fields} offers { merchantName totalPrice availability url } } }`),
  ).toBe(2);
  expect(sql[1]).toContain('FROM merchant');
});

describe('a page of products', () => {
  const isCounted = () => sql.some((each) => each.includes('count(*)'));

  test.each([
    ['its total and identifiers', '{ products(first: 5) { totalCount totalIsExact nodes { id identifier { ean } } } }'],
    [
      'those selected by fragments and edges',
      `{ products(first: 5) { ...Page } }
       fragment Page on ProductConnection { ... on ProductConnection { totalCount } edges { node { ...Item } } }
       fragment Item on Product { identifiers { ean } }`,
    ],
  ])('costs one statement with %s', async (_what, query) => {
    expect(await count(query)).toBe(1);
    expect(isCounted()).toBe(true);
  });

  test('is read without a total or identifiers that nobody asks for', async () => {
    await count('{ products(first: 5) { nodes { id name } } }');
    expect(isCounted()).toBe(false);
    expect(sql[0]).not.toContain('product_identifier');
  });

  test.each([
    '',
    'sort: price_asc',
  ])('with words and other conditions counts without looking at each product: %s', async (sort) => {
    const productColumns = followProducts(database, NEVER_KNOWN, followVersion(database));
    await productColumns.orOld(false);
    const read = (least: number) =>
      count(
        `{ products(first: 5, filter: { query: "gadget", minPrice: ${least} } ${sort}) { totalCount } }`,
        undefined,
        {
          productColumns,
        },
      );
    const isMatching = (each: string) => each.includes('FROM product_search WHERE search @@ $1');
    await read(20);
    expect(sql.filter((each) => /count\(\*\).* FROM product JOIN/.test(each))).toEqual([]);
    expect(sql.filter(isMatching)).toHaveLength(1);
    await read(30);
    expect(sql.filter(isMatching)).toEqual([]);
  });

  test('that shows the whole list needs no statement to count it', async () => {
    expect(await count('{ brands(first: 50) { totalCount nodes { id } } }')).toBe(1);
    expect(isCounted()).toBe(false);
  });

  test('shares its total with the other pages and orders of its list while the catalogue does not change', async () => {
    let catalogue: KeepingQueryable | undefined;
    const cached = (from: Queryable) => {
      catalogue ??= keepRows(
        from,
        versionAt(() => 1n),
        10,
      );
      return catalogue;
    };
    await count('{ products(first: 5) { totalCount } }', cached);
    expect(isCounted()).toBe(true);
    await count('{ products(first: 5, sort: name) { nodes { id } totalCount } }', cached);
    expect(isCounted()).toBe(false);
  });
});

test('all facets of a filter are counted from one statement, while the columns for it are not in memory', async () => {
  const all =
    'isExact categories { count } brands { count } merchants { count } availability { count } conditions { count } priceRanges { count } attributes { name }';
  await count(`{ products(first: 5) { nodes { id } facets { ${all} } } }`);
  expect(sql.filter((statement) => statement.includes('FROM offer'))).toHaveLength(1);
});

test('a price history reads prices only when points are selected', async () => {
  const statements = (selection: string) => count(`{ product(id: "gadget-1") { priceHistory { ${selection} } } }`);
  const without = await statements('currency from to lowestEver { price }');
  expect(sql.filter((each) => each.includes('ledger'))).toEqual([]);
  expect(await statements('points { min }')).toBe(without + 1);
});
