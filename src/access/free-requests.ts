/**
 * The one limit on free requests, by client address: pages, redirects, introspection, MCP messages that call no tool, 401 responses,
 * and guesses at keys. A well-formed key that this process does not know costs a database read, so unknown keys have a lower limit of
 * their own in the same window. Keys that were valid within the last hour are exempt, because many clients may share an address.
 */
import { LRUCache } from 'lru-cache';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../problem.ts';
import { openSharedLimiter, type SharedRedis } from './redis.ts';
import { openWindows, secondsUntil, WINDOW_SECONDS, type Window } from './windows.ts';

/** The most addresses that are counted. Beyond it, the least recently seen address is discarded. */
export const MOST_ADDRESSES = 50_000;
const MOST_DIGESTS = 50_000;
const KNOWN_FOR_MS = 3_600_000;

/** An address in the current minute; `count` is the number of its free requests. */
interface AddressWindow extends Window {
  /** The number of unknown keys. */
  guesses?: number;
  /** Lookups in progress; any of them may find its key unknown. */
  pending?: Set<Promise<unknown>>;
}

export type FreeRequests = ReturnType<typeof openFreeRequests>;

/**
 * Opens the limit.
 *
 * @param limits free requests and unknown keys a minute of an address; 0 for any number.
 * @param sharing the store in which instances count guesses together, if any. If it does not answer, this process counts by itself.
 */
export function openFreeRequests(
  { requests, guesses: mostGuesses }: { requests: number; guesses: number },
  sharing?: SharedRedis,
) {
  const windowOf = openWindows<AddressWindow>(MOST_ADDRESSES);
  const known = new LRUCache<string, true>({ max: MOST_DIGESTS, ttl: KNOWN_FOR_MS, updateAgeOnGet: true });
  // A client that keeps sending one revoked key is not guessing: that key counts once a minute.
  const countedLately = new LRUCache<string, true>({ max: MOST_DIGESTS, ttl: WINDOW_SECONDS * 1000 });
  const shared = sharing && mostGuesses > 0 ? openSharedLimiter(sharing, 'pda-wrong-key', mostGuesses) : undefined;

  /** Adopts the count of other instances. */
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

  /** Waits until the address has room for one more guess, even if all lookups in progress turn out to be guesses. */
  const waitForRoom = async (address: string) => {
    for (;;) {
      const window = windowOf(address);
      const { guesses = 0, pending } = window;
      if (guesses >= mostGuesses || guesses + (pending?.size ?? 0) < mostGuesses) return window;
      await Promise.race(pending ?? []);
    }
  };

  return {
    /** Counts a free request. @throws {Problem} `rate_limited` when the address has made too many. */
    count(address: string) {
      if (requests === 0) return;
      const window = windowOf(address);
      window.count += 1;
      if (window.count > requests) throw tooManyRequests(requests, window);
    },
    /**
     * Looks a key up.
     *
     * @param read reads the database.
     * @throws {Problem} `rate_limited` without a read, when the address has sent too many unknown keys.
     */
    async look<Key>(digest: string, address: string, read: () => Promise<Key | undefined>): Promise<Key | undefined> {
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
    /** Whether a key was valid when it was last looked up within the last hour. Reads no database. */
    isKnown: (digest: string) => known.has(digest),
  };
}

/** The store's count if the limit is exceeded; `null` if the store is unavailable. */
function asCounted(refusal: unknown): RateLimiterRes | null {
  return refusal instanceof RateLimiterRes ? refusal : null;
}

function tooManyRequests(limit: number, window: Window): Problem {
  return rateLimited(
    window,
    (seconds) =>
      `Your address may make ${limit} free requests a minute, including refused ones: send a valid key in \`x-api-key\`, or wait ${seconds} seconds, then try again.`,
  );
}

function tooManyGuesses(window: Window): Problem {
  return rateLimited(
    window,
    (seconds) =>
      `Your address has sent too many unknown keys, so only keys used within the last hour are accepted for now: check the key in \`x-api-key\`, wait ${seconds} seconds, then try again.`,
  );
}

function rateLimited({ resetAt }: Window, detail: (seconds: number) => string): Problem {
  const seconds = secondsUntil(resetAt);
  return new Problem('rate_limited', detail(seconds), { headers: { 'Retry-After': String(seconds) } });
}
