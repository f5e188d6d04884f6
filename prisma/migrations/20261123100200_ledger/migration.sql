-- Milliseconds, whatever the table's size: the index exists.
ALTER TABLE price_change DROP CONSTRAINT price_change_pkey;
ALTER TABLE price_change ADD CONSTRAINT ledger_pkey PRIMARY KEY USING INDEX ledger_pkey;
ALTER TABLE price_change RENAME TO ledger;

-- Gateways of the version before read this view until they are replaced. An importer of that version fails, because its entries would lack
-- facts.
CREATE VIEW price_change AS SELECT product_id, offer_id, observed_at, total FROM ledger;

DO $migration$
DECLARE
  reader  TEXT;
  changed REGPROC;
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
  FOREACH changed IN ARRAY ARRAY['average_lowest', 'analyse_catalogue']::regproc[] LOOP
    EXECUTE replace(pg_get_functiondef(changed), 'price_change', 'ledger');
  END LOOP;
END
$migration$;
