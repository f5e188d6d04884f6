-- The amount of goods in an offer and its unit, in one number (src/values/unit-price.ts). Null where the shop's row does not tell it.
ALTER TABLE offer ADD COLUMN measure BIGINT;

-- The price of a product's unit at its lowest price, and the unit, in one number that sorts by unit and then by price. Null without an
-- amount, or where the price of the unit rounds to nothing.
ALTER TABLE product ADD COLUMN unit_price BIGINT;

-- The amounts of a product's listed offers, from the index alone. In a catalogue without amounts it is empty.
CREATE INDEX offer_measure_idx ON offer (product_id, total, measure) INCLUDE (id)
  WHERE measure IS NOT NULL AND withdrawn_at IS NULL;

-- The category comes first: few categories have unit prices, and in an index of all products those of a category without any come last.
-- It has what a page of a list is found by, so that the rows of products that are not shown are not read.
CREATE INDEX product_unit_price_idx ON product (category_id, COALESCE(unit_price, 9223372036854775807), id)
  INCLUDE (unit_price, min_total);

-- As before, with the amount.
DROP TRIGGER offer_row_digest ON offer;
CREATE TRIGGER offer_row_digest
  BEFORE UPDATE OF product_id, price, shipping, total, regular_price, sale_from, sale_until, availability, condition, link,
    updated_at, withdrawn_at, gtin, asin, item_group_id, measure, title ON offer
  FOR EACH ROW
  WHEN (OLD.row_digest IS NOT NULL AND OLD.row_digest IS NOT DISTINCT FROM NEW.row_digest)
  EXECUTE FUNCTION forget_row_digest();
