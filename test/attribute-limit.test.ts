/** Facets of a catalogue with more values of attributes than get a number in memory, and counts among more products with the same words than are looked at. */
import { graphql } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countFacets, type FacetFilter } from '../src/catalogue/facets/count-facets.ts';
import { followProducts } from '../src/catalogue/facets/follow-products.ts';
import {
  attributeKey,
  type FacetRow,
  isUnnumbered,
  MOST_MATCHES,
  ProductColumns,
} from '../src/catalogue/facets/product-columns.ts';
import { openLoaders } from '../src/catalogue/loaders.ts';
import { ATTRIBUTE_NAMES } from '../src/catalogue/product/attributes.ts';
import { followVersion, NEVER_KNOWN } from '../src/catalogue/version.ts';
import type { Database } from '../src/database/database.ts';
import { openPrisma } from '../src/database/prisma.ts';
import { schema } from '../src/graphql/schema.ts';
import { openTestDatabase } from './harness/database.ts';
import { feedRow, importRows } from './harness/gateway.ts';

const COLOR = ATTRIBUTE_NAMES.indexOf('color');
const SIZE = ATTRIBUTE_NAMES.indexOf('size');
const ALL = 15;

describe('the columns', () => {
  const product = (id: bigint, attributes: unknown): FacetRow => ({
    id,
    brandId: null,
    categoryId: null,
    minTotal: null,
    discount: 0,
    attributes,
    offers: null,
  });
  const everything: FacetFilter = {
    selected: undefined,
    brands: undefined,
    categories: undefined,
    merchants: undefined,
    availabilities: ALL,
    conditions: 7,
    stock: ALL,
    leastDiscount: 0,
    isPriced: false,
    least: 0,
    most: 0,
    attributes: [],
  };
  const columns = new ProductColumns(2);
  for (const [n, attributes] of [
    { color: 'Red' },
    { color: 'Blue', size: 'M' },
    { color: 'Red', size: 'M' },
    { color: 'Green' },
  ].entries()) {
    columns.put(product(BigInt(n + 1), attributes));
  }
  const counted = (counts: Int32Array) => columns.attributeCodes.things.map((key, n) => [key, counts[n]]);

  test('number the first values, and count the products of the others under the name', async () => {
    expect(columns.hasUnnumberedAttributes).toBe(true);
    expect(columns.attributeCodes.things.filter((_, n) => !isUnnumbered(n))).toEqual([
      attributeKey(COLOR, 'Red'),
      attributeKey(COLOR, 'Blue'),
    ]);
    expect(counted((await countFacets(columns, everything)).attributes)).toEqual([
      [attributeKey(COLOR, ''), 1],
      [attributeKey(SIZE, ''), 2],
      ...ATTRIBUTE_NAMES.slice(2).map((_, n) => [attributeKey(n + 2, ''), 0]),
      [attributeKey(COLOR, 'Red'), 2],
      [attributeKey(COLOR, 'Blue'), 1],
    ]);
  });

  test('take the products of an unnumbered value by their positions', async () => {
    const values = columns.attributeCodes.flags([attributeKey(COLOR, 'Red'), attributeKey(COLOR, '')]);
    const products = Uint8Array.of(0, 0, 0, 1);
    const { attributes } = await countFacets(columns, {
      ...everything,
      attributes: [{ nameIndex: COLOR, values, products }],
    });
    // Colours ignore the filter; of the sizes, only that of the red product counts, as the green one has none.
    expect([attributes[SIZE], attributes[COLOR]]).toEqual([1, 1]);
  });

  test('are complete up to the limit', () => {
    const small = new ProductColumns(2);
    small.put(product(1n, { color: 'Red', size: 'M' }));
    small.put(product(2n, { color: 'Red', size: 'M' }));
    expect(small.hasUnnumberedAttributes).toBe(false);
  });
});

describe('facets of a catalogue with more values than the limit', () => {
  const PRODUCTS = 60;
  const LIMIT = 9;
  const colorOf = (n: number) => `Colour ${n % 20}`;
  const sizeOf = (n: number) => `Size ${n % 7}`;

  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase();
    const rows = Array.from({ length: PRODUCTS }, (_, n) =>
      feedRow({
        id: `i${n}`,
        title: `Gadget ${n}`,
        brand: `Brand ${n % 4}`,
        ...(n % 5 > 0 && { color: colorOf(n) }),
        ...(n % 3 > 0 && { size: sizeOf(n) }),
      }),
    );
    await importRows(database, 'One', rows);
  });
  afterAll(() => database.close());

  interface Facets {
    isExact: boolean;
    brands: { slug: string; count: number }[];
    attributes: { name: string; values: { value: string; count: number }[] }[];
  }

  async function read(
    filter: unknown,
    limit?: number,
    mostMatches = MOST_MATCHES,
  ): Promise<{ facets: Facets; products: { totalCount: number; totalIsExact: boolean } }> {
    const productColumns = followProducts(database, NEVER_KNOWN, followVersion(database), limit);
    Object.assign((await productColumns.orOld(true)).columns, { mostMatches });
    const { data, errors } = await graphql({
      schema: schema(),
      source: `query ($filter: ProductFilter) {
        facets(filter: $filter) { isExact brands { slug count } attributes { name values { value count } } }
        products(filter: $filter) { totalCount totalIsExact }
      }`,
      variableValues: { filter },
      contextValue: {
        catalogue: database,
        prisma: openPrisma(database),
        loaders: { ...openLoaders(database), productColumns },
        market: { currency: 'EUR', publicUrl: 'http://localhost' },
      },
    });
    expect(errors).toBeUndefined();
    return JSON.parse(JSON.stringify(data));
  }

  const listed = ({ attributes }: Pick<Facets, 'attributes'>) =>
    attributes.flatMap(({ name, values }) => values.map(({ value, count }) => ({ name, value, count })));

  test('list the first values only, with exact counts, and say that some are missing', async () => {
    const whole = (await read({})).facets;
    const { isExact, ...limited } = (await read({}, LIMIT)).facets;
    expect([whole.isExact, isExact]).toEqual([true, false]);
    expect(listed(whole)).toHaveLength(16 + 7);
    expect(listed(limited)).toHaveLength(LIMIT);
    expect(listed(whole)).toEqual(expect.arrayContaining(listed(limited)));
    expect(limited.brands).toEqual(whole.brands);
  });

  test('say that they are exact if no product among those counted has another value', async () => {
    const { facets } = await read({ attributes: [{ name: 'color', values: ['Colour 1'] }], brand: 'brand-1' }, LIMIT);
    // Colours ignore the filter by colour, so other colours of the brand still count.
    expect(facets.isExact).toBe(false);
    const narrow = await read({ query: 'Gadget 1', maxPrice: 1 }, LIMIT);
    expect(narrow.facets).toEqual({ isExact: true, brands: [], attributes: [] });
  });

  test.each([
    ['a value that is missing', [{ name: 'color', values: ['Colour 19'] }]],
    ['a missing value or a listed one', [{ name: 'color', values: ['Colour 19', 'Colour 1'] }]],
    ['several missing values', [{ name: 'color', values: ['Colour 17', 'Colour 18', 'Colour 19'] }]],
    ['a value that no product has', [{ name: 'color', values: ['No colour'] }]],
    ['an empty value', [{ name: 'color', values: [''] }]],
    ['no value', [{ name: 'color', values: [] }]],
    ['an attribute that products do not have', [{ name: 'taste', values: ['Sweet'] }]],
    [
      'missing values of several attributes',
      [
        { name: 'color', values: ['Colour 16', 'Colour 19'] },
        { name: 'size', values: ['Size 6', 'Size 2', 'Size 5'] },
      ],
    ],
  ])('count exactly with a filter by %s', async (_what, attributes) => {
    const filter = { attributes };
    const whole = await read(filter);
    const limited = await read(filter, LIMIT);
    expect(limited.facets.brands).toEqual(whole.facets.brands);
    expect(listed(whole.facets)).toEqual(expect.arrayContaining(listed(limited.facets)));
    const counted = limited.facets.brands.reduce((sum, { count }) => sum + count, 0);
    expect(counted).toBe(limited.products.totalCount);
  });

  test.each([
    [PRODUCTS, { totalCount: 30, totalIsExact: true }],
    [PRODUCTS - 1, { totalIsExact: false }],
  ])('and totals with words and other conditions are exact if at most so many products have the words: %i', async (most, expected) => {
    const { facets, products } = await read({ query: 'gadget', brands: ['brand-1', 'brand-3'] }, undefined, most);
    expect(products).toMatchObject(expected);
    expect(facets.isExact).toBe(expected.totalIsExact);
    expect(products.totalCount).toBeGreaterThanOrEqual(29);
  });
});
