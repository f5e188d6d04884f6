/**
 * Where a feed's rows wait until all of it has been read and found sound: a table of its own for each run, out of sight of
 * every reader. What a killed import leaves behind is dropped by a later one.
 */
import { randomBytes } from 'node:crypto';
import type { Database, Queryable } from '../database/database.ts';
import { slugOf } from '../values/slug.ts';
import { foldName, wordsOf } from '../values/words.ts';
import type { FeedItem } from './item.ts';

/**
 * A staged row: an item with its category, or what is known of a row that was rejected. `position` counts the rows of the
 * feed; unlike the line, of which a feed may have but one, it tells them apart.
 */
export type StagedRow = { position: number } & (
  | { item: FeedItem; categoryId: bigint | undefined }
  | { line: number; sku: string; fault: string }
);

export interface Staging {
  /** The table's name, safe to stand in SQL. */
  table: string;
  append(rows: readonly StagedRow[]): Promise<void>;
  /** Counts what rows are joined by, once all are there; the long texts are left alone. */
  analyse(): Promise<void>;
  drop(): Promise<void>;
}

const PREFIX = 'import_rows_';
const ABANDONED_SECONDS = 6 * 60 * 60;

/** The columns and how each is read from an item, in the order of the statement's parameters. */
const columns = [
  ['line', 'INT', (item: FeedItem) => item.line],
  ['sku', 'TEXT', (item: FeedItem) => item.sku],
  ['slug', 'TEXT', (item: FeedItem) => slugOf(item.title, 'product')],
  ['title', 'TEXT', (item: FeedItem) => item.title],
  ['words', 'TEXT', (item: FeedItem) => foldName(item.title)],
  ['description', 'TEXT', (item: FeedItem) => item.description],
  ['link', 'TEXT', (item: FeedItem) => item.link],
  ['image_url', 'TEXT', (item: FeedItem) => item.imageLink],
  ['price', 'BIGINT', (item: FeedItem) => item.price],
  ['shipping', 'BIGINT', (item: FeedItem) => item.shipping],
  ['total', 'BIGINT', (item: FeedItem) => item.total],
  ['availability', 'TEXT', (item: FeedItem) => item.availability],
  ['condition', 'TEXT', (item: FeedItem) => item.condition],
  ['brand', 'TEXT', (item: FeedItem) => item.brand],
  ['brand_slug', 'TEXT', (item: FeedItem) => item.brand && slugOf(item.brand, 'brand')],
  ['brand_key', 'TEXT', (item: FeedItem) => item.brand?.toLowerCase()],
  ['brand_words', 'TEXT', (item: FeedItem) => item.brand && foldName(item.brand)],
  ['mpn', 'TEXT', (item: FeedItem) => item.mpn],
  ['mpn_key', 'TEXT', (item: FeedItem) => mpnKey(item.mpn)],
  ['mpn_words', 'TEXT', (item: FeedItem) => mpnWords(item.mpn)],
  ['attributes', 'TEXT', (item: FeedItem) => item.attributes && JSON.stringify(item.attributes)],
  ['gtin', 'TEXT', (item: FeedItem) => item.gtin],
  ['asin', 'TEXT', (item: FeedItem) => item.asin],
] as const;

/** Makes the table for a new run, and drops those that killed runs have left. */
export async function openStaging(database: Database): Promise<Staging> {
  await dropAbandoned(database);
  const table = `${PREFIX}${Math.floor(Date.now() / 1000)}_${randomBytes(4).toString('hex')}`;
  const definitions = columns.map(([name, type]) => `${name} ${type}`);
  await database.script(
    `CREATE UNLOGGED TABLE ${table} (${definitions.join(', ')}, position INT, category_id BIGINT, fault TEXT) WITH (autovacuum_enabled = false)`,
  );
  const names = [...columns.map(([name]) => name), 'position', 'category_id', 'fault'];
  const arrays = [...columns.map(([, type]) => type), 'INT', 'BIGINT', 'TEXT'].map(
    (type, index) => `$${index + 1}::${type}[]`,
  );
  const insert = `INSERT INTO ${table} (${names.join(', ')}) SELECT * FROM unnest(${arrays.join(', ')})`;

  return {
    table,
    async append(rows) {
      const values = columns.map(([name, , pick]) => rows.map((row) => read(row, name, pick)));
      const categories = rows.map((row) => ('item' in row ? (row.categoryId ?? null) : null));
      const faults = rows.map((row) => ('item' in row ? null : row.fault));
      await database.query(insert, [...values, rows.map((row) => row.position), categories, faults]);
    },
    analyse: () => database.script(`ANALYZE ${table} (position, sku, gtin, asin, brand_key, mpn_key, slug)`),
    drop: () => database.script(`DROP TABLE IF EXISTS ${table}`),
  };
}

function read(row: StagedRow, name: string, pick: (item: FeedItem) => unknown): unknown {
  if ('item' in row) return pick(row.item) ?? null;
  if (name === 'line') return row.line;
  return name === 'sku' ? row.sku : null;
}

/** An MPN without what shops write differently: case, blanks and punctuation. */
function mpnKey(mpn: string | undefined): string | undefined {
  return mpn?.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '') || undefined;
}

/** An MPN is typed with its hyphens or without. */
function mpnWords(mpn: string | undefined): string | undefined {
  const words = wordsOf(mpn ?? '');
  return words.length > 1 ? [...words, words.join('')].join(' ') : words[0];
}

async function dropAbandoned(database: Queryable): Promise<void> {
  const tables = await database.query<{ name: string }>(
    `SELECT tablename AS name
     FROM pg_tables
     WHERE schemaname = current_schema() AND tablename ~ '^${PREFIX}[0-9]+_[0-9a-f]+$'`,
  );
  for (const { name } of tables) {
    const madeAt = Number(name.slice(PREFIX.length).split('_')[0]);
    if (madeAt < Date.now() / 1000 - ABANDONED_SECONDS) await database.script(`DROP TABLE IF EXISTS ${name}`);
  }
}
