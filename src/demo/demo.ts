/** The demo catalogue: imported with the regular importer on the first start of an empty embedded database. */
import { createDemoKey } from '../access/demo-key.ts';
import { createKeys, type IssuedKey } from '../access/key-admin.ts';
import { PLAN_IDS } from '../access/plans.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { importArticles } from '../import/articles.ts';
import { importTaxonomy } from '../import/taxonomy.ts';
import type { Log } from '../operations/log.ts';
import { type DemoFeed, demoFile, importDemoFeed, missingFeeds, readManifest } from './feeds.ts';
import { logProgress, type OnFeed } from './log-progress.ts';
import { DEMO_MARKET, mayHaveDemo, suitsDemo } from './may-have-demo.ts';

/**
 * Imports the present of the demo into an empty database that may have one; `past.ts` imports its past. In a market of another currency,
 * it does nothing but say so on stderr.
 * @returns if the demo was due, a function that creates the keys and prints them. Call it once the server listens at the address: keys can be shown
 *   only once, so nothing must fail between their creation and that.
 */
export async function setUpDemo(config: Config, database: Database, log: Pick<Log, 'info'>) {
  if (!mayHaveDemo(config)) return undefined;
  await migrate(database);
  const { isDue, lacksDemoKey } = await stateOfDemo(database);
  // An installation of an earlier version has the catalogue and no demo key.
  if (lacksDemoKey && config.hasDemoKey) await createDemoKey(database);
  if (!isDue) return undefined;
  if (!suitsDemo(config)) {
    const mismatch = `its prices are in ${DEMO_MARKET.currency}, but MARKET_CURRENCY is ${config.marketCurrency}`;
    process.stderr.write(`The demo catalogue was not imported: ${mismatch}.\n`);
    return undefined;
  }
  const { present } = await missingFeeds(database, new Date());
  await importCatalogue(database, present, logProgress(log, 'the demo catalogue'));
  return (address: string): Promise<IssuedKey[] | undefined> =>
    database.transaction(
      async (transaction) => {
        await transaction.query("SELECT pg_advisory_xact_lock(hashtext('demo.keys'))");
        // Another server that was started at the same time may have made them.
        if (!(await stateOfDemo(database)).isDue) return undefined;
        const { keys, describe } = await makeKeys(database, config.hasDemoKey);
        process.stdout.write(`\n${describe(address)}`);
        return keys;
      },
      { isLong: true },
    );
}

/** Imports what a database lacks of the demo, present and past, and creates keys. @param now the time of the newest feeds, if none was imported before. */
export async function importDemo(
  database: Database,
  onFeed: OnFeed = () => {},
  now = new Date(),
  { hasDemoKey = true } = {},
) {
  const { present, past } = await missingFeeds(database, now);
  await importCatalogue(database, [...present, ...past], onFeed);
  return makeKeys(database, hasDemoKey);
}

async function importCatalogue(database: Database, feeds: readonly DemoFeed[], onFeed: OnFeed): Promise<void> {
  await importTaxonomy(database, demoFile(readManifest().taxonomy));
  for (const [index, feed] of feeds.entries()) {
    await importDemoFeed(database, feed);
    onFeed(index + 1, feeds.length);
  }
  await importArticles(database, demoFile('articles'));
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
