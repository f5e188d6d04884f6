/** The prior price of a reduction: Directive 98/6/EC, Article 6a, with a day as the unit of time. */
import { describe, expect, test } from 'vitest';
import { reductionOf } from '../src/ledger/reduction.ts';
import { DAY_MS } from '../src/values/day.ts';

/** From a day on, the price of the goods, and whether it is a sale price; null while the offer is not listed. */
type Step = [day: number, price: number | 'unknown' | null, sale?: 'sale'];

const entries = (steps: readonly Step[]) =>
  steps.map(([day, price, sale]) => ({
    at: day * DAY_MS,
    total: price === null ? null : 1_000n,
    price: typeof price === 'number' ? BigInt(price * 100) : null,
    regularPrice: sale ? 20_000n : null,
  }));

type Reduction = [since: number, prior: number | null, progressive: number | null, percent: number | null];

/** The reduction in days and whole units of money. */
function reduction(...steps: Step[]): Reduction | undefined {
  const found = reductionOf(entries(steps));
  const units = (amount: bigint | null) => (amount === null ? null : Number(amount) / 100);
  return found && [found.since / DAY_MS, units(found.priorPrice), units(found.priorPriceProgressive), found.percent];
}

const BEFORE: Step[] = [
  [-40, 100],
  [-20, 80],
  [-10, 100],
];

test('the prior price is the lowest of the 30 days before the reduction', () => {
  expect(reduction(...BEFORE, [0, 70, 'sale'])).toEqual([0, 80, 80, 12.5]);
  // The price that held when the 30 days began counts, but none that ended then, and not the instant of the reduction.
  expect(reduction([-60, 50], [-30, 100], [0, 70, 'sale'])).toEqual([0, 100, 100, 30]);
  expect(reduction([-60, 50], [-29.99, 100], [0, 70, 'sale'])).toEqual([0, 50, 50, -40]);
  expect(reduction([-60, 100], [0, 70, 'sale'])).toEqual([0, 100, 100, 30]);
});

test('the prior price may be the reduced price or lower, so that the distance is not positive', () => {
  expect(reduction([-60, 70], [0, 70, 'sale'])).toEqual([0, 70, 70, 0]);
  expect(reduction([-40, 60], [-20, 100], [0, 70, 'sale'])).toEqual([0, 60, 60, -16.67]);
});

test('the progressive prior price of a series of reductions is that before the first one', () => {
  expect(reduction(...BEFORE, [0, 70, 'sale'], [5, 60, 'sale'])).toEqual([5, 70, 80, 25]);
});

test('an increase starts a new series, even while the shop goes on announcing a reduction', () => {
  expect(reduction([-40, 100], [0, 70, 'sale'], [3, 90, 'sale'], [5, 60, 'sale'])).toEqual([5, 70, 70, 14.29]);
  expect(reduction([-40, 100], [0, 70, 'sale'], [3, 75, 'sale'])).toEqual([3, 70, 70, -7.14]);
});

describe('a series', () => {
  test('goes on while the price stays the same, whatever else changes', () => {
    expect(reduction(...BEFORE, [0, 70, 'sale'], [2, 70, 'sale'], [4, 70, 'sale'])).toEqual([0, 80, 80, 12.5]);
  });

  test('does not include a lower price that the shop did not announce as a reduction', () => {
    expect(reduction([-90, 100], [-50, 90], [0, 70, 'sale'])).toEqual([0, 90, 90, 22.22]);
  });

  test('ends when the shop stops announcing it', () => {
    expect(reduction([-40, 100], [0, 70, 'sale'], [2, 70], [5, 60, 'sale'])).toEqual([5, 70, 70, 14.29]);
  });

  test('goes on after a withdrawal unless the price has risen', () => {
    expect(reduction(...BEFORE, [0, 70, 'sale'], [2, null], [4, 60, 'sale'])).toEqual([4, 70, 80, 25]);
    expect(reduction(...BEFORE, [0, 70, 'sale'], [2, null], [4, 70, 'sale'])).toEqual([0, 80, 80, 12.5]);
    expect(reduction(...BEFORE, [0, 60, 'sale'], [2, null], [4, 70, 'sale'])).toEqual([4, 60, 60, -16.67]);
  });
});

describe('prior prices are left out', () => {
  test('if fewer than 30 days before the reduction are known', () => {
    expect(reduction([-29.99, 100], [0, 70, 'sale'])).toEqual([0, null, null, null]);
    expect(reduction([-30, 100], [0, 70, 'sale'])).toEqual([0, 100, 100, 30]);
    expect(reduction([0, 70, 'sale'])).toEqual([0, null, null, null]);
  });

  test('if a price of those days was not recorded', () => {
    expect(reduction([-60, 'unknown'], [-20, 100], [0, 70, 'sale'])).toEqual([0, null, null, null]);
    expect(reduction([-60, 'unknown'], [-30, 100], [0, 70, 'sale'])).toEqual([0, 100, 100, 30]);
  });

  test('if the offer was not listed in any of those days', () => {
    expect(reduction([-60, 100], [-50, null], [0, 70, 'sale'])).toEqual([0, null, null, null]);
    expect(reduction([-60, 100], [-20, null], [0, 70, 'sale'])).toEqual([0, 100, 100, 30]);
  });

  test('only for the first reduction of a series, if just the later one has 30 known days before it', () => {
    expect(reduction([-10, 100], [0, 80, 'sale'], [25, 70, 'sale'])).toEqual([25, 80, null, null]);
  });
});

test('there is no reduction without an announcement, a price or a listing', () => {
  expect(reduction()).toBeUndefined();
  expect(reduction([-40, 100], [0, 70])).toBeUndefined();
  expect(reduction([-40, 100], [0, 70, 'sale'], [5, 90])).toBeUndefined();
  expect(reduction([-40, 100], [0, 70, 'sale'], [5, null])).toBeUndefined();
});
