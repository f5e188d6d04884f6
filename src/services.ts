/** The parts of a running gateway behind its HTTP server: opened together, drained together. */
import { join } from 'node:path';
import type { Cluster, Redis } from 'ioredis';
import type { AccessServices } from './access/access.ts';
import type { AddressLedger } from './access/address-ledger.ts';
import { openFreeRequests } from './access/free-requests.ts';
import { openKeyDirectory } from './access/keys.ts';
import { openMeter } from './access/meter.ts';
import { type KeyWindows, openRateLimits } from './access/rate-limit.ts';
import { connectRedis } from './access/redis.ts';
import { openAccount } from './account/account.ts';
import { openLivePrices } from './catalogue/live-prices/live-prices.ts';
import { openLoaders } from './catalogue/loaders.ts';
import { startUpkeep } from './catalogue/upkeep.ts';
import { type FollowedVersion, followVersion, NEVER_KNOWN, readVersion } from './catalogue/version.ts';
import { openClickCounter } from './clicks/clicks.ts';
import { type Config, marketOf } from './config.ts';
import type { Database } from './database/database.ts';
import { readDeployment, readNamespace } from './database/deployment.ts';
import { observed, type Statement } from './database/observed.ts';
import { openReplicas } from './database/open.ts';
import { openPrisma } from './database/prisma.ts';
import { readFromReplicas } from './database/replicas.ts';
import { logProgress } from './demo/log-progress.ts';
import { mayHaveDemo, suitsDemo } from './demo/may-have-demo.ts';
import { startPast } from './demo/past.ts';
import { pullApart } from './feeds/pull-apart.ts';
import { feedLog } from './feeds/puller-options.ts';
import { openClientAddresses, openTrustedPeers } from './http/client-address.ts';
import { startFolding } from './import/bring-up-to-date.ts';
import { startForgetting } from './ledger/changes/forget-changes.ts';
import { openStreamHead } from './ledger/changes/stream-head.ts';
import { type DigestObserver, startDigest } from './ledger/digest/digest.ts';
import type { ImportPosition } from './operations/import-metrics.ts';
import type { Log } from './operations/log.ts';
import { type Metrics, openMetrics } from './operations/metrics.ts';
import { openTracing } from './operations/open-tracing.ts';
import { openSlowStatementLog } from './operations/slow-statements.ts';
import type { Tracing } from './operations/tracing.ts';
import { startTrafficCounts } from './operations/traffic-counts.ts';
import { packageRoot, packageVersion } from './package-root.ts';
import { encodeId } from './values/id.ts';
import { type DeliveryObserver, startDeliveries } from './webhooks/deliver.ts';
import { startMatching } from './webhooks/match/match-changes.ts';
import { openWebhooks } from './webhooks/webhooks.ts';

export type Services = Awaited<ReturnType<typeof openServices>>;

/** The part of a worker in an instance of several. */
export interface WorkerPart {
  /** Settles when no worker accepts connections any more. */
  othersClosed(): Promise<void>;
  /** The counts of the instance, which the primary process keeps. */
  windows: KeyWindows;
  ledger: AddressLedger;
  /** Its share of the connections to each PostgreSQL server. */
  poolSize: number;
  /** Imports are counted from here, so that all workers report the same figures. */
  importsSince: ImportPosition;
  /** Whether this worker does the upkeep. One does, so that an instance puts the same load on the database with any number of workers. */
  hasUpkeep: boolean;
}

/** Opens the services over an open, migrated database. @param part absent in an instance of one process. */
export async function openServices(config: Config, home: Database, log: Log, part?: WorkerPart) {
  const metrics = openMetrics(packageVersion());
  const tracing = await openTracing(config.traces, log);
  const logSlow = openSlowStatementLog(log, config.slowQueryMs);
  const observer = {
    observe(statement: Statement) {
      metrics.database.observe(statement);
      logSlow(statement);
    },
    ...(tracing && { trace: tracing.statement }),
  };
  const database = observed(home, observer);
  metrics.database.watchPool(home.poolState);
  metrics.imports.watch(home, part?.importsSince);
  metrics.feeds.watch(home);
  const sharing = await shareLimits(config, database, log, metrics);
  if (sharing && tracing) traceRedis(sharing.redis, tracing);
  const free = openFreeRequests(
    { requests: config.publicRequestsPerMinute, guesses: config.wrongKeysPerMinute },
    sharing,
    part?.ledger,
  );
  const meter = openMeter(database, (err) =>
    log.error({ err }, 'Failed to refund a charge; it is kept for the next attempt'),
  );
  const clicks = openClickCounter(database, (err) =>
    log.error({ err }, 'Failed to write clicks; they are kept for the next attempt'),
  );
  const traffic = startTrafficCounts(database, metrics.requests.traffic, (err) =>
    log.warn({ err }, 'Failed to write the counts of requests; they are kept for the next attempt'),
  );
  /** Starts what one worker does for the instance. */
  const startOnce = <Started>(start: () => Started): Started | undefined =>
    part?.hasUpkeep === false ? undefined : start();
  const noteUpkeep = (err: unknown) => log.warn({ err }, 'Failed to refresh discounts; the next attempt continues');
  const upkeep = startOnce(() => startUpkeep(database, noteUpkeep));
  const noteFolding = (err: unknown) =>
    log.warn({ err }, 'Failed to renew the words of names; the next attempt continues');
  const folding = startOnce(() => startFolding(database, noteFolding));
  const digest = startOnce(() => startDigest(database, digestLog(log)));
  const noteForgetting = (err: unknown) =>
    log.warn({ err }, 'Failed to delete old changes; the next attempt continues');
  const forgetting = startOnce(() => startForgetting(database, config.changesDays, noteForgetting));
  const feeds = config.areFeedsPulled ? startOnce(() => openFeeds(database, log)) : undefined;
  const demo = mayHaveDemo(config) && suitsDemo(config) ? startOnce(() => openDemo(database, log)) : undefined;
  const followed = followVersion(database);
  const version = config.answerCacheMegabytes > 0 ? followed : NEVER_KNOWN;
  const catalogue = observed(await openCatalogue(config, home, followed, log, metrics, part?.poolSize), observer);
  const market = marketOf(config);
  const { arePrivateWebhooksAllowed: isPrivateAllowed } = config;
  const rates = openRateLimits(sharing, part?.windows);
  const observeDeliveries = deliveryObserver(log, metrics);
  const deliveries = startOnce(() =>
    startDeliveries(database, { isPrivateAllowed, rates, observer: observeDeliveries }),
  );
  const matching = startOnce(() =>
    startMatching(database, market, {
      onLag: (changes) => metrics.webhooks.unmatched.set(changes),
      onMessages: () => deliveries?.wake(),
      onOverflow: (webhookId) => observeDeliveries.onDisabled(webhookId, 'too many messages wait'),
      onFailure: (err) => log.warn({ err }, 'Failed to match changes to webhooks; the next attempt continues'),
    }),
  );
  const webhooks = openWebhooks(database, market, { isPrivateAllowed, rates, wake: () => deliveries?.wake() });
  const access: AccessServices = {
    keys: openKeyDirectory(database, free, { hasDemoKey: config.hasDemoKey }),
    rates,
    meter,
    countFree: free.count,
    rateLimits: config.rateLimits,
    onRefused: (reason) => metrics.refusals.inc({ reason }),
  };

  return {
    config,
    log,
    metrics,
    /** Absent unless traces are configured. */
    tracing,
    /** The primary: keys, counts, and all data that must be current. */
    database,
    /** The database for reads of the catalogue: the replicas, if configured. */
    catalogue,
    /** Prisma Client over `catalogue`, for resolvers. */
    prisma: openPrisma(catalogue),
    loaders: openLoaders(catalogue, version, followed),
    livePrices: openLivePrices(database, {
      onCount: (count) => metrics.subscriptions.set(count),
      catchUp: followed.catchUp,
    }),
    /** The head of the stream of changes, for those who wait for the next one. */
    streamHead: openStreamHead(database),
    version,
    /** The version, for those who read from the primary what later reads of the catalogue must see. */
    followed,
    market,
    access,
    /** Limits free requests, and guesses at keys and other secrets, by address. */
    free,
    /** The client's address, in the form that limits count. */
    clientAddress: openClientAddresses(config.trustedProxies),
    /** Whether a connection comes from a trusted proxy, which may carry requests of many clients. */
    isProxy: openTrustedPeers(config.trustedProxies),
    clicks,
    /** The accounts of keys. */
    account: openAccount(database, access),
    /** The administration of webhooks. */
    webhooks,
    /** The delivery of their messages; in an instance of several workers, one of them does it. */
    deliveries,
    /** The counts of requests in the database. */
    traffic,
    /** The pulling of scheduled feeds; in an instance of several workers, one of them does it. */
    feeds,
    /** The import of the demo's past; in an instance of several workers, one of them does it. */
    demo,
    /** Writes pending refunds, clicks and counts of requests, then closes the database and the traces. */
    async close() {
      upkeep?.stop();
      folding?.stop();
      digest?.stop();
      forgetting?.stop();
      matching?.stop();
      await Promise.all([
        ...[meter, clicks, traffic].map((each) => each.drain()),
        ...[deliveries, feeds, demo].map((each) => each?.stop()),
      ]);
      sharing?.redis.disconnect();
      await catalogue.close();
      await tracing?.close();
    },
  };
}

/** Imports the past of the demo, which the start has left to the time after it. */
const openDemo = (database: Database, log: Log) =>
  startPast(database, {
    onFeed: logProgress(log, 'the past of the demo catalogue'),
    onFailure: (err) => log.warn({ err }, 'Failed to import the past of the demo; the next attempt continues'),
  });

/** Pulls feeds in a process of its own. */
function openFeeds(database: Database, log: Log) {
  const observer = feedLog(log);
  return pullApart(database, join(packageRoot(), 'dist', 'pull-feeds.js'), {
    onEnd: (how) => log.error(how, 'The process that pulls feeds has ended; it is started again when a feed is due'),
    onFailure: observer.onFailure,
  });
}

const deliveryObserver = (log: Log, { webhooks }: Metrics): DeliveryObserver => ({
  onAttempt: webhooks.note,
  onQueue: webhooks.showQueue,
  onDisabled(webhookId, reason) {
    webhooks.disabled.inc();
    log.info({ webhookId: encodeId('webhook', webhookId), reason }, 'Disabled a webhook');
  },
  onFailure: (err) => log.warn({ err }, 'Failed to read or record deliveries of webhooks; the next attempt continues'),
});

const digestLog = (log: Log): DigestObserver => ({
  onFailure: (err) => log.warn({ err }, 'Failed to digest changes of the ledger; the next attempt continues'),
  onSetAside: (productId, err) =>
    log.error(
      { err, productId: String(productId) },
      'Failed to digest the ledger of a product twice; its deals and its part of price indices and comparisons stay as they are until tomorrow or its next change',
    ),
});

/** The primary, with its replicas if configured; closing it closes all of them. */
async function openCatalogue(
  { databaseReplicaUrls }: Config,
  primary: Database,
  version: FollowedVersion,
  log: Log,
  metrics: Metrics,
  poolSize?: number,
): Promise<Database> {
  if (databaseReplicaUrls.length === 0) return primary;
  const replicas = await openReplicas(databaseReplicaUrls, {
    poolSize,
    deployment: await readDeployment(primary),
    readVersion,
    onLook({ description: replica, isUp, lagMs }) {
      metrics.replicaUp.set({ replica }, isUp ? 1 : 0);
      metrics.replicaLag.set({ replica }, lagMs / 1_000);
    },
    onChange(isBack, replica, reason) {
      if (isBack) log.info({ replica }, 'A replica is back');
      else log.warn({ replica, reason }, 'A replica is unavailable: its reads go elsewhere until it is back');
    },
  });
  return readFromReplicas(primary, replicas, {
    leastVersion: version.known,
    onRead: (home) => metrics.catalogueReads.inc({ home }),
  });
}

/** Redis only shares limits between instances. Without it each instance counts by itself, so the start does not wait for Redis. */
async function shareLimits({ redis: address }: Config, database: Database, log: Log, metrics: Metrics) {
  if (!address) return undefined;
  const redis = await connectRedis(address, (isReady, err) => {
    metrics.redisUp.set(isReady ? 1 : 0);
    if (isReady) log.info('Redis is connected: rate limits are shared by all instances');
    else log.warn({ err }, 'Redis is unavailable: this instance now counts rate limits by itself');
  });
  return { redis, namespace: await readNamespace(database) };
}

/** Traces all commands, since ioredis sends each through one function. */
function traceRedis(redis: Redis | Cluster, tracing: Tracing): void {
  const send: Redis['sendCommand'] = redis.sendCommand.bind(redis);
  redis.sendCommand = (command: Parameters<typeof send>[0], stream: Parameters<typeof send>[1]) => {
    const { name } = command;
    const attributes = { 'db.system.name': 'redis', 'db.operation.name': name };
    return tracing.span(name, 'client', attributes, async () => send(command, stream));
  };
}
