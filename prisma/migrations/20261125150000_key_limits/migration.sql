-- A key may have a monthly quota of its own, as it may have a rate limit. 0 is unlimited, as in the plans.
ALTER TABLE api_key ADD COLUMN monthly_quota INTEGER CHECK (monthly_quota >= 0);

-- The form that created a key or a secret. A form that is sent twice, such as by reloading the page of its answer, creates one.
ALTER TABLE api_key ADD COLUMN form_id UUID;
CREATE UNIQUE INDEX api_key_form_id_key ON api_key (form_id);
ALTER TABLE api_key_secret ADD COLUMN form_id UUID;
CREATE UNIQUE INDEX api_key_secret_form_id_key ON api_key_secret (form_id);
