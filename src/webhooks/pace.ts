/** How many messages of a webhook are on their way at once: one at first, so that slow and silent receivers leave room for others. */
import { LRUCache } from 'lru-cache';

/** The most of one webhook, whose receiver answers quickly. */
export const MOST_OF_WEBHOOK = 32;
/** An answer within this time doubles the number; a slower one, or none, halves it. */
const QUICK_SECONDS = 2;
// Those beyond start with one again.
const MOST_PACES = 1_000;

/** Opens the paces of a process. */
export function openPaces() {
  const paces = new LRUCache<bigint, number>({ max: MOST_PACES });
  return {
    /** The room of webhooks that differs from one message, by webhook. @param underWay the messages of webhooks on their way. */
    rooms: (underWay: ReadonlyMap<bigint, number>): Map<bigint, number> =>
      new Map(
        [...paces.keys(), ...underWay.keys()].map((id) => [
          id,
          Math.max(0, (paces.get(id) ?? 1) - (underWay.get(id) ?? 0)),
        ]),
      ),
    /** An attempt has ended. */
    note(id: bigint, hasAnswer: boolean, seconds: number): void {
      const pace = paces.get(id) ?? 1;
      const next = hasAnswer && seconds < QUICK_SECONDS ? Math.min(pace * 2, MOST_OF_WEBHOOK) : pace / 2;
      if (next > 1) paces.set(id, next);
      else paces.delete(id);
    },
  };
}
