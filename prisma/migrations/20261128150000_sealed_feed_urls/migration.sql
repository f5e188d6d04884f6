-- The addresses of feeds are sealed too: sealed:<id of the key>:<ciphertext>:<address without the values of its query>. Two of the same address
-- differ, and may be too long for an index. Whoever adds or changes a feed looks for others first, one after the other.
CREATE INDEX feed_shop_name_idx ON feed (merchant);
ALTER TABLE feed DROP CONSTRAINT feed_merchant_url_key;
