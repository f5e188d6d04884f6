// COPY of the tables that an import fills, out of one database into another with the same tables and indices: what no importer can
// pass. Prints how many seconds the way in took.
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import copy from 'pg-copy-streams';

// In the order of their foreign keys.
const TABLES = [
  'merchant',
  'brand',
  'product',
  'product_identifier',
  'product_search',
  'search_word',
  'offer',
  'ledger',
];

const folder = mkdtempSync(join(tmpdir(), 'pda-copy-'));
const source = new pg.Client({ connectionString: process.env.SOURCE_URL });
const target = new pg.Client({ connectionString: process.env.TARGET_URL });
await Promise.all([source.connect(), target.connect()]);
const columns = new Map();
for (const table of TABLES) {
  const { rows } = await source.query(
    `SELECT string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) AS names
     FROM information_schema.columns WHERE table_name = $1 AND is_generated = 'NEVER'`,
    [table],
  );
  columns.set(table, `${table} (${rows[0].names})`);
  const out = source.query(copy.to(`COPY ${columns.get(table)} TO STDOUT`));
  await pipeline(out, createWriteStream(join(folder, table)));
}
const startedAt = performance.now();
await target.query('BEGIN');
for (const table of TABLES) {
  await pipeline(
    createReadStream(join(folder, table)),
    target.query(copy.from(`COPY ${columns.get(table)} FROM STDIN`)),
  );
}
await target.query('COMMIT');
console.log((performance.now() - startedAt) / 1000);
await Promise.all([source.end(), target.end()]);
rmSync(folder, { recursive: true });
