/** The offers of a product, shop by shop. */
import type { OfferEntries } from './entry.ts';

/** The offers of each merchant, in their order. */
export function byMerchant(offers: readonly OfferEntries[]): Map<bigint, OfferEntries[]> {
  const groups = new Map<bigint, OfferEntries[]>();
  for (const offer of offers) {
    const group = groups.get(offer.merchantId);
    if (group) group.push(offer);
    else groups.set(offer.merchantId, [offer]);
  }
  return groups;
}
