/**
 * Limits the offers that a shop lists for one product: otherwise one feed could make every lookup of a product arbitrarily large. The
 * limit applies after the import, so it counts the shop's listed offers as well as the feed.
 */
import { MOST_OFFERS_OF_SHOP } from '../catalogue/offer/most-offers.ts';
import type { PlacedFeed } from './placed-feed.ts';
import { soleValue } from './sole-value.ts';

/**
 * Rejects the rows beyond the limit with `too_many_offers`. Rows whose offers are listed at the product already come first, then the
 * feed's order decides, so the same feed gives the same outcome again. A delta never displaces an offer that is listed; a full feed
 * also withdraws listed offers beyond the limit, which older versions have left. In a backfill, known offers come first.
 *
 * @param hasRejected whether rows of the feed have been rejected before: their offers stay listed, and count.
 */
export async function rejectSurplus(feed: PlacedFeed, hasRejected: boolean): Promise<number> {
  const { transaction, table, merchantId, isFull } = feed;
  const isBackfill = feed.nextFullAt !== null;
  const staying = isBackfill ? NONE_STAY : !isFull ? STAYING_IN_DELTA : hasRejected ? stayingInFull(table) : NONE_STAY;
  if (staying === NONE_STAY) {
    const [crowded] = await transaction.query(FIND_CROWDED, [MOST_OFFERS_OF_SHOP]);
    if (!crowded) return 0;
  }
  const parameters = [merchantId, MOST_OFFERS_OF_SHOP, isBackfill, isFull];
  const count = await soleValue<number>(transaction, rejectBeyond(staying), parameters);
  if (count > 0) {
    await transaction.query(TEACH_BY_ACCEPTED);
    await transaction.query(UNLEARN);
  }
  return count;
}

// Nearly every feed stops here, because no product has so many rows.
const FIND_CROWDED = `
  SELECT product_id
  FROM matched
  WHERE fault IS NULL
  GROUP BY product_id
  HAVING count(*) > $1::int
  LIMIT 1`;

const NONE_STAY = 'SELECT $1::bigint AS product_id, 0 AS count WHERE FALSE';

const hasNoRow = 'NOT EXISTS (SELECT FROM matched WHERE matched.offer_id = offer.id AND matched.fault IS NULL)';

// By the unique index on offer (merchant_id, sku) or by offer_listed_idx.
const STAYING_IN_DELTA = `
  SELECT offer.product_id, count(*)::int AS count
  FROM offer
  WHERE offer.merchant_id = $1
    AND offer.withdrawn_at IS NULL
    AND offer.product_id IN (SELECT matched.product_id FROM matched WHERE matched.fault IS NULL)
    AND ${hasNoRow}
  GROUP BY offer.product_id`;

// The offers of rows that were rejected for another reason. By the unique index on offer (merchant_id, sku).
const stayingInFull = (table: string) => `
  SELECT offer.product_id, count(*)::int AS count
  FROM (
    SELECT sku FROM ${table} WHERE fault IS NOT NULL
    UNION
    SELECT sku FROM matched WHERE fault IS NOT NULL
  ) AS rejected
  JOIN offer ON offer.merchant_id = $1 AND offer.sku = rejected.sku
  WHERE offer.withdrawn_at IS NULL AND ${hasNoRow}
  GROUP BY offer.product_id`;

const rejectBeyond = (staying: string) => `
  WITH crowd AS (
    SELECT row.product_id, COALESCE(staying.count, 0) AS staying
    FROM (SELECT product_id, count(*)::int AS count FROM matched WHERE fault IS NULL GROUP BY product_id) AS row
    LEFT JOIN (${staying}) AS staying USING (product_id)
    WHERE row.count + COALESCE(staying.count, 0) > $2::int
  ), ranked AS (
    SELECT position, is_held, staying + row_number() OVER (
             PARTITION BY product_id ORDER BY is_held DESC, is_founder DESC, position
           ) AS place
    FROM (
      SELECT matched.position, matched.product_id, matched.is_founder, crowd.staying,
             COALESCE(offer.product_id = matched.product_id AND (offer.withdrawn_at IS NULL OR $3::boolean), FALSE) AS is_held
      FROM matched
      JOIN crowd USING (product_id)
      LEFT JOIN offer ON offer.id = matched.offer_id
      WHERE matched.fault IS NULL
    ) AS candidate
  ), rejected AS (
    UPDATE matched
    SET fault = 'too_many_offers'
    FROM ranked
    WHERE ranked.position = matched.position
      AND ranked.place > $2::int
      AND ($4::boolean OR NOT ranked.is_held)
    RETURNING 1
  )
  SELECT count(*)::int AS count FROM rejected`;

// An identifier that a rejected row taught first now comes from the first accepted row that states it for the same product.
const TEACH_BY_ACCEPTED = `
  UPDATE learned
  SET position = heir.position, is_founder = heir.is_founder
  FROM (
    SELECT DISTINCT ON (taught.kind, taught.value) taught.kind, taught.value, accepted.position, accepted.is_founder
    FROM learned AS taught
    JOIN matched AS rejected ON rejected.position = taught.position AND rejected.fault = 'too_many_offers'
    JOIN matched AS accepted
      ON accepted.product_id = taught.product_id
     AND accepted.fault IS NULL
     AND CASE taught.kind WHEN 'gtin' THEN accepted.gtin WHEN 'asin' THEN accepted.asin END = taught.value
    ORDER BY taught.kind, taught.value, accepted.position
  ) AS heir
  WHERE learned.kind = heir.kind AND learned.value = heir.value`;

// A row that is rejected teaches nothing.
const UNLEARN = `
  DELETE FROM learned
  USING matched
  WHERE matched.position = learned.position AND matched.fault = 'too_many_offers'`;
