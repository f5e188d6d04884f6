-- By which a distributed engine divides the clicks. Clicks from before have none; `pda distribute` fills it in.
ALTER TABLE click ADD COLUMN product_id BIGINT;
