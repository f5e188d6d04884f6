-- Gives a key a new secret, for operators and for clients that rotate their own key. The server's role may write no secrets itself, so
-- that it cannot issue keys: this runs as the owner, and records each rotation in the audit log. The lock on the key's row makes
-- rotations wait for each other, and lets the meter count meanwhile.
DO $migration$
BEGIN
  EXECUTE format(
    $create$
      CREATE FUNCTION rotate_key(
        of_key BIGINT, new_digest TEXT, new_prefix TEXT, grace_hours DOUBLE PRECISION, by_actor TEXT, most_working INT, most_a_day INT
      ) RETURNS TEXT
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, %1$I, pg_temp
      AS $body$
        DECLARE
          rotated api_key;
          prefixes TEXT[];
          made_today BIGINT;
          old_end TIMESTAMPTZ := now() + make_interval(secs => grace_hours * 3600);
        BEGIN
          SELECT * INTO rotated FROM api_key WHERE id = of_key FOR NO KEY UPDATE;
          IF NOT FOUND THEN RETURN 'unknown'; END IF;
          IF rotated.revoked_at IS NOT NULL THEN RETURN 'revoked'; END IF;
          IF rotated.expires_at <= now() THEN RETURN 'expired'; END IF;
          IF EXISTS (SELECT FROM demo_key WHERE key_id = of_key) THEN RETURN 'demo'; END IF;
          SELECT array_agg(prefix ORDER BY id) FILTER (WHERE (expires_at > now()) IS NOT FALSE),
                 count(*) FILTER (WHERE created_at > now() - interval '1 day')
          INTO prefixes, made_today
          FROM api_key_secret
          WHERE key_id = of_key;
          IF cardinality(prefixes) >= most_working AND grace_hours > 0 THEN RETURN 'too many'; END IF;
          IF made_today >= most_a_day THEN RETURN 'too often'; END IF;
          UPDATE api_key_secret SET expires_at = old_end
          WHERE key_id = of_key AND (expires_at > old_end) IS NOT FALSE;
          INSERT INTO api_key_secret (key_id, digest, prefix) VALUES (of_key, new_digest, new_prefix);
          INSERT INTO audit_event (action, key_id, actor, before, after)
          VALUES ('key.rotate', of_key, by_actor, jsonb_build_object('prefixes', prefixes),
                  jsonb_build_object('prefix', new_prefix, 'graceHours', grace_hours));
          RETURN 'rotated';
        END
      $body$;
    $create$,
    current_schema()
  );
END
$migration$;
REVOKE ALL ON FUNCTION rotate_key(BIGINT, TEXT, TEXT, DOUBLE PRECISION, TEXT, INT, INT) FROM PUBLIC;

-- The key that the front page of a demo uses for its visitors, with its text. There is at most one, and none without the demo.
CREATE TABLE demo_key (
  key_id  BIGINT  PRIMARY KEY REFERENCES api_key (id),
  secret  TEXT    NOT NULL,
  is_only BOOLEAN NOT NULL DEFAULT TRUE UNIQUE CHECK (is_only)
);

-- A signed-in key holder at /account. Only the digest of the cookie's token is stored. It ends with the secret that opened it.
CREATE TABLE account_session (
  digest     TEXT           PRIMARY KEY,
  secret_id  BIGINT         NOT NULL REFERENCES api_key_secret (id),
  key_id     BIGINT         NOT NULL REFERENCES api_key (id),
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  expires_at TIMESTAMPTZ(3) NOT NULL
);

CREATE INDEX account_session_key_idx ON account_session (key_id, created_at);
CREATE INDEX account_session_secret_idx ON account_session (secret_id);
CREATE INDEX account_session_expiry_idx ON account_session (expires_at);
