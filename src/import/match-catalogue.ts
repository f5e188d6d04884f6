/** Matches the rows of a feed to the products that the catalogue had before it. */
import { findBarred, isNotBarred, withoutVoided } from './barred.ts';
import type { PlacedFeed } from './placed-feed.ts';
import { findSharedMpns, partShared } from './shared-mpn.ts';

/** Fills `matched` with all rows. @returns whether some of them state what an operator has detached. */
export async function matchToCatalogue(feed: PlacedFeed): Promise<boolean> {
  const { transaction, table, merchantId, hasKnownRows } = feed;
  const isBarred = await findBarred(transaction, table, merchantId);
  const areMpnsShared = await findSharedMpns(feed);
  await transaction.query(matchKnown(table, isBarred, areMpnsShared, hasKnownRows), [merchantId]);
  if (hasKnownRows) {
    await transaction.query(addKnownRows(table));
    await transaction.query(REJECT_REPEATED);
  }
  await transaction.script(
    'CREATE UNIQUE INDEX IF NOT EXISTS matched_position_key ON matched (position); ANALYZE matched',
  );
  if (areMpnsShared) await partShared(transaction, table);
  return isBarred;
}

// The windows sort by bytes, which is several times as fast as by the rules of a language.
/** SQL that is true for a row that founds a product: no earlier row could have founded the one that it would be matched to. */
export const IS_FIRST = `
  (gtin IS NULL OR position = min(position) OVER (PARTITION BY gtin COLLATE "C"))
  AND (asin IS NULL OR position = min(position) OVER (PARTITION BY asin COLLATE "C"))
  AND (
    brand_mpn IS NULL
    OR CASE
         WHEN gtin IS NULL THEN position = min(position) OVER (PARTITION BY brand_mpn COLLATE "C")
         ELSE position < COALESCE(
           min(position) FILTER (WHERE gtin IS NULL) OVER (PARTITION BY brand_mpn COLLATE "C"), position + 1
         )
       END
  )`;

// Their indices are made once the rows are there, which takes a third of the time.
/** The tables of the transaction for the outcome: the match of each row, and the identifiers that rows teach products. */
export const CREATE_MATCHED = `
  CREATE TEMPORARY TABLE matched (
    position INT NOT NULL,
    sku TEXT NOT NULL,
    gtin TEXT,
    asin TEXT,
    brand_id BIGINT,
    brand_mpn TEXT,
    offer_id BIGINT,
    by_gtin BIGINT,
    by_asin BIGINT,
    product_id BIGINT,
    is_loose BOOLEAN NOT NULL DEFAULT FALSE,
    is_founder BOOLEAN NOT NULL DEFAULT FALSE,
    is_restated BOOLEAN NOT NULL,
    is_regrouped BOOLEAN NOT NULL DEFAULT FALSE,
    left_group TEXT,
    is_remeasured BOOLEAN NOT NULL DEFAULT FALSE,
    is_known BOOLEAN NOT NULL DEFAULT FALSE,
    fault TEXT
  ) ON COMMIT DROP;
  CREATE TEMPORARY TABLE learned (
    kind TEXT COLLATE "C" NOT NULL,
    value TEXT COLLATE "C" NOT NULL,
    product_id BIGINT NOT NULL,
    position INT NOT NULL,
    has_gtin BOOLEAN NOT NULL DEFAULT FALSE,
    is_founder BOOLEAN NOT NULL DEFAULT FALSE
  ) ON COMMIT DROP`;

// By the unique indices on product_identifier (kind, value) and offer (merchant_id, sku), and the index on product
// (brand_id, mpn_key), of which the oldest product counts. An unknown row that is the first of the whole feed to name each of its
// identifiers founds its product here at once, as nearly all rows of a new shop's first feed do. Products are numbered in the order of
// the feed: of several with one brand + MPN, the first in the feed is the oldest, in this import and in the next. It also lets the
// indices on ids grow at their end. `is_restated` marks offers whose row states other identifiers, another group
// or another amount than were recorded; `left_group` is that group.
const matchKnown = (table: string, isBarred: boolean, areMpnsShared: boolean, hasKnownRows: boolean) => `
  INSERT INTO matched (
    position, sku, gtin, asin, brand_id, brand_mpn, offer_id, by_gtin, by_asin, product_id, is_loose, is_founder, is_restated,
    is_regrouped, left_group, is_remeasured, fault
  )
  SELECT position, sku, gtin, asin, brand_id, brand_mpn, offer_id, by_gtin, by_asin,
         CASE WHEN is_founder THEN nextval('product_id_seq') ELSE product_id END,
         COALESCE(by_gtin, by_asin) IS NULL,
         is_founder,
         is_restated OR is_regrouped OR is_remeasured,
         is_regrouped,
         CASE WHEN is_regrouped THEN old_group END,
         is_remeasured,
         fault
  FROM (
    SELECT known.*, product_id IS NULL AND fault IS NULL AND ${IS_FIRST} AS is_founder
    FROM (
      SELECT item.position, item.sku, item.gtin, item.asin, brand.id AS brand_id, brand.id || ' ' || item.mpn_key AS brand_mpn,
             offer.id AS offer_id, by_gtin.product_id AS by_gtin, by_asin.product_id AS by_asin,
             COALESCE(by_gtin.product_id, by_asin.product_id, by_mpn.product_id, by_sku.product_id) AS product_id,
             offer.id IS NOT NULL
             AND (offer.title IS NULL OR (offer.gtin, offer.asin) IS DISTINCT FROM (item.stated_gtin, item.stated_asin))
               AS is_restated,
             offer.item_group_id AS old_group,
             offer.id IS NOT NULL AND offer.item_group_id IS DISTINCT FROM item.item_group_id AS is_regrouped,
             offer.id IS NOT NULL AND offer.measure IS DISTINCT FROM item.measure AS is_remeasured,
             CASE
               WHEN row_number() OVER (PARTITION BY item.sku COLLATE "C" ORDER BY item.position) > 1 THEN 'duplicate_id'
               ${hasKnownRows ? "WHEN known.position < item.position THEN 'duplicate_id'" : ''}
               WHEN by_gtin.product_id <> by_asin.product_id THEN 'identifier_conflict'
             END AS fault
      FROM ${withoutVoided(table, isBarred, areMpnsShared)} AS item
      LEFT JOIN brand ON brand.name_key = item.brand_key
      LEFT JOIN product_identifier AS by_gtin ON by_gtin.kind = 'gtin' AND by_gtin.value = item.gtin
      LEFT JOIN product_identifier AS by_asin ON by_asin.kind = 'asin' AND by_asin.value = item.asin
      LEFT JOIN offer ON offer.merchant_id = $1 AND offer.sku = item.sku
      LEFT JOIN LATERAL (
        SELECT min(product.id) AS product_id
        FROM product
        WHERE by_gtin.product_id IS NULL
          AND by_asin.product_id IS NULL
          AND product.brand_id = brand.id
          AND product.mpn_key = item.mpn_key
          AND ${mayJoin('product.id')}
          AND ${isNotBarred('item.position', 'product.id', isBarred)}
          AND ${IS_NOT_TOLD_APART}
      ) AS by_mpn ON TRUE
      ${hasKnownRows ? joinKnown(table) : ''}
      LEFT JOIN LATERAL (
        SELECT offer.product_id
        WHERE by_gtin.product_id IS NULL
          AND by_asin.product_id IS NULL
          AND by_mpn.product_id IS NULL
          AND ${mayJoin('offer.product_id')}
          AND ${isNotBarred('item.position', 'offer.product_id', isBarred)}
      ) AS by_sku ON TRUE
      WHERE item.fault IS NULL AND item.known_offer IS NULL
    ) AS known
    ORDER BY position
  ) AS row`;

// An offer stays at a product that its shop founded although an older one had the brand and MPN: the feed had told them apart then, and may
// now lack the other row. A product that got its brand or MPN later was not there to be told apart. By the primary keys.
const IS_NOT_TOLD_APART = `(
            offer.product_id IS NULL
            OR offer.product_id = product.id
            OR NOT EXISTS (
              SELECT
              FROM product AS own
              WHERE own.id = offer.product_id
                AND own.merchant_id = $1
                AND own.brand_id = product.brand_id
                AND own.mpn_key = product.mpn_key
                AND NOT EXISTS (
                  SELECT
                  FROM product_field AS later
                  WHERE later.product_id IN (own.id, product.id) AND later.field IN ('brand', 'mpn')
                )
            )
          )`;

// Their identifiers are left out: those teach nothing, and lead nowhere else.
const addKnownRows = (table: string) => `
  INSERT INTO matched (position, sku, offer_id, product_id, is_restated, is_known)
  SELECT position, sku, known_offer, known_product, FALSE, TRUE
  FROM ${table}
  WHERE known_offer IS NOT NULL`;

// Of rows with one id, the first in the feed counts: a known row is repeated by another known one, or follows one that is not known.
const REJECT_REPEATED = `
  UPDATE matched
  SET fault = 'duplicate_id'
  FROM (
    SELECT offer_id, min(position) AS position
    FROM matched
    WHERE offer_id IS NOT NULL
    GROUP BY offer_id
    HAVING count(*) > 1 AND bool_or(is_known)
  ) AS first
  WHERE matched.is_known AND matched.offer_id = first.offer_id AND matched.position > first.position`;

// The first known row of each offer.
const joinKnown = (table: string) => `
      LEFT JOIN (
        SELECT known_offer, min(position) AS position FROM ${table} WHERE known_offer IS NOT NULL GROUP BY known_offer
      ) AS known ON known.known_offer = offer.id`;

// By the index on product_identifier (product_id).
function mayJoin(product: string): string {
  return `(
      item.gtin IS NULL
      OR NOT EXISTS (SELECT FROM product_identifier AS own WHERE own.product_id = ${product} AND own.kind = 'gtin')
    )`;
}
