/**
 * Requests a minute by the client's address, for what is done without a key: counted in this process, in a memory that does not
 * grow with the number of addresses. Who has very many addresses is not held off by any limit on each.
 */
import { LRUCache } from 'lru-cache';
import { Problem } from '../problem.ts';
import { WINDOW_SECONDS } from './rate-limit.ts';

/** The most addresses that are counted; beyond, the one not seen for longest begins anew. */
export const MOST_ADDRESSES = 50_000;

/** One address in the current minute. */
export interface AddressWindow {
  count: number;
  /** When it begins anew, in milliseconds since 1970. */
  resetAt: number;
}

/** The windows of addresses; each begins with the first request in it. */
export function openAddressWindows(): (address: string) => AddressWindow {
  const windows = new LRUCache<string, AddressWindow>({ max: MOST_ADDRESSES });
  return (address) => {
    let window = windows.get(address);
    const now = Date.now();
    if (!window) {
      window = { count: 0, resetAt: now + WINDOW_SECONDS * 1000 };
      windows.set(address, window);
    } else if (window.resetAt <= now) {
      window.count = 0;
      window.resetAt = now + WINDOW_SECONDS * 1000;
    }
    return window;
  };
}

/**
 * Makes what counts a request that costs nothing.
 *
 * @param limit requests a minute of an address; 0 for any number.
 * @returns takes the address; throws {@link Problem} `rate_limited` when there were too many.
 */
export function openPublicLimit(limit: number): (address: string) => void {
  const windowOf = openAddressWindows();
  return (address) => {
    if (limit === 0) return;
    const window = windowOf(address);
    window.count += 1;
    if (window.count <= limit) return;
    const seconds = secondsUntil(window.resetAt);
    throw new Problem(
      'rate_limited',
      `Your address may make ${limit} requests a minute that cost nothing: wait ${seconds} seconds and try again.`,
      { headers: { 'Retry-After': String(seconds) } },
    );
  };
}

/** Whole seconds until a moment, 1 at least. */
export function secondsUntil(moment: number): number {
  return Math.max(1, Math.ceil((moment - Date.now()) / 1000));
}
