-- Imports change the figures of these rows in place. With room in its page, a changed row needs no new entries in the indices, of which
-- those of words are the most expensive. Existing pages keep their fill until they are rewritten; the lock lets reads and writes pass.
ALTER TABLE brand SET (fillfactor = 50);
ALTER TABLE popular_product SET (fillfactor = 50);

-- Without the long texts of products, which no condition compares: gathering statistics on them took half of the time.
DO $migration$
BEGIN
  EXECUTE format(
    $create$
      CREATE OR REPLACE FUNCTION analyse_catalogue() RETURNS void
      LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, %1$I, pg_temp
      AS 'ANALYZE brand (id, slug, name_key, sort_name, search, product_count),
                  product (
                    id, slug, sort_name, brand_id, category_id, mpn_key, offer_count, min_total, lowest_ever, popularity, discount,
                    discounted_on, created_at, merchant_id
                  ),
                  product_search,
                  product_identifier,
                  offer (id, merchant_id, sku, product_id, total, availability, condition, updated_at, withdrawn_at, gtin, asin),
                  price_change';
    $create$,
    current_schema()
  );
END
$migration$;
