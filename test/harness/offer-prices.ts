/** Prices of offers as tests write them: a list of changes. */
import { NOT_LISTED, type OfferPrices, type STOCK } from '../../src/catalogue/price-history/offer-prices.ts';

/** From `at` on, the offer's total is `total` in minor units, or null while it is not listed. */
export interface Change {
  offerId: bigint;
  at: number;
  total: bigint | null;
  stock: (typeof STOCK)[keyof typeof STOCK];
}

/** The changes of each offer as arrays. @param changes those of one offer in chronological order. */
export function offerPrices(changes: readonly Change[]): OfferPrices[] {
  return [...new Set(changes.map(({ offerId }) => offerId))].map((offer) => {
    const own = changes.filter(({ offerId }) => offerId === offer);
    return {
      times: Float64Array.from(own, ({ at }) => at),
      totals: Float64Array.from(own, ({ total }) => Number(total ?? NOT_LISTED)),
      stock: Uint8Array.from(own, ({ stock }) => stock),
    };
  });
}
