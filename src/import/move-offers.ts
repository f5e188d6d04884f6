/**
 * Moves offers to another product without a row of a feed, because their identifier was moved or detached. As when a feed moves an
 * offer, the history at the old product ends and one at the new product starts; recorded history stays where it is.
 */
import { MOST_OFFERS_OF_SHOP } from '../catalogue/offer/most-offers.ts';
import type { Queryable } from '../database/database.ts';
import { nextRunId } from './import-run.ts';
import { columnNames, FACT_COLUMNS } from './offer-columns.ts';
import { noteOffers } from './stream.ts';

/** A table of the transaction for the offers to move. {@link moveOffers} clears `total` of those that it withdraws instead. */
export const CREATE_MOVED = `
  CREATE TEMPORARY TABLE moved (
    offer_id BIGINT PRIMARY KEY,
    old_product_id BIGINT NOT NULL,
    product_id BIGINT NOT NULL,
    total BIGINT,
    at TIMESTAMPTZ(3) NOT NULL
  ) ON COMMIT DROP`;

/** SQL for the moment from which an offer is at its new product: now, but after all feeds of its shop, whichever clock they had. */
export const MOVED_AT = `
  GREATEST(
    now(),
    GREATEST(
      offer.updated_at,
      (SELECT merchant.observed_at FROM merchant WHERE merchant.id = offer.merchant_id)
    ) + INTERVAL '1 millisecond'
  )::timestamptz(3)`;

/** Moves the offers in `moved` and records it in the ledger. Those beyond the limit of a shop at the new product are withdrawn. */
export async function moveOffers(transaction: Queryable): Promise<void> {
  await transaction.query(CLEAR_SURPLUS, [MOST_OFFERS_OF_SHOP]);
  await transaction.query(noteOffers('SELECT offer_id FROM moved'));
  await transaction.query(MOVE);
  await transaction.query(RECORD, [await nextRunId(transaction)]);
}

// Offers already listed there stay. By offer_listed_idx.
const CLEAR_SURPLUS = `
  UPDATE moved
  SET total = NULL
  FROM (
    SELECT arriving.offer_id,
           arriving.place + (
             SELECT count(*)
             FROM offer AS listed
             WHERE listed.product_id = arriving.product_id
               AND listed.merchant_id = arriving.merchant_id
               AND listed.withdrawn_at IS NULL
               AND NOT EXISTS (SELECT FROM moved AS leaving WHERE leaving.offer_id = listed.id)
           ) AS place
    FROM (
      SELECT moved.offer_id, moved.product_id, offer.merchant_id,
             row_number() OVER (PARTITION BY moved.product_id, offer.merchant_id ORDER BY moved.offer_id) AS place
      FROM moved
      JOIN offer ON offer.id = moved.offer_id
    ) AS arriving
  ) AS ranked
  WHERE ranked.offer_id = moved.offer_id AND ranked.place > $1::int`;

// An empty title means the name of the product that the offer leaves.
const MOVE = `
  UPDATE offer
  SET product_id = CASE WHEN moved.total IS NULL THEN moved.old_product_id ELSE moved.product_id END,
      withdrawn_at = CASE WHEN moved.total IS NULL THEN moved.at END,
      title = CASE WHEN offer.title = '' THEN old.name ELSE offer.title END,
      row_digest = NULL,
      updated_at = moved.at
  FROM moved
  JOIN product AS old ON old.id = moved.old_product_id
  WHERE offer.id = moved.offer_id`;

const RECORD = `
  INSERT INTO ledger (product_id, offer_id, observed_at, import_run_id, ${columnNames(FACT_COLUMNS)})
  SELECT old_product_id, offer_id, at, $1::bigint, ${FACT_COLUMNS.map(() => 'NULL').join(', ')}
  FROM moved
  UNION ALL
  SELECT moved.product_id, moved.offer_id, moved.at, $1::bigint, ${columnNames(FACT_COLUMNS, 'offer.')}
  FROM moved
  JOIN offer ON offer.id = moved.offer_id
  WHERE moved.total IS NOT NULL`;
