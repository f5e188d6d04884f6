-- Names whose words must be made anew, in steps while the service runs: by rules for scripts whose marks are letters, for scripts without blanks, and
-- for the final sigma. The service makes words, so names are chosen by ranges of characters that include all these scripts.
CREATE TABLE unfolded_name (
  kind TEXT NOT NULL,
  id BIGINT NOT NULL,
  PRIMARY KEY (kind, id)
);

CREATE OR REPLACE FUNCTION pg_temp.has_other_words(name TEXT) RETURNS BOOLEAN LANGUAGE sql IMMUTABLE
  AS $$ SELECT name ~ '[Σς\u0700-\u1DFF\u2E80-\uFFFF\U00010000-\U0010FFFF]' $$;

INSERT INTO unfolded_name (kind, id)
SELECT 'brand', id FROM brand WHERE sort_name IS NULL OR pg_temp.has_other_words(name)
UNION ALL
SELECT 'category', id FROM category WHERE sort_name IS NULL OR pg_temp.has_other_words(name)
UNION ALL
SELECT 'merchant', id FROM merchant WHERE sort_name IS NULL OR pg_temp.has_other_words(name)
UNION ALL
SELECT 'article', id FROM article WHERE pg_temp.has_other_words(title || summary || body);

INSERT INTO unfolded_name (kind, id)
SELECT 'product', id
FROM product
WHERE sort_name IS NULL OR pg_temp.has_other_words(name) OR pg_temp.has_other_words(mpn)
   OR brand_id IN (SELECT id FROM unfolded_name WHERE kind = 'brand')
   OR category_id IN (SELECT id FROM unfolded_name WHERE kind = 'category');

DROP INDEX product_unfolded_idx;
