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
  const { transaction, table, isFull } = feed;
  await transaction.script(CREATE_TABLES);
  await readPast(feed);
  await transaction.query(findDiffering(table), placeOf(feed));
  if (!isFull) return NONE;
  const [withdrawals = NONE] = await transaction.query<Withdrawals>(findGone(table), placeOf(feed));
  const surplus = hasSurplus ? await soleValue<number>(transaction, FIND_SURPLUS, placeOf(feed)) : 0;
  return { ...withdrawals, inForce: withdrawals.inForce - surplus };
}

/**
 * Fills the table `past`: what the ledger says of offers at the feed's moment, where their own rows are newer. The ledger may be on other
 * servers than the offers, so it is joined with their ids only.
 */
async function readPast(feed: PlacedFeed): Promise<void> {
  const { transaction, isFull, observedAt } = feed;
  const offers = isFull ? OFFERS_OF_SHOP : MATCHED_OFFERS;
  if ((await soleValue<number>(transaction, findNewer(offers), placeOf(feed))) === 0) return;
  await transaction.script('ANALYZE newer');
  await transaction.query(READ_PAST, [observedAt]);
}

const placeOf = ({ merchantId, observedAt, nextFullAt }: PlacedFeed) => [merchantId, observedAt, nextFullAt];

// What the offer cost at the feed's moment; NULL when it was not listed.
const VALUE_BEFORE = `
  CASE
    WHEN NOT ${IS_CURRENT} THEN past.total
    WHEN offer.withdrawn_at IS NULL THEN offer.total
  END`;

const CREATE_TABLES = `
  CREATE TEMPORARY TABLE differing (
    offer_id BIGINT PRIMARY KEY,
    position INT NOT NULL,
    product_id BIGINT NOT NULL,
    old_product_id BIGINT NOT NULL,
    is_current BOOLEAN NOT NULL,
    value_before BIGINT,
    is_entry BOOLEAN NOT NULL
  ) ON COMMIT DROP;
  CREATE TEMPORARY TABLE gone (
    offer_id BIGINT PRIMARY KEY,
    product_id BIGINT NOT NULL,
    is_current BOOLEAN NOT NULL,
    value_before BIGINT NOT NULL
  ) ON COMMIT DROP;
  CREATE TEMPORARY TABLE newer (offer_id BIGINT PRIMARY KEY, product_id BIGINT NOT NULL) ON COMMIT DROP;
  CREATE TEMPORARY TABLE past (LIKE ledger INCLUDING DEFAULTS, PRIMARY KEY (offer_id)) ON COMMIT DROP`;

// By the unique index on offer (merchant_id, sku).
const OFFERS_OF_SHOP = 'SELECT id, product_id, updated_at FROM offer WHERE merchant_id = $1';
// By the primary key of offer. Rows with one id match one offer.
const MATCHED_OFFERS = `
    SELECT offer.id, offer.product_id, offer.updated_at
    FROM matched
    JOIN offer ON offer.id = matched.offer_id AND offer.merchant_id = $1`;

const findNewer = (offers: string) => `
  WITH added AS (
    INSERT INTO newer (offer_id, product_id)
    SELECT id, product_id
    FROM (${offers}) AS offer
    WHERE NOT ${IS_CURRENT}
    ON CONFLICT (offer_id) DO NOTHING
    RETURNING 1
  )
  SELECT count(*)::int AS newer FROM added`;

// By the primary key of ledger.
const READ_PAST = `
  INSERT INTO past (product_id, offer_id, observed_at, import_run_id, ${columnNames(FACT_COLUMNS)})
  SELECT DISTINCT ON (ledger.product_id, ledger.offer_id)
         ledger.product_id, ledger.offer_id, ledger.observed_at, ledger.import_run_id, ${columnNames(FACT_COLUMNS, 'ledger.')}
  FROM newer
  JOIN ledger ON ledger.product_id = newer.product_id AND ledger.offer_id = newer.offer_id
  WHERE ledger.observed_at <= $1::timestamptz
  ORDER BY ledger.product_id, ledger.offer_id, ledger.observed_at DESC, ledger.import_run_id DESC`;

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
    LEFT JOIN past ON past.offer_id = offer.id
    WHERE matched.fault IS NULL AND NOT matched.is_known
  ) AS known
  WHERE is_entry OR (is_current AND is_linked_anew)`;

// A rejected row still lists its offer, which stays as it was unless it is one too many (see FIND_SURPLUS).
const findGone = (table: string) => `
  WITH merchant_offer AS (
    SELECT offer.id, offer.product_id, offer.sku, ${IS_CURRENT} AS is_current, ${VALUE_BEFORE} AS value_before
    FROM offer
    LEFT JOIN past ON past.offer_id = offer.id
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

const FIND_SURPLUS = `
  WITH added AS (
    INSERT INTO gone (offer_id, product_id, is_current, value_before)
    SELECT id, product_id, is_current, value_before
    FROM (
      SELECT offer.id, offer.product_id, ${IS_CURRENT} AS is_current, ${VALUE_BEFORE} AS value_before
      FROM matched
      JOIN offer ON offer.id = matched.offer_id AND offer.merchant_id = $1
      LEFT JOIN past ON past.offer_id = offer.id
      WHERE matched.fault = 'too_many_offers'
    ) AS surplus
    WHERE value_before IS NOT NULL
    RETURNING 1
  )
  SELECT count(*)::int AS gone FROM added`;
