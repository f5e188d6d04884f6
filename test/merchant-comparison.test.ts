/** `GET /api/v1/merchant-comparison` and `merchantComparison` over GraphQL: from imports to the standing of each shop. */
import { expect, test } from 'vitest';
import { digestAll } from '../src/ledger/digest/digest-step.ts';
import { importTaxonomyText, TAXONOMY } from './harness/catalogue.ts';
import { type FeedRowFields, feedRow, startTestGateway } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';

const ARTICLES: Record<string, FeedRowFields> = {
  echo: { gtin: '4006381333931', google_product_category: '505771' },
  mini: { gtin: '4006381333948', google_product_category: '505771' },
  duo: { gtin: '4006381333955', google_product_category: '249' },
};
const row = (article: string, price: number, fields: FeedRowFields = {}) =>
  feedRow({
    id: article,
    title: article,
    brand: 'Aurelio',
    ...ARTICLES[article],
    price: `${price} EUR`,
    shipping: 'DE:::0 EUR',
    ...fields,
  });

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await importTaxonomyText(gateway.database, TAXONOMY);
await gateway.importRows('Alpha', [row('echo', 100), row('mini', 50), row('duo', 20)]);
// With shipping, Beta's price of the first one is equal to Alpha's. Its second one is used, which does not count.
await gateway.importRows('Beta', [
  row('echo', 95, { shipping: 'DE:::5.00 EUR' }),
  row('mini', 10, { condition: 'used' }),
]);
// The cheapest is sold out, and another costs 12.39 % more than the cheapest.
await gateway.importRows('Gamma', [row('echo', 1, { availability: 'out_of_stock' }), row('mini', 56.19)]);
await digestAll(gateway.database);

const compare = async (query: string) => {
  const { status, body } = await gateway.get(`/api/v1/merchant-comparison?${query}`, { key });
  expect(status).toBe(200);
  return body.data;
};
const shop = (name: string) => ({ id: expect.any(String), slug: name.toLowerCase(), name });

const AUDIO = [
  {
    merchant: shop('Alpha'),
    productCount: 3,
    cheapestPercent: 100,
    soleSellerPercent: 33.33,
    medianDistancePercent: 0,
    outOfStockPercent: 0,
  },
  {
    merchant: shop('Gamma'),
    productCount: 2,
    cheapestPercent: 0,
    soleSellerPercent: 0,
    medianDistancePercent: 12.3,
    outOfStockPercent: 50,
  },
  {
    merchant: shop('Beta'),
    productCount: 1,
    cheapestPercent: 100,
    soleSellerPercent: 0,
    medianDistancePercent: 0,
    outOfStockPercent: 0,
  },
];

test('a comparison of a category includes its subcategories, and compares new offers in stock with shipping', async () => {
  expect(await compare('category=audio')).toEqual(AUDIO);
});

test('a comparison of a brand is the same for the same products', async () => {
  expect(await compare('brand=aurelio')).toEqual(AUDIO);
});

test('a comparison of a subcategory has only its products', async () => {
  expect(await compare('category=speakers')).toEqual([{ ...AUDIO[0], productCount: 1, soleSellerPercent: 100 }]);
});

test.each(['category=none', 'brand=none', 'category=software'])('a comparison of %s is empty', async (query) => {
  expect(await compare(query)).toEqual([]);
});

test.each(['', 'category=audio&brand=aurelio'])('a comparison with "%s" is refused', async (query) => {
  const { status, body } = await gateway.get(`/api/v1/merchant-comparison?${query}`, { key });
  expect([status, body.code]).toEqual([400, 'invalid_parameter']);
  expect(body.detail).toBe('Send exactly one of `category` and `brand`.');
});

test('a comparison is the same over GraphQL, where an unknown distance is null, and as CSV', async () => {
  await gateway.importRows('Delta', [row('duo', 30, { availability: 'preorder' })]);
  await digestAll(gateway.database);
  const { body } = await gateway.graphql(
    '{ merchantComparison(category: "speakers") { merchant { name } productCount medianDistancePercent outOfStockPercent } }',
    { key },
  );
  expect(body.data.merchantComparison).toEqual([
    { merchant: { name: 'Alpha' }, productCount: 1, medianDistancePercent: 0, outOfStockPercent: 0 },
    { merchant: { name: 'Delta' }, productCount: 1, medianDistancePercent: null, outOfStockPercent: 100 },
  ]);
  const csv = await gateway.get('/api/v1/merchant-comparison?category=speakers', {
    key,
    headers: { accept: 'text/csv' },
  });
  expect(csv.text.split('\r\n')[0]).toBe(
    'merchant.id,merchant.slug,merchant.name,productCount,cheapestPercent,soleSellerPercent,medianDistancePercent,outOfStockPercent',
  );
  expect(csv.text.split('\r\n')[2]).toMatch(/,delta,Delta,1,0,0,,100$/);
});

test('a shop with a typing error has no price at the product', async () => {
  const pen = (price: number) => feedRow({ id: 'pen', gtin: '4006381333962', brand: 'Scripto', price: `${price} EUR` });
  const daysAgo = (days: number) => ({ observedAt: new Date(Date.now() - days * 86_400_000) });
  for (const [index, price] of [100, 101, 100, 10].entries()) {
    await gateway.importRows('Typo', [pen(price)], daysAgo(5 - index));
  }
  await gateway.importRows('Rival', [pen(99)], daysAgo(1));
  await digestAll(gateway.database);
  const shops = await compare('brand=scripto');
  expect(
    shops.map(({ merchant, cheapestPercent }: Record<string, { name: string }>) => [merchant?.name, cheapestPercent]),
  ).toEqual([['Rival', 100]]);
});

test('a comparison lists at most 100 shops, those with most products first', async () => {
  const other = await forTest(startTestGateway());
  const own = await other.makeKey('enterprise');
  await importTaxonomyText(other.database, TAXONOMY);
  for (let n = 0; n < 101; n++) {
    await other.importRows(`Shop ${n}`, n === 100 ? [row('echo', 100), row('mini', 90)] : [row('echo', 100)]);
  }
  await digestAll(other.database);
  const { body } = await other.get('/api/v1/merchant-comparison?category=headphones', own);
  expect(body.data.length).toBe(100);
  expect(body.data[0]).toMatchObject({ merchant: { name: 'Shop 100' }, productCount: 2 });
});
