/** What a product adds to the figures of its groups. */
import type { OfferEntries } from '../entry.ts';
import { groupKey } from './groups.ts';
import { type IndexParts, indexParts } from './index-days.ts';
import { type Standing, standings } from './standings.ts';

/** The groups of a product, besides the merchants of its offers. */
export interface Membership {
  brandId: bigint | null;
  /** Its category and all categories above it; empty without a category. */
  categoryIds: readonly bigint[];
}

/** What a product adds. */
export interface Parts {
  /** The keys of its brand and categories. */
  groups: readonly string[];
  index: IndexParts;
  standings: ReadonlyMap<bigint, Standing>;
}

/** What a product adds with these entries, which have no outliers. */
export function partsOf(offers: readonly OfferEntries[], { brandId, categoryIds }: Membership): Parts {
  return {
    groups: [
      ...(brandId === null ? [] : [groupKey('brand', brandId)]),
      ...categoryIds.map((id) => groupKey('category', id)),
    ],
    index: indexParts(offers),
    standings: standings(offers),
  };
}
