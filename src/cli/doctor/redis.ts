/** Checks Redis, which shares the rate limits. */
import type { Redis } from 'ioredis';
import type { RedisAddress } from '../../access/redis.ts';
import { type Finding, ok, problem, reasonOf, warning } from './finding.ts';

const PATIENCE_MS = 2_000;

/** Examines the configured Redis server, or each configured node of a cluster. */
export function examineRedis({ urls, isCluster }: RedisAddress): Promise<Finding[]> {
  return Promise.all(
    urls.map((url, index) => examineNode(url, urls.length > 1 ? `redis ${index + 1}` : 'redis', isCluster)),
  );
}

async function examineNode(url: string, name: string, isCluster: boolean): Promise<Finding> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let fault: Error | undefined;
  redis.on('error', (error) => {
    fault = error;
  });
  try {
    await redis.connect();
    const [, version = 'of an unknown version'] = /redis_version:(\S+)/.exec(await redis.info('server')) ?? [];
    const memory = await redis.info('memory');
    const [, policy = 'unknown'] = /maxmemory_policy:(\S+)/.exec(memory) ?? [];
    const isLimited = /maxmemory:[1-9]/.test(memory);
    const cluster = /cluster_enabled:1/.test(await redis.info('cluster')) ? await clusterOf(redis) : undefined;
    if (!cluster && isCluster)
      return problem(name, `${version}, not a cluster`, 'Set REDIS_URL to one server, and unset REDIS_CLUSTER.');
    if (cluster && !isCluster) {
      const remedy = 'Set REDIS_CLUSTER to true, or list all of its nodes in REDIS_URL.';
      return problem(name, `${version}, a node of a cluster`, remedy);
    }
    const says = `${version}, ${cluster ? `cluster of ${cluster.size}, ` : ''}eviction ${policy}`;
    if (cluster && !cluster.isWhole) {
      const remedy = 'Run `redis-cli cluster info`, and restart the missing nodes.';
      return problem(name, `${says}: the cluster is incomplete`, remedy);
    }
    if (!isLimited || policy === 'noeviction') return ok(name, says);
    const remedy = 'Set maxmemory-policy to noeviction on this Redis.';
    return warning(name, `${says}: it may evict rate limit counts`, remedy);
  } catch (error) {
    const remedy =
      'Check that Redis is running and that REDIS_URL is correct. Until then each gateway limits rates by itself.';
    return problem(name, reasonOf(fault ?? error), remedy);
  } finally {
    redis.disconnect();
  }
}

async function clusterOf(redis: Redis): Promise<{ size: string; isWhole: boolean }> {
  const says = await redis.cluster('INFO');
  const [, size = '0'] = /cluster_size:(\d+)/.exec(says) ?? [];
  return { size, isWhole: says.includes('cluster_state:ok') };
}
