-- Names folded to words (lower case, no accents, one blank between), which is the order of lists by name, and the same words as
-- a text search vector. The service folds them itself, so that the order and the matches are the same on every server whatever
-- its locale; a row whose sort_name is null has not been folded yet.
ALTER TABLE brand
  ADD COLUMN sort_name TEXT COLLATE "C",
  ADD COLUMN search TSVECTOR,
  ADD COLUMN product_count INTEGER NOT NULL DEFAULT 0;
CREATE INDEX brand_sort_name_idx ON brand (sort_name, id);
CREATE INDEX brand_search_idx ON brand USING GIN (search) WITH (fastupdate = off);

ALTER TABLE category
  ADD COLUMN sort_name TEXT COLLATE "C",
  ADD COLUMN search TSVECTOR,
  ADD COLUMN product_count INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN total_count INTEGER NOT NULL DEFAULT 0;
CREATE INDEX category_search_idx ON category USING GIN (search) WITH (fastupdate = off);

ALTER TABLE merchant
  ADD COLUMN sort_name TEXT COLLATE "C",
  ADD COLUMN offer_count INTEGER NOT NULL DEFAULT 0;
CREATE INDEX merchant_sort_name_idx ON merchant (sort_name, id);

ALTER TABLE product
  ADD COLUMN sort_name TEXT COLLATE "C",
  -- How far the lowest total is below the average of the last 90 days, in hundredths of a percent, and the day of that figure.
  ADD COLUMN discount INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN discounted_on DATE,
  ADD COLUMN lowest_ever_at TIMESTAMPTZ(3);
-- One index an order of the list of products; each order ends in the id, so it is total.
CREATE INDEX product_popularity_idx ON product (popularity, id);
CREATE INDEX product_cheapest_idx ON product (COALESCE(min_total, 9223372036854775807), id);
CREATE INDEX product_dearest_idx ON product (COALESCE(min_total, -1), id);
CREATE INDEX product_sort_name_idx ON product (sort_name, id);
CREATE INDEX product_newest_idx ON product (created_at, id);
CREATE INDEX product_discount_idx ON product (discount, id);
-- What ages by itself: a discount falls as the days with the higher price pass out of the 90.
CREATE INDEX product_discounted_on_idx ON product (discounted_on) WHERE discount > 0;
CREATE INDEX product_unfolded_idx ON product (id) WHERE sort_name IS NULL;

-- Apart from product: prices change often and words never do, and each change of a row costs an entry in each of its indices.
CREATE TABLE product_search (
  product_id BIGINT PRIMARY KEY REFERENCES product (id) ON DELETE CASCADE ON UPDATE CASCADE,
  search TSVECTOR NOT NULL
);
CREATE INDEX product_search_search_idx ON product_search USING GIN (search);

-- Every word that a name has, once: where words that are near to a mistyped one are looked for.
CREATE TABLE search_word (
  word TEXT COLLATE "C" PRIMARY KEY
);

-- The offers that cannot be bought at once are few: whoever filters by them must not read all others.
CREATE INDEX offer_unavailable_idx ON offer (availability, product_id)
  WHERE withdrawn_at IS NULL AND availability <> 'in_stock';

CREATE TABLE article (
  id BIGSERIAL PRIMARY KEY,
  slug TEXT NOT NULL,
  title TEXT NOT NULL,
  summary TEXT NOT NULL,
  body TEXT NOT NULL,
  category_id BIGINT REFERENCES category (id) ON DELETE SET NULL ON UPDATE CASCADE,
  product_slugs TEXT[] NOT NULL DEFAULT '{}',
  search TSVECTOR NOT NULL,
  published_at TIMESTAMPTZ(3) NOT NULL,
  updated_at TIMESTAMPTZ(3) NOT NULL
);
CREATE UNIQUE INDEX article_slug_key ON article (slug);
CREATE INDEX article_published_at_idx ON article (published_at, id);
CREATE INDEX article_category_id_idx ON article (category_id);
CREATE INDEX article_search_idx ON article USING GIN (search) WITH (fastupdate = off);

-- One row, raised in the transaction of each change of the catalogue: who keeps something of it can tell whether it still holds.
CREATE TABLE catalogue_version (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version BIGINT NOT NULL
);
INSERT INTO catalogue_version (id, version) VALUES (1, 0);

-- What the importer keeps from now on, for what is there already.
UPDATE brand SET product_count = (SELECT count(*) FROM product WHERE product.brand_id = brand.id);
UPDATE category SET product_count = (SELECT count(*) FROM product WHERE product.category_id = category.id);
WITH RECURSIVE below AS (
  SELECT id AS top, id FROM category
  UNION ALL
  SELECT below.top, category.id FROM below JOIN category ON category.parent_id = below.id
)
UPDATE category
SET total_count = total.count
FROM (SELECT below.top, sum(category.product_count)::int AS count FROM below JOIN category USING (id) GROUP BY below.top) AS total
WHERE category.id = total.top;
UPDATE product
SET lowest_ever_at = (
  SELECT observed_at
  FROM price_change
  WHERE price_change.product_id = product.id AND price_change.total = product.lowest_ever
  ORDER BY observed_at
  LIMIT 1
);
UPDATE merchant
SET offer_count = (SELECT count(*) FROM offer WHERE offer.merchant_id = merchant.id AND offer.withdrawn_at IS NULL);
