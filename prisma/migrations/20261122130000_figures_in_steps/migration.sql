-- Work over the whole catalogue that goes on in steps, and how far it has come. A row is there while the work is not done.
CREATE TABLE upkeep (
  task     TEXT PRIMARY KEY,
  after_id BIGINT NOT NULL
);

-- Until now popularity counted a product's offers. It is the number of shops that list it.
INSERT INTO upkeep (task, after_id) SELECT 'popularity', 0 WHERE EXISTS (SELECT FROM product);

-- What a product has cost at its cheapest shop over the last 90 days, as the average weighted by time; null when no shop has listed it.
-- One pass over the changes of its offers in the order of time, with what each offer costs at that moment: the work grows with the
-- changes, not with their square. The average is that of an import (src/import/figures.ts). By the primary key of price_change.
CREATE FUNCTION average_lowest(of_product BIGINT) RETURNS FLOAT8
LANGUAGE plpgsql STABLE
AS $function$
DECLARE
  change  RECORD;
  totals  BIGINT[] := '{}';
  before  BIGINT;
  lowest  BIGINT;
  since   TIMESTAMPTZ;
  -- Totals times seconds, and the seconds in which some shop listed the product.
  sum     FLOAT8 := 0;
  seconds FLOAT8 := 0;
BEGIN
  FOR change IN
    SELECT dense_rank() OVER (ORDER BY offer_id)::int AS offer, total, GREATEST(observed_at, now() - INTERVAL '90 days') AS at
    FROM (
      SELECT offer_id, observed_at, total, lead(observed_at) OVER (PARTITION BY offer_id ORDER BY observed_at) AS until
      FROM price_change
      WHERE product_id = of_product AND observed_at < now()
    ) AS held
    WHERE until IS NULL OR until > now() - INTERVAL '90 days'
    ORDER BY at
  LOOP
    IF lowest IS NOT NULL THEN
      sum := sum + lowest * EXTRACT(EPOCH FROM change.at - since)::float8;
      seconds := seconds + EXTRACT(EPOCH FROM change.at - since)::float8;
    END IF;
    since := change.at;
    before := totals[change.offer];
    totals[change.offer] := change.total;
    IF change.total <= lowest OR lowest IS NULL THEN
      lowest := change.total;
    ELSIF before = lowest THEN
      lowest := (SELECT min(total) FROM unnest(totals) AS total);
    END IF;
  END LOOP;
  IF lowest IS NOT NULL THEN
    sum := sum + lowest * EXTRACT(EPOCH FROM now() - since)::float8;
    seconds := seconds + EXTRACT(EPOCH FROM now() - since)::float8;
  END IF;
  RETURN sum / NULLIF(seconds, 0);
END
$function$;
REVOKE ALL ON FUNCTION average_lowest(BIGINT) FROM PUBLIC;

-- One step of the figures that change without an import: discounts, which fade as the days of the higher price pass out of the average,
-- and popularity, once. A step takes products until it has as many as it may (`most`, never more than 200) or 100 ms have passed, so it is
-- short, and returns how many it has taken; 0 when nothing is due or another gateway is at it. With 0 for `most`, it sets the next product
-- aside until tomorrow, with the discount that it has: for a product whose figures cannot be computed, which would keep all others waiting.
-- The server calls it, whose role may not write products, so it runs as their owner; called at any time and as often as one likes,
-- it only ever writes the right figures, or leaves those of the day before.
DO $migration$
BEGIN
  EXECUTE format(
    $create$
      CREATE FUNCTION refresh_aged_figures(most INT) RETURNS INT
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
          UPDATE catalogue_version SET version = version + 1 WHERE id = 1;
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
REVOKE ALL ON FUNCTION refresh_aged_figures(INT) FROM PUBLIC;
