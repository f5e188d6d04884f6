/** Points of a price history, compared with the simplest calculation: look at each hour. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bucketPrices,
  INTERVALS,
  type Interval,
  type PriceChangeAt,
} from '../../src/catalogue/price-history/price-buckets.ts';
import { tries } from '../harness/fuzz.ts';

const HOUR_MS = 3_600_000;

/** The first day of the interval that contains a moment, by the calendar of the runtime. */
function firstDayOf(moment: number, interval: Interval): string {
  const date = new Date(moment);
  if (interval === 'month') date.setUTCDate(1);
  if (interval === 'week') while (date.getUTCDay() !== 1) date.setUTCDate(date.getUTCDate() - 1);
  return date.toISOString().slice(0, 10);
}

/** The expected points, calculated from what each offer cost in each hour. */
function pointsByTheHour(changes: readonly PriceChangeAt[], from: number, until: number, interval: Interval) {
  const points = new Map<string, { prices: bigint[]; offers: Set<bigint> }>();
  for (let hour = from; hour < until; hour += HOUR_MS) {
    for (const offerId of new Set(changes.map((change) => change.offerId))) {
      const total = changes.findLast((change) => change.offerId === offerId && change.at <= hour)?.total ?? null;
      if (total === null) continue;
      const date = firstDayOf(hour, interval);
      const point = points.get(date) ?? { prices: [], offers: new Set() };
      points.set(date, point);
      point.prices.push(total);
      point.offers.add(offerId);
    }
  }
  return [...points].map(([date, { prices, offers }]) => {
    const sum = prices.reduce((one, other) => one + other, 0n);
    const hours = BigInt(prices.length);
    const [quotient, rest] = [sum / hours, sum % hours];
    const sorted = prices.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
    return {
      date,
      min: sorted[0],
      max: sorted.at(-1),
      avg: rest * 2n >= hours ? quotient + 1n : quotient,
      offerCount: offers.size,
    };
  });
}

test('for any changes, each point equals an hour-by-hour calculation', () => {
  const hours = fc.record({
    // Around the turn of a year, the end of a February with 29 days, and the start of the epoch.
    origin: fc.constantFrom(...['2025-12-20', '2024-02-20', '1970-01-01', '1969-12-25'].map((day) => Date.parse(day))),
    from: fc.nat(20 * 24),
    length: fc.integer({ min: 1, max: 30 * 24 }),
  });
  const change = fc.record({
    offerId: fc.bigInt(1n, 4n),
    hour: fc.integer({ min: -48, max: 50 * 24 }),
    total: fc.oneof(fc.constant(null), fc.bigInt(0n, 5n), fc.bigInt(1n, 10n ** 12n)),
  });
  fc.assert(
    fc.property(
      hours,
      fc.array(change, { maxLength: 12 }),
      fc.constantFrom(...INTERVALS),
      ({ origin, from, length }, some, interval) => {
        const unique = [...new Map(some.map((each) => [`${each.offerId} ${each.hour}`, each])).values()];
        const changes = unique
          .map(({ offerId, hour, total }) => ({ offerId, at: origin + hour * HOUR_MS, total }))
          .sort((one, other) => Number(one.offerId - other.offerId) || one.at - other.at);
        const span = { from: origin + from * HOUR_MS, until: origin + (from + length) * HOUR_MS };
        expect(bucketPrices(changes, span, interval)).toEqual(
          pointsByTheHour(changes, span.from, span.until, interval),
        );
      },
    ),
    tries(150),
  );
});
