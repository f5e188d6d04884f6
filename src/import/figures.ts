/**
 * Precomputed figures, so that requests need not count: the offers, prices and discount of products, the products of brands and
 * categories, and the offers of merchants. Gateways refresh those that change without a feed, such as discounts with each day
 * (catalogue/upkeep.ts).
 */
import type { Queryable } from '../database/database.ts';
import { averageLowest, discountOf, REFRESH_LONG, TODAY } from './average-lowest.ts';
import { enqueueChanged, enqueueTouched } from './due-products.ts';
import { recordTagsOfFeed } from './invalidation.ts';
import type { PlacedFeed } from './placed-feed.ts';
import { EXTEND_POPULAR, refreshPopular } from './search-words.ts';
import { soleValue } from './sole-value.ts';
import { recordChanges } from './stream.ts';
import { unitPriceSql } from './unit-price-sql.ts';

/** A temporary table of the products whose offers have changed. */
export const CREATE_TOUCHED = `
  CREATE TEMPORARY TABLE touched (
    product_id BIGINT PRIMARY KEY,
    lowest BIGINT,
    previous_min BIGINT,
    previous_lowest BIGINT,
    previous_rank INT NOT NULL
  ) ON COMMIT DROP`;

/** Updates all figures for the feed's changes. @param addsFields whether the feed founds products or adds fields to known ones. */
export async function refreshFigures(feed: PlacedFeed, addsFields: boolean): Promise<void> {
  const { transaction, table, merchantId, observedAt } = feed;
  await transaction.script(ANALYSE_WRITTEN);
  await transaction.query(findTouched(table));
  await refreshTouched(transaction, observedAt);
  if (addsFields) {
    await transaction.query(countProducts('brand', table));
    if ((await soleValue<number>(transaction, countProducts('category', table))) > 0)
      await transaction.query(SUM_CATEGORIES);
  }
  await transaction.query(ADJUST_OFFER_COUNTS);
  if (feed.isFull) await transaction.query(COUNT_OFFERS, [merchantId]);
  await enqueueChanged(transaction);
  const version = await raiseVersion(transaction);
  if (addsFields) await transaction.query(EXTEND_POPULAR);
  const isRankChanged = addsFields || (await soleValue<boolean>(transaction, IS_RANK_CHANGED));
  if (isRankChanged) await refreshPopular(transaction);
  await recordChanges(transaction, { observedAt, merchantId });
  await recordTagsOfFeed(feed, version, isRankChanged);
}

/** Updates the figures of products whose offers, listed in `moved`, changed their product without a feed. */
export async function refreshMoved(transaction: Queryable, movedAt: Date): Promise<void> {
  await transaction.query(touchProducts(MOVED_OFFERS));
  await refreshTouched(transaction, movedAt);
  await transaction.query(ADJUST_OFFER_COUNTS);
  await enqueueTouched(transaction);
  await raiseVersion(transaction);
  await refreshPopular(transaction);
  await recordChanges(transaction, { observedAt: movedAt, merchantId: null });
}

/** Updates the figures of the products in `touched`, at the time of the change. */
async function refreshTouched(transaction: Queryable, changedAt: Date): Promise<void> {
  await transaction.script('ANALYZE touched (product_id)');
  const few = await soleValue<string | null>(transaction, FEW_TOUCHED);
  if (few === null) await transaction.query(REFRESH_TOUCHED, [changedAt]);
  else await transaction.query(REFRESH_FEW, [changedAt, few]);
  await transaction.query(REFRESH_LONG);
}

/**
 * Raises the catalogue's version and returns it. This invalidates every cache, unless the change's tags are recorded (invalidation.ts). The
 * version stays locked until the transaction ends, so call this near its end; the lock also makes versions follow the order of commits.
 */
export async function raiseVersion(transaction: Queryable): Promise<bigint> {
  return soleValue(transaction, 'UPDATE catalogue_version SET version = version + 1 WHERE id = 1 RETURNING version');
}

// PostgreSQL takes a table without statistics for one of thousands of rows. A feed of ten rows would then read the whole catalogue.
const ANALYSE_WRITTEN = `
  ANALYZE differing (offer_id), gone (offer_id), moved (offer_id), filled (product_id), noted_offer (offer_id), noted_product (product_id)`;

const touchProducts = (told: string) => `
  INSERT INTO touched (product_id, lowest, previous_min, previous_lowest, previous_rank)
  SELECT told.product_id, min(told.lowest), product.min_total, product.lowest_ever, product.rank
  FROM (${told}) AS told (product_id, lowest)
  JOIN product ON product.id = told.product_id
  GROUP BY told.product_id, product.min_total, product.lowest_ever, product.rank`;

const MOVED_OFFERS = `
    SELECT product_id, total FROM moved
    UNION ALL
    SELECT old_product_id, NULL FROM moved`;

// The existing products whose offers the feed has changed, with the feed's lowest price and their previous lowest price.
const findTouched = (table: string) =>
  touchProducts(`
    SELECT matched.product_id, item.total AS lowest
    FROM matched
    JOIN ${table} AS item ON item.position = matched.position
    WHERE matched.offer_id IS NULL AND matched.fault IS NULL
      AND NOT EXISTS (SELECT FROM matched AS founder WHERE founder.is_founder AND founder.product_id = matched.product_id)
    UNION ALL
    SELECT CASE WHEN differing.is_current THEN differing.product_id ELSE differing.old_product_id END, item.total
    FROM differing
    JOIN ${table} AS item ON item.position = differing.position
    UNION ALL
    SELECT old_product_id, NULL FROM differing
    UNION ALL
    SELECT product_id, NULL FROM matched WHERE is_remeasured AND fault IS NULL
    UNION ALL
    SELECT product_id, NULL FROM gone
    UNION ALL
    ${MOVED_OFFERS}`);

// Citus sends a statement with a list of products only to their shards, and a join with `touched` to all shards. Above this number, nearly all
// shards have one of the products anyway.
const MOST_LISTED = 500;

const FEW_TOUCHED = `
  SELECT CASE WHEN count(*) <= ${MOST_LISTED} THEN COALESCE(array_agg(product_id), '{}')::text END AS few
  FROM (SELECT product_id FROM touched LIMIT ${MOST_LISTED + 1}) AS first`;

// The smallest amount of the cheapest offers that state one, so that the order of the offers does not matter. Uses offer_measure_idx.
const MEASURE = `(
        SELECT min(offer.measure)
        FROM offer
        WHERE offer.product_id = figures.product_id
          AND offer.total = figures.min_total
          AND offer.measure IS NOT NULL
          AND offer.withdrawn_at IS NULL
      )`;

// Uses offer_listed_idx.
const refreshProducts = (ofTouched: string) => `
  WITH ${averageLowest(ofTouched)},
  figures AS (
    SELECT touched.product_id, touched.lowest,
           count(offer.id)::int AS offers, count(DISTINCT offer.merchant_id)::int AS shops, min(offer.total) AS min_total, max(offer.total) AS max_total,
           COALESCE(bool_or(offer.availability = 'in_stock'), FALSE) AS is_in_stock
    FROM touched
    LEFT JOIN offer ON offer.product_id = touched.product_id AND offer.withdrawn_at IS NULL
    GROUP BY touched.product_id, touched.lowest
  )
  UPDATE product
  SET offer_count = figures.offers,
      min_total = figures.min_total,
      max_total = figures.max_total,
      lowest_ever = LEAST(product.lowest_ever, figures.lowest),
      lowest_ever_at = CASE
        WHEN figures.lowest > product.lowest_ever THEN product.lowest_ever_at
        WHEN figures.lowest = product.lowest_ever THEN LEAST(product.lowest_ever_at, $1::timestamptz)
        WHEN figures.lowest IS NULL THEN product.lowest_ever_at
        ELSE $1::timestamptz
      END,
      popularity = figures.shops,
      is_in_stock = figures.is_in_stock,
      unit_price = ${unitPriceSql('figures.min_total', MEASURE)},
      discount = ${discountOf('figures.min_total')},
      discounted_on = CASE WHEN average.is_long THEN NULL ELSE ${TODAY} END,
      created_at = LEAST(product.created_at, $1::timestamptz),
      updated_at = GREATEST(product.updated_at, $1::timestamptz)
  FROM figures
  LEFT JOIN average ON average.product_id = figures.product_id
  WHERE product.id = figures.product_id`;

const REFRESH_TOUCHED = refreshProducts('JOIN touched USING (product_id)');
const REFRESH_FEW = refreshProducts('WHERE product_id = ANY ($2::bigint[])');

/** Sums the products in each category and its descendants; run after a change of their counts or of the tree. */
// Uses the index on category (parent_id).
export const SUM_CATEGORIES = `
  WITH RECURSIVE below AS (
    SELECT id AS top, id FROM category
    UNION ALL
    SELECT below.top, category.id FROM below JOIN category ON category.parent_id = below.id
  )
  UPDATE category
  SET total_count = total.count
  FROM (
    SELECT below.top, sum(category.product_count)::int AS count
    FROM below
    JOIN category USING (id)
    GROUP BY below.top
  ) AS total
  WHERE category.id = total.top AND category.total_count <> total.count`;

// For brands or categories that gained products. Uses the indexes on product (brand_id, mpn_key) and (category_id), or one pass over
// all products where many gained.
const countProducts = (kind: 'brand' | 'category', table: string) => `
  WITH counted AS (
    UPDATE ${kind}
    SET product_count = fresh.count
    FROM (
      SELECT product.${kind}_id AS id, count(*)::int AS count
      FROM product
      WHERE product.${kind}_id IN (
        SELECT ${kind === 'brand' ? 'matched.brand_id' : 'item.category_id'}
        FROM matched
        JOIN ${table} AS item ON item.position = matched.position
        WHERE matched.is_founder
        UNION
        SELECT product.${kind}_id
        FROM filled
        JOIN product ON product.id = filled.product_id
      )
      GROUP BY product.${kind}_id
    ) AS fresh
    WHERE ${kind}.id = fresh.id AND ${kind}.product_count <> fresh.count
    RETURNING 1
  )
  SELECT count(*)::int AS count FROM counted`;

// Counts anew, which deltas do not. Uses the unique index on offer (merchant_id, sku); a full feed reads all of these offers anyway.
const COUNT_OFFERS = `
  UPDATE merchant
  SET offer_count = (SELECT count(*) FROM offer WHERE offer.merchant_id = merchant.id AND offer.withdrawn_at IS NULL)
  WHERE id = $1`;

// Whether products gained or lost an offer, or are new, by the notes of the stream; or their rank is another one.
const IS_RANK_CHANGED = `
  SELECT EXISTS (SELECT FROM noted_product WHERE state IS NULL)
      OR EXISTS (
        SELECT
        FROM touched
        JOIN product ON product.id = touched.product_id
        WHERE product.rank <> touched.previous_rank
      )
      OR EXISTS (
        SELECT
        FROM noted_offer
        JOIN offer ON offer.id = noted_offer.offer_id
        WHERE noted_offer.product_id IS DISTINCT FROM CASE WHEN offer.withdrawn_at IS NULL THEN offer.product_id END
      ) AS is_changed`;

// By the notes of the stream, which have each offer that was added, listed again or withdrawn.
const ADJUST_OFFER_COUNTS = `
  UPDATE merchant
  SET offer_count = merchant.offer_count + change.count
  FROM (
    SELECT offer.merchant_id AS id,
           (count(*) FILTER (WHERE offer.withdrawn_at IS NULL) - count(noted_offer.product_id))::int AS count
    FROM noted_offer
    JOIN offer ON offer.id = noted_offer.offer_id
    GROUP BY offer.merchant_id
  ) AS change
  WHERE merchant.id = change.id AND change.count <> 0`;
