/** The lowest price of a product over time. */
import { expect, test } from 'vitest';
import type { LedgerEntry, OfferEntries } from '../src/ledger/entry.ts';
import { lowestSeries, type SeriesFilter } from '../src/ledger/series.ts';

const entry = (at: number, total: number | null, facts: Partial<LedgerEntry> = {}): LedgerEntry => ({
  at,
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
  merchantId: BigInt(offerId) * 10n,
  entries,
});
const steps = (offers: OfferEntries[], filter?: SeriesFilter) =>
  lowestSeries(offers, filter).map(({ at, total, offerId }) => [
    at,
    total && Number(total),
    offerId && Number(offerId),
  ]);

test('follows the cheapest offer from step to step, until no offer is left', () => {
  const offers = [
    offer(1, entry(0, 100), entry(5, 120), entry(9, null)),
    offer(2, entry(2, 90), entry(4, 110), entry(7, null)),
  ];
  expect(steps(offers)).toEqual([
    [0, 100, 1],
    [2, 90, 2],
    [4, 100, 1],
    [5, 110, 2],
    [7, 120, 1],
    [9, null, null],
  ]);
});

test('has one step for several changes at one time, and the first of several cheapest offers', () => {
  const offers = [offer(1, entry(0, 100), entry(3, 80)), offer(2, entry(0, 100)), offer(3, entry(3, 80))];
  expect(steps(offers)).toEqual([
    [0, 100, 1],
    [3, 80, 1],
  ]);
});

test('has a step when another offer takes over at the same price', () => {
  expect(steps([offer(1, entry(0, 100), entry(5, null)), offer(2, entry(2, 100))])).toEqual([
    [0, 100, 1],
    [5, 100, 2],
  ]);
});

test('has no step where only facts change that do not matter', () => {
  const offers = [offer(1, entry(0, 100), entry(1, 100, { availability: 'out_of_stock' }), entry(2, 100))];
  expect(steps(offers)).toEqual([[0, 100, 1]]);
  expect(steps(offers, { availability: 'in_stock' })).toEqual([
    [0, 100, 1],
    [1, null, null],
    [2, 100, 1],
  ]);
});

test('contains only offers that match the filter, and unknown facts match none', () => {
  const offers = [
    offer(1, entry(0, 50, { condition: 'used' })),
    offer(2, entry(1, 70, { condition: null })),
    offer(3, entry(2, 60, { availability: null })),
    offer(4, entry(3, 100)),
  ];
  expect(steps(offers, { condition: 'new' })).toEqual([[2, 60, 3]]);
  expect(steps(offers, { condition: 'new', availability: 'in_stock' })).toEqual([[3, 100, 4]]);
  expect(steps(offers, { merchantId: 20n })).toEqual([[1, 70, 2]]);
  expect(steps(offers, { merchantId: 99n })).toEqual([]);
  expect(steps([])).toEqual([]);
});
