/** Lists, nodes, facets and many lookups over GraphQL, and their cost. */
import { describe, expect, test } from 'vitest';
import { graphql } from '../src/graphql/document.ts';
import { fillCatalogue } from './harness/catalogue.ts';
import { startTestGateway } from './harness/gateway.ts';
import { forFile } from './harness/lifetime.ts';

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await fillCatalogue(gateway);

const PAGE = graphql(`
  query PageOfProducts($filter: ProductFilter, $sort: ProductSort, $first: Int, $after: String, $last: Int, $before: String) {
    products(filter: $filter, sort: $sort, first: $first, after: $after, last: $last, before: $before) {
      totalCount
      totalIsExact
      edges { cursor node { id name } }
      nodes { name }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }`);
const page = async (variables: Parameters<typeof gateway.query<unknown, Record<string, unknown>>>[1]) =>
  (await gateway.query(PAGE, variables as never, key)).products;
const namesOf = ({ nodes }: { nodes: readonly { name: string }[] }) => nodes.map(({ name }) => name);

const BY_NAME = [
  'Écho Headphones Black',
  'Echo Mini',
  'Sold Out Thing',
  'Thunder Speaker',
  'Thunder Speaker Duo',
  'Кланг Колонка',
];

describe('a connection', () => {
  test('pages forwards from a cursor and back again', async () => {
    const first = await page({ sort: 'name', first: 2 });
    expect(namesOf(first)).toEqual(BY_NAME.slice(0, 2));
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const second = await page({ sort: 'name', first: 2, after: first.pageInfo.endCursor });
    expect(namesOf(second)).toEqual(BY_NAME.slice(2, 4));
    expect(second.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    const back = await page({ sort: 'name', last: 2, before: second.pageInfo.startCursor });
    expect(namesOf(back)).toEqual(BY_NAME.slice(0, 2));
    expect(back.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
  });

  test('starts at the end with `last`', async () => {
    const last = await page({ sort: 'name', last: 2 });
    expect(namesOf(last)).toEqual(BY_NAME.slice(-2));
    expect(last.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });

  test('can be bounded by a cursor at each end', async () => {
    const all = await page({ sort: 'name', first: 100 });
    const [, second, , , fifth] = all.edges;
    const between = await page({ sort: 'name', first: 100, after: second?.cursor, before: fifth?.cursor });
    expect(namesOf(between)).toEqual(BY_NAME.slice(2, 4));
  });

  test('by relevance has the same order backwards as forwards', async () => {
    const filter = { query: 'echo thunder speaker'.split(' ')[1] };
    const all = await page({ filter, first: 100 });
    const first = await page({ filter, first: 1 });
    const second = await page({ filter, first: 1, after: first.pageInfo.endCursor });
    expect([...namesOf(first), ...namesOf(second)]).toEqual(namesOf(all).slice(0, 2));
    expect(namesOf(await page({ filter, last: 1, before: second.pageInfo.startCursor }))).toEqual(namesOf(first));
    expect(namesOf(await page({ filter, last: 100 }))).toEqual(namesOf(all));
  });

  test('has a total count, and null cursors when it is empty', async () => {
    expect(await page({ filter: { brand: 'nobody' } })).toMatchObject({
      totalCount: 0,
      totalIsExact: true,
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    });
    expect(await page({ first: 1 })).toMatchObject({ totalCount: 6, totalIsExact: true });
  });

  test.each([
    ['first', '(first: 0)'],
    ['first', '(first: 101)'],
    ['last', '(last: 101)'],
    ['last', '(first: 1, last: 1)'],
    ['after', '(after: "x")'],
    ['before', '(before: "x")'],
    ['minPrice', '(filter: { minPrice: -1 })'],
    ['minPrice', '(filter: { minPrice: 2, maxPrice: 1 })'],
    ['maxPrice', '(filter: { maxPrice: 1.005 })'],
    ['query', '(filter: { query: "" })'],
  ])('refuses an invalid %s in %s', async (parameter, listArguments) => {
    const { body } = await gateway.graphql(`{ products${listArguments} { nodes { id } } }`, { key });
    expect(body.errors[0].extensions).toMatchObject({ code: 'invalid_parameter', status: 400, parameter });
  });
});

test('brands, merchants and articles are connections as well', async () => {
  const { brands, merchants, articles } = await gateway.query(
    graphql(`
      query OtherLists {
        brands(query: "a", first: 5) { totalCount nodes { name productCount } }
        merchants(first: 2) { totalCount nodes { name offerCount observedAt } pageInfo { hasNextPage } }
        articles { totalCount nodes { title } }
      }`),
    {},
    key,
  );
  expect(brands).toEqual({ totalCount: 1, nodes: [{ name: 'Aurelio', productCount: 2 }] });
  expect(merchants).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
  expect(merchants.nodes[0]).toMatchObject({ name: 'Alpha', offerCount: 4, observedAt: expect.stringMatching(/Z$/) });
  expect(articles).toEqual({ totalCount: 0, nodes: [] });
});

describe('facets', () => {
  test('count the products that match the filter of the list, and categories without their own filter', async () => {
    const { products } = await gateway.query(
      graphql(`
        query Facets($filter: ProductFilter) {
          products(filter: $filter, first: 1) {
            facets {
              isExact
              categories { category { slug } count }
              brands { brand { name } count }
              merchants { merchant { name } count }
              availability { availability count }
              priceRanges { min max count }
            }
          }
        }`),
      { filter: { category: 'audio' } },
      key,
    );
    expect(products.facets).toEqual({
      isExact: true,
      categories: [
        { category: { slug: 'electronics' }, count: 4 },
        { category: { slug: 'audio' }, count: 4 },
        { category: { slug: 'speakers' }, count: 2 },
        { category: { slug: 'headphones' }, count: 1 },
        { category: { slug: 'software' }, count: 1 },
      ],
      brands: [
        { brand: { name: 'Aurelio' }, count: 2 },
        { brand: { name: 'Donner & Söhne' }, count: 2 },
      ],
      merchants: [
        { merchant: { name: 'Alpha' }, count: 3 },
        { merchant: { name: 'Beta' }, count: 3 },
      ],
      availability: [
        { availability: 'in_stock', count: 3 },
        { availability: 'preorder', count: 1 },
      ],
      priceRanges: [
        { min: 20, max: 20, count: 1 },
        { min: 50, max: 50, count: 1 },
        { min: 90, max: 90, count: 1 },
        { min: 120, max: 120, count: 1 },
      ],
    });
  });
});

describe('a node', () => {
  test('is found by its id, for every type', async () => {
    const { body } = await gateway.graphql(
      `{
        product(id: "echo-headphones-black") { id brand { id } category { id } offers { id merchant { id } } }
      }`,
      { key },
    );
    const { id, brand, category, offers } = body.data.product;
    for (const [node, type] of [
      [id, 'Product'],
      [brand.id, 'Brand'],
      [category.id, 'Category'],
      [offers[0].id, 'Offer'],
      [offers[0].merchant.id, 'Merchant'],
    ]) {
      const answer = await gateway.graphql(`{ node(id: "${node}") { __typename id } }`, { key });
      expect(answer.body).toEqual({ data: { node: { __typename: type, id: node } } });
    }
  });

  test.each([
    'prd_zzzz',
    'cat_zzzz',
    'brd_zzzz',
    'mer_zzzz',
    'off_zzzz',
    'art_1',
    'key_1',
    'nonsense',
    '',
    'UHJvZHVjdDox',
  ])('with the unknown id %j is null', async (id) => {
    const { body } = await gateway.graphql(`{ node(id: "${id}") { id } }`, { key });
    expect(body).toEqual({ data: { node: null } });
  });
});

test('an offer links to its product', async () => {
  const { body } = await gateway.graphql('{ product(id: "echo-mini") { id offers { product { id } } } }', { key });
  expect(body.data.product.offers).toEqual([{ product: { id: body.data.product.id } }]);
});

describe('a category', () => {
  test('links to its parent, its children and its path', async () => {
    const { body } = await gateway.graphql(
      '{ categories(root: "audio") { productCount parent { slug } children { slug path { slug } } } }',
      { key },
    );
    expect(body.data.categories).toEqual([
      {
        productCount: 4,
        parent: { slug: 'electronics' },
        children: [
          { slug: 'headphones', path: [{ slug: 'electronics' }, { slug: 'audio' }, { slug: 'headphones' }] },
          { slug: 'speakers', path: [{ slug: 'electronics' }, { slug: 'audio' }, { slug: 'speakers' }] },
        ],
      },
    ]);
  });

  test('at an invalid depth is refused', async () => {
    const { body } = await gateway.graphql('{ categories(depth: 0) { id } }', { key });
    expect(body.errors[0].extensions.parameter).toBe('depth');
  });
});

describe('a suggestion', () => {
  test('links to the brand, product or category that it suggests', async () => {
    const { body } = await gateway.graphql(
      '{ search(query: "aurelio", limit: 2) { type name brand { productCount } product { name } category { name } } }',
      { key },
    );
    expect(body.data.search[0]).toEqual({
      type: 'brand',
      name: 'Aurelio',
      brand: { productCount: 2 },
      product: null,
      category: null,
    });
    expect(body.data.search[1].product).toEqual({ name: body.data.search[1].name });
  });

  test.each([
    '(query: "")',
    '(query: "a", limit: 0)',
    '(query: "a", limit: 26)',
  ])('is refused for invalid arguments: %s', async (given) => {
    const { body } = await gateway.graphql(`{ search${given} { id } }`, { key });
    expect(body.errors[0].extensions.code).toBe('invalid_parameter');
  });
});

describe('a product', () => {
  test('has a price history and a discount', async () => {
    const { body } = await gateway.graphql(
      `{ product(id: "echo-headphones-black") {
        discount
        priceHistory(days: 60, interval: month) { interval lowestEver { price } points { min max offerCount } }
      } }`,
      { key },
    );
    // The lowest price was 80 for ten days, 65 for ten and 50 for ten: 65 on average.
    expect(body.data.product.discount).toBeCloseTo(23.08, 1);
    expect(body.data.product.priceHistory).toMatchObject({ interval: 'month', lowestEver: { price: 50 } });
  });

  test('has attributes with names and values', async () => {
    const { body } = await gateway.graphql('{ product(id: "echo-headphones-black") { attributes { name value } } }', {
      key,
    });
    expect(body.data.product.attributes).toEqual([
      { name: 'color', value: 'Black' },
      { name: 'size', value: 'M' },
    ]);
  });
});

describe('many lookups at once', () => {
  const LOOKUPS = graphql(`
    query ManyLookups($identifiers: [IdentifierInput!]!) {
      lookups(identifiers: $identifiers) { product { name } offers { totalPrice } }
    }`);

  test('are answered in order, with null for unknown products', async () => {
    const { lookups } = await gateway.query(
      LOOKUPS,
      { identifiers: [{ asin: 'B0DEMO0001' }, { ean: '4012345678901' }, { ean: '4006381333948' }] },
      key,
    );
    expect(lookups.map((each) => each?.product.name)).toEqual(['Écho Headphones Black', undefined, 'Thunder Speaker']);
  });

  test('are answered even if one is malformed, which becomes an error in its place', async () => {
    const { body } = await gateway.graphql(LOOKUPS, {
      key,
      variables: { identifiers: [{ ean: '12' }, { ean: '4006381333931' }, {}] },
    });
    expect(body.data.lookups.map((each: unknown) => each === null)).toEqual([true, false, true]);
    expect(
      body.errors.map(({ path, extensions }: { path: unknown; extensions: { code: string } }) => [
        path,
        extensions.code,
      ]),
    ).toEqual([
      [['lookups', 0], 'invalid_parameter'],
      [['lookups', 2], 'exactly_one_identifier'],
    ]);
  });

  test('are refused if there are more than 100', async () => {
    const identifiers = Array.from({ length: 101 }, () => ({ ean: '4006381333931' }));
    const { body } = await gateway.graphql(LOOKUPS, { key, variables: { identifiers } });
    expect(body.errors[0].extensions).toMatchObject({ code: 'invalid_parameter', parameter: 'identifiers' });
  });

  const one = '{ ean: "4006381333931" }';
  test.each([
    ['one each', `{ lookups(identifiers: [${one}, ${one}, ${one}]) { offers { id } } }`, undefined, 3],
    ['one for an empty list', '{ lookups(identifiers: []) { offers { id } } }', undefined, 1],
    ['one for a single identifier', `{ lookups(identifiers: ${one}) { offers { id } } }`, undefined, 1],
    [
      'one each by a variable',
      'query($i: [IdentifierInput!]!) { lookups(identifiers: $i) { offers { id } } }',
      { i: [{}, {}, {}, {}] },
      4,
    ],
    [
      'one each by a default value',
      `query($i: [IdentifierInput!]! = [${one}, ${one}]) { lookups(identifiers: $i) { offers { id } } }`,
      undefined,
      2,
    ],
    [
      'one each next to other fields and aliases',
      `{ a: lookups(identifiers: [${one}, ${one}]) { offers { id } } b: lookup(ean: "4006381333931") { offers { id } } }`,
      undefined,
      3,
    ],
    [
      'one each in a fragment',
      `{ ...F } fragment F on Query { lookups(identifiers: [${one}, ${one}]) { offers { id } } }`,
      undefined,
      2,
    ],
    [
      'one when there are too many',
      `{ lookups(identifiers: [${Array(101).fill(one).join(' ')}]) { offers { id } } }`,
      undefined,
      1,
    ],
    [
      'one for a list of products',
      '{ products(first: 100) { nodes { offers { id } } facets { isExact } } }',
      undefined,
      1,
    ],
  ])('cost %s', async (_what, query, variables, cost) => {
    const own = await gateway.makeKey('free');
    const { headers } = await gateway.graphql(query, { key: own.key, ...(variables && { variables }) });
    expect(headers.get('x-quota-remaining')).toBe(String(100 - cost));
  });

  test('that cost more than is left are refused as a whole', async () => {
    const own = await gateway.makeKey('free');
    const identifiers = Array.from({ length: 60 }, () => ({ ean: '4006381333931' }));
    expect((await gateway.graphql(LOOKUPS, { key: own.key, variables: { identifiers } })).status).toBe(200);
    const second = await gateway.graphql(LOOKUPS, { key: own.key, variables: { identifiers } });
    expect(second.status).toBe(402);
    expect(second.headers.get('x-quota-remaining')).toBe('40');
  });
});
