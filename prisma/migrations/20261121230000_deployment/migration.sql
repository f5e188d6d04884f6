-- What tells this installation from all others, made once and for ever: whatever is shared with others by name (rate limits in
-- Redis) bears it, and a replica that bears another is a copy of another database.
CREATE TABLE deployment (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  name TEXT NOT NULL
);
INSERT INTO deployment (id, name) VALUES (1, gen_random_uuid()::text);
