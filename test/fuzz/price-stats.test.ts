/** Price statistics, compared with plain loops over all rows of the ledger. */
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { productSeries } from '../../src/catalogue/price-stats/product-series.ts';
import { computeStatistics } from '../../src/catalogue/price-stats/statistics.ts';
import { Availability, Condition } from '../../src/generated/prisma/enums.ts';
import type { LedgerEntry, OfferEntries } from '../../src/ledger/entry.ts';
import { withoutOutliers } from '../../src/ledger/outliers.ts';
import { DAY_MS, dayOf } from '../../src/values/day.ts';
import { tries } from '../harness/fuzz.ts';
import { type NaiveRow, naiveOutliers, naiveStatistics } from '../harness/naive-statistics.ts';

const HOUR_MS = 3_600_000;
const PRODUCTS = 500;
const SLICES = 100;

// Each has its changes to and from daylight-saving time at other moments, or none.
const TIME_ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Kiritimati'];
const { TZ } = process.env;
afterAll(() => {
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

// Around both changes of the clocks in Europe, the end of a February with 29 days, and the turn of a year.
const origin = fc.constantFrom(
  ...['2025-03-28', '2025-10-24', '2024-02-20', '2025-12-20'].map((day) => Date.parse(day)),
);

// Mostly at midnight in UTC or in Germany, as daily feeds are; some at any millisecond. Within days, weeks, or years.
const moment = fc.oneof(
  fc.tuple(fc.nat(20), fc.constantFrom(0, 22 * HOUR_MS, 23 * HOUR_MS)),
  fc.tuple(fc.nat(200), fc.constantFrom(0, 1)),
  fc.tuple(fc.integer({ min: -800, max: 400 }), fc.nat(DAY_MS - 1)),
);

const row = fc.record({
  offerId: fc.bigInt(1n, 5n),
  moment,
  // Mostly close to each other, so that prices are equalled, and a few outliers.
  total: fc.oneof(
    { weight: 5, arbitrary: fc.bigInt(995n, 1005n) },
    { weight: 2, arbitrary: fc.bigInt(300n, 3100n) },
    { weight: 1, arbitrary: fc.bigInt(0n, 10n ** 9n) },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
  // The price of the goods is the total without it; null if none was recorded.
  shipping: fc.constantFrom(null, 0n, 0n, 5n, -5n),
  shippingKnown: fc.boolean(),
  availability: fc.constantFrom(Availability.in_stock, Availability.in_stock, ...Object.values(Availability), null),
  condition: fc.constantFrom(Condition.new, Condition.new, Condition.new, Condition.used, null),
});

const slice = fc.record({
  condition: fc.option(fc.constantFrom(Condition.new, Condition.used), { nil: undefined }),
  availability: fc.option(fc.constantFrom(Availability.in_stock, Availability.out_of_stock), { nil: undefined }),
  merchantId: fc.option(fc.bigInt(1n, 3n), { nil: undefined }),
  shippingKnown: fc.constantFrom(undefined, undefined, true as const),
  first: fc.option(fc.integer({ min: -850, max: 300 }), { nil: undefined }),
  length: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 900 })),
  // The minutes by which the last day is cut, because it is today.
  cut: fc.oneof(fc.constant(0), fc.nat(24 * 60 - 1)),
});

/** The rows as the reader of the ledger gives them. Offers 4 and 5 belong to the merchants 1 and 2. */
function offersOf(rows: readonly NaiveRow[]): OfferEntries[] {
  const unknown = { regularPrice: null, saleFrom: null, saleUntil: null };
  return [1n, 2n, 3n, 4n, 5n].flatMap((offerId) => {
    const own = rows.filter((each) => each.offerId === offerId).sort((one, other) => one.at - other.at);
    const entries = own.map(
      ({ at, total, price, shippingKnown, availability, condition }): LedgerEntry => ({
        at,
        total,
        price,
        shipping: shippingKnown ? 0n : null,
        availability,
        condition,
        ...unknown,
      }),
    );
    return own[0] ? [{ offerId, merchantId: own[0].merchantId, entries }] : [];
  });
}

test(`for ${PRODUCTS} products and ${SLICES} slices of each, all figures equal those of plain loops, in any time zone`, () => {
  let excluded = 0;
  fc.assert(
    fc.property(
      origin,
      fc.array(row, { maxLength: 20, size: 'max' }),
      fc.array(slice, { minLength: SLICES, maxLength: SLICES }),
      fc.constantFrom(...TIME_ZONES),
      fc.integer({ min: 0, max: 400 }),
      (start, some, slices, timeZone, today) => {
        process.env.TZ = timeZone;
        const rows = [
          ...new Map(
            some.map(({ moment: [day, rest], offerId, shipping, ...facts }): [string, NaiveRow] => {
              const at = start + day * DAY_MS + rest;
              const price = facts.total === null || shipping === null ? null : facts.total - shipping;
              const merchantId = ((offerId - 1n) % 3n) + 1n;
              return [`${offerId} ${at}`, { ...facts, price, at, offerId, merchantId }];
            }),
          ).values(),
        ];
        const now = start + today * DAY_MS;
        const outliers = naiveOutliers(rows, now);
        const judged = withoutOutliers(offersOf(rows), now);
        expect(withoutOutliers(offersOf(rows), judged.changesAt - 1).outliers).toEqual(judged.outliers);
        expect(judged.outliers.length).toBe(outliers.size);
        excluded += outliers.size;
        for (const { first, length, cut, ...filter } of slices) {
          const from = first === undefined ? Number.NEGATIVE_INFINITY : start + first * DAY_MS;
          const until = start + ((first ?? 0) + length) * DAY_MS - cut * 60_000;
          const { low, high, currentExcluded, ...figures } = computeStatistics(productSeries(judged, filter, until), {
            from,
            until,
          });
          const [shownLow, shownHigh] = [low, high].map(
            (extreme) =>
              extreme && {
                price: extreme.price,
                firstDay: dayOf(extreme.first),
                lastDay: dayOf(extreme.last),
                merchants: extreme.merchantIds,
              },
          );
          const excludedTotal = currentExcluded?.entry.total ?? undefined;
          expect({ ...figures, excludedTotal, low: shownLow, high: shownHigh }).toEqual(
            naiveStatistics(rows, outliers, filter, from, until),
          );
        }
      },
    ),
    tries(PRODUCTS),
  );
  expect(excluded).toBeGreaterThan(PRODUCTS / 10);
});
