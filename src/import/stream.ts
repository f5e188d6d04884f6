/**
 * Writes the stream of changes (`change`), in the importer's transaction. Each step that changes an offer or a product first notes its state, and
 * the last step compares what was noted with the outcome. An offer that a feed moves and then changes is therefore one change.
 */
import type { Queryable } from '../database/database.ts';
import { PRODUCT_STATE } from '../ledger/changes/product-state.ts';
import { FACT_COLUMNS } from './offer-columns.ts';

/** Tables of the transaction for the state before: all columns are null for an offer or a product that was not there. */
export const CREATE_NOTED = `
  CREATE TEMPORARY TABLE noted_offer (
    offer_id BIGINT PRIMARY KEY,
    product_id BIGINT,
    price BIGINT,
    shipping BIGINT,
    total BIGINT,
    availability availability,
    condition condition,
    updated_at TIMESTAMPTZ(3)
  ) ON COMMIT DROP;
  CREATE TEMPORARY TABLE noted_product (
    product_id BIGINT PRIMARY KEY,
    state JSONB
  ) ON COMMIT DROP`;

/** SQL that notes the offers whose ids a query selects, as they are before its statement. The first note of an offer counts. */
export const noteOffers = (ids: string): string => `
  INSERT INTO noted_offer (offer_id, product_id, price, shipping, total, availability, condition, updated_at)
  SELECT offer.id,
         CASE WHEN is_listed THEN offer.product_id END,
         CASE WHEN is_listed THEN offer.price END,
         CASE WHEN is_listed THEN offer.shipping END,
         CASE WHEN is_listed THEN offer.total END,
         CASE WHEN is_listed THEN offer.availability END,
         CASE WHEN is_listed THEN offer.condition END,
         CASE WHEN is_listed THEN offer.updated_at END
  FROM offer
  CROSS JOIN LATERAL (SELECT offer.withdrawn_at IS NULL AS is_listed) AS listing
  WHERE offer.id IN (${ids})
  ON CONFLICT DO NOTHING`;

/** SQL that notes offers that were just added. */
export const noteNewOffers = (ids: string): string => `INSERT INTO noted_offer (offer_id) ${ids}`;

/** SQL that notes the products whose ids a query selects, as they are before its statement. The first note of a product counts. */
export const noteProducts = (ids: string): string => `
  INSERT INTO noted_product (product_id, state)
  SELECT product.id, ${PRODUCT_STATE}
  FROM product
  WHERE product.id IN (${ids})
  ON CONFLICT DO NOTHING`;

/** SQL that notes products that were just founded. */
export const noteNewProducts = (ids: string): string => `INSERT INTO noted_product (product_id) ${ids}`;

/** The transaction whose changes are recorded. */
export interface Cause {
  /** The time in the shop's feed. */
  observedAt: Date;
  /** The shop of the feed; null for an operator's change. */
  merchantId: bigint | null;
}

/**
 * Adds the changes to the stream. Call this last, after the catalogue's version was raised, whose row is then locked: no other transaction
 * takes numbers until this one ends.
 */
export async function recordChanges(transaction: Queryable, { observedAt, merchantId }: Cause): Promise<void> {
  await transaction.query(RECORD, [observedAt, merchantId]);
}

/** The columns of an offer in the stream, each with its value before and after. */
const STREAMED = ['price', 'shipping', 'total', 'availability', 'condition', 'updated_at'];
const PRICES = FACT_COLUMNS.map(({ name }) => name).filter((name) => ['price', 'shipping', 'total'].includes(name));
const SIDES = STREAMED.flatMap((name) => [`${name}_before`, `${name}_after`]).join(', ');
const before = (names: readonly string[]) => names.map((name) => `${name}_before`).join(', ');
const after = (names: readonly string[]) => names.map((name) => `${name}_after`).join(', ');

// `offer` stands for any change that no other type names, such as that of the link, which is only seen by its time.
const OFFER_TYPES = `
  CASE
    WHEN old_product_id IS NULL THEN ARRAY['offer_created']::change_type[]
    WHEN new_product_id IS NULL THEN ARRAY['offer_withdrawn']::change_type[]
    ELSE array_remove(ARRAY[
      CASE WHEN is_price THEN 'price' END,
      CASE WHEN is_availability THEN 'availability' END,
      CASE WHEN is_other OR NOT (is_price OR is_availability) THEN 'offer' END
    ]::change_type[], NULL)
  END`;

// For a product, a price is what an offer costs in total: a change of its parts only is another change. Of a product that a feed founds,
// its row and those of its offers say everything, so it has none for its figures.
const RECORD = `
  WITH moment AS MATERIALIZED (
    SELECT clock_timestamp() AS at
  ), compared AS MATERIALIZED (
    SELECT noted.offer_id, offer.merchant_id,
           noted.product_id AS old_product_id,
           CASE WHEN offer.withdrawn_at IS NULL THEN offer.product_id END AS new_product_id,
           ${STREAMED.map((name) => `noted.${name} AS ${name}_before, CASE WHEN offer.withdrawn_at IS NULL THEN offer.${name} END AS ${name}_after`).join(',\n           ')}
    FROM noted_offer AS noted
    JOIN offer ON offer.id = noted.offer_id
  ), offer_change AS MATERIALIZED (
    SELECT compared.*, ${OFFER_TYPES} AS types
    FROM compared
    CROSS JOIN LATERAL (
      SELECT (${before(PRICES)}) IS DISTINCT FROM (${after(PRICES)}) AS is_price,
             availability_before IS DISTINCT FROM availability_after AS is_availability,
             condition_before IS DISTINCT FROM condition_after OR old_product_id <> new_product_id AS is_other
    ) AS difference
    WHERE (old_product_id, ${before(STREAMED)}) IS DISTINCT FROM (new_product_id, ${after(STREAMED)})
  ), product_change AS MATERIALIZED (
    SELECT noted_product.product_id, noted_product.state
    FROM noted_product
    JOIN product ON product.id = noted_product.product_id
    WHERE noted_product.state IS NULL OR noted_product.state <> ${PRODUCT_STATE}
  ), seen AS MATERIALIZED (
    SELECT product_id, array_agg(DISTINCT type ORDER BY type) AS types
    FROM (
      SELECT new_product_id AS product_id,
             CASE
               WHEN old_product_id <> new_product_id THEN '{offer_created}'
               WHEN total_before = total_after THEN array_replace(types, 'price', 'offer')
               ELSE types
             END AS types
      FROM offer_change
      WHERE new_product_id IS NOT NULL
      UNION ALL
      SELECT old_product_id, '{offer_withdrawn}'
      FROM offer_change
      WHERE old_product_id IS NOT NULL AND old_product_id IS DISTINCT FROM new_product_id
    ) AS side
    CROSS JOIN LATERAL unnest(types) AS type
    WHERE NOT EXISTS (SELECT FROM noted_product AS founded WHERE founded.product_id = side.product_id AND founded.state IS NULL)
    GROUP BY product_id
  ), stock AS (
    SELECT product_id,
           count(*) FILTER (WHERE was) > 0 AS had_some,
           bool_or(availability = 'in_stock') FILTER (WHERE was) AS was_in_stock,
           count(*) FILTER (WHERE is_now) > 0 AS has_some,
           bool_or(availability = 'in_stock') FILTER (WHERE is_now) AS is_in_stock
    FROM (
      SELECT offer.product_id, offer.availability, noted.offer_id IS NULL AS was, TRUE AS is_now
      FROM seen
      JOIN offer ON offer.product_id = seen.product_id AND offer.withdrawn_at IS NULL
      LEFT JOIN noted_offer AS noted ON noted.offer_id = offer.id
      UNION ALL
      SELECT product_id, availability, TRUE, FALSE
      FROM noted_offer
      WHERE product_id IS NOT NULL
    ) AS side
    GROUP BY product_id
  ), figures_change AS (
    SELECT seen.product_id, seen.types, touched.previous_min, touched.previous_lowest, product.min_total,
           CASE WHEN stock.had_some THEN CASE WHEN stock.was_in_stock THEN 'in_stock' ELSE 'out_of_stock' END END::availability AS stock_before,
           CASE WHEN stock.has_some THEN CASE WHEN stock.is_in_stock THEN 'in_stock' ELSE 'out_of_stock' END END::availability AS stock_after
    FROM seen
    JOIN product ON product.id = seen.product_id
    LEFT JOIN touched ON touched.product_id = seen.product_id
    LEFT JOIN stock ON stock.product_id = seen.product_id
  ), row AS (
    SELECT 'product'::change_kind AS kind, '{product}'::change_type[] AS types, product_id, NULL::bigint AS old_product_id,
           NULL::bigint AS offer_id, NULL::bigint AS merchant_id,
           NULL::bigint AS price_before, NULL::bigint AS price_after,
           NULL::bigint AS shipping_before, NULL::bigint AS shipping_after,
           NULL::bigint AS total_before, NULL::bigint AS total_after,
           NULL::availability AS availability_before, NULL::availability AS availability_after,
           NULL::condition AS condition_before, NULL::condition AS condition_after,
           NULL::timestamptz AS updated_at_before, NULL::timestamptz AS updated_at_after,
           NULL::bigint AS lowest_ever_before, state AS state_before
    FROM product_change
    UNION ALL
    SELECT 'offer', types, COALESCE(new_product_id, old_product_id),
           CASE WHEN old_product_id <> new_product_id THEN old_product_id END,
           offer_id, merchant_id, ${SIDES}, NULL, NULL
    FROM offer_change
    UNION ALL
    SELECT 'figures', types, product_id, NULL, NULL, $2::bigint,
           NULL, NULL, NULL, NULL, previous_min, min_total, stock_before, stock_after, NULL, NULL, NULL, NULL, previous_lowest, NULL
    FROM figures_change
  ), numbered AS (
    SELECT row.*, row_number() OVER (ORDER BY kind = 'figures', kind = 'offer', product_id, offer_id) AS number
    FROM row
  ), written AS (
    INSERT INTO change (
      seq, kind, types, at, observed_at, product_id, old_product_id, offer_id, merchant_id, ${SIDES}, lowest_ever_before, state_before
    )
    SELECT catalogue_version.change_seq + number, kind, types, moment.at, $1::timestamptz,
           product_id, old_product_id, offer_id, merchant_id, ${SIDES}, lowest_ever_before, state_before
    FROM numbered
    CROSS JOIN catalogue_version
    CROSS JOIN moment
    RETURNING seq
  )
  UPDATE catalogue_version
  SET change_seq = last.seq
  FROM (SELECT max(seq) AS seq FROM written) AS last
  WHERE catalogue_version.id = 1 AND last.seq IS NOT NULL`;
