/** Reads from streaming replicas: fresh within a second whatever happens to the replicas, without failed requests. About 40 s. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createKey } from '../../src/access/key-admin.ts';
import { type Loaders, openLoaders } from '../../src/catalogue/loaders.ts';
import { readVersion } from '../../src/catalogue/version.ts';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/database.ts';
import { readDeployment } from '../../src/database/deployment.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openReplicas } from '../../src/database/open.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { readFromReplicas } from '../../src/database/replicas.ts';
import { type Gateway, startGateway } from '../../src/gateway.ts';
import { openEvents } from '../harness/events.ts';
import { eventually } from '../harness/eventually.ts';
import { ask, feedRow, importRows } from '../harness/gateway.ts';
import { deducted, startLoad } from '../harness/load.ts';
import { type PostgresServer, startPostgresServer } from '../harness/postgres-server.ts';
import { run } from '../harness/process.ts';

const EAN = '4006381333931';
const LOOKUP = `/api/v1/lookup?ean=${EAN}`;

/** A running gateway, its log, and counts of its reads. */
interface Running extends Gateway {
  said: string[];
  reads(home: 'primary' | 'replica'): Promise<number>;
  /** A metric of one replica. */
  figure(name: 'pda_replica_up' | 'pda_replica_lag_seconds', replica: PostgresServer): Promise<number | undefined>;
  /** The lowest price in a lookup. */
  min(): Promise<number>;
}

let primary: PostgresServer;
let replicas: PostgresServer[];
let database: Database;
let key: string;

beforeAll(async () => {
  primary = await startPostgresServer();
  database = openPostgres({ url: primary.url, purpose: 'bulk' });
  await migrate(database);
  await importRows(database, 'Other', [feedRow({ id: 'b' }), feedRow({ id: 'c' }), feedRow({ id: 'd' })]);
  await price('10 EUR');
  ({ key } = await createKey(database, { name: 'load', plan: 'enterprise', rateLimit: 1_000_000 }));
  replicas = await Promise.all([primary.replica(), primary.replica()]);
});
afterAll(async () => {
  await database.close();
  for (const server of [...replicas, primary]) await server.remove();
});

const price = (amount: string) =>
  importRows(database, 'Shop', [feedRow({ id: 'a', gtin: EAN, price: amount })], { mode: 'delta' });

/** Starts a gateway that reads from these servers. Without the cache each request reads the catalogue. */
async function start(
  servers: readonly PostgresServer[],
  environment: Record<string, string> = { ANSWER_CACHE_MB: '0' },
): Promise<Running> {
  const said: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void said.push(line) });
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: primary.url,
    DATABASE_REPLICA_URLS: servers.map(({ url }) => url).join(', '),
    ...environment,
  });
  const gateway = await startGateway(config, openPostgres({ url: primary.url }), log);
  onTestFinished(() => gateway.stop());
  const { registry } = gateway.services.metrics;
  const figures = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values ?? [];
  return {
    ...gateway,
    said,
    reads: async (home) =>
      (await figures('pda_catalogue_reads_total')).find(({ labels }) => labels.home === home)?.value ?? 0,
    figure: async (name, { port }) =>
      (await figures(name)).find(({ labels }) => String(labels.replica).includes(`:${port}/`))?.value,
    min: async () => (await ask(gateway.address + LOOKUP, { key })).body.data.priceStats.min,
  };
}

/** Sends requests that no cached answer matches, until reads go to replicas. */
let turn = 0;
const untilReplicasRead = async ({ address, reads }: Running, atLeast = 1) => {
  const before = await reads('replica');
  const readOnce = async () => {
    turn += 1;
    expect((await ask(`${address}${LOOKUP}&turn=${turn}`, { key })).status).toBe(200);
    return reads('replica');
  };
  expect(await eventually(readOnce, (count) => count >= before + atLeast)).toBeGreaterThanOrEqual(before + atLeast);
};

const isUpAgain = (gateway: Running, replica: PostgresServer) =>
  eventually(
    () => gateway.figure('pda_replica_up', replica),
    (up) => up === 1,
    20_000,
  );

/** The last statement of each connection from the gateway to a server. */
async function statementsAt({ url }: PostgresServer): Promise<string> {
  const server = openPostgres({ url, poolSize: 1 });
  onTestFinished(() => server.close());
  const rows = await server.query<{ query: string }>(
    "SELECT query FROM pg_stat_activity WHERE application_name = 'product-data-api' AND pid <> pg_backend_pid()",
  );
  return rows.map(({ query }) => query).join('\n');
}

async function onReplica({ url }: PostgresServer, sql: string): Promise<void> {
  const server = openPostgres({ url, poolSize: 1 });
  await server.script(sql).finally(() => server.close());
}
/** Pauses the replay of a replica until the test ends or the returned function is called. */
async function pause(server: PostgresServer): Promise<() => Promise<void>> {
  const resume = () => onReplica(server, 'SELECT pg_wal_replay_resume()');
  await onReplica(server, 'SELECT pg_wal_replay_pause()');
  onTestFinished(resume);
  return resume;
}
const levelled = async (server: PostgresServer) => {
  const replica = openPostgres({ url: server.url, poolSize: 1 });
  onTestFinished(() => replica.close());
  const version = await readVersion(database);
  await eventually(
    () => readVersion(replica),
    (replayed) => replayed >= version,
  );
};

test('reads of the catalogue go to all replicas, and keys and counts to the primary', async () => {
  const gateway = await start(replicas);
  await untilReplicasRead(gateway, 20);
  for (const server of replicas) {
    const statements = await statementsAt(server);
    // The last statement of each connection: the start of a lookup, or the read of merchants that follows it.
    expect(statements).toMatch(/SELECT asked\.kind, asked\.value|FROM merchant/);
    expect(statements).not.toMatch(/api_key|usage_counter/);
  }
  // The service's work in the background uses the same connections, of which only the last statement is known.
  await eventually(
    async () => {
      await gateway.min();
      return statementsAt(primary);
    },
    (statements) => /usage_counter/.test(statements),
  );
  for (const server of replicas) expect(await gateway.figure('pda_replica_up', server)).toBe(1);
  expect(gateway.said.filter((line) => line.includes('replica'))).toEqual([]);
});

test.each([
  '0',
  '64',
])('an import is visible within a second and stays visible, even if a replica lags (ANSWER_CACHE_MB=%s)', async (megabytes) => {
  const [lagging] = replicas as [PostgresServer];
  await price('10 EUR');
  await levelled(lagging);
  const gateway = await start([lagging], { ANSWER_CACHE_MB: megabytes });
  const load = startLoad({ addresses: [gateway.address], key, paths: [LOOKUP, '/api/v1/products?limit=2'] });
  await untilReplicasRead(gateway);
  const resume = await pause(lagging);
  await price('8 EUR');
  const committedAt = performance.now();
  await eventually(gateway.min, (min) => min === 8, 1_000);
  while (performance.now() < committedAt + 1_000) await gateway.min();
  const before = await gateway.reads('replica');
  for (let turn = 0; turn < 50; turn += 1) expect(await gateway.min()).toBe(8);
  expect(await gateway.reads('replica')).toBe(before);
  expect(await gateway.figure('pda_replica_lag_seconds', lagging)).toBeGreaterThan(0);

  await eventually(
    async () => gateway.said.filter((line) => line.includes('lags behind')).length,
    (count) => count > 0,
  );
  await resume();
  await untilReplicasRead(gateway);
  await price('7 EUR');
  expect(await eventually(gateway.min, (min) => min === 7, 1_000)).toBe(7);
  const books = await load.stop();
  expect(books.count(200)).toBe(books.asked.length);
  expect(gateway.said.join('')).toContain('A replica is back');
});

test('a killed replica fails no request and is used again when it is back, and all counts are right', async () => {
  const [killed, other] = replicas as [PostgresServer, PostgresServer];
  const gateway = await start([killed, other]);
  await untilReplicasRead(gateway, 20);
  const usedBefore = await deducted(database);
  const load = startLoad({ addresses: [gateway.address], key, paths: [LOOKUP, '/api/v1/products?limit=2'] });
  await load.answers(200, 200);
  await killed.kill();
  await load.answers(200, 400);
  expect(await gateway.figure('pda_replica_up', killed)).toBe(0);
  expect(await gateway.figure('pda_replica_up', other)).toBe(1);
  const atOther = await gateway.reads('replica');
  await load.answers(200, 100);
  expect(await gateway.reads('replica')).toBeGreaterThan(atOther);
  await killed.start();
  expect(await isUpAgain(gateway, killed)).toBe(1);
  await load.answers(200, 200);
  const books = await load.stop();
  expect(books.count(200)).toBe(books.asked.length);
  expect(await deducted(database)).toBe(usedBefore + books.charged);
  expect(await statementsAt(killed)).toMatch(/FROM (product|unnest|merchant)/);
  const told = gateway.said.filter((line) => /left out|is back/.test(line));
  expect(told.map((line) => JSON.parse(line).msg)).toEqual([
    'A replica is unavailable: its reads go elsewhere until it is back',
    'A replica is back',
  ]);
});

test('a hanging replica delays requests by at most two seconds, and is used again when it recovers', async () => {
  const [hanging] = replicas as [PostgresServer];
  const gateway = await start([hanging]);
  await untilReplicasRead(gateway, 20);
  const load = startLoad({ addresses: [gateway.address], key, paths: [LOOKUP] });
  await load.answers(200, 100);
  const go = stopOutright(hanging);
  onTestFinished(go);
  expect(
    await eventually(
      () => gateway.figure('pda_replica_up', hanging),
      (up) => up === 0,
    ),
  ).toBe(0);
  await load.answers(200, 300);
  go();
  expect(await isUpAgain(gateway, hanging)).toBe(1);
  const before = await gateway.reads('replica');
  await load.answers(200, 100);
  expect(await gateway.reads('replica')).toBeGreaterThan(before);
  const books = await load.stop();
  expect(books.count(200)).toBe(books.asked.length);
  expect(books.slowestMs).toBeLessThan(2_000);
});

test('the next page continues correctly, whether a replica or the primary answers', async () => {
  const [lagging] = replicas as [PostgresServer];
  const gateway = await start([lagging]);
  await untilReplicasRead(gateway);
  const slugs: string[] = [];
  const homes: string[] = [];
  let search = '';
  let resume = async () => {};
  for (let page = 0; page < 10; page += 1) {
    if (page % 2 === 1) {
      resume = await pause(lagging);
      await price(`${20 + page} EUR`);
      await eventually(gateway.min, (min) => min === 20 + page);
    }
    const before = await gateway.reads('replica');
    const { body } = await ask(`${gateway.address}/api/v1/products?sort=name&limit=1${search}`, { key });
    homes.push((await gateway.reads('replica')) > before ? 'replica' : 'primary');
    slugs.push(...body.data.map(({ slug }: { slug: string }) => slug));
    await resume();
    await untilReplicasRead(gateway);
    if (!body.page.nextCursor) break;
    search = `&cursor=${body.page.nextCursor}`;
  }
  expect(slugs).toEqual(['thing-a', 'thing-b', 'thing-c', 'thing-d']);
  expect(homes).toEqual(['replica', 'primary', 'replica', 'primary']);
});

test('a price event never comes with an older price', async () => {
  const [lagging] = replicas as [PostgresServer];
  const gateway = await start([lagging]);
  await untilReplicasRead(gateway);
  const load = startLoad({ addresses: [gateway.address], key, paths: [LOOKUP], clients: 2 });
  const stream = await openEvents(gateway.address, {
    query: `subscription { priceChanged(productIds: ["thing-a"]) { min product { priceStats { min } } } }`,
    headers: { 'x-api-key': key },
  });
  onTestFinished(() => stream.leave());
  await pause(lagging);
  for (let turn = 0; turn < 6; turn += 1) {
    // The process polls events and the version at different intervals, so vary the time of the change.
    await wait(turn * 90);
    await price(`${30 + turn} EUR`);
    expect(await stream.next()).toMatchObject({
      data: { data: { priceChanged: { min: 30 + turn, product: { priceStats: { min: 30 + turn } } } } },
    });
  }
  await load.stop();
});

/** Loaders as right after a change, when this process has not noticed the change and a replica lags. */
async function openUnaware(lagging: PostgresServer): Promise<Loaders> {
  const opened = await openReplicas([lagging.url], { deployment: await readDeployment(database), readVersion });
  const homes: string[] = [];
  const own = openPostgres({ url: primary.url });
  const composed = readFromReplicas(own, opened, { leastVersion: () => 0n, onRead: (home) => homes.push(home) });
  onTestFinished(() => composed.close());
  const loaders = openLoaders(composed);
  await eventually(
    () => loaders.productBySlug.load('thing-a'),
    () => homes.includes('replica'),
  );
  return loaders;
}

test('a referenced row is found, even if the replica does not have it yet', async () => {
  const [lagging] = replicas as [PostgresServer];
  await pause(lagging);
  await importRows(database, 'Newcomer', [feedRow({ id: 'new', brand: 'Newcomer' })]);
  const loaders = await openUnaware(lagging);
  expect(await loaders.productBySlug.load('thing-new')).toBeUndefined();
  const [row] = await database.query<{ merchant: bigint; brand: bigint; product: bigint }>(
    `SELECT offer.merchant_id AS merchant, brand_id AS brand, product.id AS product
       FROM offer JOIN product ON product.id = product_id WHERE sku = 'new'`,
  );
  if (!row) throw new Error('The import has left no offer.');
  expect((await loaders.merchant.load(row.merchant))?.name).toBe('Newcomer');
  expect((await loaders.brand.load(row.brand))?.name).toBe('Newcomer');
  expect((await loaders.product.load(row.product))?.name).toBe('Thing new');
  await database.query("DELETE FROM offer WHERE sku = 'new'");
});

test('the category tree is never older than the version that it is cached under', async () => {
  const [lagging] = replicas as [PostgresServer];
  await pause(lagging);
  await database.query(
    "INSERT INTO category (google_id, slug, name, path) VALUES (999, 'new-things', 'New things', 'New things')",
  );
  const loaders = await openUnaware(lagging);
  expect((await loaders.categoryTree()).find('new-things')?.name).toBe('New things');
  await database.query("DELETE FROM category WHERE slug = 'new-things'");
});

test('pda doctor examines each replica, and prints no password', async () => {
  const [level, lagging] = replicas as [PostgresServer, PostgresServer];
  await pause(lagging);
  await price('50 EUR');
  await levelled(level);
  const away = 'postgresql://user:hunter2@127.0.0.1:1/x';
  const { stdout, stderr } = await run('pda', ['doctor', '--json'], {
    PORT: '0',
    DATABASE_URL: primary.url,
    DATABASE_REPLICA_URLS: [level.url, lagging.url, away, primary.url].join(),
  });
  expect(stderr).toBe('');
  const { checks } = JSON.parse(stdout) as { checks: { name: string }[] };
  expect(checks.filter(({ name }) => name.startsWith('replica'))).toMatchObject([
    { name: 'replica 1', status: 'ok', says: expect.stringContaining('up to date') },
    { name: 'replica 2', status: 'warning', says: expect.stringMatching(/\d catalogue changes? behind/) },
    { name: 'replica 3', status: 'problem', says: expect.stringContaining('ECONNREFUSED') },
    { name: 'replica 4', status: 'warning', says: expect.stringContaining('accepts writes') },
  ]);
  expect(stdout).not.toContain('hunter2');
});

test('a replica of another database, or one that lacks migrations, is never read', async () => {
  const other = await startPostgresServer();
  onTestFinished(() => other.remove());
  const stranger = openPostgres({ url: other.url, purpose: 'bulk' });
  onTestFinished(() => stranger.close());
  const gateway = await start([other]);
  const leftOut = async (reason: string) => {
    await gateway.min();
    return gateway.said.some((line) => line.includes('A replica is unavailable') && line.includes(reason));
  };
  const isLeftOut = (reason: string) => eventually(() => leftOut(reason), Boolean);
  expect(await isLeftOut('does not exist')).toBe(true);
  await migrate(stranger);
  const second = await start([other]);
  await eventually(
    async () => ((await second.min()) > 0 ? second.said.join('') : ''),
    (said) => said.includes('copy of another database'),
  );
  expect(second.said.join('')).toContain('copy of another database');
  await stranger.query('UPDATE deployment SET name = $1', [await readDeployment(database)]);
  await stranger.query("DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_deployment'");
  const third = await start([other]);
  await eventually(
    async () => ((await third.min()) > 0 ? third.said.join('') : ''),
    (said) => said.includes('still lacks 1 migration'),
  );
  expect(third.said.join('')).toContain('still lacks 1 migration');
  for (const each of [gateway, second, third]) {
    expect(await each.reads('replica')).toBe(0);
    expect(await each.figure('pda_replica_up', other)).toBe(0);
  }
});

/** Suspends a server and all its processes, like a machine that hangs. @returns a function that resumes them. */
function stopOutright({ folder }: PostgresServer): () => void {
  const postmaster = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').split(' ').filter(Boolean);
  const all = [postmaster, ...children.map(Number)];
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of all) {
      try {
        process.kill(pid, name);
      } catch {
        // The session has ended meanwhile.
      }
    }
  };
  signal('SIGSTOP');
  return () => signal('SIGCONT');
}
