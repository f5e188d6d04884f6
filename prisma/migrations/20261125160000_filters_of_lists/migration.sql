-- Lists of products with an attribute, such as a colour, are found by it.
CREATE INDEX product_attributes_idx ON product USING GIN (attributes jsonb_path_ops) WHERE attributes IS NOT NULL;

-- Offers of used goods are few: a list of these must not read all others.
CREATE INDEX offer_not_new_idx ON offer (condition, product_id)
  WHERE withdrawn_at IS NULL AND condition <> 'new';
