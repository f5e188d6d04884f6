/** When a feed that failed is pulled again. */

const FIRST_MS = 60_000;
const CAP_MS = 6 * 60 * 60_000;
const MOST_DOUBLINGS = 20;

/**
 * The pause before the next pull after so many failures in a row: it doubles from a minute on, up to six hours or the feed's own
 * interval, whichever is longer, with jitter, so that the feeds of a server that was down do not all return at once.
 */
export function backoffMs(failures: number, everySeconds: number, random: () => number = Math.random): number {
  const cap = Math.max(CAP_MS, everySeconds * 1_000);
  const pause = Math.min(cap, FIRST_MS * 2 ** Math.min(failures - 1, MOST_DOUBLINGS));
  return Math.round(pause * (0.75 + random() / 2));
}
