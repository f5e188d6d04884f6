-- The webhooks that a change may concern. Those for a product, a brand, a category, a shop or a code are found by one of these.
CREATE INDEX webhook_product_idx ON webhook (product_id) WHERE product_id IS NOT NULL;
CREATE INDEX webhook_brand_idx ON webhook (brand_id) WHERE brand_id IS NOT NULL;
CREATE INDEX webhook_category_idx ON webhook (category_id) WHERE category_id IS NOT NULL;
CREATE INDEX webhook_merchant_idx ON webhook (merchant_id) WHERE merchant_id IS NOT NULL;
CREATE INDEX webhook_codes_idx ON webhook USING gin (codes) WHERE codes <> '{}';
