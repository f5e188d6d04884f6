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

/** The reduction in days and whole units of money. */
function reduction(...steps: Step[]) {
  const found = reductionOf(entries(steps));
  const units = (amount: bigint | null) => (amount === null ? null : Number(amount) / 100);
  return (
    found && {
      since: found.since / DAY_MS,
      prior: units(found.priorPrice),
      progressive: units(found.priorPriceProgressive),
      percent: found.percent,
    }
  );
}

const BEFORE: Step[] = [
  [-40, 100],
  [-20, 80],
  [-10, 100],
];

describe('the prior price', () => {
  test('is the lowest of the 30 days before the reduction', () => {
    expect(reduction(...BEFORE, [0, 70, 'sale'])).toEqual({ since: 0, prior: 80, progressive: 80, percent: 12.5 });
  });

  test('of a series of reductions is, progressively, that before the first one', () => {
    expect(reduction(...BEFORE, [0, 70, 'sale'], [5, 60, 'sale'])).toEqual({
      since: 5,
      prior: 70,
      progressive: 80,
      percent: 25,
    });
  });

  test('includes the price that held when the 30 days began, but none that ended then', () => {
    expect(reduction([-60, 50], [-30, 100], [0, 70, 'sale'])?.prior).toBe(100);
    expect(reduction([-60, 50], [-29.99, 100], [0, 70, 'sale'])?.prior).toBe(50);
  });

  test('does not include the instant at which the reduction starts', () => {
    expect(reduction([-60, 100], [0, 70, 'sale'])).toMatchObject({ prior: 100, percent: 30 });
  });

  test('may be below the reduced price, so that the distance is negative', () => {
    expect(reduction([-40, 60], [-20, 100], [0, 70, 'sale'])).toMatchObject({ prior: 60, percent: -16.67 });
  });

  test('equals the price if the shop announces a reduction without reducing it', () => {
    expect(reduction([-60, 70], [0, 70, 'sale'])).toEqual({ since: 0, prior: 70, progressive: 70, percent: 0 });
  });
});

describe('an increase starts a new series', () => {
  test('before the next reduction, which is then the first one', () => {
    expect(reduction([-40, 100], [0, 70, 'sale'], [3, 90, 'sale'], [5, 60, 'sale'])).toEqual({
      since: 5,
      prior: 70,
      progressive: 70,
      percent: 14.29,
    });
  });

  test('even while the shop goes on announcing a reduction', () => {
    expect(reduction([-40, 100], [0, 70, 'sale'], [3, 75, 'sale'])).toEqual({
      since: 3,
      prior: 70,
      progressive: 70,
      percent: -7.14,
    });
  });
});

describe('a series', () => {
  test('goes on while the price stays the same, whatever else changes', () => {
    expect(reduction(...BEFORE, [0, 70, 'sale'], [2, 70, 'sale'], [4, 70, 'sale'])).toMatchObject({
      since: 0,
      prior: 80,
    });
  });

  test('does not include a lower price that the shop did not announce as a reduction', () => {
    expect(reduction([-90, 100], [-50, 90], [0, 70, 'sale'])).toEqual({
      since: 0,
      prior: 90,
      progressive: 90,
      percent: 22.22,
    });
  });

  test('ends when the shop stops announcing it', () => {
    expect(reduction([-40, 100], [0, 70, 'sale'], [2, 70], [5, 60, 'sale'])).toMatchObject({
      since: 5,
      progressive: 70,
    });
  });

  test('goes on after a withdrawal if the price has not risen', () => {
    expect(reduction(...BEFORE, [0, 70, 'sale'], [2, null], [4, 60, 'sale'])).toEqual({
      since: 4,
      prior: 70,
      progressive: 80,
      percent: 25,
    });
    expect(reduction(...BEFORE, [0, 70, 'sale'], [2, null], [4, 70, 'sale'])).toMatchObject({ since: 0, prior: 80 });
  });

  test('ends with a withdrawal if the offer returns at a higher price', () => {
    expect(reduction(...BEFORE, [0, 60, 'sale'], [2, null], [4, 70, 'sale'])).toMatchObject({
      since: 4,
      progressive: 60,
    });
  });
});

describe('prior prices are left out', () => {
  test('if fewer than 30 days before the reduction are known', () => {
    expect(reduction([-29.99, 100], [0, 70, 'sale'])).toEqual({
      since: 0,
      prior: null,
      progressive: null,
      percent: null,
    });
    expect(reduction([-30, 100], [0, 70, 'sale'])).toMatchObject({ prior: 100, progressive: 100, percent: 30 });
  });

  test('if a price of those days was not recorded', () => {
    expect(reduction([-60, 'unknown'], [-20, 100], [0, 70, 'sale'])).toMatchObject({ prior: null, percent: null });
    expect(reduction([-60, 'unknown'], [-30, 100], [0, 70, 'sale'])).toMatchObject({ prior: 100, percent: 30 });
  });

  test('if the offer was not listed in any of those days', () => {
    expect(reduction([-60, 100], [-50, null], [0, 70, 'sale'])).toMatchObject({ prior: null, percent: null });
    expect(reduction([-60, 100], [-20, null], [0, 70, 'sale'])).toMatchObject({ prior: 100 });
  });

  test('only for the first reduction of a series, if just the later one has 30 known days before it', () => {
    expect(reduction([-10, 100], [0, 80, 'sale'], [25, 70, 'sale'])).toEqual({
      since: 25,
      prior: 80,
      progressive: null,
      percent: null,
    });
  });

  test('of an offer that was first seen at a reduced price', () => {
    expect(reduction([0, 70, 'sale'])).toEqual({ since: 0, prior: null, progressive: null, percent: null });
  });
});

test('there is no reduction without an announcement, a price or a listing', () => {
  expect(reduction()).toBeUndefined();
  expect(reduction([-40, 100], [0, 70])).toBeUndefined();
  expect(reduction([-40, 100], [0, 70, 'sale'], [5, 90])).toBeUndefined();
  expect(reduction([-40, 100], [0, 70, 'sale'], [5, null])).toBeUndefined();
});
