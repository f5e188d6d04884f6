-- A new or changed address is confirmed by its receiver before messages are sent to it; until then its webhook is disabled, so gateways of
-- earlier versions send it nothing either. Null: the address is confirmed, as all that exist now and those that such gateways add. Otherwise
-- the number of attempts to confirm it.
ALTER TABLE webhook ADD COLUMN verify_attempts INT;
-- The time of the next attempt, or the end of the lease of the gateway that attempts it now; null if none follows.
ALTER TABLE webhook ADD COLUMN verify_at TIMESTAMPTZ(3);
CREATE INDEX webhook_verify_idx ON webhook (verify_at) WHERE verify_at IS NOT NULL;
