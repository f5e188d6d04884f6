// Reads the header line of a delimited feed: which column holds which field.

import { BrokenFeed } from '../reject.ts';
import { type FeedField, FIRST_VALUE_COUNTS, feedFieldOf, normaliseFieldName } from './feed-row.ts';
import { shippingOrderOf } from './shipping-text.ts';

/** What a column holds: a field, shipping with the order of its parts, or nothing that is used. */
export type Column =
  | { kind: 'field'; field: FeedField }
  | { kind: 'shipping'; order: readonly string[] }
  | { kind: 'unused' };

/**
 * Understands the header. A used column that occurs twice is refused, because its values would be ambiguous; unused ones may repeat, and
 * so may `shipping` and fields that take several values.
 *
 * @throws BrokenFeed without an `id` column, or with a used column twice
 */
export function readHeader(names: readonly string[], line: number): Column[] {
  const seen = new Set<FeedField>();
  const columns = names.map((name): Column => {
    const order = shippingOrderOf(normaliseFieldName(name));
    if (order !== undefined) return { kind: 'shipping', order };
    const field = feedFieldOf(name);
    if (field === undefined) return { kind: 'unused' };
    if (seen.has(field)) {
      if (FIRST_VALUE_COUNTS.has(field)) return { kind: 'unused' };
      throw new BrokenFeed(`the header has the column "${field}" twice; keep one`, { line });
    }
    seen.add(field);
    return { kind: 'field', field };
  });
  if (!seen.has('id')) throw new BrokenFeed('the header has no column "id"; expected the names of columns', { line });
  return columns;
}
