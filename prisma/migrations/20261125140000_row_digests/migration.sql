-- The digest of the feed's row that wrote the offer, for imports to recognise an unchanged row. Null until the next import records it.
-- It is in the offer's own row, which an import writes anyway, and in no index, so that a new digest alone leaves the indexes as they are.
ALTER TABLE offer ADD COLUMN row_digest UUID;

-- Raised by each import of the category tree: the same row can then mean another category.
ALTER TABLE catalogue_version ADD COLUMN taxonomy_version BIGINT NOT NULL DEFAULT 0;

-- Whatever changes an offer without the digest of another row makes its digest untrue: also an importer of an older version.
CREATE FUNCTION forget_row_digest() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.row_digest := NULL;
  RETURN NEW;
END
$$;

CREATE TRIGGER offer_row_digest
  BEFORE UPDATE OF product_id, price, shipping, total, regular_price, sale_from, sale_until, availability, condition, link,
    updated_at, withdrawn_at, gtin, asin, title ON offer
  FOR EACH ROW
  WHEN (OLD.row_digest IS NOT NULL AND OLD.row_digest IS NOT DISTINCT FROM NEW.row_digest)
  EXECUTE FUNCTION forget_row_digest();
