/** The columns of an offer that every row of a feed states: staged, added, compared and changed together, and recorded in the ledger. */
import type { FeedItem } from './item.ts';
import type { StagedValue } from './product-field.ts';

export interface OfferColumn {
  /** In `offer`, in `ledger` and in staging. */
  name: string;
  type: 'TEXT' | 'BIGINT' | 'TIMESTAMPTZ(3)';
  /** The enum of the offer's column. */
  cast?: 'availability' | 'condition';
  of(item: FeedItem): StagedValue;
}

/** The facts that the ledger records. Only the total is always known: all others may be null there. */
export const FACT_COLUMNS: readonly OfferColumn[] = [
  { name: 'price', type: 'BIGINT', of: ({ price }) => price },
  { name: 'shipping', type: 'BIGINT', of: ({ shipping }) => shipping },
  { name: 'total', type: 'BIGINT', of: ({ total }) => total },
  { name: 'regular_price', type: 'BIGINT', of: ({ sale }) => sale?.regularPrice },
  { name: 'sale_from', type: 'TIMESTAMPTZ(3)', of: ({ sale }) => sale?.period?.start.toISOString() },
  { name: 'sale_until', type: 'TIMESTAMPTZ(3)', of: ({ sale }) => sale?.period?.end.toISOString() },
  { name: 'availability', type: 'TEXT', cast: 'availability', of: ({ availability }) => availability },
  { name: 'condition', type: 'TEXT', cast: 'condition', of: ({ condition }) => condition },
];

/** The facts, and what else an offer has of its row. */
export const OFFER_COLUMNS: readonly OfferColumn[] = [
  ...FACT_COLUMNS,
  { name: 'link', type: 'TEXT', of: ({ link }) => link },
];

/** SQL for the names of columns, each with a prefix such as `offer.`. */
export const columnNames = (columns: readonly OfferColumn[], prefix = ''): string =>
  columns.map(({ name }) => `${prefix}${name}`).join(', ');

/** SQL for the columns' values in the staged row `item`. */
export const stagedValues = (columns: readonly OfferColumn[]): string => columns.map(stagedValue).join(', ');

/** SQL for a column's value in the staged row `item`. */
export function stagedValue({ name, cast }: OfferColumn): string {
  return cast === undefined ? `item.${name}` : `item.${name}::${cast}`;
}
