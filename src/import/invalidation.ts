/**
 * Records what a change of the catalogue affects, so that caches evict only that (catalogue/tags.ts). A raise of the version without such a
 * record affects everything, as does one whose tags are too many.
 */
import { GROUP_NUMBER, TAG, TAG_PREFIX, type Tag } from '../catalogue/tags.ts';
import type { Queryable } from '../database/database.ts';
import type { PlacedFeed } from './placed-feed.ts';
import { soleValue } from './sole-value.ts';

/** The most products whose tags are recorded for a change. Beyond, everything is affected. */
export const MOST_PRODUCTS = 2_000;
// The products of a change may have thousands of brands, categories and merchants together.
const MOST_TAGS = 8_000;
const MINUTES_KEPT = 10;
// Rows that one change deletes: more than it adds, but so few that they take no time.
const MOST_FORGOTTEN = 100;

/** Records the tags that a change affects, with the version that it has raised; also deletes old records. */
export async function recordTags(transaction: Queryable, version: bigint, tags: readonly Tag[]): Promise<void> {
  await transaction.query(RECORD, [version, tags]);
  await transaction.query(FORGET);
}

/**
 * Records the tags that a feed affects, as {@link recordTags} does. Call it last: it reads what the feed has written.
 * @param isRankChanged whether the rank of products has changed, or products are new.
 */
export async function recordTagsOfFeed(
  { transaction, table, isFull, merchantId, nextFullAt }: PlacedFeed,
  version: bigint,
  isRankChanged: boolean,
): Promise<void> {
  const tags = await soleValue<Tag[] | null>(transaction, tagsOfFeed(table), [
    merchantId,
    isFull,
    !isFull && nextFullAt === null,
    isRankChanged,
  ]);
  if (tags) await recordTags(transaction, version, tags);
}

const RECORD = `
  INSERT INTO invalidation (version, tags, recorded_at)
  VALUES ($1::bigint, $2::text[], clock_timestamp())`;

// By the primary key, in whose order rows are recorded.
const FORGET = `
  DELETE FROM invalidation
  WHERE version IN (
    SELECT version
    FROM (SELECT version, recorded_at FROM invalidation ORDER BY version LIMIT ${MOST_FORGOTTEN}) AS oldest
    WHERE recorded_at < clock_timestamp() - INTERVAL '${MINUTES_KEPT} minutes'
  )`;

const numbered = (part: keyof typeof TAG_PREFIX, id: string) => `'${TAG_PREFIX[part]}:' || ${id}`;

// One more than is recorded, to see whether there are more.
const TOO_MANY = MOST_PRODUCTS + 1;

// Null for everything. What reads the tables of the feed ends after a few thousand rows, however many the feed has.
//
// - Products are affected by changes of their offers (`touched`), and of their fields and identifiers (`noted_product`, see stream.ts). Their
//   lists are those of their brand, categories and current merchants, and of the merchants whose offers have just left them: that of the
//   feed, and of offers that moved.
// - A group is affected by offers that came into it or left it: that are new, were withdrawn, moved or got another group. Changes of the
//   products in it have the tags of these products.
// - Sightings of a delta are told apart from changes, because most answers do not show them. Beyond the limit, all offers of the shop count
//   as seen.
// - A new brand either has a new product, or no product at all.
// - A search depends on identifiers, words, and ranks, which have the number of shops and the stock: not on prices.
// By the primary keys of product and offer, offer_listed_idx, and the index on category (parent_id).
const tagsOfFeed = (table: string) => `
  WITH RECURSIVE fresh AS MATERIALIZED (
    SELECT product_id
    FROM (
      (SELECT product_id FROM matched WHERE is_founder LIMIT ${TOO_MANY})
      UNION ALL
      (SELECT product_id FROM filled LIMIT ${TOO_MANY})
    ) AS each
  ), changed AS MATERIALIZED (
    (SELECT product_id AS id FROM noted_product LIMIT ${TOO_MANY})
    UNION
    (SELECT product_id FROM touched LIMIT ${TOO_MANY})
    UNION
    (SELECT product_id FROM matched WHERE is_regrouped AND fault IS NULL LIMIT ${TOO_MANY})
  ), few AS MATERIALIZED (
    SELECT product.id, product.brand_id, product.category_id
    FROM changed
    JOIN product USING (id)
    WHERE (SELECT count(*) FROM changed) <= ${MOST_PRODUCTS}
  ), sighted AS MATERIALIZED (
    SELECT DISTINCT product_id
    FROM (
      SELECT offer.product_id
      FROM matched
      JOIN offer ON offer.id = matched.offer_id AND offer.merchant_id = $1
      WHERE $3::boolean
        AND matched.fault IS NULL
        AND NOT EXISTS (SELECT FROM differing WHERE differing.offer_id = matched.offer_id)
      LIMIT ${TOO_MANY}
    ) AS seen
  ), in_category AS (
    SELECT DISTINCT category_id AS id FROM few WHERE category_id IS NOT NULL
    UNION
    SELECT category.parent_id
    FROM in_category
    JOIN category USING (id)
    WHERE category.parent_id IS NOT NULL
  ), stated_brand AS MATERIALIZED (
    SELECT DISTINCT brand_key AS name_key FROM ${table} WHERE brand_key IS NOT NULL
  ), tag AS (
    SELECT ${numbered('product', 'id')} AS tag FROM few
    UNION
    SELECT ${numbered('ofBrand', 'brand_id')} FROM few WHERE brand_id IS NOT NULL
    UNION
    SELECT ${numbered('ofCategory', 'id')} FROM in_category
    UNION
    SELECT ${numbered('ofMerchant', 'offer.merchant_id')}
    FROM few
    JOIN offer ON offer.product_id = few.id AND offer.withdrawn_at IS NULL
    UNION
    SELECT ${numbered('ofMerchant', 'offer.merchant_id')} FROM moved JOIN offer ON offer.id = moved.offer_id
    UNION
    SELECT unnest(ARRAY['${TAG.products}', ${numbered('ofMerchant', '$1::bigint')}]) WHERE EXISTS (SELECT FROM few)
    UNION
    SELECT ${numbered('group', GROUP_NUMBER)}
    FROM (
      SELECT offer.merchant_id, offer.item_group_id
      FROM noted_offer
      JOIN offer ON offer.id = noted_offer.offer_id
      WHERE EXISTS (SELECT FROM few)
        AND noted_offer.product_id IS DISTINCT FROM CASE WHEN offer.withdrawn_at IS NULL THEN offer.product_id END
      UNION ALL
      SELECT merchant_id, unnest(ARRAY[matched.left_group, offer.item_group_id])
      FROM matched
      JOIN offer ON offer.id = matched.offer_id
      WHERE matched.is_regrouped AND EXISTS (SELECT FROM few)
    ) AS offer
    WHERE offer.item_group_id IS NOT NULL
    UNION
    SELECT ${numbered('sighted', 'product_id')}
    FROM sighted
    WHERE (SELECT count(*) FROM sighted) <= ${MOST_PRODUCTS}
    UNION
    SELECT unnest(ARRAY[${numbered('seenWhole', '$1::bigint')}, '${TAG.allSeenWhole}'])
    WHERE $2::boolean OR (SELECT count(*) FROM sighted) > ${MOST_PRODUCTS}
    UNION
    SELECT unnest(ARRAY[${numbered('merchantRow', '$1::bigint')}, '${TAG.merchants}'])
    UNION
    SELECT ${numbered('merchantRow', 'offer.merchant_id')} FROM moved JOIN offer ON offer.id = moved.offer_id
    UNION
    SELECT ${numbered('brandRow', 'brand_id')} FROM few WHERE brand_id IS NOT NULL AND id IN (SELECT product_id FROM fresh)
    UNION
    SELECT '${TAG.brands}'
    WHERE EXISTS (SELECT FROM few WHERE brand_id IS NOT NULL AND id IN (SELECT product_id FROM fresh))
       OR EXISTS (SELECT FROM stated_brand JOIN brand USING (name_key) WHERE brand.product_count = 0)
    UNION
    SELECT '${TAG.categories}'
    WHERE EXISTS (SELECT FROM few WHERE category_id IS NOT NULL AND id IN (SELECT product_id FROM fresh))
    UNION
    SELECT '${TAG.search}'
    WHERE $4::boolean
       OR EXISTS (SELECT FROM noted_product)
  )
  SELECT CASE
           WHEN (SELECT count(*) FROM changed) = (SELECT count(*) FROM few) AND count(*) <= ${MOST_TAGS} THEN array_agg(tag)
         END AS tags
  FROM tag`;
