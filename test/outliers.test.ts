/** Which prices count as typing errors, and what statistics see instead. */
import { describe, expect, test } from 'vitest';
import type { LedgerEntry, OfferEntries } from '../src/ledger/entry.ts';
import { withoutOutliers } from '../src/ledger/outliers.ts';
import { DAY_MS } from '../src/values/day.ts';

type Facts = Partial<Omit<LedgerEntry, 'at' | 'total'>>;

/** An entry on a day, which may have a fraction. */
const entry = (day: number, total: number | null, facts: Facts = {}): LedgerEntry => ({
  at: day * DAY_MS,
  total: total === null ? null : BigInt(total),
  price: null,
  shipping: null,
  regularPrice: null,
  saleFrom: null,
  saleUntil: null,
  availability: 'in_stock',
  condition: 'new',
  ...facts,
});
const offer = (offerId: number, ...entries: LedgerEntry[]): OfferEntries => ({
  offerId: BigInt(offerId),
  merchantId: BigInt(offerId),
  entries,
});
const outliersOf = (...offers: OfferEntries[]) =>
  withoutOutliers(offers).outliers.map(({ entry: { at, total } }) => [at / DAY_MS, Number(total)]);

// The median of the 90 days before day 40 is 100.
const usual = () => [entry(0, 100), entry(10, 101), entry(20, 99), entry(30, 100)];

describe('a price is an outlier', () => {
  test.each([
    [300, true],
    [299, false],
    [34, false],
    [33, true],
  ])('at 3 times or at a third of the usual price, but not between: %d', (total, isOutlier) => {
    expect(outliersOf(offer(1, ...usual(), entry(40, total)))).toEqual(isOutlier ? [[40, total]] : []);
  });

  test('only with three earlier prices', () => {
    expect(outliersOf(offer(1, entry(0, 100), entry(1, 100), entry(2, 10)))).toEqual([]);
    expect(outliersOf(offer(1, entry(0, 100), entry(1, 101), entry(2, 100), entry(3, 10)))).toEqual([[3, 10]]);
  });

  test('compared with all offers, and prices of the same moment do not count as earlier', () => {
    const others = [offer(1, entry(0, 100)), offer(2, entry(0, 100))];
    expect(outliersOf(...others, offer(3, entry(0, 100)), offer(4, entry(1, 10)))).toEqual([[1, 10]]);
    expect(outliersOf(...others, offer(3, entry(1, 100)), offer(4, entry(1, 10)))).toEqual([]);
  });

  test('for its own condition: used goods may cost a third, and an unknown condition is a group of its own', () => {
    const used = entry(40, 30, { condition: 'used' });
    const unknown = entry(40, 30, { condition: null });
    expect(outliersOf(offer(1, ...usual()), offer(2, used), offer(3, unknown))).toEqual([]);
    const old = [0, 1, 2].map((day) => entry(day, 100, { condition: null }));
    expect(outliersOf(offer(1, ...old, unknown))).toEqual([[40, 30]]);
  });

  test('by the time for which prices were listed, not by their number', () => {
    const days = [entry(0, 100), ...[50, 50.1, 50.2, 50.3].map((day) => entry(day, 20)), entry(50.4, 100)];
    expect(outliersOf(offer(1, ...days)).map(([day]) => day)).toEqual(
      [50, 50.1, 50.2, 50.3].filter((day) => day >= 50.2),
    );
  });

  test('no more once it has been the price for half of the last 90 days', () => {
    const raised = entry(40, 400);
    // 40 of the days at 100, then the new price: it is the median from day 80 on.
    expect(outliersOf(offer(1, ...usual(), raised, entry(79, 401)))).toEqual([
      [40, 400],
      [79, 401],
    ]);
    expect(outliersOf(offer(1, ...usual(), raised, entry(81, 401)))).toEqual([[40, 400]]);
  });

  test('only by prices that were listed in the 90 days before', () => {
    const withdrawn = offer(1, ...usual(), entry(31, null), entry(121, 10));
    expect(outliersOf(withdrawn)).toEqual([]);
    expect(outliersOf(offer(1, ...usual(), entry(31, null), entry(120.5, 10)))).toEqual([[120.5, 10]]);
  });
});

test('an outlier counts as no price until the next entry of its offer, and other offers stay as they are', () => {
  const [plain, typo] = [offer(1, ...usual()), offer(2, entry(40, 10), entry(41, 100))];
  const { offers, outliers } = withoutOutliers([plain, typo]);
  expect(outliers).toEqual([{ offerId: 2n, merchantId: 2n, entry: entry(40, 10) }]);
  expect(offers[0]).toBe(plain);
  expect(offers[1]?.entries).toEqual([entry(40, null), entry(41, 100)]);
  expect(typo.entries[0]?.total).toBe(10n);
});

test('free goods among free goods are no outliers', () => {
  const free = [0, 1, 2, 3, 4].map((day) => entry(day, 0));
  expect(outliersOf(offer(1, ...free))).toEqual([]);
});
