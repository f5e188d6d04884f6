/**
 * Requests a minute: counted in this process, or in Redis for all instances together. When Redis is lost, limits go on in
 * this process and the operator hears of it (decisions §4).
 */
import type { Redis } from 'ioredis';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

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

/** Opens the limits, shared over Redis where a connection to it is given. */
export function openRateLimits(redis?: Redis): RateLimits {
  const limiters = new Map<number, RateLimiterAbstract>();
  const limiterOf = (points: number) => {
    let limiter = limiters.get(points);
    if (!limiter) {
      const options = { points, duration: WINDOW_SECONDS, keyPrefix: 'pda-rate' };
      const inProcess = new RateLimiterMemory(options);
      limiter = redis
        ? new RateLimiterRedis({
            ...options,
            storeClient: redis,
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
