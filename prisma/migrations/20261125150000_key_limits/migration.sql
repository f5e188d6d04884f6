-- A key may have a monthly quota of its own, as it may have a rate limit. 0 is unlimited, as in the plans.
ALTER TABLE api_key ADD COLUMN monthly_quota INTEGER CHECK (monthly_quota >= 0);

-- Forms of the console that make something. One that is sent twice, such as by reloading the page of its answer, makes it once.
CREATE TABLE console_form (
  id      UUID           PRIMARY KEY,
  used_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  -- What it made, such as the id of a key; null until then.
  made    TEXT
);
