/** The columns of an offer that clients see and every row of a feed states: staged, added, compared and changed together. */
import type { FeedItem } from './item.ts';

export interface OfferColumn {
  /** In `offer`, in staging and in the item. */
  name: Exclude<keyof FeedItem, 'product'>;
  type: 'TEXT' | 'BIGINT';
  /** The enum of the offer's column. */
  cast?: 'availability' | 'condition';
}

export const OFFER_COLUMNS: readonly OfferColumn[] = [
  { name: 'price', type: 'BIGINT' },
  { name: 'shipping', type: 'BIGINT' },
  { name: 'total', type: 'BIGINT' },
  { name: 'availability', type: 'TEXT', cast: 'availability' },
  { name: 'condition', type: 'TEXT', cast: 'condition' },
  { name: 'link', type: 'TEXT' },
];

/** SQL for a column's value in the staged row `item`. */
export function stagedValue({ name, cast }: OfferColumn): string {
  return cast === undefined ? `item.${name}` : `item.${name}::${cast}`;
}
