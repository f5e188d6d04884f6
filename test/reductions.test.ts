/** Announced reductions and their prior prices over HTTP (Directive 98/6/EC, Article 6a). */
import { describe, expect, test } from 'vitest';
import { feedRow, startTestGateway } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';

const EAN = '4006381333931';
const DAY = 86_400_000;
// Whole seconds, as answers write them.
const NOW = Math.floor(Date.now() / 1_000) * 1_000;

const at = (day: number) => ({ observedAt: new Date(NOW + day * DAY) });
const time = (day: number) => new Date(NOW + day * DAY).toISOString().replace('.000Z', 'Z');
const row = (price: number, fields: Record<string, unknown> = {}) =>
  feedRow({ id: 'x', title: 'Marker', gtin: EAN, price: `${price} EUR`, shipping: 'DE:::5.00 EUR', ...fields });
const sale = (price: number, fields: Record<string, unknown> = {}) =>
  row(100, { sale_price: `${price} EUR`, ...fields });

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
// Ten days ago is the day on which the first reduction starts.
await gateway.importRows('Series', [row(100)], at(-50));
await gateway.importRows('Series', [row(80)], at(-30));
await gateway.importRows('Series', [row(100)], at(-20));
await gateway.importRows('Series', [sale(70)], at(-10));
await gateway.importRows('Single', [row(100)], at(-50));
await gateway.importRows('Single', [row(80)], at(-30));
await gateway.importRows('Single', [row(100)], at(-20));
await gateway.importRows('Single', [sale(70)], at(-10));
await gateway.importRows('Series', [sale(60)], at(-5));
await gateway.importRows('New', [sale(90)], at(-3));
await gateway.importRows('Usual', [row(95)], at(-60));
// The period has passed, and no feed has come since.
const period = `${new Date(NOW - 3 * DAY).toISOString()}/${new Date(NOW - DAY).toISOString()}`;
await gateway.importRows('Past', [row(100)], at(-60));
await gateway.importRows('Past', [sale(65, { sale_price_effective_date: period })], at(-2));
const two = { ...row(120), id: 'y' };
await gateway.importRows('Two', [row(110), two], at(-60));
await gateway.importRows('Two', [sale(85), two], at(-1));

interface ShownOffer {
  merchant: { name: string };
  totalPrice: number;
  reduction?: unknown;
}

const reductionsIn = (offers: ShownOffer[]) =>
  Object.fromEntries(
    offers.map(({ merchant, totalPrice, reduction }) => [`${merchant.name} ${totalPrice}`, reduction]),
  );

const EXPECTED = {
  'Series 65': { since: time(-5), regularPrice: 100, priorPrice: 70, priorPriceProgressive: 80, percent: 25 },
  'Single 75': { since: time(-10), regularPrice: 100, priorPrice: 80, priorPriceProgressive: 80, percent: 12.5 },
  'New 95': { since: time(-3), regularPrice: 100 },
  'Usual 100': undefined,
  'Past 70': undefined,
  'Two 90': { since: time(-1), regularPrice: 100, priorPrice: 110, priorPriceProgressive: 110, percent: 22.73 },
  'Two 125': undefined,
};

describe('an announced reduction', () => {
  test.each(['/api/v1/products/marker', '/api/v1/products/marker/offers'])('is in %s, per offer', async (path) => {
    const { status, body } = await gateway.get(path, { key });
    expect(status).toBe(200);
    expect(reductionsIn(body.data.offers ?? body.data)).toEqual(EXPECTED);
  });

  test('is the same over GraphQL', async () => {
    const { body } = await gateway.graphql(
      `{ product(id: "marker") { offers { merchant { name } totalPrice
           reduction { since regularPrice priorPrice priorPriceProgressive percent } } } }`,
      { key },
    );
    const found = reductionsIn(body.data.product.offers);
    expect(found['Series 65']).toEqual(EXPECTED['Series 65']);
    expect(found['New 95']).toEqual({
      ...EXPECTED['New 95'],
      priorPrice: null,
      priorPriceProgressive: null,
      percent: null,
    });
    expect(found['Past 70']).toBeNull();
  });

  test('is in the table of offers', async () => {
    const { text } = await gateway.get('/api/v1/products/marker/offers', { key, headers: { accept: 'text/csv' } });
    const [header = '', first = ''] = text.split('\r\n');
    expect(header).toContain(
      'seenAt,reduction.since,reduction.regularPrice,reduction.priorPrice,reduction.priorPriceProgressive,reduction.percent',
    );
    expect(first.endsWith(`,${time(-5)},100,70,80,25`)).toBe(true);
  });

  test('is not in a lookup, whose members are fixed', async () => {
    const { body } = await gateway.get(`/api/v1/lookup?ean=${EAN}`, { key });
    expect(Object.keys(body.data.offers[0])).toEqual(['merchant', 'totalPrice', 'availability', 'url']);
  });

  test('changes with an archived feed that shows a lower price in the 30 days before', async () => {
    const own = await forTest(startTestGateway());
    const { key: pro } = await own.makeKey('pro');
    await own.importRows('Shop', [row(100)], at(-50));
    await own.importRows('Shop', [sale(70)], at(-10));
    const reduction = async () =>
      (await own.get('/api/v1/products/marker/offers', { key: pro })).body.data[0].reduction;
    expect(await reduction()).toMatchObject({ priorPrice: 100, percent: 30 });
    await own.importRows('Shop', [row(60)], at(-20));
    expect(await reduction()).toMatchObject({ since: time(-10), priorPrice: 60, percent: -16.67 });
  });
});

test('of an offer with more than 1,500 changes, the newest 1,500 are read', async () => {
  const clip = (fields: Record<string, unknown> = {}) =>
    row(100, { id: 'c', title: 'Clip', gtin: '4006381333948', ...fields });
  await gateway.importRows('Hourly', [clip()], at(-60));
  await gateway.importRows('Hourly', [clip({ sale_price: '80 EUR' })], at(-1));
  /** Repeats the first entry, from 20 days ago on. */
  const repeat = (from: number, until: number) =>
    gateway.database.query(
      `INSERT INTO ledger (product_id, offer_id, observed_at, import_run_id, total, price)
       SELECT product_id, offer_id, $1::timestamptz + n * INTERVAL '1 minute', import_run_id, total, price
       FROM ledger
       JOIN product ON product.id = product_id AND product.slug = 'clip'
       CROSS JOIN generate_series($2::int, $3::int) AS n
       WHERE observed_at = $4::timestamptz`,
      [at(-20).observedAt, from, until, at(-60).observedAt],
    );
  const priorPrice = async () => {
    const { body } = await gateway.get('/api/v1/products/clip/offers', { key });
    return body.data[0].reduction.priorPrice;
  };
  await repeat(1, 1_498);
  expect(await priorPrice()).toBe(100);
  await repeat(1_499, 1_499);
  expect(await priorPrice()).toBeUndefined();
});
