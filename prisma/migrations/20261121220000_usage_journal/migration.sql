-- What the last write of each meter was, written by that very statement: a meter whose connection was cut before the answer came
-- asks here whether the write was committed, and what it granted. One row for each meter that runs, and for each that was killed.
-- Rewritten all the time and read hardly ever: small, never compressed, and in its page as long as it fits, where the room of its
-- last versions is used again.
CREATE TABLE usage_journal (
  meter_id  UUID PRIMARY KEY,
  -- No write of this number or a lower one is taken any more: NULL, which a late one would set, fails it as a whole.
  number    BIGINT NOT NULL,
  committed BIGINT NOT NULL,
  day       DATE NOT NULL,
  granted   INTEGER[] NOT NULL
) WITH (fillfactor = 50, toast_tuple_target = 8160);

ALTER TABLE usage_journal ALTER COLUMN granted SET STORAGE EXTERNAL;
