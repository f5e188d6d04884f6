/** `/api/v1/products`: filters, orders, pages and totals (contract §4). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PRODUCT_SORTS } from '../src/catalogue/product/product-list.ts';
import { encodeCursor, type Place } from '../src/values/cursor.ts';
import { fillCatalogue, namesOf } from './harness/catalogue.ts';
import { type Answer, expectInvalid, feedRow, startTestGateway, type TestGateway } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';

const ECHO = 'Écho Headphones Black';
const MINI = 'Echo Mini';
const THUNDER = 'Thunder Speaker';
const DUO = 'Thunder Speaker Duo';
const KLANG = 'Кланг Колонка';
const GONE = 'Sold Out Thing';

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await fillCatalogue(gateway);

const list = (query: string): Promise<Answer> => gateway.get(`/api/v1/products?${query}`, { key });
const names = async (query: string) => namesOf((await list(query)).body);

describe('a product in the list', () => {
  test('has the members that lists show, and omits unknown ones', async () => {
    const { status, body } = await list('q=echo+headphones');
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        {
          id: expect.stringMatching(/^prd_/),
          slug: 'echo-headphones-black',
          name: ECHO,
          brand: 'Aurelio',
          category: { id: expect.stringMatching(/^cat_/), slug: 'headphones', name: 'Headphones' },
          identifier: { ean: '4006381333931', asin: 'B0DEMO0001', mpn: 'EC-1' },
          image: 'https://images.example/echo.jpg',
          url: `${gateway.address}/products/echo-headphones-black`,
          priceStats: { currency: 'EUR', min: 50, max: 80, lowestEver: 50, offerCount: 2 },
        },
      ],
      page: { limit: 20, total: 1 },
    });
  });

  test('omits brand, identifiers and prices that it does not have', async () => {
    const [{ id, slug, ...rest }] = (await list('q=sold')).body.data;
    expect([typeof id, slug]).toEqual(['string', 'sold-out-thing']);
    expect(rest).toEqual({
      name: GONE,
      category: { id: expect.any(String), slug: 'software', name: 'Software' },
      identifier: {},
      url: `${gateway.address}/products/sold-out-thing`,
      priceStats: { currency: 'EUR', lowestEver: 5, offerCount: 0 },
    });
  });
});

describe('the parameter q', () => {
  test.each([
    ['a word in the name', 'speaker', [THUNDER, DUO]],
    ['several words in any order', 'speaker+thunder', [THUNDER, DUO]],
    ['the beginning of a word', 'thun', [THUNDER, DUO]],
    ['a single letter', 't', [THUNDER, DUO, GONE]],
    ['words without their accents', 'echo+mini', [MINI]],
    ['accents where the name has none', 'mïní', [MINI]],
    ['capitals', 'THUNDER+DUO', [DUO]],
    ['one typing error', 'thumder', [THUNDER, DUO]],
    ['two swapped letters', 'spaeker', [THUNDER, DUO]],
    ['a missing letter in one word and the beginning of another', 'hedphones+bla', [ECHO]],
    ['the beginning of a Cyrillic word', 'колон', [KLANG]],
    ['a Cyrillic word with a typing error', 'кланк', [KLANG]],
    ['the brand', 'donner', [THUNDER, DUO]],
    ['the brand and a word in the name', 'aurelio+mini', [MINI]],
    ['the category', 'headphones', [ECHO]],
    ['a GTIN', '4006381333931', [ECHO]],
    ['a GTIN with spaces', '4006381+333931', [ECHO]],
    ['an ASIN in any case', 'b0demo0001', [ECHO]],
    ['an MPN', 'EC-1', [ECHO]],
    ['an MPN without its hyphen', 'ec1', [ECHO]],
    ['nothing for words that no product has together', 'thunder+headphones', []],
    ['nothing for a short word with a typing error', 'duu', []],
    ['nothing for punctuation', '%26%21', []],
  ])('matches %s', async (_what, query, found) => {
    expect((await names(`q=${query}`)).sort()).toEqual([...found].sort());
  });

  test('ranks exact words before prefixes, and prefixes before typing errors', async () => {
    const other = await forTest(startTestGateway());
    const own = await other.makeKey('enterprise');
    const rows = ['Mango Juice', 'Mangosteen', 'Mangos Juice', 'Tango Shoes'].map((title, n) =>
      feedRow({ id: String(n), title, gtin: `400638133${['3931', '3948', '3955', '3962'][n]}` }),
    );
    await other.importRows('One', rows);
    await other.importRows('Two', rows.slice(1)); // More shops offer the other products, but popularity comes second.
    const { body } = await other.get('/api/v1/products?q=mango', { key: own.key });
    expect(namesOf(body)).toEqual(['Mango Juice', 'Mangos Juice', 'Mangosteen', 'Tango Shoes']);
    const pages = [];
    for (let path: string | undefined = '/api/v1/products?q=mango&limit=1'; path !== undefined; ) {
      const page = await other.get(path, { key: own.key });
      pages.push(...namesOf(page.body));
      path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(pages).toEqual(namesOf(body));
  });
});

describe('the rank of products that match equally well', () => {
  let other: TestGateway;
  let own: string;
  beforeAll(async () => {
    other = await startTestGateway();
    own = (await other.makeKey('enterprise')).key;
  });
  afterAll(() => other.stop());

  const GOODS = {
    'Kettle Popular': { gtin: '4006381333931', availability: 'out_of_stock' },
    'Kettle Complete': {
      gtin: '4006381333948',
      brand: 'A',
      description: 'Boils.',
      image_link: 'https://shop.example/k.png',
    },
    'Kettle Branded': { gtin: '4006381333955', brand: 'B' },
    'Kettle Plain': { gtin: '4006381333962' },
    'Kettle Sold Out': { gtin: '4006381333979', brand: 'A', description: 'Boils.', availability: 'out_of_stock' },
  };
  const row = (title: keyof typeof GOODS, changes: Record<string, string> = {}) =>
    feedRow({ id: GOODS[title].gtin, title, ...GOODS[title], ...changes });
  async function expectOrder(order: readonly string[]): Promise<void> {
    for (const path of ['/api/v1/products?q=kettle', '/api/v1/products', '/api/v1/search?q=kett&limit=5']) {
      const { body } = await other.get(path, { key: own });
      expect(namesOf(body).map((name) => name.replace('Kettle ', ''))).toEqual(order);
    }
  }

  test('is by shops, then those in stock, then the complete ones, in lists and in suggestions', async () => {
    const titles = Object.keys(GOODS) as (keyof typeof GOODS)[];
    await other.importRows(
      'One',
      titles.toReversed().map((title) => row(title)),
    );
    await other.importRows('Two', [row('Kettle Popular')]);
    await expectOrder(['Popular', 'Complete', 'Branded', 'Plain', 'Sold Out']);
  });

  test('follows the stock', async () => {
    await other.importRows('One', [
      row('Kettle Popular'),
      row('Kettle Complete', { availability: 'out_of_stock' }),
      row('Kettle Branded'),
      row('Kettle Plain'),
      row('Kettle Sold Out', { availability: 'in_stock' }),
    ]);
    await expectOrder(['Popular', 'Sold Out', 'Branded', 'Plain', 'Complete']);
  });

  test('follows fields that a shop adds', async () => {
    await other.importRows('One', [
      row('Kettle Popular'),
      row('Kettle Complete', { availability: 'out_of_stock' }),
      row('Kettle Branded'),
      row('Kettle Plain', { brand: 'C', description: 'Boils.', image_link: 'https://shop.example/p.png' }),
      row('Kettle Sold Out', { availability: 'in_stock' }),
    ]);
    await expectOrder(['Popular', 'Plain', 'Sold Out', 'Branded', 'Complete']);
  });
});

describe('filters', () => {
  test.each([
    ['category by slug, including subcategories', 'category=audio', [ECHO, MINI, THUNDER, DUO]],
    ['a category without subcategories', 'category=speakers', [THUNDER, DUO]],
    ['an unknown category', 'category=boats', []],
    ['brand', 'brand=aurelio', [ECHO, MINI]],
    ['an unknown brand', 'brand=nobody', []],
    ['merchant', 'merchant=beta', [ECHO, THUNDER, DUO]],
    ['a merchant whose offers are all withdrawn', 'merchant=gamma', []],
    ['an unknown merchant', 'merchant=nobody', []],
    ['minPrice', 'minPrice=90', [THUNDER, DUO]],
    ['maxPrice', 'maxPrice=20.00', [MINI, KLANG]],
    ['both prices, inclusive', 'minPrice=50&maxPrice=90', [ECHO, THUNDER]],
    ['availability', 'availability=backorder', [KLANG]],
    ['the most common availability', 'availability=in_stock', [ECHO, MINI, THUNDER]],
    ['availability at a merchant', 'availability=preorder&merchant=beta', [DUO]],
    ['availability that the merchant does not have', 'availability=preorder&merchant=alpha', []],
    ['several at once', 'category=audio&brand=aurelio&maxPrice=49.99&q=echo', [MINI]],
    ['a text that cannot be a slug', 'brand=%00', []],
  ])('narrow by %s', async (_what, query, found) => {
    const { status, body } = await list(query);
    expect(status).toBe(200);
    expect(namesOf(body).sort()).toEqual([...found].sort());
    expect(body.page.total).toBe(found.length);
  });

  test('accept ids as well as slugs', async () => {
    const [{ category }] = (await list('category=speakers&limit=1')).body.data;
    const [brand] = (await gateway.get('/api/v1/brands?q=aurelio', { key })).body.data;
    expect(await names(`category=${category.id}`)).toEqual(await names('category=speakers'));
    expect(await names(`brand=${brand.id}`)).toEqual(await names('brand=aurelio'));
  });

  test('that are unknown are ignored', async () => {
    expect((await list('colour=red')).body.page.total).toBe(6);
  });
});

describe('the parameter sort', () => {
  test.each([
    ['popularity', [THUNDER, ECHO], 'products of two shops first'],
    ['price_asc', [KLANG, MINI, ECHO, THUNDER, DUO, GONE], 'cheapest first, without an offer last'],
    ['price_desc', [DUO, THUNDER, ECHO, KLANG, MINI, GONE], 'dearest first, without an offer last'],
    ['name', [ECHO, MINI, GONE, THUNDER, DUO, KLANG], 'by name, ignoring accents'],
    ['newest', [DUO], 'most recently seen first'],
    ['discount', [ECHO], 'largest discount first'],
  ])('by %s: %s', async (sort, expected) => {
    const ordered = await names(`sort=${sort}`);
    expect(ordered).toHaveLength(6);
    const isTieOfTwenty = (name: string | undefined) => (name === KLANG || name === MINI ? 'twenty' : name);
    const comparable = sort.startsWith('price') ? ordered.map(isTieOfTwenty) : ordered;
    const wanted = sort.startsWith('price') ? expected.map(isTieOfTwenty) : expected;
    if (sort === 'popularity') expect(comparable.slice(0, 2).sort()).toEqual([...expected].sort());
    else expect(comparable.slice(0, wanted.length)).toEqual(wanted);
  });

  test('is popularity by default, and relevance with q', async () => {
    expect(await names('')).toEqual(await names('sort=popularity'));
    expect(await names('q=thunder')).toEqual(await names('q=thunder&sort=relevance'));
    expect(await names('sort=relevance')).toEqual(await names('sort=popularity'));
  });

  // The order by unit price needs a category (test/unit-prices.test.ts).
  test.each(
    PRODUCT_SORTS.filter((sort) => sort !== 'unit_price_asc'),
  )('by %s, a brand has its products in the same order as the whole list', async (sort) => {
    const brand = 'brand=aurelio';
    const ordered = (await names(`sort=${sort}`)).filter((name) => name === ECHO || name === MINI);
    expect(await names(`${brand}&sort=${sort}`)).toEqual(ordered);
    const first = await list(`${brand}&sort=${sort}&limit=1`);
    const second = await list(`${brand}&sort=${sort}&limit=1&cursor=${first.body.page.nextCursor}`);
    expect([...namesOf(first.body), ...namesOf(second.body)]).toEqual(ordered);
    expect(second.body.page.total).toBe(2);
  });

  test('sorts the results of q', async () => {
    expect(await names('q=thunder&sort=price_desc')).toEqual([DUO, THUNDER]);
    expect(await names('q=thunder&sort=price_asc')).toEqual([THUNDER, DUO]);
  });
});

describe('a page', () => {
  test('links to the next one with all parameters of the request', async () => {
    const { headers } = await list('sort=name&brand=aurelio&limit=1');
    const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '';
    expect(namesOf((await gateway.get(next, { key })).body)).toEqual([MINI]);
  });

  test('links to the next one even if the URL has a second question mark', async () => {
    const { headers } = await list('q=thunder?&limit=1');
    const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '';
    expect(namesOf((await gateway.get(next, { key })).body)).toEqual([DUO]);
  });

  test('with the last product has no next one', async () => {
    const { body } = await list('sort=name&limit=5');
    const last = await list(`sort=name&limit=100&cursor=${body.page.nextCursor}`);
    expect(namesOf(last.body)).toEqual([KLANG]);
    expect(last.body.page).toEqual({ limit: 100, total: 6 });
  });
});

describe('a cursor', () => {
  // Its checksum is not secret, so anyone can make one.
  const made = (order: string, place: Place, filter = {}) =>
    encodeCursor(JSON.stringify(['products', order, filter]), place);

  test.each([
    '2023-02-30T00:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
    '2023-01-01T00:00:00Z',
    '2023-01-01T25:00:00.000Z',
  ])('made by hand from %s, which no real cursor contains, is refused', async (moment) => {
    expectInvalid(await list(`sort=newest&cursor=${made('newest', [moment, '1'])}`), 'cursor');
  });

  test.each([
    ['before all matches gives the first page', -(2 ** 31) + 1, 2],
    ['after all matches gives an empty page', 2 ** 31 - 1, 0],
  ])('made by hand for a position far %s, without delay', async (_, tier, found) => {
    const cursor = made('relevance, rank', [tier, 0, '0'], { query: 'echo' });
    expect((await list(`q=echo&cursor=${cursor}`)).body.data).toHaveLength(found);
    const { body } = await gateway.graphql(
      `{ products(filter: { query: "echo" }, last: 5, before: "${cursor}") { nodes { slug } } }`,
      { key },
    );
    expect(body.data.products.nodes).toHaveLength(2 - found);
  });

  test.each([
    ['that is not a cursor', 'sort=name&cursor=xyz'],
    ['that is empty', 'sort=name&cursor='],
    ['of another order', 'sort=price_asc&cursor=NAME'],
    ['of another filter', 'sort=name&brand=aurelio&cursor=NAME'],
    ['that is truncated', 'sort=name&cursor=CUT'],
  ])('%s is refused', async (_what, query) => {
    const { nextCursor } = (await list('sort=name&limit=1')).body.page;
    expectInvalid(await list(query.replace('NAME', nextCursor).replace('CUT', nextCursor.slice(0, -3))), 'cursor');
  });

  test('of another list is refused', async () => {
    const { nextCursor } = (await list('limit=1')).body.page;
    const { status, body } = await gateway.get(`/api/v1/brands?cursor=${nextCursor}`, { key });
    expect([status, body.parameter]).toEqual([400, 'cursor']);
  });

  test('may be used with another limit', async () => {
    const { nextCursor } = (await list('sort=name&limit=1')).body.page;
    expect((await list(`sort=name&limit=5&cursor=${nextCursor}`)).body.data).toHaveLength(5);
  });
});

describe('an invalid value is refused and its parameter named:', () => {
  test.each([
    ['q', 'q='],
    ['q', `q=${'a'.repeat(101)}`],
    ['q', 'q=one&q=two'],
    ['category', 'category='],
    ['category', `category=${'a'.repeat(201)}`],
    ['brand', 'brand='],
    ['merchant', 'merchant='],
    ['minPrice', 'minPrice=cheap'],
    ['minPrice', 'minPrice=-1'],
    ['minPrice', 'minPrice=1,50'],
    ['minPrice', 'minPrice=1.005'],
    ['minPrice', 'minPrice=20&maxPrice=10'],
    ['maxPrice', 'maxPrice='],
    ['maxPrice', 'maxPrice=1e3'],
    ['availability', 'availability=sold_out'],
    ['sort', 'sort=cheapest'],
    ['sort', 'sort='],
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['limit', 'limit=ten'],
    ['limit', 'limit=1.5'],
    ['limit', 'limit=-1'],
    ['limit', 'limit='],
  ])('%s in "%s"', async (parameter, query) => {
    expectInvalid(await list(query), parameter);
  });

  test('the error lists the allowed values', async () => {
    expect((await list('availability=maybe')).body.allowed).toEqual([
      'in_stock',
      'out_of_stock',
      'preorder',
      'backorder',
    ]);
    expect((await list('sort=cheapest')).body.allowed).toEqual([
      'relevance',
      'popularity',
      'price_asc',
      'price_desc',
      'name',
      'newest',
      'discount',
      'unit_price_asc',
    ]);
  });
});
