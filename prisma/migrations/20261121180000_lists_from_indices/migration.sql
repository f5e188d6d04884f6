-- Lists are filtered by price, category and brand in every order: with these columns in the index of each order, a page is found
-- and a list is counted without a look at rows that are not shown.
DROP INDEX product_popularity_idx;
DROP INDEX product_cheapest_idx;
DROP INDEX product_dearest_idx;
DROP INDEX product_sort_name_idx;
DROP INDEX product_newest_idx;
DROP INDEX product_discount_idx;
CREATE INDEX product_popularity_idx ON product (popularity, id) INCLUDE (min_total, category_id, brand_id);
CREATE INDEX product_cheapest_idx ON product (COALESCE(min_total, 9223372036854775807), id) INCLUDE (min_total, category_id, brand_id);
CREATE INDEX product_dearest_idx ON product (COALESCE(min_total, -1), id) INCLUDE (min_total, category_id, brand_id);
CREATE INDEX product_sort_name_idx ON product (sort_name, id) INCLUDE (min_total, category_id, brand_id);
CREATE INDEX product_newest_idx ON product (created_at, id) INCLUDE (min_total, category_id, brand_id);
CREATE INDEX product_discount_idx ON product (discount, id) INCLUDE (min_total, category_id, brand_id);

-- The most popular products, whose words are looked at before those of all: what is typed by its first letters fits many.
CREATE TABLE popular_product (
  product_id BIGINT PRIMARY KEY REFERENCES product (id) ON DELETE CASCADE ON UPDATE CASCADE,
  popularity INTEGER NOT NULL,
  search TSVECTOR NOT NULL
);
INSERT INTO popular_product (product_id, popularity, search)
SELECT product_search.product_id, top.popularity, product_search.search
FROM (SELECT id, popularity FROM product ORDER BY popularity DESC, id DESC LIMIT 20000) AS top
JOIN product_search ON product_search.product_id = top.id;
CREATE INDEX popular_product_search_idx ON popular_product USING GIN (search) WITH (fastupdate = off);
