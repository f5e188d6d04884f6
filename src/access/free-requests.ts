/**
 * The one limit on free requests, by client address: pages, redirects, introspection, MCP messages that call no tool, 401 responses,
 * and guesses at keys. A well-formed key that this instance does not know costs a database read, so unknown keys have a lower limit of
 * their own in the same window. Keys that were valid within the last hour are exempt, because many clients may share an address.
 */
import { RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../problem.ts';
import { type AddressLedger, type Entry, type Found, openAddressLedger } from './address-ledger.ts';
import { openSharedLimiter, type SharedRedis } from './redis.ts';
import { secondsUntil, type Window } from './windows.ts';

export type FreeRequests = ReturnType<typeof openFreeRequests>;

/**
 * Opens the limit.
 *
 * @param limits free requests and unknown keys a minute of an address; 0 for any number.
 * @param sharing the store in which instances count guesses together, if any. If it does not answer, this instance counts by itself.
 * @param ledger has the counts of this instance.
 */
export function openFreeRequests(
  { requests, guesses: mostGuesses }: { requests: number; guesses: number },
  sharing?: SharedRedis,
  ledger: AddressLedger = openAddressLedger(mostGuesses),
) {
  const shared = sharing && mostGuesses > 0 ? openSharedLimiter(sharing, 'pda-wrong-key', mostGuesses) : undefined;

  /** Adopts the count of other instances. @throws {Problem} `rate_limited` if it leaves no room. */
  const adopt = (address: string, counted: RateLimiterRes | null, mayBeFull: boolean) => {
    if (!counted) return;
    const resetAt = Date.now() + counted.msBeforeNext;
    ledger.adopt(address, counted.consumedPoints, resetAt);
    if (!mayBeFull && counted.consumedPoints >= mostGuesses) throw tooManyGuesses(resetAt);
  };

  const lookWith = async <Key>(
    entry: Entry,
    address: string,
    read: () => Promise<Key | undefined>,
  ): Promise<Key | undefined> => {
    let found: Found = 'unread';
    try {
      if (shared && entry.verdict === 'room') adopt(address, await shared.get(address).catch(() => null), false);
      const key = await read();
      found = key ? 'valid' : 'unknown';
      return key;
    } finally {
      const isGuess = entry.leave(found);
      if (shared && (await isGuess)) adopt(address, await shared.consume(address).catch(asCounted), true);
    }
  };

  return {
    /**
     * Counts free requests.
     * @returns a promise only if the workers of an instance count together; it rejects as this throws.
     * @throws {Problem} `rate_limited` when the address has made too many.
     */
    count(address: string, added = 1): Promise<void> | undefined {
      if (requests === 0) return undefined;
      const refuseExcess = (window: Window) => {
        if (window.count > requests) throw tooManyRequests(requests, window);
      };
      const counting = ledger.count(address, added);
      if (counting instanceof Promise) return counting.then(refuseExcess);
      refuseExcess(counting);
      return undefined;
    },
    /**
     * Looks a key or another secret up.
     *
     * @param read reads the database.
     * @param kind whose wrong secrets count apart, so that neither blocks the other.
     * @throws {Problem} `rate_limited` without a read, when the address has sent too many unknown keys.
     */
    async look<Key>(
      digest: string,
      address: string,
      read: () => Promise<Key | undefined>,
      kind: 'key' | 'console' | 'report' = 'key',
    ): Promise<Key | undefined> {
      const counted = kind === 'key' ? address : `${kind} ${address}`;
      const entry = await ledger.enter(counted, digest);
      if (entry.verdict === 'counted') return undefined;
      if (entry.verdict === 'full') throw tooManyGuesses(entry.resetAt);
      return lookWith(entry, counted, read);
    },
    /** Whether a key was valid when this process last looked it up within the last hour. Reads no database. */
    isKnown: ledger.isKnown,
  };
}

/** The store's count if the limit is exceeded; `null` if the store is unavailable. */
function asCounted(refusal: unknown): RateLimiterRes | null {
  return refusal instanceof RateLimiterRes ? refusal : null;
}

function tooManyRequests(limit: number, { resetAt }: Window): Problem {
  return rateLimited(
    resetAt,
    (seconds) =>
      `Your address may make ${limit} free requests a minute, and a page, chart or search can count as three: wait ${seconds} seconds, then try again. Metered requests with a valid key do not count.`,
  );
}

function tooManyGuesses(resetAt: number): Problem {
  return rateLimited(
    resetAt,
    (seconds) =>
      `Your address has sent too many unknown keys, so only keys used within the last hour are accepted for now: check the key in \`x-api-key\`, wait ${seconds} seconds, then try again.`,
  );
}

function rateLimited(resetAt: number, detail: (seconds: number) => string): Problem {
  const seconds = secondsUntil(resetAt);
  return new Problem('rate_limited', detail(seconds), { headers: { 'Retry-After': String(seconds) } });
}
