-- Terms that operators declare to mean the same, or the one also the other: folded words with blanks between, as in search vectors.
CREATE TABLE search_synonym (
  term TEXT COLLATE "C" PRIMARY KEY,
  meanings TEXT[] NOT NULL
);
