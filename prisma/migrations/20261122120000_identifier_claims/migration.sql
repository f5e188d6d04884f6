-- Records which shop said what. All columns are nullable without a default, so no table is rewritten: NULL means "not recorded"
-- for rows of older versions.

-- What the shop's row stated when the offer was last written. An empty title is the product's own name; a NULL title marks an
-- offer whose row has not been recorded yet.
ALTER TABLE offer
  ADD COLUMN gtin TEXT,
  ADD COLUMN asin TEXT,
  ADD COLUMN title TEXT;

-- The shop that founded the product and gave all fields that it had at first.
ALTER TABLE product ADD COLUMN merchant_id BIGINT;

-- The shop that bound the identifier to its product, and when. A binding with a time but without a shop is an operator's.
ALTER TABLE product_identifier
  ADD COLUMN merchant_id BIGINT,
  ADD COLUMN claimed_at TIMESTAMPTZ(3);

-- Fields that a shop filled in after the product had been founded. Like the tables below, this one refers to nothing by a foreign
-- key: products and merchants are never deleted, and the importer alone writes here.
CREATE TABLE product_field (
  product_id BIGINT NOT NULL,
  field TEXT NOT NULL,
  merchant_id BIGINT NOT NULL,
  filled_at TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY (product_id, field)
);

-- Shops' claims that a GTIN and an ASIN belong to one product, where the catalogue has them at two: one row per shop and ASIN.
CREATE TABLE identifier_dispute (
  merchant_id BIGINT NOT NULL,
  asin TEXT NOT NULL,
  gtin TEXT NOT NULL,
  stated_at TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY (merchant_id, asin)
);
CREATE INDEX identifier_dispute_asin_idx ON identifier_dispute (asin);
CREATE INDEX identifier_dispute_gtin_idx ON identifier_dispute (gtin);

-- What operators detached: an identifier that must not come back to a product, or a shop whose claims to an identifier are void.
CREATE TABLE identifier_detachment (
  id BIGSERIAL PRIMARY KEY,
  kind identifier_kind NOT NULL,
  value TEXT NOT NULL,
  product_id BIGINT,
  merchant_id BIGINT,
  detached_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  CHECK ((product_id IS NULL) <> (merchant_id IS NULL))
);
CREATE INDEX identifier_detachment_kind_value_idx ON identifier_detachment (kind, value);
