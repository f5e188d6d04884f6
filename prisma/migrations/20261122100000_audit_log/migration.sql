-- What operators have done, and who did it: written in the transaction that does it, read by `pda audit`. It refers to nothing,
-- so that nothing can take an entry away with it, and holds no secret.
CREATE TABLE audit_event (
  id BIGSERIAL PRIMARY KEY,
  at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  action TEXT NOT NULL,
  key_id BIGINT,
  actor TEXT NOT NULL,
  role TEXT NOT NULL DEFAULT session_user,
  before JSONB,
  after JSONB
);
CREATE INDEX audit_event_key_id_idx ON audit_event (key_id);

-- Append-only, also for the owner of the table: whoever would change an entry has to take the trigger away first.
CREATE FUNCTION refuse_change_of_audit_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_event is append-only: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER audit_event_is_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_event
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit_event();

-- Imports as the metrics tell of them. A run that failed leaves nothing of itself but this.
ALTER TABLE import_run ADD COLUMN started_at TIMESTAMPTZ(3);
CREATE TABLE import_failure (
  id BIGSERIAL PRIMARY KEY,
  merchant TEXT NOT NULL,
  mode import_mode NOT NULL,
  reason TEXT NOT NULL,
  started_at TIMESTAMPTZ(3) NOT NULL,
  finished_at TIMESTAMPTZ(3) NOT NULL DEFAULT now()
);
