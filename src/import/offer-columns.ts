/** The columns of an offer that clients see and every row of a feed states: staged, added, compared and changed together. */
import type { FeedItem } from './item.ts';

export interface OfferColumn {
  /** In `offer` and in staging. */
  name: string;
  /** In staging. */
  type: 'TEXT' | 'BIGINT';
  /** The enum of the offer's column. */
  cast?: 'availability' | 'condition';
  of(item: FeedItem): unknown;
}

export const OFFER_COLUMNS: readonly OfferColumn[] = [
  { name: 'price', type: 'BIGINT', of: (item) => item.price },
  { name: 'shipping', type: 'BIGINT', of: (item) => item.shipping },
  { name: 'total', type: 'BIGINT', of: (item) => item.total },
  { name: 'availability', type: 'TEXT', cast: 'availability', of: (item) => item.availability },
  { name: 'condition', type: 'TEXT', cast: 'condition', of: (item) => item.condition },
  { name: 'link', type: 'TEXT', of: (item) => item.link },
];

/** SQL for a column's value in the staged row `item`. */
export function stagedValue({ name, cast }: OfferColumn): string {
  return cast === undefined ? `item.${name}` : `item.${name}::${cast}`;
}
