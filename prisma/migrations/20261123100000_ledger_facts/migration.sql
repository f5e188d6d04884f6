-- All that a shop states about an offer at one time, not only its total. Facts of existing rows stay unknown. Columns without a default, or
-- with a constant one, are added without rewriting the table, so the lock lasts milliseconds whatever its size.
ALTER TABLE price_change
  ADD COLUMN import_run_id BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN price BIGINT,
  ADD COLUMN shipping BIGINT,
  ADD COLUMN regular_price BIGINT,
  ADD COLUMN sale_from TIMESTAMPTZ(3),
  ADD COLUMN sale_until TIMESTAMPTZ(3),
  ADD COLUMN availability availability,
  ADD COLUMN condition condition;

ALTER TABLE offer
  ADD COLUMN regular_price BIGINT,
  ADD COLUMN sale_from TIMESTAMPTZ(3),
  ADD COLUMN sale_until TIMESTAMPTZ(3);

-- The newest full feed of a merchant lists all of its current offers, so one time for the merchant says when they were last seen.
ALTER TABLE merchant ADD COLUMN full_observed_at TIMESTAMPTZ(3);
UPDATE merchant
SET full_observed_at = (
  SELECT max(observed_at) FROM import_run WHERE import_run.merchant_id = merchant.id AND import_run.mode = 'full'
);

-- When a delta feed last listed an offer. Apart from the offers, so that a sighting does not rewrite a row with all its index entries.
CREATE TABLE offer_seen (
  offer_id BIGINT PRIMARY KEY,
  seen_at  TIMESTAMPTZ(3) NOT NULL
) WITH (fillfactor = 50);
