-- An entry of the ledger that repeats the one before it no longer counts as an observation, so fewer prices may be judged as outliers. What
-- products have added to the figures for analysts must be computed anew by this rule.
INSERT INTO due_product (product_id)
SELECT id FROM product ORDER BY id
ON CONFLICT (product_id) DO UPDATE SET set_aside_until = NULL;

TRUNCATE aggregated_product, price_index_day, merchant_standing, merchant_distance;
