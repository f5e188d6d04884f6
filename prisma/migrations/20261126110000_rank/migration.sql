-- By offer_listed_idx.
UPDATE product
SET is_in_stock = TRUE
WHERE EXISTS (
  SELECT FROM offer WHERE offer.product_id = product.id AND offer.withdrawn_at IS NULL AND offer.availability = 'in_stock'
);

-- The order of products that match equally well, highest first: by the number of shops, then those in stock, then by how many of four
-- fields they have. The table is written anew, which takes about half a minute for a million products; requests wait meanwhile.
ALTER TABLE product ADD COLUMN rank INTEGER NOT NULL GENERATED ALWAYS AS (
  LEAST(popularity, 100000000) * 16
  + CASE WHEN is_in_stock THEN 8 ELSE 0 END
  + num_nonnulls(image_url, description, brand_id, category_id)
) STORED;

DROP INDEX product_popularity_idx;
DROP INDEX product_brand_idx;
CREATE INDEX product_rank_idx ON product (rank, id) INCLUDE (min_total, category_id, brand_id);
CREATE INDEX product_brand_idx ON product (brand_id, rank, id) INCLUDE (min_total, category_id, discount, created_at, sort_name);

-- Gateways of the version before still order this list by popularity, until they are restarted.
ALTER TABLE popular_product ADD COLUMN rank INTEGER NOT NULL DEFAULT 0, ALTER COLUMN popularity SET DEFAULT 0;
UPDATE popular_product SET rank = product.rank FROM product WHERE product.id = product_id;

-- As before, with the new columns.
DO $migration$
BEGIN
  EXECUTE format(
    $create$
      CREATE OR REPLACE FUNCTION analyse_catalogue() RETURNS void
      LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, %1$I, pg_temp
      AS 'ANALYZE brand (id, slug, name_key, sort_name, search, product_count),
                  product (
                    id, slug, sort_name, brand_id, category_id, mpn_key, offer_count, min_total, lowest_ever, popularity, rank, discount,
                    discounted_on, created_at, merchant_id
                  ),
                  product_search,
                  product_identifier,
                  offer (id, merchant_id, sku, product_id, total, availability, condition, updated_at, withdrawn_at, gtin, asin),
                  ledger';
    $create$,
    current_schema()
  );
END
$migration$;

-- As before, but it brings the rank of popular products up to date.
DO $migration$
BEGIN
  EXECUTE format(
    $create$
      CREATE OR REPLACE FUNCTION refresh_aged_figures(most INT) RETURNS INT
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, %1$I, pg_temp
      AS $function$
      DECLARE
        today    DATE := (now() AT TIME ZONE 'UTC')::date;
        ends_at  TIMESTAMPTZ := clock_timestamp() + INTERVAL '100 ms';
        room     INT := LEAST(GREATEST(most, 0), 200);
        due      BIGINT[];
        next     BIGINT;
        average  FLOAT8;
        changed  INT := 0;
        taken    INT := 0;
        reached  BIGINT;
        raised   BIGINT;
      BEGIN
        IF NOT pg_try_advisory_xact_lock(4006381333933) THEN
          RETURN 0;
        END IF;

        -- By product_discounted_on_idx. A product that an import is changing gets its discount from the import. The lock leaves room for
        -- rows that refer to the product, so that no import waits for this while this waits for the import's version.
        SELECT array_agg(id) INTO due
        FROM (
          SELECT id
          FROM product
          WHERE discount > 0 AND discounted_on < today
          ORDER BY discounted_on
          LIMIT GREATEST(room, 1)
          FOR NO KEY UPDATE SKIP LOCKED
        ) AS aged;

        IF due IS NOT NULL AND room = 0 THEN
          UPDATE product SET discounted_on = today WHERE id = ANY (due);
          taken := 1;
        ELSIF due IS NOT NULL THEN
          FOREACH next IN ARRAY due LOOP
            average := average_lowest(next);
            UPDATE product
            SET discount = CASE
                  WHEN product.min_total < average THEN round((average - product.min_total) * 10000 / average)::int
                  ELSE 0
                END,
                discounted_on = today
            FROM product AS before
            WHERE product.id = next AND before.id = next
            RETURNING changed + (product.discount <> before.discount)::int INTO changed;
            taken := taken + 1;
            EXIT WHEN clock_timestamp() >= ends_at;
          END LOOP;
        ELSE
          SELECT after_id INTO reached FROM upkeep WHERE task = 'popularity' FOR UPDATE;
          -- Not while an import writes (its lock): it changes the same rows in another order.
          IF FOUND AND pg_try_advisory_xact_lock(4006381333932) THEN
            SELECT array_agg(id), max(id) INTO due, reached
            FROM (SELECT id FROM product WHERE id > reached ORDER BY id LIMIT GREATEST(room, 1)) AS next;
            IF due IS NULL THEN
              DELETE FROM upkeep WHERE task = 'popularity';
            ELSE
              taken := cardinality(due);
              UPDATE product
              SET popularity = counted.shops
              FROM (
                SELECT listed.id, count(DISTINCT offer.merchant_id)::int AS shops
                FROM unnest(due) AS listed (id)
                LEFT JOIN offer ON offer.product_id = listed.id AND offer.withdrawn_at IS NULL
                GROUP BY listed.id
              ) AS counted
              WHERE product.id = counted.id AND product.popularity <> counted.shops;
              GET DIAGNOSTICS changed = ROW_COUNT;
              UPDATE upkeep SET after_id = reached WHERE task = 'popularity';
            END IF;
          END IF;
        END IF;

        IF changed > 0 THEN
          UPDATE catalogue_version SET version = version + 1 WHERE id = 1 RETURNING version INTO raised;
          -- Discounts order one list (src/catalogue/tags.ts). Popularity orders nearly all; it has no record, so it affects everything.
          IF reached IS NULL THEN
            INSERT INTO invalidation (version, tags, recorded_at) VALUES (raised, ARRAY['discounts'], clock_timestamp());
          END IF;
          -- After the version, as imports do it (src/import/search-words.ts). Which products are in the list, the next import sees to.
          UPDATE popular_product
          SET rank = product.rank
          FROM product
          WHERE product.id = ANY (due) AND popular_product.product_id = product.id AND popular_product.rank <> product.rank;
        END IF;
        RETURN taken;
      END
      $function$;
    $create$,
    current_schema()
  );
END
$migration$;
