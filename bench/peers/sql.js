// The two statements of a lookup, each by an index, prepared once on each connection.
export const PRODUCT = {
  name: 'product',
  text: `
    SELECT product.id, product.slug, product.name, product.mpn, brand.name AS brand,
           product.min_total, product.max_total, product.lowest_ever, product.offer_count,
           (SELECT value FROM product_identifier WHERE product_id = product.id AND kind = 'asin' ORDER BY id LIMIT 1) AS asin
    FROM product_identifier AS identifier
    JOIN product ON product.id = identifier.product_id
    LEFT JOIN brand ON brand.id = product.brand_id
    WHERE identifier.kind = 'gtin' AND identifier.value = $1`,
};
export const OFFERS = {
  name: 'offers',
  text: `
    SELECT offer.id, offer.total, offer.availability, merchant.name AS merchant
    FROM offer
    JOIN merchant ON merchant.id = offer.merchant_id
    WHERE offer.product_id = $1 AND offer.withdrawn_at IS NULL
    ORDER BY offer.total, merchant.name`,
};
// The key, its month and the quota in one statement: the row's lock makes the count exact.
export const COUNT = {
  name: 'count',
  text: `
    INSERT INTO usage_counter AS counter (key_id, month, quota, used, granted)
    SELECT key.id, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM'), 9007199254740991, 1, 1
    FROM api_key_secret AS secret
    JOIN api_key AS key ON key.id = secret.key_id
    WHERE secret.digest = $1 AND key.revoked_at IS NULL
    ON CONFLICT (key_id, month) DO UPDATE SET used = counter.used + 1
    WHERE counter.used < counter.quota
    RETURNING used`,
};
