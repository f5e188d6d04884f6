/** Limits the identifiers of a product, so that no shop can make a product's answers arbitrarily long. */
import type { Queryable } from '../database/database.ts';
import { soleValue } from './sole-value.ts';

/** The most GTINs and ASINs of one product, all shops together. */
export const MOST_IDENTIFIERS = 50;
/** The most of them that one shop may add. */
export const MOST_IDENTIFIERS_OF_SHOP = 20;

/** Drops the identifiers that the feed would add beyond the limits. Their rows stay matched but add nothing. */
export async function trimLearned(transaction: Queryable, merchantId: bigint): Promise<void> {
  const isTaught = "SELECT EXISTS (SELECT FROM learned WHERE kind IN ('gtin', 'asin') AND NOT is_founder) AS some";
  if (!(await soleValue(transaction, isTaught))) return;
  await transaction.query(TRIM, [merchantId, MOST_IDENTIFIERS, MOST_IDENTIFIERS_OF_SHOP]);
}

// What a product's founding row states is at most one of each kind, so only products that other rows teach are looked at. By the
// index on product_identifier (product_id).
const TRIM = `
  WITH taught AS (
    SELECT kind, value, product_id, row_number() OVER (PARTITION BY product_id ORDER BY position, kind DESC) AS place
    FROM learned
    WHERE kind IN ('gtin', 'asin')
      AND product_id IN (SELECT product_id FROM learned WHERE kind IN ('gtin', 'asin') AND NOT is_founder)
  ), known AS (
    SELECT product_id, count(*) AS all_shops, count(*) FILTER (WHERE merchant_id = $1) AS own
    FROM product_identifier
    WHERE product_id IN (SELECT product_id FROM taught)
    GROUP BY product_id
  )
  DELETE FROM learned
  USING taught
  LEFT JOIN known ON known.product_id = taught.product_id
  WHERE learned.kind = taught.kind
    AND learned.value = taught.value
    AND (taught.place + COALESCE(known.all_shops, 0) > $2 OR taught.place + COALESCE(known.own, 0) > $3)`;
