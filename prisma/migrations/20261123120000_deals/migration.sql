-- The current reduction of a product, for each condition: at its cheapest shop (merchant_id 0), and at each shop. The digest keeps it
-- current (src/ledger/deals); there are no more rows than offers that are listed, twice over. No references, because only the digest
-- writes here, and it may see a product's offers change until it comes to it.
CREATE TABLE deal (
  product_id  BIGINT         NOT NULL,
  condition   condition      NOT NULL,
  merchant_id BIGINT         NOT NULL,
  offer_id    BIGINT         NOT NULL,
  price       BIGINT         NOT NULL,
  previous    BIGINT         NOT NULL,
  -- The price in hundredths of a percent of the previous one, so that one ascending order has the largest reductions first.
  remaining   INT            NOT NULL,
  since       TIMESTAMPTZ(3) NOT NULL,
  -- Until then the price was lower than it is now; NULL if it never was. Compared with the time of a request, so it needs no upkeep.
  lower_until TIMESTAMPTZ(3),
  brand_id    BIGINT,
  category_id BIGINT,
  PRIMARY KEY (product_id, condition, merchant_id)
);

-- A list is one range of one of these, in its order, or some short ranges, for categories with few products. They contain everything that
-- filters look at.
CREATE INDEX deal_order_idx ON deal (merchant_id, condition, remaining, product_id) INCLUDE (lower_until, brand_id, category_id);
CREATE INDEX deal_brand_idx ON deal (merchant_id, condition, brand_id, remaining, product_id) INCLUDE (lower_until, category_id);
CREATE INDEX deal_category_idx ON deal (merchant_id, condition, category_id, remaining, product_id) INCLUDE (lower_until, brand_id);
