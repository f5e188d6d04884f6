/** `/api/v1/products/{id}/price-history` (contract §4). */
import { describe, expect, test } from 'vitest';
import { dayOf } from '../src/values/day.ts';
import { type Answer, expectInvalid, feedRow, startTestGateway } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';

const EAN = '4006381333931';
const DAY = 86_400_000;

const at = (moment: string) => new Date(`${moment}Z`);
const row = (price: string) => feedRow({ id: 'x', title: 'Marker', gtin: EAN, price: `${price} EUR` });

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await gateway.importRows('Alpha', [row('10.00')], { observedAt: at('2026-03-01T00:00:00') });
await gateway.importRows('Beta', [row('30.00')], { observedAt: at('2026-03-03T12:00:00') });
await gateway.importRows('Alpha', [row('20.00')], { observedAt: at('2026-03-04T18:00:00') });
await gateway.importRows('Beta', [], { observedAt: at('2026-03-06T00:00:00'), isForced: true });
await gateway.importRows('Alpha', [], { observedAt: at('2026-03-08T00:00:00'), isForced: true });
await gateway.importRows('Alpha', [row('15.00')], { observedAt: at('2026-03-10T06:00:00') });
const slug = 'marker';

const history = (query: string): Promise<Answer> =>
  gateway.get(`/api/v1/products/${slug}/price-history?${query}`, { key });

describe('a price history', () => {
  test('has a point for each day on which an offer had a price', async () => {
    const { status, body } = await history('from=2026-03-01&to=2026-03-10');
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        currency: 'EUR',
        interval: 'day',
        from: '2026-03-01',
        to: '2026-03-10',
        lowestEver: { price: 10, date: '2026-03-01' },
        points: [
          { date: '2026-03-01', min: 10, max: 10, avg: 10, offerCount: 1, inStock: 1, minInStock: 10 },
          { date: '2026-03-02', min: 10, max: 10, avg: 10, offerCount: 1, inStock: 1, minInStock: 10 },
          { date: '2026-03-03', min: 10, max: 30, avg: 16.67, offerCount: 2, inStock: 1, minInStock: 10 },
          { date: '2026-03-04', min: 10, max: 30, avg: 21.25, offerCount: 2, inStock: 1, minInStock: 10 },
          { date: '2026-03-05', min: 20, max: 30, avg: 25, offerCount: 2, inStock: 1, minInStock: 20 },
          { date: '2026-03-06', min: 20, max: 20, avg: 20, offerCount: 1, inStock: 1, minInStock: 20 },
          { date: '2026-03-07', min: 20, max: 20, avg: 20, offerCount: 1, inStock: 1, minInStock: 20 },
          { date: '2026-03-10', min: 15, max: 15, avg: 15, offerCount: 1, inStock: 0.75, minInStock: 15 },
        ],
      },
    });
  });

  test('starts with the price that was already valid before its first day', async () => {
    const { body } = await history('from=2026-03-07&to=2026-03-07');
    expect(body.data.points).toEqual([
      { date: '2026-03-07', min: 20, max: 20, avg: 20, offerCount: 1, inStock: 1, minInStock: 20 },
    ]);
  });

  test.each([
    ['week', ['2026-02-23', '2026-03-02', '2026-03-09']],
    ['month', ['2026-03-01']],
  ])('by the %s dates each point by the first day of its interval', async (interval, dates) => {
    const { body } = await history(`from=2026-03-01&to=2026-03-10&interval=${interval}`);
    expect(body.data.interval).toBe(interval);
    expect(body.data.points.map(({ date }: { date: string }) => date)).toEqual(dates);
  });

  test('of one merchant has only its prices', async () => {
    const { body } = await history('from=2026-03-01&to=2026-03-10&merchant=beta');
    expect(body.data.lowestEver).toEqual({ price: 30, date: '2026-03-03' });
    expect(body.data.points.map(({ date, min, max }: Record<string, unknown>) => [date, min, max])).toEqual([
      ['2026-03-03', 30, 30],
      ['2026-03-04', 30, 30],
      ['2026-03-05', 30, 30],
    ]);
  });

  test('takes the id of a merchant as well as its slug', async () => {
    const { id } = (await gateway.get('/api/v1/merchants?q=beta', { key })).body.data[0];
    const span = 'from=2026-03-01&to=2026-03-10';
    const [byId, bySlug] = await Promise.all([history(`${span}&merchant=${id}`), history(`${span}&merchant=beta`)]);
    expect(byId.body.data.points).toHaveLength(3);
    expect(byId.body).toEqual(bySlug.body);
  });

  test.each(['nobody', '%00', 'mer_zzz'])('of an unknown merchant, %s, has no points', async (merchant) => {
    const { data } = (await history(`days=3&merchant=${merchant}`)).body;
    expect(data.points).toEqual([]);
    expect(data).not.toHaveProperty('lowestEver');
  });

  test('covers the last 90 days by default, including today', async () => {
    const { data } = (await history('')).body;
    expect([data.from, data.to]).toEqual([dayOf(Date.now() - 89 * DAY), dayOf(Date.now())]);
  });

  test('covers the requested number of days', async () => {
    const { data } = (await history('days=1')).body;
    expect(data.from).toBe(data.to);
    expect(data.points).toEqual([
      { date: data.to, min: 15, max: 15, avg: 15, offerCount: 1, inStock: 1, minInStock: 15 },
    ]);
  });

  test('may cover 3650 days', async () => {
    const { status, body } = await history('days=3650');
    expect(status).toBe(200);
    expect(body.data.points.length).toBeGreaterThan(200);
  });

  test('with only `from` ends today, and with only `to` covers 90 days', async () => {
    const today = dayOf(Date.now());
    expect((await history('from=2026-03-01')).body.data.to).toBe(today);
    expect((await history('to=2026-03-31')).body.data.from).toBe('2026-01-01');
  });

  test.each([
    'to=0000-01-01',
    'to=0001-01-05',
    'from=0000-12-31&to=0001-01-02',
  ])('before the year 1, which the database cannot store, is refused: %s', async (days) => {
    const { status, body } = await history(days);
    expect([status, body.code]).toEqual([400, 'invalid_parameter']);
    expect(body.detail).toContain('0001-01-01');
  });

  test('has no points for future days', async () => {
    const tomorrow = dayOf(Date.now() + DAY);
    const { data } = (await history(`from=${tomorrow}&to=${tomorrow}`)).body;
    expect(data.points).toEqual([]);
  });

  test('has the day on which the lowest price was first seen, even if an archive is imported later', async () => {
    const other = await forTest(startTestGateway());
    const own = await other.makeKey('free');
    await other.importRows('Alpha', [row('10.00')], { observedAt: at('2026-03-05T00:00:00') });
    await other.importRows('Alpha', [row('12.00')], { observedAt: at('2026-03-06T00:00:00') });
    await other.importRows('Alpha', [row('9.00')], { observedAt: at('2026-02-01T00:00:00') });
    await other.importRows('Alpha', [row('9.00')], { observedAt: at('2026-01-01T00:00:00') });
    const { body } = await other.get('/api/v1/products/marker/price-history', { key: own.key });
    expect(body.data.lowestEver).toEqual({ price: 9, date: '2026-01-01' });
  });

  test('of an unknown product is answered 404', async () => {
    expect((await gateway.get('/api/v1/products/nothing/price-history', { key })).status).toBe(404);
  });
});

describe('an invalid value is refused and its parameter named:', () => {
  test.each([
    ['days', 'days=0'],
    ['days', 'days=3651'],
    ['days', 'days=many'],
    ['days', 'days=30&from=2026-01-01'],
    ['days', 'days=30&to=2026-01-01'],
    ['from', 'from=yesterday'],
    ['from', 'from=2026-02-30'],
    ['from', 'from=2026-02-02&to=2026-02-01'],
    ['from', 'from=2999-01-01'],
    ['from', 'from=2010-01-01&to=2026-01-01'],
    ['to', 'to=01.02.2026'],
    ['to', 'to='],
    ['interval', 'interval=year'],
    ['merchant', 'merchant='],
    ['condition', 'condition=old'],
    ['availability', 'availability=maybe'],
  ])('%s in "%s"', async (parameter, query) => {
    expectInvalid(await history(query), parameter);
  });
});

test('variables that are no days are refused over GraphQL', async () => {
  const query = 'query ($day: Day) { products(first: 1) { nodes { priceHistory(from: $day) { currency } } } }';
  const odd = { toString: 1, valueOf: 1 };
  for (const day of [odd, [odd], 1, true]) {
    const { status, body } = await gateway.graphql(query, { key, variables: { day } });
    expect(status).toBeLessThan(500);
    expect(body.errors[0].extensions.code).toBe('invalid_parameter');
  }
});
