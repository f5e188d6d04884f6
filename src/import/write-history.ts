/** Records what a feed changes in the price history of its offers. */
import type { Queryable } from '../database/database.ts';
import type { Moment } from './moment.ts';
import type { Staging } from './staging.ts';

/** Records the changes in `differing` and `gone`; new offers have their history from the statement that adds them. */
export async function writeHistory(
  transaction: Queryable,
  { table }: Staging,
  { observedAt, nextFullAt }: Moment,
): Promise<void> {
  await transaction.query(recordChanges(table), [observedAt]);
  if (nextFullAt) await transaction.query(HOLD_AFTERWARDS, [observedAt, nextFullAt]);
  await transaction.query(dropRepeated(table), [observedAt]);
}

// Only where the total or the listing changes. If an offer moves to another product, its history at the old one ends.
const recordChanges = (table: string) => `
  INSERT INTO price_change (product_id, offer_id, observed_at, total)
  SELECT CASE WHEN differing.is_current THEN differing.product_id ELSE differing.old_product_id END,
         differing.offer_id, $1::timestamptz, item.total
  FROM differing
  JOIN ${table} AS item ON item.position = differing.position
  WHERE item.total IS DISTINCT FROM differing.value_before
     OR (differing.is_current AND differing.product_id <> differing.old_product_id)
  UNION ALL
  SELECT old_product_id, offer_id, $1::timestamptz, NULL
  FROM differing
  WHERE is_current AND product_id <> old_product_id AND value_before IS NOT NULL
  UNION ALL
  SELECT product_id, offer_id, $1::timestamptz, NULL
  FROM gone
  ON CONFLICT (product_id, offer_id, observed_at) DO UPDATE SET total = excluded.total`;

// From the next full feed on, the price from before the backfilled moment holds again, unless something changed in between.
const HOLD_AFTERWARDS = `
  INSERT INTO price_change (product_id, offer_id, observed_at, total)
  SELECT past.product_id, past.offer_id, $2::timestamptz, past.value_before
  FROM (
    SELECT old_product_id AS product_id, offer_id, value_before FROM differing
    UNION ALL
    SELECT product_id, offer_id, value_before FROM gone
  ) AS past
  WHERE NOT EXISTS (
    SELECT
    FROM price_change
    WHERE price_change.product_id = past.product_id
      AND price_change.offer_id = past.offer_id
      AND price_change.observed_at > $1::timestamptz
      AND price_change.observed_at <= $2::timestamptz
  )`;

// If the next row of the history only repeats a backfilled price, that row is no change any more.
const dropRepeated = (table: string) => `
  DELETE FROM price_change
  USING (
    SELECT differing.old_product_id AS product_id, differing.offer_id, item.total
    FROM differing
    JOIN ${table} AS item ON item.position = differing.position
    WHERE NOT differing.is_current
    UNION ALL
    SELECT product_id, offer_id, NULL FROM gone WHERE NOT is_current
  ) AS told
  WHERE price_change.product_id = told.product_id
    AND price_change.offer_id = told.offer_id
    AND price_change.total IS NOT DISTINCT FROM told.total
    AND price_change.observed_at = (
      SELECT min(later.observed_at)
      FROM price_change AS later
      WHERE later.product_id = told.product_id AND later.offer_id = told.offer_id AND later.observed_at > $1::timestamptz
    )`;
