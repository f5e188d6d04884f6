-- A price that its shop states for more than three days is no outlier, so the judgement of a product changes with time too. What products have
-- added to the figures for analysts must be computed anew by the new rule.
ALTER TABLE aggregated_product ADD COLUMN judged_until TIMESTAMPTZ(3);

CREATE INDEX aggregated_product_judged_until_idx ON aggregated_product (judged_until) WHERE judged_until IS NOT NULL;

INSERT INTO due_product (product_id)
SELECT id FROM product ORDER BY id
ON CONFLICT (product_id) DO UPDATE SET set_aside_until = NULL;

TRUNCATE aggregated_product, price_index_day, merchant_standing, merchant_distance;
