/** Divides among workers the totals that an instance is configured with. */
import type { Config } from '../config.ts';
import { POOL_SIZE } from '../database/database.ts';

// With fewer connections, one slow statement would delay the counts of all requests of the worker.
const LEAST_CONNECTIONS = 4;

/** A worker's share of the configured totals. */
export function shareOf(config: Config): Config {
  const { count } = config.workers;
  return {
    ...config,
    answerCacheMegabytes: config.answerCacheMegabytes / count,
    maxConcurrentRequests: Math.max(1, Math.floor(config.maxConcurrentRequests / count)),
  };
}

/** The most connections of a worker to each PostgreSQL server. */
export const poolSizeOf = ({ workers: { count } }: Config): number =>
  Math.max(LEAST_CONNECTIONS, Math.floor(POOL_SIZE / count));
