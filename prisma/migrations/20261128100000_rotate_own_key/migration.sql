-- Rotates a key at the wish of a client, who shows one of its secrets: only the newest one may, since a former one is to read and change
-- nothing. The lock that rotations of a key wait for makes this exact for requests at the same time. Operators name the key instead, with
-- `rotate_key`.
DO $migration$
BEGIN
  EXECUTE format(
    $create$
      CREATE FUNCTION rotate_own_key(
        by_secret BIGINT, new_digest TEXT, new_prefix TEXT, grace_hours DOUBLE PRECISION, by_actor TEXT, most_working INT, most_a_day INT
      ) RETURNS TEXT
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, %1$I, pg_temp
      AS $body$
        DECLARE
          of_key BIGINT;
          secret_end TIMESTAMPTZ;
        BEGIN
          SELECT key_id INTO of_key FROM api_key_secret WHERE id = by_secret;
          PERFORM FROM api_key WHERE id = of_key FOR NO KEY UPDATE;
          IF NOT FOUND THEN RETURN 'ended'; END IF;
          -- A statement of its own, which sees the rotation that the lock has waited for. Rotations give each former secret an end.
          SELECT expires_at INTO secret_end FROM api_key_secret WHERE id = by_secret;
          IF secret_end <= now() THEN RETURN 'ended'; END IF;
          IF secret_end IS NOT NULL THEN RETURN 'former'; END IF;
          RETURN rotate_key(of_key, new_digest, new_prefix, grace_hours, by_actor, most_working, most_a_day);
        END
      $body$;
    $create$,
    current_schema()
  );
END
$migration$;
REVOKE ALL ON FUNCTION rotate_own_key(BIGINT, TEXT, TEXT, DOUBLE PRECISION, TEXT, INT, INT) FROM PUBLIC;
