-- A total whose shipping is not stated is no longer compared with one whose shipping is. Deals say which of the two they are; those that
-- gateways of the previous version write count as unknown until the digest of this version comes to them.
ALTER TABLE deal ADD COLUMN shipping_known BOOLEAN NOT NULL DEFAULT false;

-- The indices contain everything that filters look at. The new ones are built first, so that lists wait only while the old ones are dropped.
CREATE INDEX deal_list_idx ON deal (merchant_id, condition, remaining, product_id)
  INCLUDE (lower_until, brand_id, category_id, shipping_known);
CREATE INDEX deal_of_brand_idx ON deal (merchant_id, condition, brand_id, remaining, product_id)
  INCLUDE (lower_until, category_id, shipping_known);
CREATE INDEX deal_of_category_idx ON deal (merchant_id, condition, category_id, remaining, product_id)
  INCLUDE (lower_until, brand_id, shipping_known);
DROP INDEX deal_order_idx;
DROP INDEX deal_brand_idx;
DROP INDEX deal_category_idx;
ALTER INDEX deal_list_idx RENAME TO deal_order_idx;
ALTER INDEX deal_of_brand_idx RENAME TO deal_brand_idx;
ALTER INDEX deal_of_category_idx RENAME TO deal_category_idx;

-- All products are digested anew, and what they have added to the figures for analysts is computed anew.
INSERT INTO due_product (product_id)
SELECT id FROM product ORDER BY id
ON CONFLICT (product_id) DO UPDATE SET set_aside_until = NULL;

TRUNCATE aggregated_product, price_index_day, merchant_standing, merchant_distance;
