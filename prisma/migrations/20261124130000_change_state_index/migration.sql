-- Finds the next change of a product's fields, which has the fields after the one before. Such changes are rare among those of its offers.
CREATE INDEX change_state_idx ON change (product_id, seq) WHERE kind = 'product';
