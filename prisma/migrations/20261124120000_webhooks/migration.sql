CREATE TYPE webhook_kind AS ENUM
  ('price_changed', 'price_below', 'new_low', 'low_equalled', 'back_in_stock', 'offer_withdrawn', 'product_found');

-- A client's wish to be told of changes at a URL. The secret is stored as it is, because every message is signed with it.
CREATE TABLE webhook (
  id              BIGSERIAL      PRIMARY KEY,
  key_id          BIGINT         NOT NULL REFERENCES api_key (id),
  url             TEXT           NOT NULL,
  secret          TEXT           NOT NULL,
  kinds           webhook_kind[] NOT NULL CHECK (cardinality(kinds) > 0),
  product_id      BIGINT         REFERENCES product (id),
  category_id     BIGINT         REFERENCES category (id),
  brand_id        BIGINT         REFERENCES brand (id),
  merchant_id     BIGINT         REFERENCES merchant (id),
  -- The smallest change of a price, in hundredths of a percent.
  min_percent     INT,
  -- In minor units.
  below           BIGINT,
  -- GTINs of 14 digits and ASINs in upper case.
  codes           TEXT[]         NOT NULL DEFAULT '{}' CHECK (cardinality(codes) <= 1000),
  created_at      TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  disabled_at     TIMESTAMPTZ(3),
  -- A sentence for the owner.
  disabled_reason TEXT,
  -- The first failure since the last success.
  failing_since   TIMESTAMPTZ(3),
  CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL))
);

CREATE INDEX webhook_key_idx ON webhook (key_id, id);

-- A message to a webhook. It waits while delivered_at and given_up_at are null; a retry and a replay are the same row, with the same
-- message id. product_id has no reference, because messages outlive what they speak of.
CREATE TABLE webhook_delivery (
  id              BIGSERIAL      PRIMARY KEY,
  webhook_id      BIGINT         NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
  message_id      TEXT           NOT NULL UNIQUE,
  kind            webhook_kind   NOT NULL,
  product_id      BIGINT,
  -- The change that it speaks of; null for tests.
  seq             BIGINT,
  payload         JSONB          NOT NULL,
  created_at      TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  -- When the attempts began: its creation, or its last replay.
  due_since       TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  attempts        INT            NOT NULL DEFAULT 0,
  -- Until then, no gateway attempts it: the time of the next attempt, or the end of the lease of the gateway that attempts it now.
  next_attempt_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  -- The end of that lease; null while no gateway attempts it.
  leased_until    TIMESTAMPTZ(3),
  last_attempt_at TIMESTAMPTZ(3),
  delivered_at    TIMESTAMPTZ(3),
  given_up_at     TIMESTAMPTZ(3),
  last_status     INT,
  last_error      TEXT
);

-- The waiting messages of each webhook, the next one first.
CREATE INDEX webhook_delivery_waiting_idx ON webhook_delivery (webhook_id, next_attempt_at, id)
  WHERE delivered_at IS NULL AND given_up_at IS NULL;
-- The list of a webhook's deliveries, newest first.
CREATE INDEX webhook_delivery_list_idx ON webhook_delivery (webhook_id, id);
-- The last message of a webhook of one kind about a product.
CREATE INDEX webhook_delivery_last_idx ON webhook_delivery (webhook_id, kind, product_id, created_at);
-- The oldest deliveries, which are deleted first.
CREATE INDEX webhook_delivery_created_idx ON webhook_delivery (created_at);
-- The oldest tests, which are deleted sooner.
CREATE INDEX webhook_delivery_test_idx ON webhook_delivery (created_at) WHERE seq IS NULL;

-- The position in the stream of changes up to which messages have been made: one row.
CREATE TABLE webhook_position (
  id  INT    PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  seq BIGINT NOT NULL
);
INSERT INTO webhook_position (seq) VALUES (0);
