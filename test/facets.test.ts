/** `/api/v1/facets`, the filters that it shares with `/api/v1/products`, and categories without empty ones. */
import { describe, expect, test } from 'vitest';
import { ATTRIBUTE_NAMES } from '../src/catalogue/product/attributes.ts';
import { PRODUCT_FIELDS } from '../src/import/product-fields.ts';
import { connectAgent } from './harness/agent.ts';
import { fillCatalogue, namesOf } from './harness/catalogue.ts';
import { expectEventually } from './harness/eventually.ts';
import { feedRow, startTestGateway } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';

const SHIRT = 'Linen Shirt';
const SHOES = 'Running Shoes';
const LAMP = 'Desk Lamp';
const CABLE = 'Audio Cable';

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await fillCatalogue(gateway);
await gateway.importRows('Delta', [
  feedRow({ id: 'shirt', title: SHIRT, brand: 'Weft', color: 'Red', size: 'M', material: 'Linen', price: '30 EUR' }),
  feedRow({ id: 'shoes', title: SHOES, brand: 'Weft', color: 'Red', size: '9,5', price: '70 EUR', condition: 'used' }),
  feedRow({ id: 'lamp', title: LAMP, color: 'Black', price: '40 EUR', availability: 'out_of_stock' }),
  feedRow({
    id: 'cable',
    title: CABLE,
    brand: 'Aurelio',
    size: 'a\\b',
    price: '7 EUR',
    google_product_category: '223',
  }),
  feedRow({
    id: 'cable-2',
    title: CABLE,
    brand: 'Aurelio',
    price: '8 EUR',
    google_product_category: '223',
    condition: 'used',
  }),
]);
await gateway.database.query('UPDATE product SET discount = 1050 WHERE name = $1', [SHIRT]);

const facets = async (query = '') => (await gateway.get(`/api/v1/facets?${query}`, { key })).body.data;
const list = (query: string) => gateway.get(`/api/v1/products?limit=100&${query}`, { key });
const total = async (query: string): Promise<number> => (await list(query)).body.page.total;
const slugs = (values: { slug: string; count: number }[]) => values.map(({ slug, count }) => [slug, count]);
const words = (values: { value: string; count: number }[]) => values.map(({ value, count }) => [value, count]);

describe('facets', () => {
  test('count the products of each value, largest first', async () => {
    const { status, body } = await gateway.get('/api/v1/facets?category=audio', { key });
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        categories: [
          { slug: 'electronics', name: 'Electronics', count: 6 },
          { slug: 'audio', name: 'Audio', count: 6 },
          { slug: 'speakers', name: 'Speakers', count: 2 },
          { slug: 'headphones', name: 'Headphones', count: 1 },
          { slug: 'software', name: 'Software', count: 1 },
        ],
        brands: [
          { slug: 'aurelio', name: 'Aurelio', count: 4 },
          { slug: 'donner-sohne', name: 'Donner & Söhne', count: 2 },
        ],
        merchants: [
          { slug: 'alpha', name: 'Alpha', count: 3 },
          { slug: 'beta', name: 'Beta', count: 3 },
          { slug: 'delta', name: 'Delta', count: 2 },
        ],
        availability: [
          { value: 'in_stock', count: 5 },
          { value: 'preorder', count: 1 },
        ],
        condition: [
          { value: 'new', count: 5 },
          { value: 'used', count: 1 },
        ],
        priceRanges: [
          { min: 7, max: 8, count: 2 },
          { min: 20, max: 20, count: 1 },
          { min: 50, max: 50, count: 1 },
          { min: 90, max: 90, count: 1 },
          { min: 120, max: 120, count: 1 },
        ],
        attributes: [
          { name: 'color', values: [{ value: 'Black', count: 1 }] },
          {
            name: 'size',
            values: [
              { value: 'M', count: 1 },
              { value: 'a\\b', count: 1 },
            ],
          },
        ],
      },
    });
  });

  test('have the same members when nothing matches', async () => {
    expect(await facets('q=nothinglikethis')).toEqual({
      categories: [],
      brands: [],
      merchants: [],
      availability: [],
      condition: [],
      priceRanges: [],
      attributes: [],
    });
  });

  test('ignore the filter by their own field, and obey those by others', async () => {
    const one = await facets('brand=weft&attr.color=Red');
    expect(slugs(one.brands)).toEqual([['weft', 2]]);
    expect(one.attributes).toEqual([
      { name: 'color', values: [{ value: 'Red', count: 2 }] },
      {
        name: 'size',
        values: [
          { value: '9,5', count: 1 },
          { value: 'M', count: 1 },
        ],
      },
      { name: 'material', values: [{ value: 'Linen', count: 1 }] },
    ]);
    expect(words((await facets('attr.color=Red')).attributes[0].values)).toEqual([
      ['Black', 2],
      ['Red', 2],
    ]);
    expect(words((await facets('condition=used')).condition)).toEqual([
      ['new', 8],
      ['used', 2],
    ]);
    expect(slugs((await facets('merchant=delta&condition=used')).merchants)).toEqual([['delta', 2]]);
    expect((await facets('maxPrice=20&brand=aurelio')).priceRanges).toHaveLength(4);
  });

  test('of availability obey inStock, which is another field', async () => {
    expect(words((await facets('inStock=true')).availability)).toEqual([['in_stock', 7]]);
    expect(await total('inStock=true&availability=preorder')).toBe(0);
  });

  test('show the alternatives to a brand that does not exist', async () => {
    const { brands, categories } = await facets('brand=nobody');
    expect(brands.length).toBeGreaterThan(2);
    expect(categories).toEqual([]);
  });

  test('of one value equal the total of the list with it', async () => {
    for (const query of ['', 'category=audio', 'merchant=alpha,delta', 'inStock=true', 'q=echo']) {
      const { brands, priceRanges, attributes } = await facets(query);
      for (const { slug, count } of brands)
        expect([slug, count]).toEqual([slug, await total(`${query}&brand=${slug}`)]);
      for (const { min, max, count } of priceRanges) {
        expect(count).toBe(await total(`${query}&minPrice=${min}&maxPrice=${max}`));
      }
      for (const { name, values } of attributes) {
        for (const { value, count } of values) {
          const written = encodeURIComponent(value.replace(/[\\,]/g, '\\$&'));
          expect([value, count]).toEqual([value, await total(`${query}&attr.${name}=${written}`)]);
        }
      }
    }
  });

  test('follow changes of the catalogue', async () => {
    const other = await forTest(startTestGateway());
    const own = await other.makeKey('enterprise');
    const countsOf = async (name: 'brands' | 'condition') =>
      (await other.get('/api/v1/facets', { key: own.key })).body.data[name];
    expect(await countsOf('brands')).toEqual([]);
    const rows = ['a', 'b'].map((id) => feedRow({ id, brand: 'First' }));
    await other.importRows('One', rows);
    expect(slugs(await countsOf('brands'))).toEqual([['first', 2]]);
    await other.importRows('One', [...rows, feedRow({ id: 'c', brand: 'Second', condition: 'used' })]);
    expect(slugs(await countsOf('brands'))).toEqual([
      ['first', 2],
      ['second', 1],
    ]);
    expect(words(await countsOf('condition'))).toEqual([
      ['new', 2],
      ['used', 1],
    ]);
    await other.importRows('One', [feedRow({ id: 'c', brand: 'Second' })], { isForced: true });
    expect(words(await countsOf('condition'))).toEqual([['new', 1]]);
    expect(slugs(await countsOf('brands'))).toEqual([
      ['first', 2],
      ['second', 1],
    ]);
  });

  test('list at most a hundred values', async () => {
    const other = await forTest(startTestGateway());
    const own = await other.makeKey('enterprise');
    const rows = Array.from({ length: 130 }, (_, n) =>
      feedRow({ id: `${n}`, title: `Thing ${n}`, brand: `Brand ${n}`, color: `Colour ${n % 120}` }),
    );
    await other.importRows('One', rows);
    const { data } = (await other.get('/api/v1/facets', { key: own.key })).body;
    expect(data.brands).toHaveLength(100);
    expect(data.attributes[0].values).toHaveLength(100);
    expect(data.attributes[0].values[0].count).toBe(2);
  });

  test('end at 10000, as totals of lists do', async () => {
    const other = await forTest(startTestGateway());
    const own = await other.makeKey('enterprise');
    await other.database.script(`
        INSERT INTO brand (slug, name, name_key, sort_name) VALUES ('many', 'Many', 'many', 'many');
        INSERT INTO product (slug, name, brand_id, sort_name, min_total)
        SELECT 'p' || n, 'P ' || n, (SELECT id FROM brand), 'p ' || n, n FROM generate_series(1, 10003) AS n;`);
    const { data } = (await other.get('/api/v1/facets?maxPrice=999', { key: own.key })).body;
    expect(data.brands).toEqual([{ slug: 'many', name: 'Many', count: 10_000 }]);
    const { page } = (await other.get('/api/v1/products?brand=many', { key: own.key })).body;
    expect(page).toMatchObject({ total: 10_000, totalIsExact: false });
    const ranges: { count: number }[] = data.priceRanges;
    expect(ranges.reduce((sum, { count }) => sum + count, 0)).toBe(10_003);
    const { body } = await other.graphql(
      '{ facets { isExact } narrow: facets(filter: { maxPrice: 50 }) { isExact } }',
      { key: own.key },
    );
    expect(body.data).toEqual({ facets: { isExact: false }, narrow: { isExact: true } });
  });

  test('are the same over GraphQL, for the same price', async () => {
    const own = await gateway.makeKey('free');
    const query = `query ($filter: ProductFilter) {
      facets(filter: $filter) {
        categories { slug name count } brands { slug name count } merchants { slug name count }
        availability { value: availability count } condition: conditions { value: condition count }
        priceRanges { min max count } attributes { name values { value count } }
      }
      products(filter: $filter) { totalCount facets { brands { slug name count } } }
    }`;
    const filter = {
      brands: ['weft', 'aurelio'],
      conditions: ['new', 'used'],
      inStock: true,
      minDiscount: 0,
      attributes: [{ name: 'size', values: ['M', 'a\\b', '9,5'] }],
    };
    const { body, headers } = await gateway.graphql(query, { key: own.key, variables: { filter } });
    const path = 'brand=weft,aurelio&condition=new,used&inStock=true&minDiscount=0&attr.size=M,a\\\\b,9\\,5';
    const answer = await gateway.get(`/api/v1/facets?${path}`, { key: own.key });
    expect(body.data.facets).toEqual(answer.body.data);
    expect(body.data.products.facets.brands).toEqual(answer.body.data.brands);
    expect(body.data.products.totalCount).toBe(await total(path));
    expect(headers.get('x-quota-remaining')).toBe('98');
    expect(answer.headers.get('x-quota-remaining')).toBe('97');
  });

  test('are a tool for agents, whose lists of values may be arrays', async () => {
    const agent = await connectAgent(gateway.address, { 'x-api-key': key });
    const call = async (given: Record<string, unknown>) => {
      const { structuredContent } = await agent.client.callTool({ name: 'get_facets', arguments: given });
      return (structuredContent as { data: unknown }).data;
    };
    const expected = await facets('brand=weft,aurelio&inStock=true&attr.size=M,9\\,5');
    expect(await call({ brand: ['weft', 'aurelio'], inStock: true, 'attr.size': ['M', '9,5'] })).toEqual(expected);
    expect(await call({ brand: 'weft,aurelio', inStock: 'true', 'attr.size': 'M,9\\,5' })).toEqual(expected);
    await agent.client.close();
  });
});

test('feeds have the attributes that can be filtered by', () => {
  expect(PRODUCT_FIELDS.find(({ name }) => name === 'attributes')?.feedFields).toEqual(ATTRIBUTE_NAMES);
});

describe('lists of products', () => {
  test.each([
    ['one of several brands', 'brand=weft,donner-sohne', [SHIRT, SHOES, 'Thunder Speaker', 'Thunder Speaker Duo']],
    ['one of several brands of which some are unknown', 'brand=weft,nobody', [SHIRT, SHOES]],
    ['several unknown brands', 'brand=nobody,noone', []],
    [
      'one of several categories',
      'category=speakers,software',
      ['Sold Out Thing', 'Thunder Speaker', 'Thunder Speaker Duo'],
    ],
    ['one of several shops', 'merchant=beta,delta&maxPrice=30', [SHIRT, CABLE, CABLE]],
    ['one of several availabilities', 'availability=preorder,out_of_stock', [LAMP, 'Thunder Speaker Duo']],
    ['condition', 'condition=used', [SHOES, CABLE]],
    ['one of several conditions', 'condition=used,refurbished', [SHOES, CABLE]],
    ['condition and shop of one offer', 'condition=used&merchant=alpha', []],
    ['stock', 'inStock=true&merchant=delta', [SHIRT, SHOES, CABLE, CABLE]],
    ['stock if false, which restricts nothing', 'inStock=false&merchant=delta', [SHIRT, SHOES, LAMP, CABLE, CABLE]],
    ['discount', 'minDiscount=10.5&merchant=delta', [SHIRT]],
    ['a discount above that of all', 'minDiscount=10.51&merchant=delta', []],
    ['attribute', 'attr.color=Red', [SHIRT, SHOES]],
    ['one of several values of an attribute', 'attr.color=Red,Black&merchant=delta', [SHIRT, SHOES, LAMP]],
    ['several attributes', 'attr.color=Red&attr.size=M', [SHIRT]],
    ['a value with a comma', 'attr.size=9\\,5', [SHOES]],
    ['the values around a comma', 'attr.size=9,5', []],
    ['a value with a backslash', 'attr.size=a\\\\b', [CABLE]],
    ['a percent-encoded separator', 'brand=weft%2Cnobody', [SHIRT, SHOES]],
    ['a value in other capitals, which is another value', 'attr.color=red', []],
    ['a value that no text can have', 'attr.color=%00', []],
  ])('are narrowed by %s', async (_what, query, found) => {
    const { status, body } = await list(query);
    expect(status).toBe(200);
    expect(namesOf(body).sort()).toEqual([...found].sort());
    expect(body.page.total).toBe(found.length);
  });

  test('with several values continue with a cursor', async () => {
    const query = 'brand=weft,aurelio&attr.size=M,9\\,5,a\\\\b&sort=name';
    const first = await gateway.get(`/api/v1/products?${query}&limit=2`, { key });
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await gateway.get(next, { key });
    expect([...namesOf(first.body), ...namesOf(second.body)]).toEqual(namesOf((await list(query)).body));
    const other = await gateway.get(next.replace('weft', 'nobody'), { key });
    expect([other.status, other.body.parameter]).toEqual([400, 'cursor']);
  });
});

describe('a bad filter is refused, and its parameter named:', () => {
  const many = Array.from({ length: 21 }, (_, n) => `b${n}`).join(',');
  test.each([
    ['brand', `brand=${many}`],
    ['brand', 'brand=a,,b'],
    ['brand', 'brand=a,'],
    ['brand', 'brand=a&brand=b'],
    ['category', `category=a,${'b'.repeat(201)}`],
    ['merchant', `merchant=${many}`],
    ['availability', 'availability=in_stock,sold'],
    ['availability', 'availability='],
    ['condition', 'condition=mint'],
    ['condition', `condition=${Array(21).fill('new').join(',')}`],
    ['inStock', 'inStock=yes'],
    ['inStock', 'inStock='],
    ['minDiscount', 'minDiscount=101'],
    ['minDiscount', 'minDiscount=-1'],
    ['minDiscount', 'minDiscount=1.234'],
    ['attr.color', 'attr.color='],
    ['attr.color', 'attr.color=Red,'],
    ['attr.color', `attr.color=${many}`],
    ['attr.color', `attr.color=${'a'.repeat(201)}`],
    ['minPrice', 'minPrice=2&maxPrice=1'],
  ])('%s in "%s"', async (parameter, query) => {
    for (const path of ['products', 'facets']) {
      const { status, body } = await gateway.get(`/api/v1/${path}?${query}`, { key });
      expect([path, status, body.code, body.parameter]).toEqual([path, 400, 'invalid_parameter', parameter]);
    }
  });

  test('the error of a closed set lists its values', async () => {
    const { body } = await gateway.get('/api/v1/facets?condition=mint', { key });
    expect(body.allowed).toEqual(['new', 'refurbished', 'used']);
  });

  test.each([
    ['brands', '{ brand: "a", brands: ["b"] }'],
    ['categories', `{ categories: [${Array(21).fill('"a"')}] }`],
    ['minDiscount', '{ minDiscount: 100.5 }'],
    ['attributes', `{ attributes: [${Array(11).fill('{ name: "color", values: ["a"] }')}] }`],
    ['attributes', `{ attributes: [{ name: "color", values: [${Array(21).fill('"a"')}] }] }`],
  ])('over GraphQL %s in %s', async (parameter, filter) => {
    for (const field of ['facets', 'products']) {
      const selected = field === 'facets' ? '{ brands { count } }' : '{ totalCount }';
      const { body } = await gateway.graphql(`{ ${field}(filter: ${filter}) ${selected} }`, { key });
      expect(body.errors[0].extensions).toMatchObject({ code: 'invalid_parameter', parameter });
    }
  });

  test('but an attribute that products never have matches nothing over GraphQL', async () => {
    const filter = '{ attributes: [{ name: "taste", values: ["sweet"] }] }';
    const { body } = await gateway.graphql(
      `{ products(filter: ${filter}) { totalCount } facets(filter: ${filter}) { brands { count } attributes { name } } }`,
      { key },
    );
    expect(body.data).toEqual({ products: { totalCount: 0 }, facets: { brands: [], attributes: [] } });
  });
});

describe('categories with nonEmpty=true', () => {
  interface Node {
    slug: string;
    productCount: number;
    children: Node[];
  }
  const flat = (nodes: Node[]): Node[] => nodes.flatMap((node) => [node, ...flat(node.children)]);
  const tree = async (query: string) => flat((await gateway.get(`/api/v1/categories?${query}`, { key })).body.data);

  test('leave out those without products', async () => {
    const all = await tree('');
    expect(all.map(({ slug }) => slug)).toContain('sporting-goods');
    const full = await tree('nonEmpty=true');
    expect(full.map(({ slug }) => slug)).toEqual(
      all.filter(({ productCount }) => productCount > 0).map(({ slug }) => slug),
    );
    expect(await tree('nonEmpty=false')).toEqual(all);
  });

  test('respect root and depth, in a table, and over GraphQL', async () => {
    expect((await tree('nonEmpty=true&root=audio&depth=1')).map(({ slug }) => slug)).toEqual(['audio']);
    expect(await tree('nonEmpty=true&root=sporting-goods')).toEqual([]);
    const { text } = await gateway.get('/api/v1/categories?nonEmpty=true', { key, headers: { accept: 'text/csv' } });
    expect(text).not.toContain('sporting-goods');
    const { body } = await gateway.graphql('{ categories(nonEmpty: true) { slug children { slug } } }', { key });
    expect(body.data.categories.map(({ slug }: Node) => slug)).toEqual(['electronics', 'software']);
  });

  test('refuse another word than true and false', async () => {
    const { status, body } = await gateway.get('/api/v1/categories?nonEmpty=1', { key });
    expect([status, body.parameter, body.allowed]).toEqual([400, 'nonEmpty', ['true', 'false']]);
  });
});

test('after a change of everything, facets show the old counts and their moment until all products are read again', async () => {
  const cached = await forTest(startTestGateway({ ANSWER_CACHE_MB: '8' }));
  const { key: other } = await cached.makeKey('enterprise');
  await cached.importRows('Delta', [feedRow({ id: 'lamp', brand: 'Lux' }), feedRow({ id: 'chair', brand: 'Weft' })]);
  const read = async () => (await cached.get('/api/v1/facets', { key: other })).body.data;
  const brands = async () => slugs((await read()).brands);
  await read();
  const before = Date.now();
  await cached.database.script(`
    UPDATE product SET brand_id = (SELECT id FROM brand WHERE name = 'Lux');
    UPDATE catalogue_version SET version = version + 1`);
  await cached.database.transaction(async (transaction) => {
    await transaction.script('LOCK TABLE offer');
    await cached.services.followed.catchUp();
    const { asOf, brands: old } = await read();
    expect(slugs(old)).toEqual([
      ['lux', 1],
      ['weft', 1],
    ]);
    expect(Date.parse(asOf)).toBeLessThanOrEqual(before);
    const { page } = (await cached.get('/api/v1/products?q=thing&minPrice=1', { key: other })).body;
    expect(page.total).toBe(2);
  });
  await expectEventually(brands, [['lux', 2]]);
  expect(await read()).not.toHaveProperty('asOf');
});
