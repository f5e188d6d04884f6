/** Redis, which shares the rate limits. */
import { type Finding, ok, problem, reasonOf, warning } from './finding.ts';

const PATIENCE_MS = 2_000;

/** Examines the Redis that is configured. */
export async function examineRedis(url: string): Promise<Finding> {
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
    const says = `${version}, eviction ${policy}`;
    if (!isLimited || policy === 'noeviction') return ok('redis', says);
    return warning('redis', `${says}: it may forget counts`, 'Set maxmemory-policy to noeviction on this Redis.');
  } catch (error) {
    return problem(
      'redis',
      reasonOf(fault ?? error),
      'Check that Redis runs and that REDIS_URL names it rightly; until then each process limits by itself.',
    );
  } finally {
    redis.disconnect();
  }
}
