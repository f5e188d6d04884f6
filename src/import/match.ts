/**
 * Finds the product that each row of a feed is about: by GTIN, else ASIN, else brand + MPN, else the shop's own id from an earlier
 * import; otherwise the row founds one. A few statements serve all rows. Their outcome is in the table `matched` of the transaction,
 * with `fault` set for rejected rows.
 *
 * Brand + MPN and the shop's own id are loose keys: shops write one MPN on a whole family of goods. They therefore never match a row
 * with a GTIN to a product that has another (one GTIN is one trade item: GS1 General Specifications §4.2), and an MPN that the feed uses for
 * different goods matches nothing (shared-mpn.ts).
 */
import { CREATE_BARRED } from './barred.ts';
import { forgetDisputes, recordDisputes } from './disputes.ts';
import { trimLearned } from './identifier-limit.ts';
import { confirmKnownRows } from './known-rows.ts';
import { CREATE_MATCHED, matchToCatalogue } from './match-catalogue.ts';
import { matchInRounds } from './match-rounds.ts';
import { CREATE_MOVED } from './move-offers.ts';
import type { PlacedFeed } from './placed-feed.ts';
import { searchVector } from './search-words.ts';
import { settleDisputes } from './settle-disputes.ts';
import { CREATE_SHARED_MPN } from './shared-mpn.ts';

/** Fills `matched` and adds new brands. Records disputes, and first moves identifiers that enough shops dispute; returns how many moved. */
export async function matchProducts(feed: PlacedFeed): Promise<number> {
  const { transaction } = feed;
  await transaction.query(addBrands(feed.table));
  await transaction.script(`${CREATE_MATCHED}; ${CREATE_BARRED}; ${CREATE_SHARED_MPN}; ${CREATE_MOVED}`);
  let moved = 0;
  let isBarred = await matchToCatalogue(feed);
  // A feed of the past does not say what its shop claims now.
  if (feed.nextFullAt === null) {
    await recordDisputes(feed);
    moved = await settleDisputes(feed);
    if (moved > 0) {
      if (feed.hasKnownRows) await confirmKnownRows(feed);
      await transaction.script('TRUNCATE matched');
      isBarred = await matchToCatalogue(feed);
      await forgetDisputes(feed);
    }
  }
  await matchInRounds(transaction, isBarred);
  await trimLearned(transaction, feed.merchantId);
  await transaction.query(REJECT_CONFLICTS);
  return moved;
}

// By the unique index on brand (name_key). A slug that is taken gets the brand's number after two hyphens, which no slug
// made from a name can have.
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

// One statement for each kind, because a join on either of two columns cannot be a hash join.
const elsewhere = (kind: 'gtin' | 'asin') => `
    SELECT row.position
    FROM matched AS row
    JOIN learned ON learned.kind = '${kind}' AND learned.value = row.${kind}
    WHERE row.fault IS NULL AND NOT row.is_founder AND learned.product_id <> row.product_id`;

const REJECT_CONFLICTS = `
  UPDATE matched
  SET fault = 'identifier_conflict'
  FROM (
    ${elsewhere('gtin')}
    UNION
    ${elsewhere('asin')}
  ) AS conflict
  WHERE conflict.position = matched.position`;
