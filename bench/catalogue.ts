/** The database of the benchmark: created with the command line, as operators do, and kept for the next run. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../src/database/database.ts';
import { pendingMigrations } from '../src/database/migrate.ts';
import { openPostgres } from '../src/database/postgres.ts';
import { sharedFile } from '../test/harness/shared-file.ts';
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

const SHOPS = 5;
const KEYS = 16;

/**
 * Opens a catalogue of `products` products with one offer from each of five shops, or of another number; creates it if it is missing.
 *
 * @param server the URL of a PostgreSQL server on which databases may be created.
 */
export async function openCatalogue(
  server: string,
  products: number,
  isFresh: boolean,
  shops = SHOPS,
): Promise<BenchCatalogue> {
  const name = shops === SHOPS ? `pda_bench_${products}` : `pda_bench_${products}_of_${shops}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  if (isFresh || !(await isComplete(server, name, url.href, shops))) {
    process.stdout.write(`Creating ${name}: ${products} products, ${shops * products} offers\n`);
    await recreate(server, name);
    await fillCatalogue(url.href, products, '.', shops);
  }
  return useCatalogue(url.href);
}

/** Opens a filled database as a catalogue, with new keys. @param folder of the built version that it belongs to. */
export async function useCatalogue(url: string, folder = '.', keyCount = KEYS): Promise<BenchCatalogue> {
  const database = openPostgres({ url, purpose: 'bulk' });
  const rows = await database.query<{ value: string }>(
    "SELECT value FROM product_identifier WHERE kind = 'gtin' ORDER BY md5(value)",
  );
  await loadTaxonomy(database, url, folder);
  const keys: string[] = [];
  for (let n = 0; n < keyCount; n += 1) {
    const words = ['keys', 'create', '--name', `bench ${n}`, '--plan', 'enterprise', '--rate-limit', '1000000'];
    const { said } = await pda(words, { DATABASE_URL: url }, folder);
    keys.push((said as { key: string }).key);
  }
  return { url, database, gtins: rows.map(({ value }) => value), keys };
}

async function loadTaxonomy(database: Database, url: string, folder: string): Promise<void> {
  const [category] = await database.query('SELECT FROM category LIMIT 1');
  const taxonomy = sharedFile('taxonomy-with-ids.en-US.txt');
  if (!category && taxonomy !== undefined) await pda(['taxonomy', taxonomy], { DATABASE_URL: url }, folder);
}

async function isComplete(server: string, name: string, url: string, shops: number): Promise<boolean> {
  const admin = openPostgres({ url: server, purpose: 'bulk' });
  const [found] = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  await admin.close();
  if (!found) return false;
  const database = openPostgres({ url, purpose: 'bulk' });
  const [made] = await database
    .query<{ count: number }>('SELECT count(*)::int AS count FROM import_run')
    .catch(() => [{ count: 0 }]);
  const isCurrent = made?.count === shops && (await pendingMigrations(database)).length === 0;
  await database.close();
  return isCurrent;
}

async function recreate(server: string, name: string): Promise<void> {
  const admin = openPostgres({ url: server, purpose: 'bulk' });
  await admin.script(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await admin.script(`CREATE DATABASE ${name}`);
  await admin.close();
}

/** Fills an empty database through the command line. @param folder of the built version that does it. */
export async function fillCatalogue(url: string, products: number, folder = '.', shops = SHOPS): Promise<void> {
  await pda(['migrate'], { DATABASE_URL: url }, folder);
  const database = openPostgres({ url, purpose: 'bulk' });
  const feeds = mkdtempSync(join(tmpdir(), 'pda-bench-'));
  try {
    for (let shop = 1; shop <= shops; shop += 1) {
      const feed = join(feeds, 'feed.tsv');
      await writeFeed(feed, products, shop);
      const { seconds } = await pda(['import', feed, '--merchant', `Shop ${shop}`], { DATABASE_URL: url }, folder);
      process.stdout.write(`  shop ${shop}: ${Math.round(seconds)} s\n`);
      // Imports of different shops are rarely within the same minute, so autovacuum would run between them.
      await database.script('VACUUM ANALYZE');
    }
    await database.script('CHECKPOINT');
  } finally {
    rmSync(feeds, { recursive: true, force: true });
    await database.close();
  }
}
