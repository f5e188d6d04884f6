-- A link that opens the console once. Only the digest of its token is stored.
CREATE TABLE console_link (
  digest     TEXT           PRIMARY KEY,
  -- The operator who made it, as in the audit log.
  created_by TEXT           NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  expires_at TIMESTAMPTZ(3) NOT NULL
);

-- A browser that is signed in. Only the digest of its cookie is stored.
CREATE TABLE console_session (
  id           BIGSERIAL      PRIMARY KEY,
  digest       TEXT           NOT NULL UNIQUE,
  -- The operator who made its link.
  created_by   TEXT           NOT NULL,
  created_at   TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  -- Accurate to a minute.
  last_seen_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  expires_at   TIMESTAMPTZ(3) NOT NULL
);

-- The entries about one action, newest first.
CREATE INDEX audit_event_action_idx ON audit_event (action, id);

-- The answers of a day by interface, outcome and duration, which all gateways count together.
CREATE TABLE traffic_day (
  day     DATE     NOT NULL,
  face    TEXT     NOT NULL,
  outcome TEXT     NOT NULL,
  -- The number of limits of durations that the answer has exceeded.
  bucket  INT      NOT NULL,
  count   BIGINT   NOT NULL,
  PRIMARY KEY (day, face, outcome, bucket)
);
