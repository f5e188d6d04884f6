/**
 * Limits the requests a minute of each key, counted in Redis for all instances together; without Redis, each instance counts by itself.
 * Checking whether a cost fits and adding it are one step, so a refused request takes nothing.
 */
import { type RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Soon } from '../soon.ts';
import { MOST_ADDRESSES } from './address-ledger.ts';
import { openSharedLimiter, type SharedRedis } from './redis.ts';
import { openWindows, secondsUntil, WINDOW_SECONDS } from './windows.ts';

/** The state of the current window. */
export interface RateState {
  isAllowed: boolean;
  /** Requests a minute. */
  limit: number;
  remaining: number;
  /** Whole seconds until the next window starts. */
  resetSeconds: number;
}

export type RateLimits = ReturnType<typeof openRateLimits>;

/** The name of a window: the number of a key, a negative number for another window of it, or an address that uses the demo key. */
export type WindowName = bigint | `demo ${string}`;

/** The windows of all keys of this instance. */
export interface KeyWindows {
  /** Takes `cost` requests from a window of `limit` a minute, or nothing if they do not fit. */
  take(name: WindowName, limit: number, cost: number): Soon<RateState>;
}

/** The most keys whose windows are kept in a process. */
const MOST_KEYS = 200_000;

/** Opens windows that this process counts. */
export function openKeyWindows() {
  const windowOfKey = openWindows(MOST_KEYS);
  // Strangers have many addresses, and must not evict the windows of keys.
  const windowOfAddress = openWindows(MOST_ADDRESSES);
  return {
    take(name: bigint | string, limit: number, cost: number): RateState {
      const text = String(name);
      const window = text.startsWith('demo ') ? windowOfAddress(text) : windowOfKey(text);
      const isAllowed = window.count + cost <= limit;
      if (isAllowed) window.count += cost;
      const remaining = Math.max(0, limit - window.count);
      return { isAllowed, limit, remaining, resetSeconds: secondsUntil(window.resetAt) };
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
        : { isAllowed: true, limit, remaining: limit, resetSeconds: WINDOW_SECONDS };
    } catch {
      return windows.take(name, limit, 0);
    }
  };

  return {
    /** Takes `cost` requests from a key's window of `limit` a minute, or nothing if they do not fit. Never throws. */
    take: (name: WindowName, limit: number, cost: number): Soon<RateState> =>
      shared ? takeShared(shared, name, limit, cost) : windows.take(name, limit, cost),
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
    resetSeconds: Math.max(1, Math.ceil(window.msBeforeNext / 1000)),
  };
}
