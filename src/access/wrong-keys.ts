/**
 * Keeps who guesses keys from the database. A key of the right form that this process does not know has to be looked for; an
 * address may have so many of them turn out to be unknown in a minute, and then no more are looked for. Keys that were good
 * lately go on: they share their address with others, as all behind one router do.
 */
import { LRUCache } from 'lru-cache';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../problem.ts';
import { type AddressWindow, openAddressWindows, secondsUntil } from './address-limits.ts';
import { WINDOW_SECONDS } from './rate-limit.ts';
import type { SharedRedis } from './redis.ts';

export interface WrongKeys {
  /**
   * Looks for a key.
   *
   * @param digest the key's, and `address` the client's.
   * @param read asks the database.
   * @throws {Problem} `rate_limited` without asking, when too many keys of the address were unknown.
   */
  look<Key>(digest: string, address: string, read: () => Promise<Key | undefined>): Promise<Key | undefined>;
}

const MOST_DIGESTS = 50_000;
const GOOD_FOR_MS = 3_600_000;

interface Guesses extends AddressWindow {
  /** Keys that are being looked for; any of them may turn out to be unknown. */
  pending?: Set<Promise<unknown>>;
}

/**
 * Opens the guard.
 *
 * @param limit unknown keys a minute of an address; 0 for any number.
 * @param sharing where the counts are shared, if they are. Without an answer from there they go on in this process.
 */
export function openWrongKeys(limit: number, sharing?: SharedRedis): WrongKeys {
  const windowOf: (address: string) => Guesses = openAddressWindows();
  const goodLately = new LRUCache<string, true>({ max: MOST_DIGESTS, ttl: GOOD_FOR_MS });
  // A client that goes on with one key that was revoked is no guesser: it counts once a minute.
  const countedLately = new LRUCache<string, true>({ max: MOST_DIGESTS, ttl: WINDOW_SECONDS * 1000 });
  const shared =
    sharing &&
    new RateLimiterRedis({
      storeClient: sharing.redis,
      points: limit,
      duration: WINDOW_SECONDS,
      keyPrefix: `pda-wrong-key:${sharing.namespace}`,
      rejectIfRedisNotReady: true,
    });

  /** Takes over what other processes have counted. */
  const adopt = (window: Guesses, counted: RateLimiterRes | null) => {
    if (!counted || counted.consumedPoints <= window.count) return;
    window.count = counted.consumedPoints;
    window.resetAt = Date.now() + counted.msBeforeNext;
  };

  const count = async (window: Guesses, digest: string, address: string) => {
    if (countedLately.has(digest)) return;
    countedLately.set(digest, true);
    window.count += 1;
    const counted = await shared?.consume(address).catch(asCounted);
    adopt(window, counted ?? null);
  };

  /** Lets pass whom the limit leaves room for, even if all that are being looked for should be unknown. */
  const wait = async (window: Guesses, address: string) => {
    while (window.count < limit && window.count + (window.pending?.size ?? 0) >= limit) {
      await Promise.race(window.pending ?? []);
      window = windowOf(address);
    }
    return window;
  };

  return {
    async look(digest, address, read) {
      if (limit === 0) return read();
      if (goodLately.has(digest)) {
        const key = await read();
        if (!key) goodLately.delete(digest);
        return key;
      }
      const window = await wait(windowOf(address), address);
      if (window.count >= limit) {
        if (countedLately.has(digest)) return undefined;
        throw tooMany(window);
      }
      const looking = (async () => {
        adopt(window, (await shared?.get(address).catch(() => null)) ?? null);
        if (window.count >= limit) throw tooMany(window);
        const key = await read();
        if (key) goodLately.set(digest, true);
        else await count(window, digest, address);
        return key;
      })();
      const settled = looking.catch(() => {}).finally(() => window.pending?.delete(settled));
      window.pending ??= new Set();
      window.pending.add(settled);
      return looking;
    },
  };
}

/** What the store says where there are too many; nothing when it is away. */
function asCounted(refusal: unknown): RateLimiterRes | null {
  return refusal instanceof RateLimiterRes ? refusal : null;
}

function tooMany({ resetAt }: AddressWindow): Problem {
  const seconds = secondsUntil(resetAt);
  return new Problem(
    'rate_limited',
    `Too many keys from your address were unknown: wait ${seconds} seconds, and check the key in \`x-api-key\`.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}
