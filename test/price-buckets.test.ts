/** How price changes become the points of a history: time-weighted, in UTC days; each price is valid until the next. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { INTERVALS, type Interval } from '../src/catalogue/price-history/buckets.ts';
import { STOCK } from '../src/catalogue/price-history/offer-prices.ts';
import { bucketPrices } from '../src/catalogue/price-history/price-buckets.ts';
import { DAY_MS, isDay, startOfDay } from '../src/values/day.ts';
import type { TimeSpan } from '../src/values/time-span.ts';
import { type Change, offerPrices } from './harness/offer-prices.ts';

const at = (moment: string) => Date.parse(`${moment}Z`);
const change = (
  offerId: number,
  moment: string,
  total: number | null,
  stock: Change['stock'] = STOCK.unknown,
): Change => ({
  offerId: BigInt(offerId),
  at: at(moment),
  total: total === null ? null : BigInt(total),
  stock: total === null ? STOCK.out : stock,
});
const days = (from: string, to: string) => ({ from: startOfDay(from), until: startOfDay(to) + DAY_MS });

/** The points without their stock. */
const pricesIn = (changes: readonly Change[], span: TimeSpan, interval: Interval) =>
  bucketPrices(offerPrices(changes), span, interval).map(({ inStock, minInStock, ...prices }) => prices);

describe('a price', () => {
  test('has its average rounded to the nearest minor unit, halves up', () => {
    const changes = [change(1, '2026-03-01T00:00:00', 100), change(1, '2026-03-01T12:00:00', 101)];
    expect(pricesIn(changes, days('2026-03-01', '2026-03-01'), 'day')[0]?.avg).toBe(101n);
  });
});

test('an average of amounts that no number holds is exact', () => {
  const most = Number.MAX_SAFE_INTEGER;
  const changes = [change(1, '2026-03-01T00:00:00', most), change(1, '2026-03-02T00:00:00', most - 2)];
  const [point] = pricesIn(changes, days('2026-03-01', '2026-03-31'), 'month');
  // One day of 31 at the higher price: a fifteenth of a minor unit more, which rounds down.
  expect(point?.avg).toBe(BigInt(most - 2));
});

describe('the share of time in stock', () => {
  const shares = (changes: readonly Change[], from: string, to: string) =>
    bucketPrices(offerPrices(changes), days(from, to), 'day').map(({ inStock, minInStock }) => [inStock, minInStock]);

  test('has at most four decimals', () => {
    const changes = [change(1, '2026-03-01T00:00:00', 100, STOCK.in), change(1, '2026-03-01T08:00:00', 100, STOCK.out)];
    expect(shares(changes, '2026-03-01', '2026-03-01')).toEqual([[0.3333, 100n]]);
  });
});

describe('an interval', () => {
  const changes = [change(1, '2026-01-01T00:00:00', 100), change(1, '2026-03-30T00:00:00', 200)];

  test('of a week starts on Monday', () => {
    const points = pricesIn(changes, days('2026-03-18', '2026-04-05'), 'week');
    expect(points.map(({ date }) => date)).toEqual(['2026-03-16', '2026-03-23', '2026-03-30']);
    expect(points.map(({ avg }) => avg)).toEqual([100n, 100n, 200n]);
  });

  test('of a month starts on the first, whatever its length', () => {
    const points = pricesIn(changes, days('2026-01-15', '2026-03-31'), 'month');
    expect(points.map(({ date }) => date)).toEqual(['2026-01-01', '2026-02-01', '2026-03-01']);
    // The price is 200 on two of March's 31 days.
    expect(points[2]?.avg).toBe(106n);
  });

  test.each([
    ['in spring', '2026-03-29'],
    ['in autumn', '2026-10-25'],
  ])('of a day has 24 hours even when clocks change %s', (_when, date) => {
    const both = [change(1, '2026-01-01T00:00:00', 100), change(1, `${date}T12:00:00`, 200)];
    const [point] = pricesIn(both, days(date, date), 'day');
    expect(point).toEqual({ date, min: 100n, max: 200n, avg: 150n, offerCount: 1 });
  });
});

test('ten years of days give points without a gap', () => {
  const points = pricesIn([change(1, '2016-01-01T00:00:00', 100)], days('2016-01-01', '2025-12-28'), 'day');
  expect(points).toHaveLength(3650);
  expect(points.at(-1)?.date).toBe('2025-12-28');
});

test('for any changes, the average is between minimum and maximum, and points are in order', () => {
  const someChange = fc.record({
    offerId: fc.bigInt(1n, 4n),
    at: fc.integer({ min: startOfDay('2025-12-01'), max: startOfDay('2026-06-01') }),
    total: fc.option(fc.bigInt(1n, 10n ** 12n), { nil: null }),
    stock: fc.constant(STOCK.unknown),
  });
  fc.assert(
    fc.property(fc.array(someChange, { maxLength: 30 }), fc.constantFrom(...INTERVALS), (some, interval) => {
      const unique = [...new Map(some.map((each) => [`${each.offerId} ${each.at}`, each])).values()];
      const ordered = unique.sort((one, other) => Number(one.offerId - other.offerId) || one.at - other.at);
      const points = pricesIn(ordered, days('2026-01-01', '2026-05-31'), interval);
      for (const { date, min, avg, max, offerCount } of points) {
        expect(isDay(date) && min <= avg && avg <= max && offerCount >= 1 && offerCount <= 4).toBe(true);
      }
      const dates = points.map(({ date }) => date);
      expect([...new Set(dates)].sort()).toEqual(dates);
    }),
  );
});
