/** The demo catalogue: imported with the regular importer on the first start of an empty embedded database. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createDemoKey } from '../access/demo-key.ts';
import { createKeys, type IssuedKey } from '../access/key-admin.ts';
import { PLAN_IDS } from '../access/plans.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { importArticles } from '../import/articles.ts';
import { importFeed } from '../import/import-feed.ts';
import { importTaxonomy } from '../import/taxonomy.ts';
import { packageRoot } from '../package-root.ts';
import { DAY_MS } from '../values/day.ts';

const Manifest = z.object({
  taxonomy: z.string(),
  shops: z.array(
    z.object({
      merchant: z.string(),
      url: z.string(),
      feeds: z.array(z.object({ file: z.string(), daysAgo: z.number().int().min(0), delta: z.boolean() })),
    }),
  ),
});

/** Reports progress: the number of feeds imported, and of all feeds. */
type OnFeed = (done: number, of: number) => void;

const MARKET = { currency: 'EUR', country: 'DE' };

/** Imports the demo into an empty embedded database outside production; skips it, with a line on stderr, in a market of another currency. */
export async function setUpDemo(config: Config, database: Database, onFeed?: OnFeed) {
  if (config.isProduction || config.databaseUrl !== undefined) return undefined;
  await migrate(database);
  const { isDue, lacksDemoKey } = await stateOfDemo(database);
  // An installation of an earlier version has the catalogue and no demo key.
  if (lacksDemoKey && config.hasDemoKey) await createDemoKey(database);
  if (!isDue) return undefined;
  if (config.marketCurrency !== MARKET.currency) {
    const mismatch = `its prices are in ${MARKET.currency}, but MARKET_CURRENCY is ${config.marketCurrency}`;
    process.stderr.write(`The demo catalogue was not imported: ${mismatch}.\n`);
    return undefined;
  }
  // Commits need not wait for the disk, because a demo lost in a crash is imported again. The embedded database has one session,
  // so this setting applies to all its statements until it is reset.
  await database.query('SET synchronous_commit = off');
  try {
    await importCatalogue(database, onFeed);
  } finally {
    await database.query('SET synchronous_commit = on');
  }
  // Keys are shown once, so they must survive a crash. Their commit waits for the disk, and thereby flushes the import too.
  return makeKeys(database, config.hasDemoKey);
}

/** Imports the demo and creates its keys. A second run only creates new keys. @param now the time of the newest feeds. */
export async function importDemo(database: Database, onFeed?: OnFeed, now = new Date(), { hasDemoKey = true } = {}) {
  await importCatalogue(database, onFeed, now);
  return makeKeys(database, hasDemoKey);
}

async function importCatalogue(database: Database, onFeed: OnFeed = () => {}, now = new Date()): Promise<void> {
  const { taxonomy, shops } = readManifest();
  await importTaxonomy(database, inFolder(taxonomy));
  const feeds = shops
    .flatMap(({ merchant, url, feeds: each }) => each.map((feed) => ({ merchant, merchantUrl: url, ...feed })))
    .sort((one, other) => other.daysAgo - one.daysAgo);
  for (const [index, { merchant, merchantUrl, file, daysAgo, delta }] of feeds.entries()) {
    await importFeed(database, MARKET, {
      feed: inFolder(file),
      merchant,
      merchantUrl,
      mode: delta ? 'delta' : 'full',
      observedAt: new Date(now.getTime() - daysAgo * DAY_MS),
    });
    onFeed(index + 1, feeds.length);
  }
  await importArticles(database, inFolder('articles'));
}

/** Keys are created last, all at once: a database with shops but no keys is an interrupted demo import. */
async function makeKeys(database: Database, hasDemoKey: boolean) {
  const wanted = PLAN_IDS.map((plan) => ({ name: `demo ${plan}`, plan }));
  const keys = await createKeys(database, wanted);
  if (hasDemoKey) await createDemoKey(database);
  return {
    /** One key for each plan. */
    keys,
    /** The keys and three commands to try, as text for a terminal. */
    describe: (address: string) => describe(keys, address),
  };
}

/**
 * Whether the demo is due: the database has no keys and no shops other than the demo's, so it is not in use yet. `lacksDemoKey`: it has the
 * demo and keys, but no demo key.
 */
async function stateOfDemo(database: Database): Promise<{ isDue: boolean; lacksDemoKey: boolean }> {
  const [row] = await database.query<{ keys: number; merchants: string[] | null; hasDemoKey: boolean }>(
    `SELECT (SELECT count(*)::int FROM api_key) AS keys,
            (SELECT array_agg(name) FROM merchant) AS merchants,
            EXISTS (SELECT FROM demo_key) AS "hasDemoKey"`,
  );
  const { keys = 0, merchants, hasDemoKey = true } = row ?? {};
  const own = new Set(readManifest().shops.map(({ merchant }) => merchant));
  const isOnlyDemo = (merchants ?? []).every((name) => own.has(name));
  const isWhole = new Set(merchants).size === own.size;
  return { isDue: keys === 0 && isOnlyDemo, lacksDemoKey: keys > 0 && isOnlyDemo && isWhole && !hasDemoKey };
}

function describe(keys: readonly IssuedKey[], address: string): string {
  const key = keys.find(({ plan }) => plan === 'starter')?.key ?? '';
  const query =
    '{ lookup(ean: \\"4006381333931\\") { product { name } offers { merchantName totalPrice } } viewer { remaining } }';
  return [
    'A demo catalogue was imported. Here is one key for each plan (shown only once):',
    ...keys.map((each) => `  ${each.plan.padEnd(11)} ${each.key}`),
    '',
    'Try:',
    `  curl -H 'x-api-key: ${key}' '${address}/api/v1/lookup?ean=4006381333931'`,
    `  curl -H 'x-api-key: ${key}' '${address}/api/v1/lookup?asin=B0DEMO0001'`,
    `  curl -H 'x-api-key: ${key}' -H 'content-type: application/json' ${address}/graphql -d '{"query":"${query}"}'`,
    '',
    `Or in a browser: ${address}/`,
    '',
  ].join('\n');
}

const inFolder = (file: string) => join(packageRoot(), 'demo', file);

const readManifest = () => Manifest.parse(JSON.parse(readFileSync(inFolder('manifest.json'), 'utf8')));
