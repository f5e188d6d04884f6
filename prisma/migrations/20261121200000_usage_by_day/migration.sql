-- What a key had used in the month before its first request of each day; element 1 is the first of the month. The days'
-- figures are the differences, so they add up to the exact count, and a count rewrites a row whose array stays as it is:
-- no second table, hardly more to write to the log.
-- Of a month that has begun already, what was used until now belongs to no day.
ALTER TABLE usage_counter ADD COLUMN day_starts BIGINT[] NOT NULL DEFAULT '{}';
