-- Counts requests as the statement CHARGE does (src/access/meter.ts), but fast beside a long transaction. PostgreSQL keeps every version of
-- a row until such a transaction ends, and ON CONFLICT passes them all. An index scan from the other end usually meets the newest version
-- first, since new versions are on later pages, and the update then finds that version by its `ctid`.
-- Without the setting, a plan that was made while the table was small would read the whole table. The function has its caller's rights.
CREATE FUNCTION charge_newest(
  of_month TEXT, key_ids BIGINT[], costs BIGINT[], quotas BIGINT[], is_divisible BOOLEAN, day INT
) RETURNS TABLE (key_id BIGINT, used BIGINT, granted BIGINT)
LANGUAGE plpgsql
SET enable_seqscan = off
AS $function$
#variable_conflict use_column
DECLARE
  batch       RECORD;
  newest      TID;
  used_before BIGINT;
  fitting     BIGINT;
BEGIN
  -- Keys are locked in the same order as by CHARGE, so that instances cannot deadlock.
  FOR batch IN
    SELECT id, cost, quota FROM unnest(key_ids, costs, quotas) AS asked (id, cost, quota) ORDER BY id
  LOOP
    LOOP
      -- BETWEEN, because the planner drops an ORDER BY on a column that equals a constant. The lock keeps the `ctid` valid until the update.
      -- The update is a statement of its own, because a version that the lock waited for is visible only to a later snapshot.
      SELECT ctid, used INTO newest, used_before
      FROM usage_counter
      WHERE key_id BETWEEN batch.id AND batch.id AND month = of_month
      ORDER BY key_id DESC
      LIMIT 1
      FOR NO KEY UPDATE;
      EXIT WHEN FOUND;
      INSERT INTO usage_counter (key_id, month, quota, used, granted, day_starts)
      VALUES (batch.id, of_month, batch.quota, 0, 0, array_fill(0::bigint, ARRAY[day]))
      ON CONFLICT DO NOTHING;
    END LOOP;
    fitting := CASE
      WHEN used_before + batch.cost <= batch.quota THEN batch.cost
      WHEN is_divisible THEN GREATEST(batch.quota - used_before, 0)
      ELSE 0
    END;
    RETURN QUERY
      UPDATE usage_counter
      SET quota = batch.quota,
          used = used_before + fitting,
          granted = fitting,
          day_starts[day] = COALESCE(day_starts[day], used_before)
      WHERE ctid = newest
      RETURNING key_id, used, granted;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'The counter of key % is not at its place.', batch.id;
    END IF;
  END LOOP;
END
$function$;
