/** The parts of a running gateway behind its HTTP server: opened together, drained together. */
import type { IncomingMessage } from 'node:http';
import type { Cluster, Redis } from 'ioredis';
import type { AccessServices } from './access/access.ts';
import { openKeyDirectory } from './access/keys.ts';
import { openMeter } from './access/meter.ts';
import { openRateLimits } from './access/rate-limit.ts';
import { connectRedis } from './access/redis.ts';
import { openUnpaid } from './access/unpaid.ts';
import { type LivePrices, openLivePrices } from './catalogue/live-prices/live-prices.ts';
import { type Loaders, openLoaders } from './catalogue/loaders.ts';
import type { Market } from './catalogue/market.ts';
import { startUpkeep } from './catalogue/upkeep.ts';
import {
  type CatalogueVersion,
  type FollowedVersion,
  followVersion,
  NEVER_KNOWN,
  readVersion,
} from './catalogue/version.ts';
import { type ClickCounter, openClickCounter } from './clicks/clicks.ts';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { readDeployment, readNamespace } from './database/deployment.ts';
import { observed, type Statement } from './database/observed.ts';
import { openReplicas } from './database/open.ts';
import { openPrisma } from './database/prisma.ts';
import { readFromReplicas } from './database/replicas.ts';
import type { PrismaClient } from './generated/prisma/client.ts';
import { openClientAddresses, openTrustedPeers } from './http/client-address.ts';
import type { Log } from './operations/log.ts';
import { type Metrics, openMetrics } from './operations/metrics.ts';
import { openTracing } from './operations/open-tracing.ts';
import { openSlowStatementLog } from './operations/slow-statements.ts';
import type { Tracing } from './operations/tracing.ts';
import { packageVersion } from './package-root.ts';

export interface Services {
  config: Config;
  log: Log;
  metrics: Metrics;
  /** Absent unless traces are configured. */
  tracing: Tracing | undefined;
  /** The primary: keys, counts, and all data that must be current. */
  database: Database;
  /** The database for reads of the catalogue: the replicas, if configured. */
  catalogue: Database;
  /** Prisma Client over `catalogue`, for resolvers. */
  prisma: PrismaClient;
  loaders: Loaders;
  livePrices: LivePrices;
  version: CatalogueVersion;
  market: Market;
  access: AccessServices;
  /** The client's address, in the form that limits count. */
  clientAddress(incoming: IncomingMessage): string;
  /** Whether a connection comes from a trusted proxy, which may carry requests of many clients. */
  isProxy(incoming: IncomingMessage): boolean;
  clicks: ClickCounter;
  /** Writes pending charges and clicks and releases all resources; the database is closed last. */
  close(): Promise<void>;
}

/** Opens the services over an open, migrated database. */
export async function openServices(config: Config, home: Database, log: Log): Promise<Services> {
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
  metrics.imports.watch(home);
  const sharing = await shareLimits(config, database, log, metrics);
  if (sharing && tracing) traceRedis(sharing.redis, tracing);
  const unpaid = openUnpaid({ requests: config.publicRequestsPerMinute, guesses: config.wrongKeysPerMinute }, sharing);
  const meter = openMeter(database, (error) =>
    log.error({ err: error }, 'Failed to give back a charge; it is kept for the next attempt'),
  );
  const clicks = openClickCounter(database, (error) =>
    log.error({ err: error }, 'Failed to write clicks; they are kept for the next attempt'),
  );

  const upkeep = startUpkeep(database, (error) =>
    log.warn({ err: error }, 'Failed to refresh discounts; the next attempt continues'),
  );

  const followed = followVersion(database);
  const version = config.answerCacheMegabytes > 0 ? followed : NEVER_KNOWN;
  const catalogue = observed(await openCatalogue(config, home, followed, log, metrics), observer);

  return {
    config,
    log,
    metrics,
    tracing,
    database,
    catalogue,
    prisma: openPrisma(catalogue),
    loaders: openLoaders(catalogue, version),
    livePrices: openLivePrices(database, (count) => metrics.subscriptions.set(count), followed.note),
    version,
    market: {
      currency: config.marketCurrency,
      country: config.marketCountry,
      productUrlTemplate: config.productUrlTemplate,
      publicUrl:
        config.publicUrl ?? `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`,
    },
    access: {
      keys: openKeyDirectory(database, unpaid),
      rates: openRateLimits(sharing),
      meter,
      countUnpaid: unpaid.count,
      rateLimits: config.rateLimits,
      onRefused: (reason) => metrics.refusals.inc({ reason }),
    },
    clientAddress: openClientAddresses(config.trustedProxies),
    isProxy: openTrustedPeers(config.trustedProxies),
    clicks,
    async close() {
      upkeep.stop();
      await Promise.all([meter.drain(), clicks.drain()]);
      sharing?.redis.disconnect();
      await catalogue.close();
      await tracing?.close();
    },
  };
}

/** The primary, with its replicas if configured; closing it closes all of them. */
async function openCatalogue(
  { databaseReplicaUrls }: Config,
  primary: Database,
  version: FollowedVersion,
  log: Log,
  metrics: Metrics,
): Promise<Database> {
  if (databaseReplicaUrls.length === 0) return primary;
  const replicas = await openReplicas(databaseReplicaUrls, {
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

/** Redis only shares limits between instances. Without it each process counts by itself, so the start does not wait for Redis. */
async function shareLimits({ redis: address }: Config, database: Database, log: Log, metrics: Metrics) {
  if (!address) return undefined;
  const redis = await connectRedis(address, (isReady, err) => {
    metrics.redisUp.set(isReady ? 1 : 0);
    if (isReady) log.info('Redis is connected: rate limits are shared by all instances');
    else log.warn({ err }, 'The Redis connection was lost: this process now counts rate limits by itself');
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
