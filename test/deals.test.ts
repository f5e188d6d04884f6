/** `GET /api/v1/deals` and `deals` over GraphQL: products whose price fell, from imports to pages. */
import { expect, test } from 'vitest';
import { importTaxonomyText, TAXONOMY } from './harness/catalogue.ts';
import { eventually } from './harness/eventually.ts';
import { feedRow, startTestGateway } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

/** What the feeds say: the price of an article at a shop on some days before now, the oldest first. */
interface Article {
  id: string;
  gtin: string;
  brand?: string;
  google_product_category?: string;
  prices: readonly (number | undefined)[];
}

const DAYS = [100, 60, 10, 5];

// Reductions among all shops: Echo 50 % (lowest ever), Mini 20 %, Klang 10 % (was lower 60 days ago), Thunder none, Duo none at last.
const ARTICLES: Article[] = [
  {
    id: 'Echo',
    gtin: '4006381333931',
    brand: 'Aurelio',
    google_product_category: '505771',
    prices: [100, 100, 50, 50],
  },
  { id: 'Mini', gtin: '4006381333948', brand: 'Aurelio', google_product_category: '223', prices: [50, 50, 50, 40] },
  { id: 'Klang', gtin: '4006381333955', brand: 'Donner', google_product_category: '249', prices: [60, 100, 100, 90] },
  { id: 'Thunder', gtin: '4006381333962', brand: 'Donner', google_product_category: '249', prices: [60, 60, 60, 66] },
  { id: 'Duo', gtin: '4006381333979', brand: 'Donner', prices: [60, 60, 40, undefined] },
];

/** Waits until the digest has come to all changes. */
const digested = async () => {
  const due = await eventually(
    () => gateway.database.query('SELECT FROM due_product'),
    (rows) => rows.length === 0,
    20_000,
  );
  expect(due).toEqual([]);
};

const deals = async (query = '') => {
  const { status, body } = await gateway.get(`/api/v1/deals${query}`, { key });
  expect(status).toBe(200);
  return body;
};
const names = async (query = ''): Promise<string[]> =>
  (await deals(query)).data.map(({ product }: { product: { name: string } }) => product.name);

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await importTaxonomyText(gateway.database, TAXONOMY);
for (const [day, days] of DAYS.entries()) {
  const rows = ARTICLES.flatMap(({ prices, ...article }) =>
    prices[day] === undefined ? [] : [feedRow({ ...article, title: article.id, price: `${prices[day]} EUR` })],
  );
  await gateway.importRows('Alpha', rows, { observedAt: daysAgo(days) });
}
// Beta has used goods too; its new ones are dearer than Alpha's.
const { gtin, google_product_category } = ARTICLES[1] as Article;
for (const [days, price] of [
  [20, 80],
  [8, 60],
] as const) {
  const row = { gtin, google_product_category };
  await gateway.importRows(
    'Beta',
    [
      feedRow({ ...row, id: 'b-new', price: `${price} EUR` }),
      feedRow({ ...row, id: 'b-used', price: `${price / 2} EUR`, condition: 'used' }),
    ],
    { observedAt: daysAgo(days) },
  );
}
await digested();

test('deals are products whose price fell, largest fall first', async () => {
  const { data, page } = await deals();
  expect(data.map(({ product }: { product: { name: string } }) => product.name)).toEqual(['Echo', 'Mini', 'Klang']);
  expect(data[0]).toMatchObject({
    product: { slug: 'echo', brand: 'Aurelio' },
    offer: { merchant: { name: 'Alpha' }, totalPrice: 50, availability: 'in_stock', condition: 'new' },
    price: 50,
    previous: 100,
    percent: 50,
  });
  expect(Object.keys(data[0])).toEqual(['product', 'offer', 'price', 'previous', 'percent', 'since']);
  expect(Math.abs(Date.parse(data[0].since) - daysAgo(10).getTime())).toBeLessThan(3_600_000);
  expect(page).toMatchObject({ total: 3 });
});

test.each([
  ['?minPercent=20', ['Echo', 'Mini']],
  ['?minPercent=20.01', ['Echo']],
  ['?minPercent=100', []],
  ['?low=all', ['Echo', 'Mini']],
  ['?low=90d', ['Echo', 'Mini']],
  ['?low=30d', ['Echo', 'Mini', 'Klang']],
  ['?category=audio', ['Echo', 'Mini', 'Klang']],
  ['?category=speakers', ['Klang']],
  ['?category=software', []],
  ['?category=none', []],
  ['?brand=aurelio', ['Echo', 'Mini']],
  ['?brand=aurelio&category=headphones&low=all&minPercent=10', ['Echo']],
  ['?brand=none', []],
  ['?merchant=alpha', ['Echo', 'Mini', 'Klang']],
  ['?merchant=beta', ['Mini']],
  ['?merchant=none', []],
  ['?condition=used', ['Mini']],
  ['?condition=used&merchant=alpha', []],
  ['?condition=refurbished', []],
])('deals with %s are %s', async (query, expected) => {
  expect(await names(query)).toEqual(expected);
  expect((await deals(query)).page.total).toBe(expected.length);
});

test('with a merchant, prices and reductions are those of that shop', async () => {
  const { data } = await deals('?merchant=beta');
  expect(data[0]).toMatchObject({ price: 60, previous: 80, percent: 25, offer: { merchant: { slug: 'beta' } } });
  const used = await deals('?condition=used');
  expect(used.data[0]).toMatchObject({ price: 30, previous: 40, percent: 25, offer: { condition: 'used' } });
});

test.each([
  'minPercent=101',
  'minPercent=-1',
  'minPercent=1.234',
  'low=7d',
  'condition=broken',
  'limit=0',
  'cursor=x',
])('deals with %s are refused', async (query) => {
  const { status, body } = await gateway.get(`/api/v1/deals?${query}`, { key });
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: 'invalid_parameter', parameter: query.split('=')[0] });
});

test('deals come in pages, whose cursors belong to one filter', async () => {
  const first = await deals('?limit=2');
  const { nextCursor } = first.page;
  expect(await names(`?limit=2&cursor=${nextCursor}`)).toEqual(['Klang']);
  const { status } = await gateway.get(`/api/v1/deals?low=all&cursor=${nextCursor}`, { key });
  expect(status).toBe(400);
});

test('GraphQL has the same deals, in both directions', async () => {
  const document = `query ($last: Int, $before: String) {
    deals(filter: { condition: new }, last: $last, before: $before) {
      edges { cursor node { percent product { name } } } totalCount totalIsExact pageInfo { hasPreviousPage startCursor }
    }
  }`;
  const { body } = await gateway.graphql(document, { key, variables: { last: 2 } });
  const { edges, ...figures } = body.data.deals;
  expect(edges.map(({ node }: { node: { product: { name: string } } }) => node.product.name)).toEqual([
    'Mini',
    'Klang',
  ]);
  expect(figures).toMatchObject({ totalCount: 3, totalIsExact: true, pageInfo: { hasPreviousPage: true } });
  const before = await gateway.graphql(document, { key, variables: { last: 2, before: edges[0].cursor } });
  expect(before.body.data.deals.edges).toMatchObject([{ node: { product: { name: 'Echo' }, percent: 50 } }]);
  const refused = await gateway.graphql('{ deals(filter: { minPercent: 200 }) { nodes { percent } } }', { key });
  expect(refused.body.errors[0].extensions).toMatchObject({ code: 'invalid_parameter', parameter: 'minPercent' });
});

test('deals come as CSV with a row for each', async () => {
  const { text } = await gateway.get('/api/v1/deals?minPercent=20', { key, headers: { accept: 'text/csv' } });
  const [head = '', ...rows] = text.trim().split('\r\n');
  expect(head).toContain('product.id,product.slug,product.name');
  expect(head).toContain(',offer.url,');
  expect(head.endsWith('price,previous,percent,since')).toBe(true);
  expect(rows).toHaveLength(2);
});

test('a sold-out or withdrawn offer leaves the list with its import, before the digest; a new price appears with the digest', async () => {
  const other = await forTest(startTestGateway());
  const { key: own } = await other.makeKey('enterprise');
  const rows = (price: number, availability = 'in_stock') =>
    ARTICLES.slice(0, 2).map(({ id, gtin }) => feedRow({ id, gtin, title: id, price: `${price} EUR`, availability }));
  const seen = async () => {
    const { body } = await other.get('/api/v1/deals', { key: own });
    return body.data.map(({ product, price }: { product: { name: string }; price: number }) => [product.name, price]);
  };
  await other.importRows('Alpha', rows(100), { observedAt: daysAgo(3) });
  await other.importRows('Alpha', rows(80), { observedAt: daysAgo(2) });
  expect(await eventually(seen, (list) => list.length === 2, 20_000)).toEqual([
    ['Echo', 80],
    ['Mini', 80],
  ]);
  await other.importRows('Alpha', rows(80, 'out_of_stock').slice(0, 1), { observedAt: daysAgo(1) });
  expect(await seen()).toEqual([]);
  await other.importRows('Alpha', rows(70));
  expect(await eventually(seen, (list) => list.length === 2, 20_000)).toEqual([
    ['Echo', 70],
    ['Mini', 70],
  ]);
});

test('a page looks at no more than 20,000 deals that have ended', async () => {
  // Deals of offers that do not exist, larger than the only one that lasts.
  await gateway.database.query(
    `INSERT INTO deal (product_id, condition, merchant_id, offer_id, price, previous, remaining, since)
     SELECT ended.id, 'refurbished', 0, offer.id, offer.total + 1, 2 * offer.total, 1, now()
     FROM generate_series(1000000, 1019999) AS ended (id)
     CROSS JOIN (SELECT * FROM offer ORDER BY id LIMIT 1) AS offer`,
  );
  await gateway.importRows('Gamma', [refurbished(100)], { observedAt: daysAgo(2) });
  await gateway.importRows('Gamma', [refurbished(80)], { observedAt: daysAgo(1) });
  await digested();
  const found = async () => {
    const { body } = await gateway.get('/api/v1/deals?condition=refurbished&limit=2', { key });
    return body.data.map(({ price }: { price: number }) => price);
  };
  expect(await found()).toEqual([]);
  await gateway.database.query('DELETE FROM deal WHERE product_id = 1000000');
  expect(await found()).toEqual([80]);
});

const refurbished = (price: number) =>
  feedRow({ id: 'g', gtin: '4006381333986', price: `${price} EUR`, condition: 'refurbished' });
