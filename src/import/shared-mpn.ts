/**
 * Finds the MPNs that do not identify: within one feed, the same brand and MPN stand under several ids with different names, colours, sizes or
 * prices. Shops write the MPN of a set on its parts, and one MPN on a whole family of goods; joined, the set would have the price of its part.
 */
import type { Queryable } from '../database/database.ts';
import type { PlacedFeed } from './placed-feed.ts';
import { soleValue } from './sole-value.ts';

/** The table of the transaction that {@link findSharedMpns} fills. */
export const CREATE_SHARED_MPN = 'CREATE TEMPORARY TABLE shared_mpn (brand_mpn TEXT NOT NULL) ON COMMIT DROP';

/** Fills `shared_mpn`, and returns whether there are any. */
export async function findSharedMpns({ transaction, table, merchantId, isFull }: PlacedFeed): Promise<boolean> {
  await transaction.script('TRUNCATE shared_mpn');
  const parameters = isFull ? [] : [merchantId];
  return (await soleValue<number>(transaction, findShared(table, !isFull), parameters)) > 0;
}

/**
 * Parts the offers of the shop that a shared MPN has joined before: of those at one product, the rows that changed and look different from
 * the first lose it. A row that is as it was stays, and so does one with another price only, since prices change and come back.
 */
export async function partShared(transaction: Queryable, table: string): Promise<void> {
  await transaction.query(part(table));
}

const findShared = (table: string, isDelta: boolean) => `
  WITH added AS (
    INSERT INTO shared_mpn (brand_mpn)
    SELECT brand_mpn
    FROM (
      SELECT brand_mpn, sku, looks, price
      FROM ${table}
      WHERE fault IS NULL AND brand_mpn IS NOT NULL
      ${isDelta ? listedByShop(table) : ''}
    ) AS claim
    GROUP BY brand_mpn
    HAVING min(sku COLLATE "C") <> max(sku COLLATE "C")
       AND (min(looks COLLATE "C") <> max(looks COLLATE "C") OR min(price) <> max(price))
    RETURNING 1
  )
  SELECT count(*)::int AS count FROM added`;

// A delta lists only some of the shop's offers. By the indices on brand (name_key), product (brand_id, mpn_key) and offer (product_id), of listed ones.
const listedByShop = (table: string) => `
      UNION ALL
      SELECT named.brand_mpn, offer.sku,
             concat_ws(
               E'\\n', lower(COALESCE(NULLIF(offer.title, ''), product.name)),
               lower(COALESCE(product.attributes ->> 'color', '')), lower(COALESCE(product.attributes ->> 'size', ''))
             ),
             offer.price
      FROM (
        SELECT DISTINCT brand_mpn, brand_key, mpn_key FROM ${table} WHERE fault IS NULL AND mpn_key IS NOT NULL
      ) AS named
      JOIN brand ON brand.name_key = named.brand_key
      JOIN product ON product.brand_id = brand.id AND product.mpn_key = named.mpn_key
      JOIN offer ON offer.product_id = product.id AND offer.merchant_id = $1 AND offer.withdrawn_at IS NULL
      WHERE NOT EXISTS (SELECT FROM ${table} AS row WHERE row.sku = offer.sku)`;

// A recognised row was matched by its identifier if it states one.
const part = (table: string) => `
  UPDATE matched
  SET product_id = NULL
  FROM (
    SELECT position, NOT is_same AND looks <> first_value(looks) OVER (
             PARTITION BY product_id, brand_mpn ORDER BY is_same DESC, offer_id
           ) AS is_other
    FROM (
      SELECT matched.position, matched.product_id, matched.offer_id, item.brand_mpn, item.looks,
             COALESCE(offer.row_digest = item.row_digest, FALSE) AS is_same
      FROM matched
      JOIN ${table} AS item ON item.position = matched.position
      JOIN shared_mpn ON shared_mpn.brand_mpn = item.brand_mpn
      JOIN offer ON offer.id = matched.offer_id
      WHERE (matched.is_loose OR (matched.is_known AND offer.gtin IS NULL AND offer.asin IS NULL))
        AND NOT matched.is_founder
        AND matched.product_id = offer.product_id
        AND matched.fault IS NULL
    ) AS joined
  ) AS own
  WHERE own.position = matched.position AND own.is_other`;
