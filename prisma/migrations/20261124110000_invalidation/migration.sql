-- What each raise of catalogue_version affects, as tags of the caches' entries (src/catalogue/tags.ts). Written with the raise, in its
-- transaction. A raise without a row affects everything: those of older versions of the service, and those with too many tags. Only the
-- rows of the last minutes are kept, so they have no further index.
CREATE TABLE invalidation (
  version     BIGINT         PRIMARY KEY,
  tags        TEXT[]         NOT NULL,
  recorded_at TIMESTAMPTZ(3) NOT NULL
);

-- As before, but discounts now record what they affect.
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
          SET popularity = product.popularity
          FROM product
          WHERE product.id = ANY (due) AND popular_product.product_id = product.id AND popular_product.popularity <> product.popularity;
        END IF;
        RETURN taken;
      END
      $function$;
    $create$,
    current_schema()
  );
END
$migration$;
