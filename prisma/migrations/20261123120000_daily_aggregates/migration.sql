-- Figures for analysts, derived from the ledger and kept current by the gateways (src/ledger/aggregates). A change of the rules by which they are
-- computed needs a migration that empties these four tables and makes all products due: what a product has added to them is computed again
-- from its entries before it is subtracted.
CREATE TYPE price_group AS ENUM ('brand', 'category', 'merchant');

-- How far the ledger of a product is part of the figures, and of which groups.
CREATE TABLE aggregated_product (
  product_id   BIGINT PRIMARY KEY,
  through      BIGINT NOT NULL,
  brand_id     BIGINT,
  category_ids BIGINT[] NOT NULL
);

-- Each day's part of the price index of a group, whose products include those of subcategories. Integers, so that adding and subtracting
-- leaves no error. Days without a change of price and number have no row. Pages keep room, since the rows of recent days change with every import.
CREATE TABLE price_index_day (
  kind     price_group,
  id       BIGINT,
  day      DATE,
  log_sum  BIGINT NOT NULL,
  matched  INT NOT NULL,
  products INT NOT NULL,
  PRIMARY KEY (kind, id, day)
) WITH (fillfactor = 80);

-- How the merchants of a brand or category stand, in counts of products, and how their distances from the lowest price are distributed.
CREATE TABLE merchant_standing (
  kind         price_group,
  id           BIGINT,
  merchant_id  BIGINT,
  products     INT NOT NULL,
  cheapest     INT NOT NULL,
  alone        INT NOT NULL,
  out_of_stock INT NOT NULL,
  PRIMARY KEY (kind, id, merchant_id)
) WITH (fillfactor = 80);

CREATE TABLE merchant_distance (
  kind        price_group,
  id          BIGINT,
  merchant_id BIGINT,
  distance    INT,
  products    INT NOT NULL,
  PRIMARY KEY (kind, id, merchant_id, distance)
) WITH (fillfactor = 80);
