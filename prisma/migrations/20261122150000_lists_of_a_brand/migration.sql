-- A brand's products in the order of popularity, with all that filters and orders look at: a page of a brand's list is found, and the
-- list counted, among its own entries. In the index of an order its products may lie anywhere, or all in one place.
CREATE INDEX product_brand_idx ON product (brand_id, popularity, id) INCLUDE (min_total, category_id, discount, created_at, sort_name);
