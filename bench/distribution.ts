/**
 * Plain PostgreSQL against a Citus cluster whose ledger is on one worker or on two. On one machine this shows what distribution costs, not
 * what it gains. The three databases get the same feeds and requests in turn, in an order that changes from round to round; a ratio
 * is taken within a round.
 */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Database } from '../src/database/database.ts';
import { migrate } from '../src/database/migrate.ts';
import { openPostgres } from '../src/database/postgres.ts';
import { importFeed } from '../src/import/import-feed.ts';
import { digestStep } from '../src/ledger/digest/digest-step.ts';
import { type BenchCatalogue, useCatalogue } from './catalogue.ts';
import { deltaOf, type ListedOffer, MARKET, readOffers } from './changes.ts';
import { readCluster, temporaryClusterDatabase } from './cluster.ts';
import { temporaryDatabase } from './databases.ts';
import { type FeedVariant, writeFeed } from './feeds.ts';
import { note } from './figures.ts';
import { dealPaths } from './list-paths.ts';
import { giveEarlierPrices } from './lists.ts';
import { type BenchRequest, drive, makeTraffic, type Round, type Traffic } from './load.ts';
import { lookupsOf, pickCold } from './lookup-requests.ts';
import { pda } from './pda.ts';
import { median } from './quantile.ts';
import { installPeers, NOTHING_KEPT, type RunningServer, startOurs } from './servers.ts';

/** A database under comparison. */
interface Home {
  name: string;
  url: string;
  database: Database;
}

interface Effort {
  products: number;
  isQuick: boolean;
}

const PLAIN = 'plain PostgreSQL';
const SHOPS = 5;
const TARGETS = { lookups: 0.95, histories: 0.6, imports: 0.6 };
const DELTAS = 10;
const KEYS = 2;
const DIGESTS = 2;
const DIGESTED = 200;
const WARM_SECONDS = 4;
const SETTLE_MS = 2_000;
const DAY_MS = 86_400_000;

/** Runs all measurements. @param clusterUrl BENCH_CLUSTER_URL. @throws NotMeasured without a cluster of two workers. */
export async function measureDistribution(
  server: string,
  clusterUrl: string | undefined,
  folder: string,
  { products, isQuick }: Effort,
): Promise<void> {
  const cluster = await readCluster(clusterUrl);
  process.stdout.write(`Citus ${cluster.version}\n`);
  installPeers(); // For the load generator.
  const made = [
    { name: PLAIN, ...(await temporaryDatabase(server)) },
    { name: 'one worker', ...(await temporaryClusterDatabase(cluster, 1)) },
    { name: 'two workers', ...(await temporaryClusterDatabase(cluster, 2)) },
  ];
  const homes = made.map(({ name, url }) => ({ name, url, database: openPostgres({ url, purpose: 'bulk' }) }));
  try {
    for (const { name, url, database } of homes) {
      await migrate(database);
      if (name !== PLAIN) await pda(['distribute'], { DATABASE_URL: url });
    }
    const rounds = isQuick ? 3 : 5;
    await measureFeeds(homes, folder, products, rounds);
    await measureDeltas(homes, folder, rounds);
    await measureDigest(homes, rounds);
    await measureReads(homes, folder, isQuick ? { rounds, seconds: 3 } : { rounds, seconds: 5 });
  } finally {
    for (const { database } of homes) await database.close();
    for (const { drop } of made) await drop();
  }
}

/** Imports whole feeds in this process, as a gateway does that pulls them: offers of five shops, other prices of the same offers, and more products. */
async function measureFeeds(homes: readonly Home[], folder: string, products: number, rounds: number): Promise<void> {
  const more = Math.ceil(products / 4);
  let age = SHOPS + 2 * rounds;
  const imports = async (shop: number, count: number, variant: FeedVariant = {}) => {
    const feed = join(folder, 'feed.tsv');
    await writeFeed(feed, count, shop, variant);
    const observedAt = new Date(Date.now() - age * DAY_MS);
    age -= 1;
    return inTurn(homes, age, async ({ database }) => {
      const startedAt = performance.now();
      await importFeed(database, MARKET, { feed, merchant: `Shop ${shop}`, mode: 'full', observedAt });
      const seconds = (performance.now() - startedAt) / 1_000;
      await database.script('VACUUM ANALYZE');
      return count / seconds;
    });
  };
  await imports(1, products);
  const offers: Sample[] = [];
  for (let shop = 2; shop <= SHOPS; shop += 1) offers.push(await imports(shop, products));
  report(`import of ${products} offers of known products`, offers, 'offers/s', TARGETS.imports);
  const prices: Sample[] = [];
  for (let n = 1; n <= rounds; n += 1) prices.push(await imports(1, products, { revision: n }));
  report(`import of ${products} changed prices`, prices, 'offers/s', TARGETS.imports);
  const founding: Sample[] = [];
  for (let n = 0; n < rounds; n += 1) {
    founding.push(await imports(SHOPS + 1 + n, more, { skip: products + n * more }));
  }
  report(`import of ${more} new products`, founding, 'offers/s', TARGETS.imports);
}

/** Imports delta feeds of ten offers. */
async function measureDeltas(homes: readonly Home[], folder: string, rounds: number): Promise<void> {
  const offers = new Map<Home, ListedOffer[]>();
  for (const home of homes) offers.set(home, await readOffers(home.database));
  const samples: Sample[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const sample = await inTurn(homes, round, async (home) => {
      const startedAt = performance.now();
      for (let n = 0; n < DELTAS; n += 1) {
        const { feed, merchant } = deltaOf(offers.get(home) ?? [], folder);
        await importFeed(home.database, MARKET, { feed, merchant, mode: 'delta', observedAt: new Date() });
      }
      return (DELTAS * 1_000) / (performance.now() - startedAt);
    });
    // The first round opens connections.
    if (round > 0) samples.push(sample);
  }
  report('delta feed of ten changed prices', samples, 'feeds/s', TARGETS.imports);
}

/**
 * Refreshes the deals and figures of some hundred products, in steps as gateways take them. Then no product is due any more, so that gateways
 * do not do the rest while they are measured.
 */
async function measureDigest(homes: readonly Home[], rounds: number): Promise<void> {
  for (const { database } of homes) {
    await giveEarlierPrices(database);
    await database.script('VACUUM ANALYZE');
  }
  const samples: Sample[] = [];
  const last = new Map<Home, bigint>();
  for (let round = 0; round < DIGESTS * rounds; round += 1) {
    const sample = await inTurn(homes, round, async (home) => {
      const startedAt = performance.now();
      const ids = await digestStep(home.database, DIGESTED, last.get(home));
      last.set(home, ids.at(-1) ?? 0n);
      return (ids.length * 1_000) / (performance.now() - startedAt);
    });
    samples.push(sample);
  }
  for (const { database } of homes) {
    await database.script('DELETE FROM due_product');
    await database.script('VACUUM ANALYZE deal, due_product');
  }
  report(`digest of ${DIGESTED} products`, samples, 'products/s');
}

interface Reading {
  name: string;
  connections: number;
  target?: number;
  requests(catalogue: BenchCatalogue): BenchRequest[] | Promise<BenchRequest[]>;
}

const READINGS: readonly Reading[] = [
  {
    name: 'lookup, cold',
    connections: 64,
    target: TARGETS.lookups,
    requests: (catalogue) => lookupsOf(catalogue, pickCold(catalogue.gtins)),
  },
  {
    name: 'price history of one product',
    connections: 16,
    target: TARGETS.histories,
    requests: (catalogue) => ofProducts(catalogue, 'price-history'),
  },
  {
    name: 'price statistics of one product',
    connections: 16,
    requests: (catalogue) => ofProducts(catalogue, 'price-stats?condition=new&availability=in_stock'),
  },
  {
    name: 'deals',
    connections: 16,
    requests: async (catalogue) => asRequests(catalogue, await dealPaths(catalogue.database)),
  },
  { name: 'changes', connections: 16, requests: changePages },
];

async function measureReads(
  homes: readonly Home[],
  folder: string,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<void> {
  const servers = new Map<Home, { running: RunningServer; catalogue: BenchCatalogue }>();
  for (const home of homes) {
    const catalogue = await useCatalogue(home.url, '.', KEYS);
    const running = await startOurs(home.name, home.url, { ...NOTHING_KEPT, DRAIN_DELAY_SECONDS: '0' });
    servers.set(home, { running, catalogue });
  }
  await setTimeout(SETTLE_MS);
  for (const { name, connections, target, requests } of READINGS) {
    const traffic = new Map<Home, Traffic>();
    for (const [home, { catalogue }] of servers) {
      traffic.set(home, makeTraffic(folder, `distribution-${traffic.size}`, await requests(catalogue)));
    }
    const once = (home: Home, count: number, length: number): Promise<Round> => {
      const [server, asked] = [servers.get(home), traffic.get(home)];
      if (!server || !asked) throw new Error(`${home.name} has no server or no requests.`);
      return drive({ address: server.running.address, connections: count, seconds: length }, asked);
    };
    for (const home of homes) await once(home, connections, WARM_SECONDS);
    const rates: Sample[] = [];
    const medians: Sample[] = [];
    for (let round = 0; round < rounds; round += 1) {
      rates.push(await inTurn(homes, round, async (home) => (await once(home, connections, seconds)).rate));
      medians.push(await inTurn(homes, round, async (home) => (await once(home, 1, seconds)).p50));
    }
    report(`${name}, ${connections} connections`, rates, 'requests/s', target);
    report(`${name}, one connection: median`, medians, 'ms');
  }
  for (const { running, catalogue } of servers.values()) {
    await running.stop();
    await catalogue.database.close();
  }
}

const asRequests = ({ keys }: BenchCatalogue, paths: readonly string[]): BenchRequest[] =>
  paths.map((path, n) => ({ path, key: keys[n % keys.length] ?? '' }));

async function ofProducts(catalogue: BenchCatalogue, what: string): Promise<BenchRequest[]> {
  const rows = await catalogue.database.query<{ id: bigint }>('SELECT id FROM product ORDER BY md5(slug) LIMIT 10000');
  return asRequests(
    catalogue,
    rows.map(({ id }) => `/api/v1/products/prd_${id.toString(36)}/${what}`),
  );
}

/** Pages of the stream of changes, of 100 changes each, from its start on. */
async function changePages(catalogue: BenchCatalogue): Promise<BenchRequest[]> {
  const types = ['', '&types=price', '&types=offer_created', '&merchant=shop-1'];
  return asRequests(
    catalogue,
    types.map((filter) => `/api/v1/changes?limit=100${filter}`),
  );
}

/** What each database achieved in a round, by its name. */
type Sample = ReadonlyMap<string, number>;

/** Measures the databases one after the other. Each round starts with another one. */
async function inTurn(
  homes: readonly Home[],
  round: number,
  measure: (home: Home) => Promise<number>,
): Promise<Sample> {
  const first = round % homes.length;
  const sample = new Map<string, number>();
  for (const home of [...homes.slice(first), ...homes.slice(0, first)]) sample.set(home.name, await measure(home));
  return sample;
}

/** Prints the median of each database, and its ratios to plain PostgreSQL: their median, the lowest and the highest. */
function report(what: string, samples: readonly Sample[], unit: string, target?: number): void {
  const of = (name: string) => samples.map((sample) => sample.get(name) ?? 0);
  const names = [...(samples[0]?.keys() ?? [])].sort();
  for (const name of names) note(`${what}: ${name}`, median(of(name)), unit);
  for (const name of names.filter((each) => each !== PLAIN)) {
    const ratios = samples.map((sample) => (sample.get(name) ?? 0) / (sample.get(PLAIN) ?? 0));
    note(`${what}: ${name} relative to plain`, median(ratios), '×', target);
    note(`${what}: ${name}, the lowest round`, Math.min(...ratios), '×');
    note(`${what}: ${name}, the highest round`, Math.max(...ratios), '×');
  }
}
