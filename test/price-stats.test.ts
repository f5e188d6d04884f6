/** `/api/v1/products/{id}/price-stats`, and the same figures over GraphQL and as CSV. */
import { describe, expect, test } from 'vitest';
import { dayOf } from '../src/values/day.ts';
import { type Answer, expectInvalid, feedRow, startTestGateway } from './harness/gateway.ts';
import { forFile } from './harness/lifetime.ts';

const DAY = 86_400_000;

const at = (moment: string) => new Date(`${moment}Z`);
const row = (price: string, facts: Record<string, string> = {}) =>
  feedRow({ id: 'x', title: 'Marker', gtin: '4006381333931', price: `${price} EUR`, ...facts });
/** Imports one offer of a shop, or none. */
const observe = (shop: string, moment: string, ...rows: ReturnType<typeof row>[]) =>
  gateway.importRows(shop, rows, { observedAt: at(moment), isForced: rows.length === 0 });

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await observe('Alpha', '2026-01-01T00:00:00', row('100.00'));
await observe('Beta', '2026-01-11T00:00:00', row('80.00', { condition: 'used' }));
await observe('Alpha', '2026-01-21T00:00:00', row('90.00'));
await observe('Gamma', '2026-02-10T12:00:00', row('90.00'));
// A typing error, for a day.
await observe('Gamma', '2026-02-20T00:00:00', row('9.00'));
await observe('Gamma', '2026-02-21T00:00:00', row('95.00'));
await observe('Alpha', '2026-03-02T00:00:00', row('90.00', { availability: 'out_of_stock' }));
await observe('Beta', '2026-03-12T00:00:00');
await observe('Gamma', '2026-03-22T00:00:00');
await observe('Alpha', '2026-03-27T00:00:00', row('85.00'));

const stats = (query: string, product = 'marker'): Promise<Answer> =>
  gateway.get(`/api/v1/products/${product}/price-stats?${query}`, { key });
const figures = async (query: string, product?: string) => (await stats(query, product)).body.data;

describe('price statistics', () => {
  test('describe the lowest price at each instant, without the typing error', async () => {
    const { status, body } = await stats('to=2026-03-31');
    expect(status).toBe(200);
    // 100 for 10 days, 80 (used) for 60, 90 (out of stock in the end) for 15, 85 for 5.
    expect(body).toEqual({
      data: {
        currency: 'EUR',
        current: 85,
        shippingKnown: false,
        low: { price: 80, firstDay: '2026-01-11', lastDay: '2026-03-11', merchants: ['beta'] },
        high: { price: 100, firstDay: '2026-01-01', lastDay: '2026-01-10', merchants: ['alpha'] },
        windows: [
          { days: 30, min: 80, max: 90, avg: 85.83, median: 85, outOfStockPercent: 16.67 },
          { days: 90, min: 80, max: 100, avg: 84.17, median: 80, outOfStockPercent: 5.56 },
          { days: 365, min: 80, max: 100, avg: 84.17, median: 80, outOfStockPercent: 5.56 },
          { min: 80, max: 100, avg: 84.17, median: 80, outOfStockPercent: 5.56 },
        ],
        percentile: 66.67,
        isLowest: false,
        isLowest90: false,
        drops: 2,
        observations: 7,
        excluded: 1,
      },
    });
  });

  test('of new goods in stock leave out used and sold-out offers', async () => {
    const data = await figures('condition=new&availability=in_stock&to=2026-03-31');
    // 100 for 20 days, 90 for 40, 95 for 20, nothing for 5, 85 for 5. Gamma had no price on the day of its typing error.
    expect(data).toMatchObject({
      current: 85,
      low: { price: 85, firstDay: '2026-03-27', lastDay: '2026-03-31', merchants: ['alpha'] },
      high: { price: 100, merchants: ['alpha'] },
      percentile: 0,
      isLowest: true,
      isLowest90: true,
      drops: 2,
      observations: 5,
      excluded: 1,
    });
    expect(data.windows[0]).toEqual({ days: 30, min: 85, max: 95, avg: 93, median: 95, outOfStockPercent: 16.67 });
  });

  test('name all shops that had the price while it was the lowest, the first one first', async () => {
    const { low } = await figures('condition=new&from=2026-01-05&to=2026-03-10');
    expect(low).toEqual({ price: 90, firstDay: '2026-01-21', lastDay: '2026-03-10', merchants: ['alpha', 'gamma'] });
    const { high } = await figures('merchant=gamma&to=2026-03-31');
    expect(high).toEqual({ price: 95, firstDay: '2026-02-21', lastDay: '2026-03-21', merchants: ['gamma'] });
  });

  test('are bounded by the time span, except for the windows, which only end with it', async () => {
    const [all, some] = await Promise.all([figures('to=2026-02-01'), figures('from=2026-01-20&to=2026-02-01')]);
    expect(some.windows).toEqual(all.windows);
    expect(all).toMatchObject({ high: { price: 100 }, drops: 1, observations: 3, excluded: 0 });
    expect(some).toMatchObject({ low: { price: 80 }, high: { price: 80 }, percentile: 0, drops: 0, observations: 1 });
    expect(some.low).toEqual({ price: 80, firstDay: '2026-01-20', lastDay: '2026-02-01', merchants: ['beta'] });
  });

  test('count a fall at midnight for the day that starts', async () => {
    expect((await figures('from=2026-01-11&to=2026-01-11')).drops).toBe(1);
    expect((await figures('from=2026-01-10&to=2026-01-10')).drops).toBe(0);
  });

  test('of one shop see only its prices, and count its typing error', async () => {
    const data = await figures('merchant=gamma&to=2026-02-20');
    expect(data).not.toHaveProperty('current');
    expect(data).not.toHaveProperty('percentile');
    expect(data).toMatchObject({ low: { price: 90 }, observations: 1, excluded: 1 });
    // Nine and a half days at 90, then a day without a price.
    expect(data.windows.at(-1)).toEqual({ min: 90, max: 90, avg: 90, median: 90, outOfStockPercent: 9.52 });
  });

  test('take the id of a shop as well as its slug', async () => {
    const { body } = await gateway.get('/api/v1/merchants?q=gamma', { key });
    const [byId, bySlug] = await Promise.all([figures(`merchant=${body.data[0].id}`), figures('merchant=gamma')]);
    expect(byId).toEqual(bySlug);
    expect(byId.observations).toBe(2);
  });

  test.each([
    'merchant=nobody',
    'merchant=%00',
    'merchant=mer_zzz',
    'merchant=beta&condition=new',
    'to=2025-12-31',
  ])('without a matching offer have no figures: %s', async (query) => {
    expect(await figures(query)).toEqual({ currency: 'EUR', windows: [], observations: 0, excluded: 0 });
  });

  test('end now by default, and for a future last day', async () => {
    const [now, future] = await Promise.all([figures(''), figures('to=2200-01-01')]);
    expect(now.low.lastDay).toBe('2026-03-11');
    expect(now.current).toBe(85);
    expect((await figures('days=1')).low).toEqual({
      price: 85,
      firstDay: dayOf(Date.now()),
      lastDay: dayOf(Date.now()),
      merchants: ['alpha'],
    });
    expect(future.observations).toBe(now.observations);
  });

  test('keep the lowest price ever of the lookup, which includes the typing error', async () => {
    const { body } = await gateway.get('/api/v1/lookup?ean=4006381333931', { key });
    expect(body.data.priceStats.lowestEver).toBe(9);
  });

  test.each([
    ['days=0', 'days'],
    ['days=3651', 'days'],
    ['days=5&to=2026-01-01', 'days'],
    ['from=2026-03-02&to=2026-03-01', 'from'],
    [`from=${dayOf(Date.now() + 2 * DAY)}&to=${dayOf(Date.now() + 5 * DAY)}`, 'from'],
    ['to=0000-01-01', 'to'],
    ['condition=mint', 'condition'],
    ['availability=soon', 'availability'],
  ])('are refused for %s', async (query, parameter) => {
    expectInvalid(await stats(query), parameter);
  });

  test.each(['from=2999-01-01', 'from=2999-01-01&to=2999-02-01'])('of future days are refused: %s', async (query) => {
    const { status, body } = await stats(query);
    expect([status, body.parameter]).toEqual([400, 'from']);
    expect(body.detail).toBe('The requested days are in the future: request days up to today (in UTC).');
  });

  test('of an unknown product are not found', async () => {
    expect((await stats('', 'nothing')).status).toBe(404);
  });
});

test('an archived feed changes the statistics, and the judgement of what came after it', async () => {
  const other = (day: string, price: string) =>
    gateway.importRows('Delta', [feedRow({ id: 'o', title: 'Pen', gtin: '4006381333948', price: `${price} EUR` })], {
      observedAt: at(`${day}T00:00:00`),
    });
  for (const [day, price] of Object.entries({ 20: '100.00', 21: '101.00', 22: '100.00', 23: '20.00', 24: '100.00' })) {
    await other(`2026-03-${day}`, price);
  }
  expect(await figures('to=2026-03-23', 'pen')).toMatchObject({ low: { price: 100 }, observations: 3, excluded: 1 });
  await other('2026-01-01', '20.00');
  const data = await figures('to=2026-03-23', 'pen');
  // Now 20 is the usual price.
  expect(data).toMatchObject({ current: 20, observations: 5, excluded: 0 });
  expect(data.low).toEqual({ price: 20, firstDay: '2026-01-01', lastDay: '2026-03-23', merchants: ['delta'] });
});

test('a cheapest offer that is left out is named, with the reason, until its shop has stated it for three days', async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const lens = (shop: string, days: number, price: string) =>
    gateway.importRows(shop, [feedRow({ id: 'o', title: 'Lens', gtin: '4006381333979', price: `${price} EUR` })], {
      observedAt: daysAgo(days),
    });
  for (const [index, price] of ['90.00', '91.00', '90.00'].entries()) await lens('Epsilon', 40 - index, price);
  await lens('Zeta', 2, '9.00');
  const data = await figures('', 'lens');
  expect(data).toMatchObject({ current: 90, isLowest: true, excluded: 1 });
  expect(data.currentExcluded).toMatchObject({
    offer: { merchant: { slug: 'zeta' }, price: 9 },
    reason: expect.stringMatching(/^The price of 9 is at most a third of the usual 90, .* It counts when /),
  });
  expect(await figures('merchant=epsilon', 'lens')).not.toHaveProperty('currentExcluded');
  await lens('Eta', 1, '10.00');
  expect(await figures('', 'lens')).toMatchObject({ current: 9, excluded: 0 });
  expect(await figures('', 'lens')).not.toHaveProperty('currentExcluded');
});

test('a statement that repeats the one before is no observation, also if an archived feed says so later', async () => {
  const clamp = (day: string, price: string) =>
    gateway.importRows('Zeta', [feedRow({ id: 'z', title: 'Clamp', gtin: '4006381333962', price: `${price} EUR` })], {
      observedAt: at(`${day}T00:00:00`),
    });
  await clamp('2026-01-01', '10.00');
  await clamp('2026-03-01', '8.00');
  expect(await figures('to=2026-03-23', 'clamp')).toMatchObject({ observations: 2, drops: 1 });
  await clamp('2026-02-01', '8.00');
  expect(await figures('to=2026-03-23', 'clamp')).toMatchObject({ observations: 2, drops: 1 });
  expect(await figures('from=2026-03-01&to=2026-03-23', 'clamp')).toMatchObject({ observations: 0 });
});

test('the price returns to its low: the last day is the last one at that price', async () => {
  const prices = { '2026-02-01': '10.00', '2026-02-05': '12.00', '2026-02-10': '10.00', '2026-02-15': '11.00' };
  for (const [day, price] of Object.entries(prices)) {
    await gateway.importRows(
      'Epsilon',
      [feedRow({ id: 'c', title: 'Clip', gtin: '4006381333955', price: `${price} EUR` })],
      { observedAt: at(`${day}T00:00:00`) },
    );
  }
  const { low, drops } = await figures('to=2026-02-20', 'clip');
  expect(low).toEqual({ price: 10, firstDay: '2026-02-01', lastDay: '2026-02-14', merchants: ['epsilon'] });
  expect(drops).toBe(1);
});

test('GraphQL has the same figures, with null for unknown ones', async () => {
  const query = `{
    product(id: "marker") {
      statistics(condition: new, availability: in_stock, to: "2026-03-31") {
        current low { price firstDay lastDay merchants } windows { days median outOfStockPercent } isLowest drops
      }
      none: statistics(merchant: "nobody") { current low { price } windows { days } percentile isLowest90 drops excluded }
    }
  }`;
  const { body } = await gateway.graphql(query, { key });
  const { statistics, none } = body.data.product;
  const { current, low, isLowest, drops, windows } = await figures('condition=new&availability=in_stock&to=2026-03-31');
  expect(statistics).toMatchObject({ current, low, isLowest, drops });
  expect(statistics.windows[3]).toEqual({
    days: null,
    median: windows[3].median,
    outOfStockPercent: windows[3].outOfStockPercent,
  });
  expect(none).toEqual({
    current: null,
    low: null,
    windows: [],
    percentile: null,
    isLowest90: null,
    drops: null,
    excluded: 0,
  });
});

test('as CSV, each window is a row', async () => {
  const { text } = await gateway.get('/api/v1/products/marker/price-stats?to=2026-03-31', {
    key,
    headers: { accept: 'text/csv' },
  });
  expect(text.split('\r\n').slice(0, 2)).toEqual([
    'days,min,max,avg,median,outOfStockPercent,currency,current,percentile,drops,observations,excluded,low.price,low.firstDay,low.lastDay,low.merchants,high.price,high.firstDay,high.lastDay,high.merchants,shippingKnown',
    '30,80,90,85.83,85,16.67,EUR,85,66.67,2,7,1,80,2026-01-11,2026-03-11,beta,100,2026-01-01,2026-01-10,alpha,false',
  ]);
  expect(text.split('\r\n')[4]).toMatch(/^,80,100,84.17,80,5.56,EUR,85,66.67,2,7,1,80,2026-01-11,/);
});

test('statistics cost one request, and an unchanged response is confirmed by its entity tag', async () => {
  const own = await gateway.makeKey('free');
  const path = '/api/v1/products/marker/price-stats?to=2026-03-31';
  const first = await gateway.get(path, { key: own.key });
  const left = Number(first.headers.get('x-quota-remaining'));
  const etag = first.headers.get('etag') ?? '';
  const second = await gateway.get(path, { key: own.key, headers: { 'if-none-match': etag } });
  expect(second.status).toBe(304);
  expect(Number(second.headers.get('x-quota-remaining'))).toBe(left - 1);
});
