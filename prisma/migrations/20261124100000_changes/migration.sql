-- The stream of changes: a row for each offer and product that a transaction changed, in the order of commits. `seq` counts on without
-- gaps: a transaction takes its numbers from catalogue_version.change_seq while it holds the lock on that row, until it commits.
CREATE TYPE change_kind AS ENUM ('offer', 'product', 'figures');
CREATE TYPE change_type AS ENUM ('price', 'availability', 'offer', 'offer_created', 'offer_withdrawn', 'product');

ALTER TABLE catalogue_version ADD COLUMN change_seq BIGINT NOT NULL DEFAULT 0;

-- No references: rows of some weeks ago are deleted, and a change may name an offer as it was.
CREATE TABLE change (
  seq                 BIGINT         PRIMARY KEY,
  kind                change_kind    NOT NULL,
  types               change_type[]  NOT NULL,
  at                  TIMESTAMPTZ(3) NOT NULL,
  observed_at         TIMESTAMPTZ(3) NOT NULL,
  product_id          BIGINT         NOT NULL,
  -- Of an offer that moved to another product: the one before.
  old_product_id      BIGINT,
  offer_id            BIGINT,
  -- The shop of an offer; of figures, the shop whose feed changed them.
  merchant_id         BIGINT,
  -- Of an offer, or of the cheapest one for figures; NULL where it was not listed.
  price_before        BIGINT,
  price_after         BIGINT,
  shipping_before     BIGINT,
  shipping_after      BIGINT,
  total_before        BIGINT,
  total_after         BIGINT,
  availability_before availability,
  availability_after  availability,
  condition_before    condition,
  condition_after     condition,
  updated_at_before   TIMESTAMPTZ(3),
  updated_at_after    TIMESTAMPTZ(3),
  -- The product's lowest price ever before the change; only of figures.
  lowest_ever_before  BIGINT,
  -- The product's fields before the change; NULL if it is new. What they are afterwards is in its next row or in its tables.
  state_before        JSONB
);

CREATE INDEX change_product_idx ON change (product_id, seq);
CREATE INDEX change_old_product_idx ON change (old_product_id, seq) WHERE old_product_id IS NOT NULL;
