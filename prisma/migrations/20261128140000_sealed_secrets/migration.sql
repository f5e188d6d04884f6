-- Secrets are sealed under a key that is not in the database: sealed:<id of the key>:<ciphertext>. Sealed tokens of reports have a digest as
-- their fourth part, by which the report is found.
CREATE INDEX feed_report_digest_idx ON feed (split_part(report_token, ':', 4));
