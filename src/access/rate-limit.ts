/**
 * Requests a minute: counted in this process, or in Redis for all instances together. When Redis is lost, limits go on in
 * this process and the operator hears of it (decisions §4).
 */
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { SharedRedis } from './redis.ts';

export const WINDOW_SECONDS = 60;

/** What is left of the current minute's window. */
export interface RateState {
  isAllowed: boolean;
  /** Requests a minute. */
  limit: number;
  remaining: number;
  /** Whole seconds until the window begins anew. */
  resetSeconds: number;
}

export interface RateLimits {
  /** Takes `cost` requests from a key's window of `limit` a minute. Never throws. */
  take(keyId: bigint, limit: number, cost: number): Promise<RateState>;
  /** What a key's window holds, taking nothing. */
  look(keyId: bigint, limit: number): Promise<RateState>;
}

/**
 * Opens the limits, shared over Redis where a connection to it is given. Each window is one key of its own, so that a cluster
 * may keep it anywhere.
 */
export function openRateLimits(shared?: SharedRedis): RateLimits {
  const limiters = new Map<number, RateLimiterAbstract>();
  const limiterOf = (points: number) => {
    let limiter = limiters.get(points);
    if (!limiter) {
      const options = { points, duration: WINDOW_SECONDS, keyPrefix: `pda-rate:${shared?.namespace ?? ''}` };
      const inProcess = new RateLimiterMemory(options);
      limiter = shared
        ? new RateLimiterRedis({
            ...options,
            storeClient: shared.redis,
            insuranceLimiter: inProcess,
            rejectIfRedisNotReady: true,
          })
        : inProcess;
      limiters.set(points, limiter);
    }
    return limiter;
  };

  return {
    async take(keyId, limit, cost) {
      try {
        return asState(await limiterOf(limit).consume(String(keyId), cost), limit, true);
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return asState(refusal, limit, false);
        throw refusal;
      }
    },
    async look(keyId, limit) {
      const window = await limiterOf(limit).get(String(keyId));
      return window
        ? asState(window, limit, true)
        : { isAllowed: true, limit, remaining: limit, resetSeconds: WINDOW_SECONDS };
    },
  };
}

function asState(window: RateLimiterRes, limit: number, isAllowed: boolean): RateState {
  return {
    isAllowed,
    limit,
    remaining: Math.max(0, window.remainingPoints),
    resetSeconds: Math.max(1, Math.ceil(window.msBeforeNext / 1000)),
  };
}
