/** Finds what a feed would change, before anything is changed: offers that differ from their rows, and offers that are gone. */
import { columnNames, FACT_COLUMNS, stagedValues } from './offer-columns.ts';
import type { PlacedFeed } from './placed-feed.ts';
import { soleValue } from './sole-value.ts';

/** Offers that a full feed no longer lists, of those in force at its moment. */
export interface Withdrawals {
  count: number;
  inForce: number;
}

const NONE: Withdrawals = { count: 0, inForce: 0 };

/** True for an offer of which nothing newer is known than the feed's moment: $2 is that moment, $3 the next full feed's. */
export const IS_CURRENT = '($3::timestamptz IS NULL AND offer.updated_at <= $2::timestamptz)';

/**
 * Fills the tables `differing` and `gone`, and returns the withdrawals without those of the surplus.
 * @param hasSurplus whether rows were rejected because of the limit on offers: a full feed withdraws theirs.
 */
export async function planWrites(feed: PlacedFeed, hasSurplus: boolean): Promise<Withdrawals> {
  await planChanges(feed);
  if (!feed.isFull) return NONE;
  const [withdrawals = NONE] = await feed.transaction.query<Withdrawals>(findGone(feed.table), placeOf(feed));
  const surplus = hasSurplus ? await planSurplus(feed) : 0;
  return { ...withdrawals, inForce: withdrawals.inForce - surplus };
}

/** Fills the table `differing`. */
export async function planChanges(feed: PlacedFeed): Promise<void> {
  await feed.transaction.script(CREATE_PLANNED);
  await feed.transaction.query(findDiffering(feed.table), placeOf(feed));
}

/** Adds the offers of rows beyond the limit on offers to `gone`, and returns their number. */
export async function planSurplus(feed: PlacedFeed): Promise<number> {
  return soleValue(feed.transaction, FIND_SURPLUS, placeOf(feed));
}

/** Adds these offers to `gone`, as far as they are in force at the feed's moment. By the primary key of offer. */
export async function planWithdrawals(feed: PlacedFeed, offers: readonly number[]): Promise<void> {
  await feed.transaction.query(WITHDRAW, [...placeOf(feed), offers]);
}

const placeOf = ({ merchantId, observedAt, nextFullAt }: PlacedFeed) => [merchantId, observedAt, nextFullAt];

/** SQL for what the ledger says of an offer at the feed's moment, where the offer's own row is newer. By the primary key of ledger. */
export const PAST = `
  SELECT ledger.*
  FROM ledger
  WHERE NOT ${IS_CURRENT}
    AND ledger.product_id = offer.product_id
    AND ledger.offer_id = offer.id
    AND ledger.observed_at <= $2::timestamptz
  ORDER BY ledger.observed_at DESC, ledger.import_run_id DESC
  LIMIT 1`;

/** SQL for what the offer cost at the feed's moment; NULL when it was not listed. */
export const VALUE_BEFORE = `
  CASE
    WHEN NOT ${IS_CURRENT} THEN past.total
    WHEN offer.withdrawn_at IS NULL THEN offer.total
  END`;

export const CREATE_PLANNED = `
  CREATE TEMPORARY TABLE IF NOT EXISTS differing (
    offer_id BIGINT PRIMARY KEY,
    position INT NOT NULL,
    product_id BIGINT NOT NULL,
    old_product_id BIGINT NOT NULL,
    is_current BOOLEAN NOT NULL,
    value_before BIGINT,
    is_entry BOOLEAN NOT NULL
  ) ON COMMIT DROP;
  CREATE TEMPORARY TABLE IF NOT EXISTS gone (
    offer_id BIGINT PRIMARY KEY,
    product_id BIGINT NOT NULL,
    is_current BOOLEAN NOT NULL,
    value_before BIGINT NOT NULL
  ) ON COMMIT DROP`;

const findDiffering = (table: string) => `
  INSERT INTO differing (offer_id, position, product_id, old_product_id, is_current, value_before, is_entry)
  SELECT id, position, product_id, old_product_id, is_current, value_before, is_entry
  FROM (
    SELECT offer.id, matched.position, matched.product_id, offer.product_id AS old_product_id,
           ${IS_CURRENT} AS is_current,
           ${VALUE_BEFORE} AS value_before,
           offer.link <> item.link AS is_linked_anew,
           CASE
             WHEN NOT ${IS_CURRENT}
             THEN (${columnNames(FACT_COLUMNS, 'past.')}) IS DISTINCT FROM (${stagedValues(FACT_COLUMNS)})
             ELSE offer.withdrawn_at IS NOT NULL
                  OR (offer.product_id, ${columnNames(FACT_COLUMNS, 'offer.')})
                     IS DISTINCT FROM
                     (matched.product_id, ${stagedValues(FACT_COLUMNS)})
           END AS is_entry
    FROM matched
    JOIN ${table} AS item ON item.position = matched.position
    JOIN offer ON offer.id = matched.offer_id AND offer.merchant_id = $1
    LEFT JOIN LATERAL (${PAST}) AS past ON TRUE
    WHERE matched.fault IS NULL AND NOT matched.is_known
  ) AS known
  WHERE is_entry OR (is_current AND is_linked_anew)`;

// A rejected row still lists its offer, which stays as it was unless it is one too many (see FIND_SURPLUS).
const findGone = (table: string) => `
  WITH merchant_offer AS (
    SELECT offer.id, offer.product_id, offer.sku, ${IS_CURRENT} AS is_current, ${VALUE_BEFORE} AS value_before
    FROM offer
    LEFT JOIN LATERAL (${PAST}) AS past ON TRUE
    WHERE offer.merchant_id = $1
  ), added AS (
    INSERT INTO gone (offer_id, product_id, is_current, value_before)
    SELECT id, product_id, is_current, value_before
    FROM merchant_offer
    WHERE value_before IS NOT NULL
      AND NOT EXISTS (SELECT FROM ${table} AS item WHERE item.sku = merchant_offer.sku)
    RETURNING 1
  )
  SELECT (SELECT count(*)::int FROM added) AS count,
         (SELECT count(*)::int FROM merchant_offer WHERE value_before IS NOT NULL) AS "inForce"`;

const WITHDRAW = `
  INSERT INTO gone (offer_id, product_id, is_current, value_before)
  SELECT id, product_id, is_current, value_before
  FROM (
    SELECT offer.id, offer.product_id, ${IS_CURRENT} AS is_current, ${VALUE_BEFORE} AS value_before
    FROM offer
    LEFT JOIN LATERAL (${PAST}) AS past ON TRUE
    WHERE offer.merchant_id = $1 AND offer.id = ANY ($4::bigint[])
  ) AS listed
  WHERE value_before IS NOT NULL`;

const FIND_SURPLUS = `
  WITH added AS (
    INSERT INTO gone (offer_id, product_id, is_current, value_before)
    SELECT id, product_id, is_current, value_before
    FROM (
      SELECT offer.id, offer.product_id, ${IS_CURRENT} AS is_current, ${VALUE_BEFORE} AS value_before
      FROM matched
      JOIN offer ON offer.id = matched.offer_id AND offer.merchant_id = $1
      LEFT JOIN LATERAL (${PAST}) AS past ON TRUE
      WHERE matched.fault = 'too_many_offers'
    ) AS surplus
    WHERE value_before IS NOT NULL
    RETURNING 1
  )
  SELECT count(*)::int AS gone FROM added`;
