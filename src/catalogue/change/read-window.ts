/** Reads a window of the stream of changes with one statement. */
import type { Queryable } from '../../database/database.ts';
import { PRODUCT_STATE } from '../../ledger/changes/product-state.ts';
import { CHANGE_COLUMNS, EXTENT, type StreamExtent } from '../../ledger/changes/read-changes.ts';
import type { Bind } from '../read-page.ts';
import type { ChangeSelection } from './change-filter.ts';
import type { ShownChangeRow } from './change-line.ts';

/** The numbers of a window: `after < seq <= upTo`. */
export interface Window {
  after: bigint;
  upTo: bigint;
}

/** The first changes in a window, and what the stream held at the same moment: rows that were deleted before are noticed by it. */
export interface WindowRead extends StreamExtent {
  rows: ShownChangeRow[];
}

/** Reads at most `limit` changes that a filter selects, from the primary, in the order of commits. */
export async function readWindow(
  database: Queryable,
  { conditions, productIds }: ChangeSelection,
  { after, upTo }: Window,
  limit: number,
): Promise<WindowRead> {
  const parameters: unknown[] = [];
  const bind: Bind = (value) => `$${parameters.push(value)}`;
  const isInside = `change.seq > ${bind(after)}::bigint AND change.seq <= ${bind(upTo)}::bigint`;
  const from = productIds ? ofProducts(bind(productIds), isInside) : 'change';
  const where = [isInside, "change.kind <> 'figures'", ...conditions(bind)];
  const sql = windowSql(from, where.join('\n      AND '), bind(limit));
  const read = await database.query<StreamExtent & (ShownChangeRow | { seq: null })>(sql, parameters, {
    name: 'change_window',
    isCurrent: true,
    isPlannedAnew: true,
  });
  const { head, forgotten } = read[0] ?? { head: 0n, forgotten: 0n };
  return { head, forgotten, rows: read.filter((row): row is StreamExtent & ShownChangeRow => row.seq !== null) };
}

// By change_product_idx and change_old_product_idx.
const ofProducts = (ids: string, isInside: string): string => `(
      SELECT seq FROM change WHERE product_id = ANY (${ids}::bigint[]) AND ${isInside}
      UNION
      SELECT seq FROM change WHERE old_product_id = ANY (${ids}::bigint[]) AND ${isInside}
    ) AS found
    JOIN change USING (seq)`;

// The fields of a product after a change are those before its next one, by change_state_idx, or those that it has in the same snapshot.
const windowSql = (from: string, where: string, limit: string): string => `
  WITH extent AS MATERIALIZED (
    ${EXTENT}
  ), page AS MATERIALIZED (
    SELECT ${CHANGE_COLUMNS}
    FROM ${from}
    WHERE ${where}
    ORDER BY change.seq
    LIMIT ${limit}
  )
  SELECT extent.head, extent.forgotten, page.*,
         CASE WHEN page.kind = 'product' THEN COALESCE(
           (
             SELECT next.state_before
             FROM change AS next
             WHERE next.product_id = page."productId" AND next.kind = 'product' AND next.seq > page.seq
             ORDER BY next.seq
             LIMIT 1
           ),
           (SELECT ${PRODUCT_STATE} FROM product WHERE product.id = page."productId")
         ) END AS "stateAfter"
  FROM extent
  LEFT JOIN page ON TRUE
  ORDER BY page.seq`;
