/**
 * Matches the rows of a feed to the products that the feed itself founds, in rounds: the first row in the feed that names an identifier
 * founds a product, the product learns the identifiers of that row, and rows that name one of them are matched, until no row is left.
 * Going through the feed row by row would give the same result.
 */
import type { Queryable } from '../database/database.ts';
import { isNotBarred } from './barred.ts';
import { IS_FIRST } from './match-catalogue.ts';
import { soleValue } from './sole-value.ts';

/** The most rounds. Of rows that form a chain, each sharing an identifier with the one before, a round settles one. */
export const MOST_ROUNDS = 100;

/** Matches all rows in `matched` that the catalogue does not know. @param isBarred whether rows state what operators detached. */
export async function matchInRounds(transaction: Queryable, isBarred: boolean): Promise<void> {
  await transaction.query(PART_LOOSE);
  await transaction.query(learnIdentifiers(isBarred));
  for (let round = 0; (await soleValue<number>(transaction, UNMATCHED)) > 0; round += 1) {
    if (round === MOST_ROUNDS) {
      await transaction.query(REJECT_CHAINED);
      break;
    }
    if (round === 0) await transaction.script(INDEX_LEARNED);
    await transaction.query(LEARN_MPNS);
    await transaction.query(LEARN_GTINS);
    if (isBarred) for (const kind of ['gtin', 'asin'] as const) await transaction.query(voidLearned(kind));
    // A matched row may teach what matches the next one, so a product is founded only when nothing is left to learn.
    if ((await soleValue<number>(transaction, rematch(isBarred))) > 0) await transaction.query(PART_LOOSE);
    else await transaction.query(FOUND);
    await transaction.query(learnIdentifiers(isBarred));
  }
}

// Of several GTINs that a loose key leads to one product, the first in the feed stays.
const PART_LOOSE = `
  UPDATE matched
  SET product_id = NULL
  FROM (
    SELECT position, gtin <> first_value(gtin) OVER (PARTITION BY product_id ORDER BY position) AS is_other
    FROM matched
    WHERE is_loose AND NOT is_founder AND gtin IS NOT NULL AND product_id IS NOT NULL AND fault IS NULL
  ) AS loose
  WHERE loose.position = matched.position AND loose.is_other`;

// A matched row teaches its other identifiers. If two rows claim one, the first in the feed counts.
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

// Only a product without an MPN learns one.
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

// As in `findVoided`, but the row's other identifier leads to the product by what this feed has taught.
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
  SET product_id = founder.product_id, is_founder = TRUE
  FROM (
    SELECT position, nextval('product_id_seq') AS product_id
    FROM (
      SELECT position
      FROM (
        SELECT position, ${IS_FIRST} AS is_first
        FROM matched
        WHERE product_id IS NULL AND fault IS NULL
      ) AS candidate
      WHERE is_first
      ORDER BY position
    ) AS first
  ) AS founder
  WHERE founder.position = matched.position`;

const REJECT_CHAINED = `
  UPDATE matched
  SET fault = 'identifier_chain'
  WHERE product_id IS NULL AND fault IS NULL`;

// Only rounds can teach an identifier twice, and nearly every feed needs none.
const INDEX_LEARNED = 'CREATE UNIQUE INDEX learned_value_kind_key ON learned (value, kind)';

const UNMATCHED = 'SELECT count(*)::int AS count FROM matched WHERE product_id IS NULL AND fault IS NULL';
