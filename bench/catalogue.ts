/** The database of the benchmark: created with the command line, as operators do, and kept for the next run. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../src/database/database.ts';
import { migrate, pendingMigrations } from '../src/database/migrate.ts';
import { openPostgres } from '../src/database/postgres.ts';
import { writeFeed } from './feeds.ts';
import { pda } from './pda.ts';

export interface BenchCatalogue {
  url: string;
  /** A connection for the benchmark itself. */
  database: Database;
  gtins: string[];
  /** Keys of the largest plan. */
  keys: string[];
}

const TAXONOMY = join('..', 'shared', 'data', 'taxonomy-with-ids.en-US.txt');
const SHOPS = 5;
const KEYS = 16;

/**
 * Opens a catalogue of `products` products with one offer from each of five shops; creates it if it is missing.
 *
 * @param server the URL of a PostgreSQL server on which databases may be created.
 */
export async function openCatalogue(server: string, products: number, isFresh: boolean): Promise<BenchCatalogue> {
  const name = `pda_bench_${products}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  if (isFresh || !(await isComplete(server, name, url.href))) await make(server, name, url.href, products);
  const database = openPostgres({ url: url.href, purpose: 'bulk' });
  const rows = await database.query<{ value: string }>(
    "SELECT value FROM product_identifier WHERE kind = 'gtin' ORDER BY md5(value)",
  );
  await loadTaxonomy(database, url.href);
  const keys: string[] = [];
  for (let n = 0; n < KEYS; n += 1) {
    const words = ['keys', 'create', '--name', `bench ${n}`, '--plan', 'enterprise', '--rate-limit', '1000000'];
    const { said } = await pda(words, { DATABASE_URL: url.href });
    keys.push((said as { key: string }).key);
  }
  return { url: url.href, database, gtins: rows.map(({ value }) => value), keys };
}

async function loadTaxonomy(database: Database, url: string): Promise<void> {
  const [category] = await database.query('SELECT FROM category LIMIT 1');
  if (!category && existsSync(TAXONOMY)) await pda(['taxonomy', TAXONOMY], { DATABASE_URL: url });
}

async function isComplete(server: string, name: string, url: string): Promise<boolean> {
  const admin = openPostgres({ url: server, purpose: 'bulk' });
  const [found] = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  await admin.close();
  if (!found) return false;
  const database = openPostgres({ url, purpose: 'bulk' });
  const [made] = await database
    .query<{ count: number }>('SELECT count(*)::int AS count FROM import_run')
    .catch(() => [{ count: 0 }]);
  const isCurrent = made?.count === SHOPS && (await pendingMigrations(database)).length === 0;
  await database.close();
  return isCurrent;
}

async function make(server: string, name: string, url: string, products: number): Promise<void> {
  process.stdout.write(`Creating ${name}: ${products} products, ${SHOPS * products} offers\n`);
  const admin = openPostgres({ url: server, purpose: 'bulk' });
  await admin.script(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await admin.script(`CREATE DATABASE ${name}`);
  await admin.close();
  const database = openPostgres({ url, purpose: 'bulk' });
  await migrate(database);
  const folder = mkdtempSync(join(tmpdir(), 'pda-bench-'));
  try {
    for (let shop = 1; shop <= SHOPS; shop += 1) {
      const feed = join(folder, 'feed.tsv');
      await writeFeed(feed, products, shop);
      const { seconds } = await pda(['import', feed, '--merchant', `Shop ${shop}`], { DATABASE_URL: url });
      process.stdout.write(`  shop ${shop}: ${Math.round(seconds)} s\n`);
      // Imports of different shops are rarely within the same minute, so autovacuum would run between them.
      await database.script('VACUUM ANALYZE');
    }
    await database.script('CHECKPOINT');
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await database.close();
  }
}
