-- What those who listen to prices have not been told yet. Written by the importer in its transaction, under the version of the
-- catalogue that it raises: versions are in the order of commits, which no clock and no sequence is. Rows of some minutes ago
-- are deleted, so nothing refers to this table and it refers to nothing.
CREATE TABLE price_event (
  product_id BIGINT NOT NULL,
  version BIGINT NOT NULL,
  previous_min BIGINT,
  min BIGINT,
  observed_at TIMESTAMPTZ(3) NOT NULL,
  recorded_at TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY (product_id, version)
);
