/** Reads the daily rows of a price index. */
import type { Queryable } from '../../database/database.ts';
import type { GroupKind } from '../../ledger/aggregates/groups.ts';

/** A day with a change; `day` is null for the sum of all changes up to the first day. */
export interface IndexRow {
  day: string | null;
  /** See `IndexDay` in ledger/aggregates, as for the others. */
  logSum: bigint;
  matched: number;
  products: number;
}

// Both by the primary key of price_index_day.
const INDEX = `
  SELECT NULL::date AS day, 0::bigint AS "logSum", COALESCE(sum(matched), 0)::int AS matched, COALESCE(sum(products), 0)::int AS products
  FROM price_index_day
  WHERE kind = $1::price_group AND id = $2::bigint AND day <= $3::date
  UNION ALL
  SELECT day, log_sum, matched, products
  FROM price_index_day
  WHERE kind = $1::price_group AND id = $2::bigint AND day > $3::date AND day <= $4::date
  ORDER BY day NULLS FIRST`;

/** The rows of a group from the first to the last day, both included, in the order of time. */
export const readIndex = (
  database: Queryable,
  { kind, id }: { kind: GroupKind; id: bigint },
  first: string,
  last: string,
): Promise<IndexRow[]> => database.query<IndexRow>(INDEX, [kind, id, first, last], { name: 'price_index' });
