/** Counts the free requests and the guesses at keys of each address, and remembers the keys that were valid lately. */
import { LRUCache } from 'lru-cache';
import { openWindows, WINDOW_SECONDS, type Window } from './windows.ts';

/** The most addresses that are counted. Beyond it, the least recently seen address is discarded. */
export const MOST_ADDRESSES = 50_000;
const MOST_DIGESTS = 50_000;
const KNOWN_FOR_MS = 3_600_000;

/**
 * Whether a key may be looked up. `known`: it was valid within the last hour, so its lookup is no guess. `room`: it may turn out to be a
 * guess, and its address has room for one more. `counted`: no room, but the key has counted as a guess within a minute. `full`: no room.
 */
export type Verdict = 'known' | 'room' | 'counted' | 'full';

/** The result of a lookup; `unread` if the database was not asked or did not answer. */
export type Found = 'valid' | 'unknown' | 'unread';

/** The permission to look a key up, or its refusal. */
export interface Entry {
  verdict: Verdict;
  /** The end of the address's window, in milliseconds since 1970. */
  resetAt: number;
  /** Ends a permitted lookup. @returns whether the key has just counted as a guess. */
  leave(found: Found): boolean | Promise<boolean>;
}

/** The counts of one instance: kept in its only process, or in the primary process for all workers. */
export interface AddressLedger {
  /** Counts free requests. @returns the address's window, including them. */
  count(address: string, requests: number): Window | Promise<Window>;
  /** Asks for a lookup of a key. Waits until there is room even if all lookups in progress turn out to be guesses. */
  enter(address: string, digest: string): Entry | Promise<Entry>;
  /** Adopts the guesses that other instances have counted. */
  adopt(address: string, guesses: number, resetAt: number): void;
  /** Notes the result of a lookup. */
  note(digest: string, found: Found): void;
  /** Whether a key was valid when this process last looked it up within the last hour. */
  isKnown(digest: string): boolean;
}

/** Remembers the keys that were valid within the last hour, by digest. Each use renews them. */
export function openKnownKeys() {
  const known = new LRUCache<string, true>({ max: MOST_DIGESTS, ttl: KNOWN_FOR_MS, updateAgeOnGet: true });
  return {
    has: (digest: string) => known.has(digest),
    use: (digest: string) => known.get(digest) === true,
    note(digest: string, found: Found): void {
      if (found === 'valid') known.set(digest, true);
      if (found === 'unknown') known.delete(digest);
    },
  };
}

/** An address in the current minute; `count` is the number of its free requests. */
interface AddressWindow extends Window {
  /** The number of unknown keys. */
  guesses?: number;
  /** The number of lookups in progress; any of them may find its key unknown. */
  pending?: number;
  /** Each is called when a lookup has ended. */
  waiting?: (() => void)[];
}

/** Opens the ledger of this process. @param mostGuesses unknown keys a minute of an address; 0 for any number. */
export function openAddressLedger(mostGuesses: number) {
  const windowOf = openWindows<AddressWindow>(MOST_ADDRESSES);
  const known = openKnownKeys();
  // A client that keeps sending one revoked key is not guessing: that key counts once a minute.
  const countedLately = new LRUCache<string, true>({ max: MOST_DIGESTS, ttl: WINDOW_SECONDS * 1000 });

  const refusal = (verdict: 'counted' | 'full', { resetAt }: Window): Entry => ({
    verdict,
    resetAt,
    leave: () => false,
  });

  const waitForRoom = async (address: string, digest: string): Promise<Entry> => {
    for (;;) {
      const window = windowOf(address);
      const { guesses = 0, pending = 0 } = window;
      if (guesses >= mostGuesses) return refusal(countedLately.has(digest) ? 'counted' : 'full', window);
      if (guesses + pending < mostGuesses) {
        window.pending = pending + 1;
        return { verdict: 'room', resetAt: window.resetAt, leave: (found) => leave(window, digest, found) };
      }
      await new Promise<void>((resolve) => {
        window.waiting ??= [];
        window.waiting.push(resolve);
      });
    }
  };

  const leave = (window: AddressWindow, digest: string, found: Found): boolean => {
    known.note(digest, found);
    const isGuess = found === 'unknown' && !countedLately.has(digest);
    if (isGuess) {
      countedLately.set(digest, true);
      window.guesses = (window.guesses ?? 0) + 1;
    }
    window.pending = (window.pending ?? 1) - 1;
    for (const wake of window.waiting?.splice(0) ?? []) wake();
    return isGuess;
  };

  const knownEntry = (digest: string): Entry => ({
    verdict: 'known',
    resetAt: 0,
    leave(found) {
      known.note(digest, found);
      return false;
    },
  });

  return {
    count(address: string, requests: number): Window {
      const window = windowOf(address);
      window.count += requests;
      return window;
    },
    enter: (address: string, digest: string) =>
      mostGuesses === 0 || known.use(digest) ? knownEntry(digest) : waitForRoom(address, digest),
    adopt(address: string, guesses: number, resetAt: number) {
      const window = windowOf(address);
      if (guesses <= (window.guesses ?? 0)) return;
      window.guesses = guesses;
      window.resetAt = resetAt;
    },
    note: known.note,
    isKnown: known.has,
  } satisfies AddressLedger;
}
