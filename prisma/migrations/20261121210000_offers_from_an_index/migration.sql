-- The offers of a product come in with different shops' feeds and lie far apart: with all that answers show of an offer in the
-- index, a product's are read from one page of it instead of as many pages of the table as there are offers.
DROP INDEX offer_listed_idx;
CREATE INDEX offer_listed_idx ON offer (product_id)
  INCLUDE (id, merchant_id, price, shipping, total, availability, condition, updated_at)
  WHERE withdrawn_at IS NULL;
