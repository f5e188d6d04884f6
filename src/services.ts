/** What a running gateway consists of besides its HTTP face: opened together, drained together. */
import type { Redis } from 'ioredis';
import type { AccessServices } from './access/access.ts';
import { openKeyDirectory } from './access/keys.ts';
import { openMeter } from './access/meter.ts';
import { openRateLimits } from './access/rate-limit.ts';
import { type LivePrices, openLivePrices } from './catalogue/live-prices.ts';
import { type Loaders, openLoaders } from './catalogue/loaders.ts';
import type { Market } from './catalogue/market.ts';
import { type CatalogueVersion, followVersion, NEVER_KNOWN } from './catalogue/version.ts';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { PrismaClient } from './generated/prisma/client.ts';
import type { Log } from './operations/log.ts';
import { type Metrics, openMetrics } from './operations/metrics.ts';
import { type ClickCounter, openClickCounter } from './rest/clicks.ts';

export interface Services {
  config: Config;
  log: Log;
  metrics: Metrics;
  database: Database;
  prisma: PrismaClient;
  loaders: Loaders;
  livePrices: LivePrices;
  version: CatalogueVersion;
  market: Market;
  access: AccessServices;
  clicks: ClickCounter;
  /** Writes what is gathered and lets everything go; the database is closed last. */
  close(): Promise<void>;
}

/** Opens the services over a database that is open and migrated. */
export async function openServices(config: Config, database: Database, log: Log): Promise<Services> {
  if (!database.prismaAdapter) throw new Error('A gateway needs the database itself, not the door of another process.');
  const metrics = openMetrics();
  const redis = config.redisUrl === undefined ? undefined : await connectRedis(config.redisUrl, log, metrics);
  const prisma = new PrismaClient({ adapter: database.prismaAdapter });
  const meter = openMeter(database, (error) => log.error({ err: error }, 'A charge could not be given back yet'));
  const clicks = openClickCounter(database, (error) => log.error({ err: error }, 'Clicks could not be written yet'));

  const version = config.answerCacheMegabytes > 0 ? followVersion(database) : NEVER_KNOWN;

  return {
    config,
    log,
    metrics,
    database,
    prisma,
    loaders: openLoaders(database, version),
    livePrices: openLivePrices(database, (count) => metrics.subscriptions.set(count)),
    version,
    market: {
      currency: config.marketCurrency,
      productUrlTemplate: config.productUrlTemplate,
      publicUrl:
        config.publicUrl ?? `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`,
    },
    access: { keys: openKeyDirectory(database), rates: openRateLimits(redis), meter, rateLimits: config.rateLimits },
    clicks,
    async close() {
      await Promise.all([meter.drain(), clicks.drain()]);
      redis?.disconnect();
      await prisma.$disconnect();
      await database.close();
    },
  };
}

/** Redis only makes limits common to all instances: without it they go on in process, so nothing here waits for it. */
async function connectRedis(url: string, log: Log, metrics: Metrics): Promise<Redis> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 500,
    connectTimeout: 2_000,
  });
  let wasReady: boolean | undefined;
  const note = (isReady: boolean, reason?: Error) => {
    metrics.redisUp.set(isReady ? 1 : 0);
    if (isReady === wasReady) return;
    wasReady = isReady;
    if (isReady) log.info('Redis is connected: rate limits are shared by all instances');
    else log.warn({ err: reason }, 'Redis is lost: rate limits go on in this process alone');
  };
  redis.on('ready', () => note(true));
  redis.on('error', (error) => note(false, error));
  redis.on('close', () => note(false));
  return redis;
}
