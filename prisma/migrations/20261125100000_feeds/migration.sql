-- How a run of a scheduled feed ended. `unchanged`: the content was as before, so it was not imported again. `superseded`: another process
-- took the run over, or the feed was removed meanwhile; the run had no effect.
CREATE TYPE feed_outcome AS ENUM ('imported', 'unchanged', 'refused', 'broken', 'failed', 'superseded');

-- A feed that the gateways pull regularly. The shop is known by its name, because its first import adds it.
CREATE TABLE feed (
  id                  BIGSERIAL      PRIMARY KEY,
  merchant            TEXT           NOT NULL,
  -- Null until the first import.
  merchant_id         BIGINT         REFERENCES merchant (id),
  url                 TEXT           NOT NULL,
  -- Of the URL: at most a few feeds of one host are downloaded at once.
  host                TEXT           NOT NULL,
  every_seconds       INT            NOT NULL CHECK (every_seconds BETWEEN 60 AND 2592000),
  is_delta            BOOLEAN        NOT NULL DEFAULT FALSE,
  -- Own limits; null for those that every import has.
  max_bytes           BIGINT,
  max_rows            INT,
  max_rejects         INT,
  encoding            TEXT,
  allow_private       BOOLEAN        NOT NULL DEFAULT FALSE,
  header_names        TEXT[]         NOT NULL DEFAULT '{}',
  -- The headers, encrypted under a key derived from SECRET_KEY; null without headers.
  sealed_headers      TEXT,
  -- In the address of the shop's report.
  report_token        TEXT           NOT NULL UNIQUE CHECK (length(report_token) >= 32),
  created_at          TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  paused_at           TIMESTAMPTZ(3),
  next_run_at         TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  -- The run that has the feed now, and until when, unless it renews that. Its number is the fence: any other run must record nothing.
  run_id              BIGINT,
  leased_until        TIMESTAMPTZ(3),
  -- Of the content that was imported last, for conditional requests.
  etag                TEXT,
  last_modified       TEXT,
  content_digest      TEXT,
  -- From then on, the same content states other prices, because a sale begins or ends.
  content_valid_until TIMESTAMPTZ(3),
  -- The import that last recorded that content.
  content_import_id   BIGINT,
  -- In a row; 0 after a success.
  failures            INT            NOT NULL DEFAULT 0,
  last_success_at     TIMESTAMPTZ(3),
  -- Set while the guard refuses the feed's content.
  needs_confirmation_at TIMESTAMPTZ(3),
  -- Set by an operator who allows the next run to withdraw more than half of the shop's offers.
  confirmed_at        TIMESTAMPTZ(3),
  UNIQUE (merchant, url),
  CHECK ((run_id IS NULL) = (leased_until IS NULL)),
  CHECK ((sealed_headers IS NULL) = (cardinality(header_names) = 0))
);

-- The next due feeds.
CREATE INDEX feed_due_idx ON feed (next_run_at) WHERE paused_at IS NULL;
CREATE INDEX feed_merchant_idx ON feed (merchant_id);

-- A pull of a feed.
CREATE TABLE feed_run (
  id            BIGSERIAL      PRIMARY KEY,
  feed_id       BIGINT         NOT NULL REFERENCES feed (id) ON DELETE CASCADE,
  started_at    TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  -- Null while it runs.
  finished_at   TIMESTAMPTZ(3),
  outcome       feed_outcome,
  -- A sentence for the operator.
  message       TEXT,
  -- Whether an operator had allowed it to withdraw more than half of the shop's offers.
  is_forced     BOOLEAN        NOT NULL DEFAULT FALSE,
  -- Bytes received.
  bytes         BIGINT,
  -- The import that it made, also of unchanged content.
  import_run_id BIGINT,
  -- What the shop's report shows of the run.
  report        JSONB,
  CHECK ((finished_at IS NULL) = (outcome IS NULL))
);

-- A feed's runs, newest first.
CREATE INDEX feed_run_feed_idx ON feed_run (feed_id, id);
-- The oldest runs, which are deleted first.
CREATE INDEX feed_run_finished_idx ON feed_run (finished_at);
