-- The shop's id of the goods of which the item is a variant (`item_group_id`), as the row that last wrote the offer states it.
ALTER TABLE offer ADD COLUMN item_group_id TEXT;

-- The products of a group, from the index alone and in the order of their numbers. Offers without a group are not in it.
CREATE INDEX offer_group_idx ON offer (merchant_id, item_group_id, product_id)
  WHERE item_group_id IS NOT NULL AND withdrawn_at IS NULL;

-- As before, with the group.
DROP TRIGGER offer_row_digest ON offer;
CREATE TRIGGER offer_row_digest
  BEFORE UPDATE OF product_id, price, shipping, total, regular_price, sale_from, sale_until, availability, condition, link,
    updated_at, withdrawn_at, gtin, asin, item_group_id, title ON offer
  FOR EACH ROW
  WHEN (OLD.row_digest IS NOT NULL AND OLD.row_digest IS NOT DISTINCT FROM NEW.row_digest)
  EXECUTE FUNCTION forget_row_digest();
