/** The connection to Redis, or to a Redis Cluster, which makes rate limits common to all instances. */
import type { Cluster, Redis, RedisOptions } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { WINDOW_SECONDS } from './windows.ts';

export interface RedisAddress {
  /** One server, or nodes of a cluster, which name the others. */
  urls: readonly string[];
  isCluster: boolean;
}

/** Where all instances of an installation count together. */
export interface SharedRedis {
  redis: Redis | Cluster;
  /** What tells this installation's keys from those of others there. */
  namespace: string;
}

const OPTIONS = {
  maxRetriesPerRequest: 1,
  commandTimeout: 500,
  // A Redis that hangs makes one request wait, not each: the connection is given up, and until there is one that answers nobody asks.
  socketTimeout: 500,
  connectTimeout: 2_000,
} satisfies RedisOptions;

/**
 * Connects, and goes on trying. Nothing waits for it: without Redis limits go on in process.
 *
 * @param onChange told when the connection is ready, and when it is lost and why.
 */
export async function connectRedis(
  { urls, isCluster }: RedisAddress,
  onChange: (isReady: boolean, reason?: Error) => void,
): Promise<Redis | Cluster> {
  const { Cluster, Redis } = await import('ioredis');
  const [first = ''] = urls;
  const redis = isCluster
    ? new Cluster([...urls], {
        enableOfflineQueue: false,
        // While a node fails over, its keys' limits go on in process rather than hold requests up.
        maxRedirections: 3,
        // A certificate speaks of a name, not of what that resolves to.
        ...(first.startsWith('rediss:') && { dnsLookup: (name, done) => done(null, name) }),
        redisOptions: { ...OPTIONS, ...credentialsOf(first) },
      })
    : new Redis(first, { ...OPTIONS, enableOfflineQueue: false });
  let wasReady: boolean | undefined;
  const note = (isReady: boolean, reason?: Error) => {
    if (isReady === wasReady) return;
    wasReady = isReady;
    onChange(isReady, reason);
  };
  redis.on('ready', () => note(true));
  redis.on('error', (error: Error) => note(false, error));
  redis.on('close', () => note(false));
  return redis;
}

/** Nodes that are named by others are not named with a password: all have the first one's. */
function credentialsOf(url: string): Pick<RedisOptions, 'username' | 'password' | 'tls'> {
  const { protocol, username, password } = new URL(url);
  return {
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  };
}

// Adds a cost where it fits, and otherwise only tells the sum: the library's own script adds it in either case. The library defines
// its command once on a connection, so all limiters there share this script; their limit is its third argument.
const ADD_IF_IT_FITS = `
local sum = tonumber(redis.call('get', KEYS[1]) or '0') + tonumber(ARGV[1])
if sum > tonumber(ARGV[3]) then return {sum, redis.call('pttl', KEYS[1])} end
redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX')
return {redis.call('incrby', KEYS[1], ARGV[1]), redis.call('pttl', KEYS[1])}`;

/**
 * Opens a limit of so many points in each window, counted by all instances together. A cost that does not fit adds nothing, and
 * the refusal tells the sum that it would have made.
 *
 * @param name what is limited; limits of different names do not share windows.
 */
export function openSharedLimiter({ redis, namespace }: SharedRedis, name: string, points: number): RateLimiterRedis {
  return new RateLimiterRedis({
    storeClient: redis,
    points,
    duration: WINDOW_SECONDS,
    keyPrefix: `${name}:${namespace}`,
    rejectIfRedisNotReady: true,
    customIncrTtlLuaScript: ADD_IF_IT_FITS,
  });
}
