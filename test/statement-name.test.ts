/** Statements have short names of few that there are: what they do, and to which table. */
import { expect, test } from 'vitest';
import { openStatementNames } from '../src/database/statement-name.ts';

test.each([
  ['SELECT id FROM offer WHERE id = $1', 'SELECT offer'],
  ['SELECT "public"."product"."id" FROM "public"."product" WHERE 1=1', 'SELECT product'],
  ['SELECT x FROM unnest($1::text[]) AS asked JOIN LATERAL (SELECT 1 FROM brand) AS b ON true', 'SELECT brand'],
  ['WITH best AS (SELECT 1 FROM price_change) SELECT * FROM best', 'SELECT price_change'],
  ['WITH a AS (SELECT 1), b (x) AS MATERIALIZED (SELECT 2) SELECT * FROM b JOIN a ON true', 'SELECT'],
  ['INSERT INTO import_run (merchant_id) VALUES ($1)', 'INSERT import_run'],
  ['INSERT INTO usage_counter AS counter SELECT 1 ON CONFLICT DO UPDATE SET used = 1', 'INSERT usage_counter'],
  ['UPDATE api_key SET plan = $1', 'UPDATE api_key'],
  ['DELETE FROM price_event WHERE version < $1', 'DELETE price_event'],
  ['SELECT id FROM api_key WHERE id = $1 FOR UPDATE OF api_key', 'SELECT api_key'],
  ['SET LOCAL statement_timeout = 0', 'SET'],
  ['', 'other'],
])('%s is %s', (sql, name) => {
  expect(openStatementNames()(sql)).toBe(name);
});

test('a table of one run of the importer has the name of all of them', () => {
  const nameOf = openStatementNames();
  expect(nameOf('SELECT * FROM import_stage_1700000000_0a1b2c3d')).toBe(
    nameOf('SELECT * FROM import_stage_1800000000_ffffffff'),
  );
});
