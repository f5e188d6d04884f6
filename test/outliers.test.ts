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
/** The days and totals of the outliers, judged at the time of the last entry or on a later day. */
const outliersOn = (day: number | undefined, ...offers: OfferEntries[]) => {
  const last = Math.max(...offers.flatMap(({ entries }) => entries.map(({ at }) => at)));
  const { outliers } = withoutOutliers(offers, day === undefined ? last : day * DAY_MS);
  return outliers.map(({ entry: { at, total } }) => [at / DAY_MS, Number(total)]);
};
const outliersOf = (...offers: OfferEntries[]) => outliersOn(undefined, ...offers);

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
    const own = (offerId: number, day: number) => ({ ...offer(offerId, entry(day, 20)), merchantId: 2n });
    const cheap = [50, 50.1, 50.2, 50.3].map((day, index) => own(index + 2, day));
    expect(outliersOf(offer(1, entry(0, 100)), ...cheap)).toEqual([
      [50.2, 20],
      [50.3, 20],
    ]);
  });

  test('by the price of the goods: shops that state no shipping may sell cheap goods', () => {
    const shipped = usual().map((each) => ({ ...each, total: 400n, price: 100n, shipping: 300n }));
    expect(outliersOf(offer(1, ...shipped), offer(2, entry(40, 100, { price: 100n })))).toEqual([]);
    expect(outliersOf(offer(1, ...shipped), offer(2, entry(40, 333, { price: 33n, shipping: 300n })))).toEqual([
      [40, 333],
    ]);
  });

  test('unless it is in line with the price that counted at the same offer before', () => {
    const cheap = offer(2, entry(35, 30), entry(39, 28));
    // The first price was stated for four days, so it counts, and so does the next.
    expect(outliersOf(offer(1, ...usual()), cheap)).toEqual([]);
    const typo = offer(2, entry(38, 30), entry(39, 28));
    expect(outliersOf(offer(1, ...usual()), typo)).toEqual([
      [38, 30],
      [39, 28],
    ]);
    const returned = offer(2, entry(35, 30), entry(39, 100), entry(40, 30));
    expect(outliersOf(offer(1, ...usual()), returned)).toEqual([[40, 30]]);
  });

  test('no more once its shop has stated it for more than three days', () => {
    const offers = [offer(1, ...usual()), offer(2, entry(40, 30))];
    expect(outliersOn(43, ...offers)).toEqual([[40, 30]]);
    expect(outliersOn(43.001, ...offers)).toEqual([]);
    expect(outliersOf(offer(1, ...usual()), offer(2, entry(40, 30), entry(43, null)))).toEqual([[40, 30]]);
    expect(outliersOf(offer(1, ...usual()), offer(2, entry(40, 30), entry(43.001, null)))).toEqual([]);
  });

  test('no more once another shop asks for as little or as much', () => {
    const known = offer(1, ...usual());
    expect(outliersOf(known, offer(2, entry(40, 30)), offer(3, entry(41, 20)))).toEqual([]);
    expect(outliersOf(known, offer(2, entry(40, 300)), offer(3, entry(41, 900)))).toEqual([]);
    const [low, high] = [offer(2, entry(40, 30)), offer(3, entry(41, 300))];
    expect(outliersOf(known, low, high)).toEqual([
      [40, 30],
      [41, 300],
    ]);
    const ofOneShop = [offer(2, entry(40, 30)), { ...offer(3, entry(41, 20)), merchantId: 2n }];
    expect(outliersOf(known, ...ofOneShop)).toHaveLength(2);
    // The first was replaced before the second came.
    const replaced = offer(2, entry(40, 30), entry(40.5, 100));
    expect(outliersOf(known, replaced, offer(3, entry(41, 20)))).toHaveLength(2);
  });

  test('only by prices that were listed in the 90 days before', () => {
    expect(outliersOf(offer(1, ...usual(), entry(31, null), entry(121, 10)))).toEqual([]);
    expect(outliersOf(offer(1, ...usual(), entry(31, null), entry(120.5, 10)))).toEqual([[120.5, 10]]);
  });
});

test('an outlier counts as no price until the next entry of its offer, and other offers stay as they are', () => {
  const [plain, typo] = [offer(1, ...usual()), offer(2, entry(40, 10), entry(41, 100))];
  const { offers, outliers } = withoutOutliers([plain, typo], 41 * DAY_MS);
  expect(outliers).toEqual([{ offerId: 2n, merchantId: 2n, entry: entry(40, 10), until: 41 * DAY_MS, usual: 100n }]);
  expect(offers[0]).toBe(plain);
  expect(offers[1]?.entries).toEqual([entry(40, null), entry(41, 100)]);
  expect(typo.entries[0]?.total).toBe(10n);
});

test('the judgement says when it changes', () => {
  const changesAt = (day: number, ...entries: LedgerEntry[]) =>
    withoutOutliers([offer(1, ...usual()), offer(2, ...entries)], day * DAY_MS).changesAt;
  expect(changesAt(41, entry(40, 30))).toBe(43 * DAY_MS + 1);
  expect(changesAt(44, entry(40, 30))).toBe(Number.POSITIVE_INFINITY);
  expect(changesAt(42, entry(40, 30), entry(41, 100))).toBe(Number.POSITIVE_INFINITY);
});

test('free goods among free goods are no outliers', () => {
  const free = [0, 1, 2, 3, 4].map((day) => entry(day, 0));
  expect(outliersOf(offer(1, ...free))).toEqual([]);
});
