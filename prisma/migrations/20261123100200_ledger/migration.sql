-- Milliseconds, whatever the table's size: the index exists.
ALTER TABLE price_change DROP CONSTRAINT price_change_pkey;
ALTER TABLE price_change ADD CONSTRAINT ledger_pkey PRIMARY KEY USING INDEX ledger_pkey;
ALTER TABLE price_change RENAME TO ledger;

-- Append-only, also for the owner of the table and through the view, and for an importer's role that still has its former rights. TRUNCATE
-- stays possible, to empty an installation.
CREATE FUNCTION refuse_change_of_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'ledger is append-only: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER ledger_is_append_only
  BEFORE UPDATE OR DELETE ON ledger
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_ledger();

-- The next version may drop this view. Gateways of the version before read this view until they are replaced. An importer of that version fails, because its entries would lack
-- facts.
CREATE VIEW price_change AS SELECT product_id, offer_id, observed_at, total FROM ledger;

DO $migration$
DECLARE
  reader TEXT;
BEGIN
  FOR reader IN
    SELECT DISTINCT grantee
    FROM information_schema.role_table_grants
    WHERE table_schema = current_schema() AND table_name = 'ledger' AND privilege_type = 'SELECT'
  LOOP
    EXECUTE format(
      'GRANT SELECT ON price_change TO %s',
      CASE reader WHEN 'PUBLIC' THEN 'PUBLIC' ELSE quote_ident(reader) END
    );
  END LOOP;
END
$migration$;

-- As before, over the ledger: of several entries for one time, only the last one lasts.
CREATE OR REPLACE FUNCTION average_lowest(of_product BIGINT) RETURNS FLOAT8
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
      SELECT offer_id, observed_at, total, lead(observed_at) OVER (PARTITION BY offer_id ORDER BY observed_at, import_run_id) AS until
      FROM ledger
      WHERE product_id = of_product AND observed_at < now()
    ) AS held
    WHERE until IS NULL OR (until > observed_at AND until > now() - INTERVAL '90 days')
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
                  ledger';
    $create$,
    current_schema()
  );
END
$migration$;
