/** What statistics need to know about a product for one filter, whatever the time span. */
import type { LedgerEntry, OfferEntries } from '../../ledger/entry.ts';
import type { JudgedLedger } from '../../ledger/outliers.ts';
import { comparableSeries, lowestSeries, matches, type SeriesFilter, type SeriesStep } from '../../ledger/series.ts';

export interface ProductSeries extends Omit<JudgedLedger, 'changesAt'> {
  /** That of the request, narrowed to offers with known shipping or to those without: those of `steps`. */
  filter: SeriesFilter;
  /** The lowest matching total at each instant. */
  steps: readonly SeriesStep[];
  /** The positions of the steps with a total, by ascending total. */
  byTotal: readonly number[];
  /** The lowest total in stock at each instant, whatever availability the request asks for, its shipping known or not. */
  inStock: readonly SeriesStep[];
  /** The first time at which an offer of the filter's condition and merchant had a recorded availability. */
  stockKnownFrom: number | undefined;
}

/** Computes the series of a product for a filter, in O(n log n) for n entries. @param until the end of the time span. */
export function productSeries({ offers, outliers }: JudgedLedger, filter: SeriesFilter, until?: number): ProductSeries {
  const { steps, shippingKnown } = comparableSeries(offers, filter, until);
  return {
    offers,
    outliers,
    filter: { ...filter, shippingKnown },
    steps,
    byTotal: sortByTotal(steps),
    inStock: lowestSeries(offers, { ...filter, availability: 'in_stock' }),
    stockKnownFrom: firstStock(offers, filter),
  };
}

function sortByTotal(steps: readonly SeriesStep[]): number[] {
  const priced = steps.flatMap(({ total }, index) => (total === null ? [] : [{ total, index }]));
  priced.sort((one, other) => (one.total < other.total ? -1 : one.total > other.total ? 1 : 0));
  return priced.map(({ index }) => index);
}

function firstStock(offers: readonly OfferEntries[], { availability, ...filter }: SeriesFilter): number | undefined {
  const isKnown = (offer: OfferEntries) => (entry: LedgerEntry) =>
    entry.total !== null && entry.availability !== null && matches(offer, entry, filter);
  const firsts = offers.flatMap((offer) => offer.entries.find(isKnown(offer))?.at ?? []);
  return firsts.length > 0 ? firsts.reduce((one, other) => Math.min(one, other)) : undefined;
}
