/** Points of a price history, compared with the simplest calculation: look at each hour. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { INTERVALS, type Interval } from '../../src/catalogue/price-history/buckets.ts';
import { STOCK } from '../../src/catalogue/price-history/offer-prices.ts';
import { bucketPrices } from '../../src/catalogue/price-history/price-buckets.ts';
import { tries } from '../harness/fuzz.ts';
import { type Change, offerPrices } from '../harness/offer-prices.ts';

const HOUR_MS = 3_600_000;

/** The first day of the interval that contains a moment, by the calendar of the runtime. */
function firstDayOf(moment: number, interval: Interval): string {
  const date = new Date(moment);
  if (interval === 'month') date.setUTCDate(1);
  if (interval === 'week') while (date.getUTCDay() !== 1) date.setUTCDate(date.getUTCDate() - 1);
  return date.toISOString().slice(0, 10);
}

interface Hours {
  prices: bigint[];
  inStock: bigint[];
  offers: Set<bigint>;
  /** For each hour that counts, whether an offer was in stock. */
  stock: boolean[];
}

/** The expected points, calculated from what each offer cost in each hour. */
function pointsByTheHour(changes: readonly Change[], from: number, until: number, interval: Interval) {
  const points = new Map<string, Hours>();
  for (let hour = from; hour < until; hour += HOUR_MS) {
    const date = firstDayOf(hour, interval);
    const point = points.get(date) ?? { prices: [], inStock: [], offers: new Set(), stock: [] };
    points.set(date, point);
    const valid = [...new Set(changes.map((change) => change.offerId))].flatMap(
      (offerId) => changes.findLast((change) => change.offerId === offerId && change.at <= hour) ?? [],
    );
    for (const { offerId, total, stock } of valid) {
      if (total === null) continue;
      point.prices.push(total);
      point.offers.add(offerId);
      if (stock === STOCK.in) point.inStock.push(total);
    }
    const isInStock = valid.some(({ stock }) => stock === STOCK.in);
    if (isInStock || (valid.length > 0 && valid.every(({ stock }) => stock === STOCK.out))) point.stock.push(isInStock);
  }
  return [...points].flatMap(([date, { prices, inStock, offers, stock }]) => {
    if (prices.length === 0) return [];
    const sum = prices.reduce((one, other) => one + other, 0n);
    const hours = BigInt(prices.length);
    const [quotient, rest] = [sum / hours, sum % hours];
    const sorted = ascending(prices);
    const share = Math.round((stock.filter((is) => is).length / stock.length) * 10_000) / 10_000;
    return [
      {
        date,
        min: sorted[0],
        max: sorted.at(-1),
        avg: rest * 2n >= hours ? quotient + 1n : quotient,
        offerCount: offers.size,
        inStock: stock.length === 0 ? null : share,
        minInStock: ascending(inStock)[0] ?? null,
      },
    ];
  });
}

const ascending = (amounts: readonly bigint[]) =>
  amounts.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));

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
    stock: fc.constantFrom(...Object.values(STOCK)),
  });
  fc.assert(
    fc.property(
      hours,
      fc.array(change, { maxLength: 12 }),
      fc.constantFrom(...INTERVALS),
      ({ origin, from, length }, some, interval) => {
        const unique = [...new Map(some.map((each) => [`${each.offerId} ${each.hour}`, each])).values()];
        const changes = unique
          .map(({ hour, ...each }) => ({ ...each, at: origin + hour * HOUR_MS }))
          .sort((one, other) => Number(one.offerId - other.offerId) || one.at - other.at);
        const span = { from: origin + from * HOUR_MS, until: origin + (from + length) * HOUR_MS };
        expect(bucketPrices(offerPrices(changes), span, interval)).toEqual(
          pointsByTheHour(changes, span.from, span.until, interval),
        );
      },
    ),
    tries(150),
  );
});
