/** The connection to Redis or a Redis Cluster, through which instances share rate limits. */
import type { Cluster, Redis, RedisOptions } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { WINDOW_SECONDS } from './windows.ts';

export interface RedisAddress {
  /** One server, or some nodes of a cluster, from which the others are discovered. */
  urls: readonly string[];
  isCluster: boolean;
}

/** The store in which all instances of an installation count together. */
export interface SharedRedis {
  redis: Redis | Cluster;
  /** Separates this installation's Redis keys from those of others. */
  namespace: string;
}

const OPTIONS = {
  maxRetriesPerRequest: 1,
  commandTimeout: 500,
  // Only one request waits for a Redis that hangs: the connection is closed, and no request uses Redis until a new one is ready.
  socketTimeout: 500,
  connectTimeout: 2_000,
} satisfies RedisOptions;

/** Connects in the background, and retries. @param onChange called when the connection is ready, and with the reason when it is not. */
export async function connectRedis(
  { urls, isCluster }: RedisAddress,
  onChange: (isReady: boolean, reason?: Error) => void,
): Promise<Redis | Cluster> {
  const { Cluster, Redis } = await import('ioredis');
  const [first = ''] = urls;
  const redis = isCluster
    ? new Cluster([...urls], {
        enableOfflineQueue: false,
        // While a node fails over, the limits of its keys are counted in process, so that requests do not wait.
        maxRedirections: 3,
        // Connect by name, since a certificate names the host and not its address.
        ...(first.startsWith('rediss:') && { dnsLookup: (name, done) => done(null, name) }),
        redisOptions: { ...OPTIONS, ...credentialsOf(first) },
      })
    : new Redis(first, { ...OPTIONS, enableOfflineQueue: false });
  let wasReady: boolean | undefined;
  const note = (isReady: boolean, reason?: Error) => {
    if (isReady !== wasReady) onChange(isReady, reason);
    wasReady = isReady;
  };
  redis.on('ready', () => note(true));
  redis.on('error', (error: Error) => note(false, error));
  redis.on('close', () => note(false));
  return redis;
}

/** Discovered nodes come without credentials, so all nodes use those of the first URL. */
function credentialsOf(url: string): Pick<RedisOptions, 'username' | 'password' | 'tls'> {
  const { protocol, username, password } = new URL(url);
  return {
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  };
}

// Adds a cost if it fits, and otherwise only returns the sum; the library's own script adds it in both cases. The library defines its
// command once per connection, so all limiters share this script; their limit is its third argument.
const ADD_IF_IT_FITS = `
local sum = tonumber(redis.call('get', KEYS[1]) or '0') + tonumber(ARGV[1])
if sum > tonumber(ARGV[3]) then return {sum, redis.call('pttl', KEYS[1])} end
redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX')
return {redis.call('incrby', KEYS[1], ARGV[1]), redis.call('pttl', KEYS[1])}`;

// A window that started later ends a window later.
const GIVE_BACK = `
local left = redis.call('pttl', KEYS[1])
if left > 0 and left < tonumber(ARGV[2]) then redis.call('decrby', KEYS[1], ARGV[1]) end`;

/** Gives back what was taken from the window that ends at `resetAt`, unless it has ended, or Redis is away and the window is counted here. */
export async function giveBackShared(
  { redis }: SharedRedis,
  name: string,
  cost: number,
  resetAt: number,
): Promise<void> {
  const most = resetAt - Date.now() + (WINDOW_SECONDS * 1000) / 2;
  await redis.eval(GIVE_BACK, 1, name, cost, most).catch(() => {});
}

/**
 * Opens a limit of `points` in each window, counted by all instances together under `name`.
 * A cost that does not fit adds nothing, and the refusal contains the sum that it would have made.
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
