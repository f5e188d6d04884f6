-- Subscriptions read the stream of changes, which is kept for weeks; this table was kept for minutes.
DROP TABLE price_event;

-- For subscriptions to products that continue after an earlier event: one entry for each product and transaction, as price_event had.
CREATE INDEX change_figures_idx ON change (product_id, seq) WHERE kind = 'figures';
