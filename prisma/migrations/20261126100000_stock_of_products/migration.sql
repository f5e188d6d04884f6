-- Whether a listed offer of the product is in stock. Alone, so that the next migration can fill it while requests are answered.
ALTER TABLE product ADD COLUMN is_in_stock BOOLEAN NOT NULL DEFAULT FALSE;
