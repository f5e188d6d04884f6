/** An offer whose shipping is not stated is not the cheapest: its total is never compared with one that includes shipping. */
import { expect, test } from 'vitest';
import { countCheapest } from '../src/feeds/count-cheapest.ts';
import { digestAll } from '../src/ledger/digest/digest-step.ts';
import { dayOf } from '../src/values/day.ts';
import { connectAgent } from './harness/agent.ts';
import { importTaxonomyText, TAXONOMY } from './harness/catalogue.ts';
import { exported } from './harness/exports.ts';
import { feedRow, startTestGateway } from './harness/gateway.ts';
import { forFile } from './harness/lifetime.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const STATED = { shipping: 'DE:::1.00 EUR' };

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await importTaxonomyText(gateway.database, TAXONOMY);
const pen = (price: number, more = {}) =>
  feedRow({
    id: 'pen',
    title: 'Pen',
    brand: 'Scripto',
    gtin: '4006381333931',
    google_product_category: '505771',
    price: `${price} EUR`,
    ...more,
  });
const ink = (price: number) =>
  feedRow({ id: 'ink', title: 'Ink', brand: 'Scripto', gtin: '4006381333948', price: `${price} EUR` });
// Secret states no shipping. Stater's totals are 4.99 and 3.99; for a day, only Secret listed the pen. Only Secret lists the ink.
await gateway.importRows('Stater', [pen(3.99, STATED)], { observedAt: daysAgo(20) });
await gateway.importRows('Secret', [pen(2), ink(1)], { observedAt: daysAgo(19) });
await gateway.importRows('Stater', [], { observedAt: daysAgo(10), isForced: true });
await gateway.importRows('Stater', [pen(2.99, STATED)], { observedAt: daysAgo(9) });
await gateway.importRows('Secret', [pen(1.49), ink(0.49)], { observedAt: daysAgo(5) });
await digestAll(gateway.database);

const get = async (path: string) => {
  const { status, body } = await gateway.get(`/api/v1/${path}`, { key });
  expect(status).toBe(200);
  return body.data;
};
type Offer = { totalPrice: number; shippingKnown: boolean };
type Deal = { product: { slug: string }; price: number; previous: number; offer: Offer };
const shown = (offers: Offer[]) => offers.map(({ totalPrice, shippingKnown }) => [totalPrice, shippingKnown]);
const ALL = [
  [1.49, false],
  [3.99, true],
];
const KNOWN = [[3.99, true]];

test('offers keep the order of their totals, and say whether the shipping is known', async () => {
  expect(shown(await get('products/pen/offers'))).toEqual(ALL);
  const { offers, priceStats } = await get('products/pen');
  expect(shown(offers)).toEqual(ALL);
  expect(priceStats).toMatchObject({ min: 1.49, max: 3.99 });
  const { lines } = await exported(gateway, 'offers?category=audio', { key });
  expect(shown(lines).sort()).toEqual(ALL);
  const { body } = await gateway.get('/api/v1/changes?merchant=stater', { key });
  expect(body.data.at(-1).after).toMatchObject({ shipping: 1, shippingKnown: true, totalPrice: 3.99 });
});

test('the body of a lookup does not', async () => {
  const { offers } = await get('lookup?ean=4006381333931');
  expect(offers.map(({ totalPrice }: Offer) => totalPrice)).toEqual([1.49, 3.99]);
  for (const offer of offers) expect(Object.keys(offer)).toEqual(['merchant', 'totalPrice', 'availability', 'url']);
});

test('shipping=known leaves out offers with unknown shipping, in REST, CSV, GraphQL, exports and for agents', async () => {
  expect(shown(await get('products/pen/offers?shipping=known'))).toEqual(KNOWN);
  const csv = await gateway.get('/api/v1/products/pen/offers?shipping=known', { key, headers: { accept: 'text/csv' } });
  expect(csv.text.trim().split('\r\n')).toHaveLength(2);
  const query = `{ product(id: "pen") {
    offers(shipping: known) { totalPrice shippingKnown }
    offersConnection(shipping: known) { totalCount nodes { totalPrice shippingKnown } }
  } }`;
  const { product } = (await gateway.graphql(query, { key })).body.data;
  expect([shown(product.offers), shown(product.offersConnection.nodes)]).toEqual([KNOWN, KNOWN]);
  expect(product.offersConnection.totalCount).toBe(1);
  expect(shown((await exported(gateway, 'offers?shipping=known', { key })).lines)).toEqual(KNOWN);
  const agent = await connectAgent(gateway.address, { 'x-api-key': key });
  const { structuredContent } = await agent.call('list_offers', { id: 'pen', shipping: 'known' });
  expect(shown((structuredContent as { data: Offer[] }).data)).toEqual(KNOWN);
  await agent.client.close();
  const { status, body } = await gateway.get('/api/v1/products/pen/offers?shipping=free', { key });
  expect([status, body.parameter, body.allowed]).toEqual([400, 'shipping', ['known']]);
});

test('statistics compare stated totals with each other, also at times when only others were listed', async () => {
  const stats = await get('products/pen/price-stats');
  expect(stats).toMatchObject({ current: 3.99, shippingKnown: true, isLowest: true, drops: 1, observations: 2 });
  expect([stats.low, stats.high]).toMatchObject([
    { price: 3.99, merchants: ['stater'] },
    { price: 4.99, merchants: ['stater'] },
  ]);
  // Without known totals at the end of the time span, those of the others.
  const then = await get(`products/pen/price-stats?to=${dayOf(daysAgo(10).getTime())}`);
  expect(then).toMatchObject({ current: 2, shippingKnown: false, low: { price: 2 }, high: { price: 2 } });
  expect(await get('products/ink/price-stats')).toMatchObject({ current: 0.49, shippingKnown: false });
  // In stock it was all the time, at a shop that states no shipping.
  expect(stats.windows.at(-1)).toMatchObject({ min: 3.99, outOfStockPercent: 0 });
  const none = await get('products/ink/price-stats?shipping=known');
  expect(none).toEqual({ currency: 'EUR', windows: [], observations: 0, excluded: 0 });
});

test.each([
  [
    '',
    [
      ['pen', 3.99, 4.99, true],
      ['ink', 0.49, 1, false],
    ],
  ],
  ['shipping=known', [['pen', 3.99, 4.99, true]]],
  [
    'merchant=secret',
    [
      ['ink', 0.49, 1, false],
      ['pen', 1.49, 2, false],
    ],
  ],
  ['merchant=secret&shipping=known', []],
])('deals with "%s" compare totals of one kind', async (query, expected) => {
  const { body } = await gateway.get(`/api/v1/deals?${query}`, { key });
  const found = body.data.map(({ product, price, previous, offer }: Deal) => [
    product.slug,
    price,
    previous,
    offer.shippingKnown,
  ]);
  expect(found.sort()).toEqual([...expected].sort());
  expect(body.page.total).toBe(expected.length);
});

test('a shop that does not state its shipping is the cheapest only where no shop does', async () => {
  const standings = await get('merchant-comparison?brand=scripto');
  const of = (slug: string) => standings.find(({ merchant }: { merchant: { slug: string } }) => merchant.slug === slug);
  expect(of('stater')).toMatchObject({ productCount: 1, cheapestPercent: 100, medianDistancePercent: 0 });
  expect(of('secret')).toMatchObject({ productCount: 2, cheapestPercent: 50, medianDistancePercent: 0 });
  // A distance from a total that cannot be compared is unknown.
  const [, other] = await get('merchant-comparison?category=audio');
  expect(Object.keys(other)).not.toContain('medianDistancePercent');
  const merchants = await gateway.database.query<{ id: bigint }>('SELECT id FROM merchant ORDER BY name');
  const counts = await Promise.all(merchants.map(({ id }) => countCheapest(gateway.database, id)));
  expect(counts).toMatchObject([
    { listed: 2, cheapest: 1, alone: 1 },
    { listed: 1, cheapest: 1, alone: 0 },
  ]);
});

test('a shop that begins to state its shipping does not raise the index of its prices', async () => {
  const pad = (more = {}) => [feedRow({ id: 'pad', title: 'Pad', brand: 'Papero', price: '10 EUR', ...more })];
  await gateway.importRows('Pads', pad(), { observedAt: daysAgo(4) });
  await gateway.importRows('Pads', pad(STATED), { observedAt: daysAgo(2) });
  await digestAll(gateway.database);
  const { points } = await get('price-index?brand=papero&days=5');
  expect(points.at(-1)).toMatchObject({ index: 100, offerCount: 1 });
});

test('pages show known totals first, and mark prices whose shipping is unknown', async () => {
  const page = async (path: string) => (await gateway.get(path, { headers: { accept: 'text/html' } })).text;
  const product = await page('/products/pen');
  expect([...product.matchAll(/nofollow sponsored">(\w+)</g)].map(([, shop]) => shop)).toEqual(['Stater', 'Secret']);
  expect(product).toContain('<dt>Lowest in stock</dt><dd>€3.99</dd>');
  expect(product).toContain('Pen from €3.99, 2 offers compared.');
  const sentence = 'Prices of shops that do not state their shipping are without it, also the lowest ever.';
  expect(product).toContain(sentence);
  await gateway.importRows('Caps', [feedRow({ id: 'cap', title: 'Cap', ...STATED })]);
  const stated = await page('/products/cap');
  expect(stated).toContain('<h1>Cap</h1>');
  expect(stated).not.toContain(sentence);
  const single = await page('/products/ink');
  expect(single).toContain('<dt>Lowest in stock</dt><dd>€0.49, shipping not stated</dd>');
  expect(single).toContain('Ink from €0.49, shipping not stated, 1 offer compared.');
  expect(await page('/')).toMatch(
    /<strong>€0.49<\/strong>[^/]*<\/span><\/p><p[^>]*>before €1.00, shipping not stated, at/,
  );
  expect(await page('/search?q=ink')).toMatch(
    /€0.49<\/strong> <span class="muted small">1.offer, shipping not stated</,
  );
  expect(JSON.parse(await page('/suggest?q=ink')).data[0].price).toBe('€0.49, shipping not stated');
});
