/**
 * The one limit on what nobody pays for, by client address: pages, redirects, introspection, MCP messages that call no tool, 401
 * responses, and guesses at keys. A key of the right form that this process does not know costs a database read, so unknown keys
 * have a lower limit of their own within the same window. Keys that were valid within the last hour are exempt: they share
 * their address with others, as all clients behind one router do.
 */
import { LRUCache } from 'lru-cache';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../problem.ts';
import { openSharedLimiter, type SharedRedis } from './redis.ts';
import { openWindows, secondsUntil, WINDOW_SECONDS, type Window } from './windows.ts';

export interface Unpaid {
  /**
   * Counts a request that nobody pays for.
   *
   * @throws {Problem} `rate_limited` when the address has made too many.
   */
  count(address: string): void;
  /**
   * Looks a key up.
   *
   * @param digest of the key, and `address` of the client.
   * @param read asks the database.
   * @throws {Problem} `rate_limited` without asking, when too many keys of the address were unknown.
   */
  look<Key>(digest: string, address: string, read: () => Promise<Key | undefined>): Promise<Key | undefined>;
  /** Whether a key was valid when it was last looked up, within the last hour. Asks nobody. */
  isKnown(digest: string): boolean;
}

export interface UnpaidLimits {
  /** Unpaid requests a minute of an address; 0 for any number. */
  requests: number;
  /** Unknown keys a minute of an address; 0 for any number. */
  guesses: number;
}

/** The most addresses that are counted. Beyond it, the address that was not seen for longest starts anew. */
export const MOST_ADDRESSES = 50_000;
const MOST_DIGESTS = 50_000;
const KNOWN_FOR_MS = 3_600_000;

/** An address in the current minute: `count` is of its unpaid requests. */
interface AddressWindow extends Window {
  /** Keys that turned out to be unknown. */
  guesses?: number;
  /** Lookups under way; any of them may turn out to be of an unknown key. */
  pending?: Set<Promise<unknown>>;
}

/**
 * Opens the limit.
 *
 * @param sharing where guesses are counted together with other instances, if they are. Without an answer from there, this
 *   process goes on counting by itself.
 */
export function openUnpaid({ requests, guesses: mostGuesses }: UnpaidLimits, sharing?: SharedRedis): Unpaid {
  const windowOf = openWindows<AddressWindow>(MOST_ADDRESSES);
  const known = new LRUCache<string, true>({ max: MOST_DIGESTS, ttl: KNOWN_FOR_MS, updateAgeOnGet: true });
  // A client that keeps sending one revoked key is not guessing: that key counts once a minute.
  const countedLately = new LRUCache<string, true>({ max: MOST_DIGESTS, ttl: WINDOW_SECONDS * 1000 });
  const shared = sharing && mostGuesses > 0 ? openSharedLimiter(sharing, 'pda-wrong-key', mostGuesses) : undefined;

  /** Takes over the count of other instances. */
  const adopt = (window: AddressWindow, counted: RateLimiterRes | null) => {
    if (!counted || counted.consumedPoints <= (window.guesses ?? 0)) return;
    window.guesses = counted.consumedPoints;
    window.resetAt = Date.now() + counted.msBeforeNext;
  };

  const countGuess = async (window: AddressWindow, digest: string, address: string) => {
    if (countedLately.has(digest)) return;
    countedLately.set(digest, true);
    window.guesses = (window.guesses ?? 0) + 1;
    adopt(window, (await shared?.consume(address).catch(asCounted)) ?? null);
  };

  /** Waits until the address has room for one more guess, even if all lookups under way turn out to be guesses. */
  const waitForRoom = async (address: string) => {
    for (;;) {
      const window = windowOf(address);
      const { guesses = 0, pending } = window;
      if (guesses >= mostGuesses || guesses + (pending?.size ?? 0) < mostGuesses) return window;
      await Promise.race(pending ?? []);
    }
  };

  return {
    count(address) {
      if (requests === 0) return;
      const window = windowOf(address);
      window.count += 1;
      if (window.count > requests) throw tooManyRequests(requests, window);
    },
    async look(digest, address, read) {
      if (mostGuesses === 0 || known.get(digest)) {
        const key = await read();
        if (key) known.set(digest, true);
        else known.delete(digest);
        return key;
      }
      const window = await waitForRoom(address);
      if ((window.guesses ?? 0) >= mostGuesses) {
        if (countedLately.has(digest)) return undefined;
        throw tooManyGuesses(window);
      }
      const looking = (async () => {
        adopt(window, (await shared?.get(address).catch(() => null)) ?? null);
        if ((window.guesses ?? 0) >= mostGuesses) throw tooManyGuesses(window);
        const key = await read();
        if (key) known.set(digest, true);
        else await countGuess(window, digest, address);
        return key;
      })();
      const settled = looking.catch(() => {}).finally(() => window.pending?.delete(settled));
      window.pending ??= new Set();
      window.pending.add(settled);
      return looking;
    },
    isKnown: (digest) => known.has(digest),
  };
}

/** The store's count where the limit is exceeded; nothing when the store is away. */
function asCounted(refusal: unknown): RateLimiterRes | null {
  return refusal instanceof RateLimiterRes ? refusal : null;
}

function tooManyRequests(limit: number, { resetAt }: Window): Problem {
  const seconds = secondsUntil(resetAt);
  return new Problem(
    'rate_limited',
    `Your address may make ${limit} requests a minute that cost nothing, refused ones included: send a valid key in \`x-api-key\`, or wait ${seconds} seconds and try again.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}

function tooManyGuesses({ resetAt }: Window): Problem {
  const seconds = secondsUntil(resetAt);
  return new Problem(
    'rate_limited',
    `Too many keys from your address were unknown, so keys that were not used in the last hour are not looked up: wait ${seconds} seconds, and check the key in \`x-api-key\`.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}
