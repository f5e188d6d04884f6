-- Each current offer has had its present facts since its last change, so the ledger learns them from that time on.
INSERT INTO ledger (product_id, offer_id, observed_at, import_run_id, total, price, shipping, availability, condition)
SELECT offer.product_id, offer.id, offer.updated_at, migration.id, offer.total, offer.price, offer.shipping, offer.availability,
       offer.condition
FROM (SELECT nextval('import_run_id_seq') AS id WHERE EXISTS (SELECT FROM offer)) AS migration
CROSS JOIN offer
WHERE offer.withdrawn_at IS NULL;
