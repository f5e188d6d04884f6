/**
 * Limits the requests a minute of each key, counted in Redis for all instances together; without Redis, each instance counts by itself.
 * Checking whether a cost fits and adding it are one step, so a refused request takes nothing.
 */
import { type RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Soon } from '../soon.ts';
import { MOST_ADDRESSES } from './address-ledger.ts';
import { giveBackShared, openSharedLimiter, type SharedRedis } from './redis.ts';
import { openWindows, WINDOW_SECONDS } from './windows.ts';

/** The state of the current window. */
export interface RateState {
  isAllowed: boolean;
  /** Requests a minute. */
  limit: number;
  remaining: number;
  /** When the next window starts, in milliseconds since 1970. */
  resetAt: number;
}

export type RateLimits = ReturnType<typeof openRateLimits>;

/**
 * The name of a window: the number of a key, a negative number for another window of it, an address that uses the demo key, a key's
 * messages to its webhooks, or a key or host of attempts to confirm their addresses.
 */
export type WindowName = bigint | `${'demo' | 'messages' | 'verify'} ${string}`;

/** The windows of all keys of this instance. */
export interface KeyWindows {
  /** Takes `cost` requests from a window of `limit` a minute, or nothing if they do not fit. */
  take(name: WindowName, limit: number, cost: number): Soon<RateState>;
  /** Gives back what was taken from the window that ends at `resetAt`; nothing if it has ended. */
  giveBack(name: WindowName, cost: number, resetAt: number): Soon<void>;
}

/** The most keys whose windows are kept in a process. */
const MOST_KEYS = 200_000;

/** Opens windows that this process counts. */
export function openKeyWindows() {
  const windowOfKey = openWindows(MOST_KEYS);
  // Strangers have many addresses, and must not evict the windows of keys.
  const windowOfAddress = openWindows(MOST_ADDRESSES);
  const windowOf = (name: bigint | string) => {
    const text = String(name);
    return text.startsWith('demo ') ? windowOfAddress(text) : windowOfKey(text);
  };
  return {
    giveBack(name: bigint | string, cost: number, resetAt: number): void {
      const window = windowOf(name);
      if (window.resetAt === resetAt) window.count -= cost;
    },
    take(name: bigint | string, limit: number, cost: number): RateState {
      const window = windowOf(name);
      const isAllowed = window.count + cost <= limit;
      if (isAllowed) window.count += cost;
      const remaining = Math.max(0, limit - window.count);
      return { isAllowed, limit, remaining, resetAt: window.resetAt };
    },
  };
}

/**
 * Opens the limits, shared over Redis if given. Each window is a Redis key of its own, so a cluster may keep it on any node.
 * @param windows count without Redis.
 */
export function openRateLimits(shared?: SharedRedis, windows: KeyWindows = openKeyWindows()) {
  const limiters = new Map<number, RateLimiterRedis>();
  const limiterOf = (redis: SharedRedis, limit: number) => {
    let limiter = limiters.get(limit);
    if (!limiter) {
      limiter = openSharedLimiter(redis, 'pda-rate', limit);
      limiters.set(limit, limiter);
    }
    return limiter;
  };

  const takeShared = async (
    sharing: SharedRedis,
    name: WindowName,
    limit: number,
    cost: number,
  ): Promise<RateState> => {
    try {
      return stateOf(await limiterOf(sharing, limit).consume(String(name), cost), limit, true);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) return windows.take(name, limit, cost);
      // A refusal returns the sum that did not fit.
      return stateOf(refusal, limit, false, cost);
    }
  };
  const lookShared = async (sharing: SharedRedis, name: WindowName, limit: number): Promise<RateState> => {
    try {
      const window = await limiterOf(sharing, limit).get(String(name));
      return window
        ? stateOf(window, limit, true)
        : { isAllowed: true, limit, remaining: limit, resetAt: Date.now() + WINDOW_SECONDS * 1000 };
    } catch {
      return windows.take(name, limit, 0);
    }
  };

  return {
    /** Takes `cost` requests from a key's window of `limit` a minute, or nothing if they do not fit. Never throws. */
    take: (name: WindowName, limit: number, cost: number): Soon<RateState> =>
      shared ? takeShared(shared, name, limit, cost) : windows.take(name, limit, cost),
    /** Gives back what {@link take} took, unless the window has ended. Never throws. */
    giveBack(name: WindowName, limit: number, cost: number, resetAt: number): void {
      if (shared) void giveBackShared(shared, limiterOf(shared, limit).getKey(String(name)), cost, resetAt);
      else void windows.giveBack(name, cost, resetAt);
    },
    /** The state of a key's window. Takes nothing. */
    look: (name: WindowName, limit: number): Soon<RateState> =>
      shared ? lookShared(shared, name, limit) : windows.take(name, limit, 0),
  };
}

/** @param refused the cost that did not fit. */
function stateOf(window: RateLimiterRes, limit: number, isAllowed: boolean, refused = 0): RateState {
  return {
    isAllowed,
    limit,
    remaining: Math.max(0, limit - (window.consumedPoints - refused)),
    resetAt: Date.now() + window.msBeforeNext,
  };
}
