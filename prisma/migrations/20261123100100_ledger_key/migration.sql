-- Two imports may speak of one offer at one time: both rows are kept, and the later import counts. While the index is built, imports wait
-- and requests do not. It is a migration of its own, so that no stronger lock is held meanwhile.
CREATE UNIQUE INDEX ledger_pkey ON price_change (product_id, offer_id, observed_at, import_run_id);
