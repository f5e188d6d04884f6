-- Products whose ledger, brand or category has changed since the digest last read them. Gateways take them out in the background and
-- refresh the tables that derive from the ledger (src/ledger/digest). No reference to product, so that imports need no check for each row.
CREATE TABLE due_product (
  product_id      BIGINT PRIMARY KEY,
  set_aside_until TIMESTAMPTZ(3)
);

INSERT INTO due_product (product_id)
SELECT id
FROM product
WHERE EXISTS (SELECT FROM ledger WHERE ledger.product_id = product.id)
ORDER BY id;
