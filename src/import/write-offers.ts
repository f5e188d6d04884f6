/** Writes the offers that a feed adds, changes, restates and withdraws, and their price history. */
import { OFFER_COLUMNS, stagedValue } from './offer-columns.ts';
import type { PlacedFeed } from './placed-feed.ts';
import { IS_CURRENT } from './plan-writes.ts';
import { soleValue } from './sole-value.ts';

/** Writes what has been planned. @returns how many offers are new. */
export async function writeOffers(feed: PlacedFeed): Promise<number> {
  const { transaction, table, merchantId, observedAt, nextFullAt } = feed;
  const parameters = [merchantId, observedAt, nextFullAt];
  const added = await soleValue<number>(transaction, addOffers(table), parameters);
  await transaction.query(changeOffers(table), [observedAt]);
  await transaction.query(restateOffers(table), parameters);
  await transaction.query(WITHDRAW_OFFERS, [observedAt]);
  return added;
}

// A product takes its name from the row that founds it, so that offer need not store the name again.
const STATED_TITLE = "CASE WHEN matched.is_founder THEN '' ELSE item.title END";

// An offer that only an archive knows is withdrawn at the next full feed, which did not list it.
const addOffers = (table: string) => `
  WITH added AS (
    INSERT INTO offer (
      merchant_id, sku, product_id, ${OFFER_COLUMNS.map(({ name }) => name).join(', ')},
      created_at, updated_at, withdrawn_at, gtin, asin, title
    )
    SELECT $1::bigint, item.sku, matched.product_id, ${OFFER_COLUMNS.map(stagedValue).join(', ')},
           $2::timestamptz, COALESCE($3::timestamptz, $2::timestamptz), $3::timestamptz,
           item.gtin, item.asin, ${STATED_TITLE}
    FROM matched
    JOIN ${table} AS item ON item.position = matched.position
    WHERE matched.offer_id IS NULL AND matched.fault IS NULL
    ORDER BY matched.position
    RETURNING id, product_id, total
  ), history AS (
    INSERT INTO price_change (product_id, offer_id, observed_at, total)
    SELECT product_id, id, $2::timestamptz, total
    FROM added
    UNION ALL
    SELECT product_id, id, $3::timestamptz, NULL
    FROM added
    WHERE $3::timestamptz IS NOT NULL
  )
  SELECT count(*)::int AS count
  FROM added`;

const changeOffers = (table: string) => `
  UPDATE offer
  SET product_id = differing.product_id,
      ${OFFER_COLUMNS.map((column) => `${column.name} = ${stagedValue(column)}`).join(',\n      ')},
      gtin = item.gtin,
      asin = item.asin,
      title = item.title,
      updated_at = $1::timestamptz,
      withdrawn_at = NULL
  FROM differing
  JOIN ${table} AS item ON item.position = differing.position
  WHERE offer.id = differing.offer_id AND differing.is_current`;

// Offers with the same price and link whose rows state other identifiers: clients see no change.
const restateOffers = (table: string) => `
  UPDATE offer
  SET gtin = item.gtin, asin = item.asin, title = item.title
  FROM matched
  JOIN ${table} AS item ON item.position = matched.position
  WHERE matched.is_restated
    AND matched.fault IS NULL
    AND offer.id = matched.offer_id
    AND offer.merchant_id = $1
    AND ${IS_CURRENT}
    AND NOT EXISTS (SELECT FROM differing WHERE differing.offer_id = matched.offer_id AND differing.is_current)`;

const WITHDRAW_OFFERS = `
  UPDATE offer
  SET withdrawn_at = $1::timestamptz, updated_at = $1::timestamptz
  FROM gone
  WHERE offer.id = gone.offer_id AND gone.is_current`;

/** Records the changes in `differing` and `gone`; new offers have their history from the statement that adds them. */
export async function writeHistory({ transaction, table, observedAt, nextFullAt }: PlacedFeed): Promise<void> {
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
