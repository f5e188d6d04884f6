/** The demo catalogue: brought in through the importer itself on the first start of an empty embedded database. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
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

export interface Demo {
  /** One key for each plan. */
  keys: IssuedKey[];
  /** The keys and three commands to try, for a person at a terminal. */
  describe(address: string): string;
}

/** How far the import has come: feeds done, of how many. */
export type OnFeed = (done: number, of: number) => void;

const MARKET = { currency: 'EUR', country: 'DE' };

/**
 * Brings the demo in where it is due: on an empty embedded database, outside production. In another market than the
 * demo's, one line on standard error says why it is left out.
 */
export async function setUpDemo(config: Config, database: Database, onFeed?: OnFeed): Promise<Demo | undefined> {
  if (config.isProduction || config.databaseUrl !== undefined) return undefined;
  await migrate(database);
  if (!(await isDemoDue(database))) return undefined;
  if (config.marketCurrency !== MARKET.currency) {
    process.stderr.write(
      `No demo catalogue: its prices are in ${MARKET.currency}, and MARKET_CURRENCY is ${config.marketCurrency}.\n`,
    );
    return undefined;
  }
  // What is lost in a crash is imported again: no need to wait for the disk at each step of many. The embedded database
  // has one session, so this holds for all that is done on it until it is undone.
  await database.query('SET synchronous_commit = off');
  try {
    await importCatalogue(database, onFeed);
  } finally {
    await database.query('SET synchronous_commit = on');
  }
  // Keys are shown once, so they must outlive a crash: their commit waits for the disk, and takes along all before it.
  return makeKeys(database);
}

/**
 * Imports the demo and makes its keys. Run again, it changes nothing but makes new keys.
 *
 * @param now the moment that the newest feeds speak of.
 */
export async function importDemo(database: Database, onFeed?: OnFeed, now = new Date()): Promise<Demo> {
  await importCatalogue(database, onFeed, now);
  return makeKeys(database);
}

async function importCatalogue(database: Database, onFeed: OnFeed = () => {}, now = new Date()): Promise<void> {
  const { taxonomy, shops } = readManifest();
  await importTaxonomy(database, join(folder(), taxonomy));
  const feeds = shops
    .flatMap(({ merchant, url, feeds: each }) => each.map((feed) => ({ merchant, merchantUrl: url, ...feed })))
    .sort((one, other) => other.daysAgo - one.daysAgo);
  for (const [index, { merchant, merchantUrl, file, daysAgo, delta }] of feeds.entries()) {
    await importFeed(database, MARKET, {
      feed: join(folder(), file),
      merchant,
      merchantUrl,
      mode: delta ? 'delta' : 'full',
      observedAt: new Date(now.getTime() - daysAgo * DAY_MS),
    });
    onFeed(index + 1, feeds.length);
  }
  await importArticles(database, join(folder(), 'articles'));
}

/** Keys come last and together: a database with shops and without keys is a demo that was cut short. */
async function makeKeys(database: Database): Promise<Demo> {
  const keys = await createKeys(
    database,
    PLAN_IDS.map((plan) => ({ name: `demo ${plan}`, plan })),
  );
  return { keys, describe: (address) => describe(keys, address) };
}

/** True for a database without keys whose shops, if any, are all the demo's: nobody has put anything in it yet. */
async function isDemoDue(database: Database): Promise<boolean> {
  const [row] = await database.query<{ keys: number; merchants: string[] | null }>(
    'SELECT (SELECT count(*)::int FROM api_key) AS keys, (SELECT array_agg(name) FROM merchant) AS merchants',
  );
  const own = new Set(readManifest().shops.map(({ merchant }) => merchant));
  return row?.keys === 0 && (row.merchants ?? []).every((name) => own.has(name));
}

function describe(keys: readonly IssuedKey[], address: string): string {
  const key = keys.find(({ plan }) => plan === 'starter')?.key ?? '';
  const query =
    '{ lookup(ean: \\"4006381333931\\") { product { name } offers { merchantName totalPrice } } viewer { remaining } }';
  return [
    'A demo catalogue was imported. One key for each plan (shown only now):',
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

function folder(): string {
  return join(packageRoot(), 'demo');
}

function readManifest(): z.infer<typeof Manifest> {
  return Manifest.parse(JSON.parse(readFileSync(join(folder(), 'manifest.json'), 'utf8')));
}
