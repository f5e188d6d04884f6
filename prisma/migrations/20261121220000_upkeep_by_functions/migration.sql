-- What an import does to tables besides writing them needs their owner: PostgreSQL before 17 has no right that could be granted.
-- A role that imports and owns nothing calls these, which run as the owner. Their search path is fixed, and temporary tables come
-- last in it, so that no caller can put a table of its own in the place of one of these.
DO $migration$
BEGIN
  EXECUTE format(
    $create$
      CREATE FUNCTION clean_search_index() RETURNS void
      LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, %1$I, pg_temp
      AS 'SELECT gin_clean_pending_list(''product_search_search_idx'')';
      CREATE FUNCTION analyse_catalogue() RETURNS void
      LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, %1$I, pg_temp
      AS 'ANALYZE brand, product, product_search, product_identifier, offer, price_change';
    $create$,
    current_schema()
  );
END
$migration$;
REVOKE ALL ON FUNCTION clean_search_index(), analyse_catalogue() FROM PUBLIC;
