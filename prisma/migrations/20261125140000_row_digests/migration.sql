-- The digest of the feed's row that wrote the offer, for imports to recognise an unchanged row. Null until the next import records it.
-- It is in the offer's own row, which an import writes anyway, and in no index, so that a new digest alone leaves the indexes as they are.
ALTER TABLE offer ADD COLUMN row_digest UUID;

-- Raised by each import of the category tree: the same row can then mean another category.
ALTER TABLE catalogue_version ADD COLUMN taxonomy_version BIGINT NOT NULL DEFAULT 0;
