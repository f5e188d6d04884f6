/**
 * Which product each row of a feed is about: found by GTIN, else ASIN, else brand + MPN, else by the shop's own id from an
 * earlier import; else made (decisions §7). Set-based: a few statements for all rows, and their outcome in the table
 * `matched` of the transaction, with `fault` set for the rows that are rejected here.
 *
 * Brand + MPN and the shop's own id are loose keys: shops write one MPN on a whole family of goods. A row with a GTIN of
 * its own is therefore never matched by them to a product that has another (one GTIN is one trade item: GS1 General
 * Specifications §4.2); to a product that has none, it brings its own.
 *
 * Rows of one feed may be about one new product. They are told apart in rounds: the first row in the feed to name an
 * identifier founds a product, the identifiers of that row are learned, and what names one of them is matched; until no
 * row is left. That is what going through the feed row by row would give.
 */
import type { Queryable } from '../database/database.ts';
import { CREATE_BARRED, findBarred, isNotBarred, withoutVoided } from './barred.ts';
import { forgetDisputes, recordDisputes, settleDisputes } from './disputes.ts';
import { trimLearned } from './identifier-limit.ts';
import type { Moment } from './moment.ts';
import { CREATE_MOVED } from './move-offers.ts';
import { searchVector } from './search-words.ts';
import type { Staging } from './staging.ts';

/**
 * The most rounds in which the rows of a feed are told apart. Each looks at all rows that are left, and rows that are chained by their
 * identifiers, each to the one before, are told apart one a round. Shops' own feeds take a few.
 */
export const MOST_ROUNDS = 100;

/**
 * Fills `matched`; brands that are new are made on the way. Where rows contradict the catalogue's identifiers, that is recorded, and
 * an identifier that enough shops contradict is moved first.
 */
export async function matchProducts(
  transaction: Queryable,
  { table }: Staging,
  moment: Moment,
  isFull: boolean,
): Promise<number> {
  await transaction.query(addBrands(table));
  await transaction.script(`${CREATE_TABLES}; ${CREATE_BARRED}; ${CREATE_MOVED}`);
  let moved = 0;
  let isBarred = await matchToCatalogue(transaction, table, moment);
  // What a feed of the past says is nothing that its shop says now.
  if (moment.nextFullAt === undefined) {
    await recordDisputes(transaction, moment, isFull);
    moved = await settleDisputes(transaction, moment);
    if (moved > 0) {
      await transaction.script('TRUNCATE matched');
      isBarred = await matchToCatalogue(transaction, table, moment);
      await forgetDisputes(transaction, moment, isFull);
    }
  }
  await transaction.query(PART_LOOSE);
  await transaction.query(learnIdentifiers(isBarred));
  for (let round = 0; (await count(transaction, UNMATCHED)) > 0; round += 1) {
    if (round === MOST_ROUNDS) {
      await transaction.query(REJECT_CHAINED);
      break;
    }
    await transaction.query(LEARN_MPNS);
    await transaction.query(LEARN_GTINS);
    if (isBarred) for (const kind of ['gtin', 'asin'] as const) await transaction.query(voidLearned(kind));
    // A row that has been matched may teach what matches the next: only when nothing is left to learn is a product founded.
    if ((await count(transaction, rematch(isBarred))) > 0) await transaction.query(PART_LOOSE);
    else await transaction.query(FOUND);
    await transaction.query(learnIdentifiers(isBarred));
  }
  await trimLearned(transaction, moment.merchantId);
  await transaction.query(REJECT_CONFLICTS);
  return moved;
}

/** Matches the rows to what is known before the feed. @returns whether some of them state what an operator has detached. */
async function matchToCatalogue(transaction: Queryable, table: string, { merchantId }: Moment): Promise<boolean> {
  const isBarred = await findBarred(transaction, table, merchantId);
  await transaction.query(matchKnown(table, isBarred), [merchantId]);
  await transaction.script('ANALYZE matched');
  return isBarred;
}

// A row founds a product when no row before it could have founded the one that it would be matched to.
const isFirst = `
  (gtin IS NULL OR position = min(position) OVER (PARTITION BY gtin))
  AND (asin IS NULL OR position = min(position) OVER (PARTITION BY asin))
  AND (
    brand_mpn IS NULL
    OR CASE
         WHEN gtin IS NULL THEN position = min(position) OVER (PARTITION BY brand_mpn)
         ELSE position < COALESCE(min(position) FILTER (WHERE gtin IS NULL) OVER (PARTITION BY brand_mpn), position + 1)
       END
  )`;

// By the unique index on brand (name_key). A slug that is taken gets the brand's number after two hyphens, which no slug
// made of a name can have.
const addBrands = (table: string) => `
  INSERT INTO brand (id, slug, name, name_key, sort_name, search)
  SELECT id,
         CASE WHEN is_first AND NOT EXISTS (SELECT FROM brand WHERE brand.slug = fresh.slug) THEN slug ELSE slug || '--' || id END,
         name,
         name_key,
         words,
         ${searchVector('words')}
  FROM (
    SELECT nextval('brand_id_seq') AS id, slug, name, name_key, words,
           row_number() OVER (PARTITION BY slug ORDER BY position) = 1 AS is_first
    FROM (
      SELECT DISTINCT ON (brand_key)
             brand_slug AS slug, brand AS name, brand_key AS name_key, brand_words AS words, position
      FROM ${table}
      WHERE fault IS NULL AND brand_key IS NOT NULL
      ORDER BY brand_key, position
    ) AS named
    WHERE NOT EXISTS (SELECT FROM brand WHERE brand.name_key = named.name_key)
  ) AS fresh`;

const CREATE_TABLES = `
  CREATE TEMPORARY TABLE matched (
    position INT PRIMARY KEY,
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
    fault TEXT
  ) ON COMMIT DROP;
  CREATE TEMPORARY TABLE learned (
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    product_id BIGINT NOT NULL,
    position INT NOT NULL,
    has_gtin BOOLEAN NOT NULL DEFAULT FALSE,
    is_founder BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (kind, value)
  ) ON COMMIT DROP`;

// By the unique indices on product_identifier (kind, value) and offer (merchant_id, sku), and the index on product
// (brand_id, mpn_key), of which the oldest product counts. A row that is not known and is the first of the whole feed to
// name each of its identifiers founds its product here at once, as nearly all rows of a new shop's first feed do.
// `is_restated` marks offers whose row states other identifiers than were recorded.
const matchKnown = (table: string, isBarred: boolean) => `
  INSERT INTO matched (
    position, sku, gtin, asin, brand_id, brand_mpn, offer_id, by_gtin, by_asin, product_id, is_loose, is_founder, is_restated, fault
  )
  SELECT position, sku, gtin, asin, brand_id, brand_mpn, offer_id, by_gtin, by_asin,
         CASE WHEN is_founder THEN nextval('product_id_seq') ELSE product_id END,
         COALESCE(by_gtin, by_asin) IS NULL,
         is_founder,
         is_restated,
         fault
  FROM (
    SELECT known.*, product_id IS NULL AND fault IS NULL AND ${isFirst} AS is_founder
    FROM (
      SELECT item.position, item.sku, item.gtin, item.asin, brand.id AS brand_id, brand.id || ' ' || item.mpn_key AS brand_mpn,
             offer.id AS offer_id, by_gtin.product_id AS by_gtin, by_asin.product_id AS by_asin,
             COALESCE(by_gtin.product_id, by_asin.product_id, by_mpn.product_id, by_sku.product_id) AS product_id,
             offer.id IS NOT NULL
             AND (offer.title IS NULL OR (offer.gtin, offer.asin) IS DISTINCT FROM (item.stated_gtin, item.stated_asin))
               AS is_restated,
             CASE
               WHEN row_number() OVER (PARTITION BY item.sku ORDER BY item.position) > 1 THEN 'duplicate_id'
               WHEN by_gtin.product_id <> by_asin.product_id THEN 'identifier_conflict'
             END AS fault
      FROM ${withoutVoided(table, isBarred)} AS item
      LEFT JOIN brand ON brand.name_key = item.brand_key
      LEFT JOIN product_identifier AS by_gtin ON by_gtin.kind = 'gtin' AND by_gtin.value = item.gtin
      LEFT JOIN product_identifier AS by_asin ON by_asin.kind = 'asin' AND by_asin.value = item.asin
      LEFT JOIN LATERAL (
        SELECT min(product.id) AS product_id
        FROM product
        WHERE by_gtin.product_id IS NULL
          AND by_asin.product_id IS NULL
          AND product.brand_id = brand.id
          AND product.mpn_key = item.mpn_key
          AND ${mayJoin('product.id')}
          AND ${isNotBarred('item.position', 'product.id', isBarred)}
      ) AS by_mpn ON TRUE
      LEFT JOIN offer ON offer.merchant_id = $1 AND offer.sku = item.sku
      LEFT JOIN LATERAL (
        SELECT offer.product_id
        WHERE by_gtin.product_id IS NULL
          AND by_asin.product_id IS NULL
          AND by_mpn.product_id IS NULL
          AND ${mayJoin('offer.product_id')}
          AND ${isNotBarred('item.position', 'offer.product_id', isBarred)}
      ) AS by_sku ON TRUE
      WHERE item.fault IS NULL
    ) AS known
  ) AS row`;

// By the index on product_identifier (product_id).
function mayJoin(product: string): string {
  return `(
      item.gtin IS NULL
      OR NOT EXISTS (SELECT FROM product_identifier AS own WHERE own.product_id = ${product} AND own.kind = 'gtin')
    )`;
}

// Of several GTINs that come to one product by a loose key, the first in the feed stays.
const PART_LOOSE = `
  UPDATE matched
  SET product_id = NULL
  FROM (
    SELECT position, gtin <> first_value(gtin) OVER (PARTITION BY product_id ORDER BY position) AS is_other
    FROM matched
    WHERE is_loose AND NOT is_founder AND gtin IS NOT NULL AND product_id IS NOT NULL AND fault IS NULL
  ) AS loose
  WHERE loose.position = matched.position AND loose.is_other`;

// A row that is matched teaches its other identifiers; of two rows that claim one, the first in the feed is believed.
const learnIdentifiers = (isBarred: boolean) => `
  INSERT INTO learned (kind, value, product_id, position, is_founder)
  SELECT DISTINCT ON (kind, value) kind, value, product_id, position, is_founder
  FROM (
    SELECT 'gtin' AS kind, gtin AS value, product_id, position, is_founder
    FROM matched
    WHERE gtin IS NOT NULL AND by_gtin IS NULL AND product_id IS NOT NULL AND fault IS NULL
    UNION ALL
    SELECT 'asin', asin, product_id, position, is_founder
    FROM matched
    WHERE asin IS NOT NULL AND by_asin IS NULL AND product_id IS NOT NULL AND fault IS NULL
  ) AS taught
  WHERE ${isNotBarred('taught.position', 'taught.product_id AND barred.kind = taught.kind', isBarred)}
  ORDER BY kind, value, position
  ON CONFLICT DO NOTHING`;

// An MPN is taught only to a product that has none.
const LEARN_MPNS = `
  INSERT INTO learned (kind, value, product_id, position, has_gtin)
  SELECT DISTINCT ON (matched.brand_mpn)
         'brand_mpn', matched.brand_mpn, matched.product_id, matched.position,
         EXISTS (SELECT FROM product_identifier AS own WHERE own.product_id = product.id AND own.kind = 'gtin')
  FROM matched
  LEFT JOIN product ON product.id = matched.product_id
  WHERE matched.brand_mpn IS NOT NULL
    AND matched.product_id IS NOT NULL
    AND matched.fault IS NULL
    AND product.mpn_key IS NULL
  ORDER BY matched.brand_mpn, matched.position
  ON CONFLICT DO NOTHING`;

const LEARN_GTINS = `
  UPDATE learned
  SET has_gtin = TRUE
  FROM matched
  WHERE learned.kind = 'brand_mpn'
    AND NOT learned.has_gtin
    AND matched.product_id = learned.product_id
    AND matched.gtin IS NOT NULL
    AND matched.fault IS NULL`;

// As in `findVoided`, where the row's other identifier leads to the product by what this feed has taught.
const voidLearned = (kind: 'gtin' | 'asin') => {
  const other = kind === 'gtin' ? 'asin' : 'gtin';
  return `
  UPDATE matched
  SET ${kind} = NULL
  FROM barred
  JOIN learned ON learned.kind = '${other}' AND learned.product_id = barred.product_id
  WHERE barred.kind = '${kind}'
    AND barred.position = matched.position
    AND learned.value = matched.${other}
    AND matched.product_id IS NULL
    AND matched.fault IS NULL`;
};

const rematch = (isBarred: boolean) => `
  WITH rematched AS (
    UPDATE matched
    SET by_gtin = found.by_gtin,
        by_asin = found.by_asin,
        product_id = COALESCE(found.by_gtin, found.by_asin, found.by_mpn),
        is_loose = COALESCE(found.by_gtin, found.by_asin) IS NULL,
        fault = CASE WHEN found.by_gtin <> found.by_asin THEN 'identifier_conflict' END
    FROM (
      SELECT feed.position, by_gtin.product_id AS by_gtin, by_asin.product_id AS by_asin, by_mpn.product_id AS by_mpn
      FROM matched AS feed
      LEFT JOIN learned AS by_gtin ON by_gtin.kind = 'gtin' AND by_gtin.value = feed.gtin
      LEFT JOIN learned AS by_asin ON by_asin.kind = 'asin' AND by_asin.value = feed.asin
      LEFT JOIN learned AS by_mpn
        ON by_mpn.kind = 'brand_mpn' AND by_mpn.value = feed.brand_mpn AND (feed.gtin IS NULL OR NOT by_mpn.has_gtin)
       AND ${isNotBarred('feed.position', 'by_mpn.product_id', isBarred)}
      WHERE feed.product_id IS NULL AND feed.fault IS NULL
    ) AS found
    WHERE found.position = matched.position
      AND COALESCE(found.by_gtin, found.by_asin, found.by_mpn) IS NOT NULL
    RETURNING 1
  )
  SELECT count(*)::int AS count FROM rematched`;

const FOUND = `
  UPDATE matched
  SET product_id = nextval('product_id_seq'), is_founder = TRUE
  FROM (
    SELECT position, ${isFirst} AS is_first
    FROM matched
    WHERE product_id IS NULL AND fault IS NULL
  ) AS candidate
  WHERE candidate.position = matched.position AND candidate.is_first`;

const REJECT_CONFLICTS = `
  UPDATE matched
  SET fault = 'identifier_conflict'
  FROM learned
  WHERE matched.fault IS NULL
    AND NOT matched.is_founder
    AND learned.product_id <> matched.product_id
    AND (learned.kind, learned.value) IN (('gtin', matched.gtin), ('asin', matched.asin))`;

const REJECT_CHAINED = `
  UPDATE matched
  SET fault = 'identifier_chain'
  WHERE product_id IS NULL AND fault IS NULL`;

const UNMATCHED = 'SELECT count(*)::int AS count FROM matched WHERE product_id IS NULL AND fault IS NULL';

async function count(transaction: Queryable, sql: string): Promise<number> {
  const [row] = await transaction.query<{ count: number }>(sql);
  return row?.count ?? 0;
}
