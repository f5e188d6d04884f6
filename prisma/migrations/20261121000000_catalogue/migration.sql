CREATE TYPE identifier_kind AS ENUM ('gtin', 'asin');
CREATE TYPE availability AS ENUM ('in_stock', 'out_of_stock', 'preorder', 'backorder');
CREATE TYPE condition AS ENUM ('new', 'refurbished', 'used');
CREATE TYPE plan_id AS ENUM ('free', 'starter', 'pro', 'enterprise');
CREATE TYPE import_mode AS ENUM ('full', 'delta');

CREATE TABLE brand (
  id BIGSERIAL PRIMARY KEY,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL
);
CREATE UNIQUE INDEX brand_slug_key ON brand (slug);
CREATE UNIQUE INDEX brand_name_key_key ON brand (name_key);

CREATE TABLE category (
  id BIGSERIAL PRIMARY KEY,
  google_id INTEGER NOT NULL,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  parent_id BIGINT REFERENCES category (id) ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE UNIQUE INDEX category_google_id_key ON category (google_id);
CREATE UNIQUE INDEX category_slug_key ON category (slug);
CREATE UNIQUE INDEX category_path_key ON category (path);
CREATE INDEX category_parent_id_idx ON category (parent_id);

CREATE TABLE product (
  id BIGSERIAL PRIMARY KEY,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  -- Brands, categories and merchants are never deleted, and the importer alone writes what points at them: foreign keys
  -- here and on offer (merchant_id) would guard nothing and take a fifth of an import's time.
  brand_id BIGINT,
  category_id BIGINT,
  mpn TEXT,
  mpn_key TEXT,
  description TEXT,
  image_url TEXT,
  attributes JSONB,
  offer_count INTEGER NOT NULL DEFAULT 0,
  min_total BIGINT,
  max_total BIGINT,
  lowest_ever BIGINT,
  popularity INTEGER NOT NULL DEFAULT 0,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX product_slug_key ON product (slug);
CREATE INDEX product_brand_id_mpn_key_idx ON product (brand_id, mpn_key);
CREATE INDEX product_category_id_idx ON product (category_id);

CREATE TABLE product_identifier (
  id BIGSERIAL PRIMARY KEY,
  kind identifier_kind NOT NULL,
  value TEXT NOT NULL,
  product_id BIGINT NOT NULL REFERENCES product (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CHECK (kind <> 'gtin' OR value ~ '^[0-9]{14}$'),
  CHECK (kind <> 'asin' OR value ~ '^[A-Z0-9]{10}$')
);
CREATE UNIQUE INDEX product_identifier_kind_value_key ON product_identifier (kind, value);
CREATE INDEX product_identifier_product_id_idx ON product_identifier (product_id);

CREATE TABLE merchant (
  id BIGSERIAL PRIMARY KEY,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  url TEXT,
  observed_at TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX merchant_slug_key ON merchant (slug);
CREATE UNIQUE INDEX merchant_name_key ON merchant (name);

CREATE TABLE offer (
  id BIGSERIAL PRIMARY KEY,
  merchant_id BIGINT NOT NULL,
  sku TEXT NOT NULL,
  product_id BIGINT NOT NULL REFERENCES product (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  price BIGINT NOT NULL,
  shipping BIGINT,
  total BIGINT NOT NULL,
  availability availability NOT NULL,
  condition condition NOT NULL,
  link TEXT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL,
  updated_at TIMESTAMPTZ(3) NOT NULL,
  withdrawn_at TIMESTAMPTZ(3),
  CHECK (total = price + COALESCE(shipping, 0))
);
CREATE UNIQUE INDEX offer_merchant_id_sku_key ON offer (merchant_id, sku);
-- What every answer reads: the offers listed now of some products.
CREATE INDEX offer_listed_idx ON offer (product_id) WHERE withdrawn_at IS NULL;

CREATE TABLE price_change (
  product_id BIGINT NOT NULL,
  offer_id BIGINT NOT NULL,
  observed_at TIMESTAMPTZ(3) NOT NULL,
  total BIGINT,
  PRIMARY KEY (product_id, offer_id, observed_at)
);

CREATE TABLE import_run (
  id BIGSERIAL PRIMARY KEY,
  merchant_id BIGINT NOT NULL REFERENCES merchant (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  mode import_mode NOT NULL,
  observed_at TIMESTAMPTZ(3) NOT NULL,
  finished_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  read INTEGER NOT NULL,
  added INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  same INTEGER NOT NULL,
  withdrawn INTEGER NOT NULL,
  rejected INTEGER NOT NULL
);
CREATE INDEX import_run_merchant_id_mode_observed_at_idx ON import_run (merchant_id, mode, observed_at);

CREATE TABLE api_key (
  id BIGSERIAL PRIMARY KEY,
  name TEXT NOT NULL,
  plan plan_id NOT NULL,
  rate_limit INTEGER CHECK (rate_limit > 0),
  expires_at TIMESTAMPTZ(3),
  revoked_at TIMESTAMPTZ(3),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE api_key_secret (
  id BIGSERIAL PRIMARY KEY,
  key_id BIGINT NOT NULL REFERENCES api_key (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  digest TEXT NOT NULL CHECK (digest ~ '^[0-9a-f]{64}$'),
  prefix TEXT NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at TIMESTAMPTZ(3)
);
CREATE UNIQUE INDEX api_key_secret_digest_key ON api_key_secret (digest);
CREATE INDEX api_key_secret_key_id_idx ON api_key_secret (key_id);

CREATE TABLE usage_counter (
  key_id BIGINT NOT NULL REFERENCES api_key (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  month TEXT NOT NULL CHECK (month ~ '^[0-9]{4}-[0-9]{2}$'),
  quota BIGINT NOT NULL,
  used BIGINT NOT NULL CHECK (used >= 0),
  granted BIGINT NOT NULL,
  PRIMARY KEY (key_id, month)
) WITH (fillfactor = 50); -- Rows change many times a second; the room lets those changes stay on their page.

CREATE TABLE click (
  offer_id BIGINT NOT NULL REFERENCES offer (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  day DATE NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (offer_id, day)
);
