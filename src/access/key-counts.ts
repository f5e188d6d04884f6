/** Counts what keys hold open at the same time in this process, such as subscriptions, long polls and exports. */

/** @param onCount called with the number of all keys together when it changes. */
export function openKeyCounts(onCount: (all: number) => void = () => {}) {
  const counts = new Map<bigint, number>();
  let all = 0;
  return {
    /** The number of all keys together. */
    all: () => all,
    /** The number of a key. */
    of: (keyId: bigint) => counts.get(keyId) ?? 0,
    add(keyId: bigint, change: 1 | -1): void {
      const count = (counts.get(keyId) ?? 0) + change;
      // Only keys that hold something take memory.
      if (count > 0) counts.set(keyId, count);
      else counts.delete(keyId);
      all += change;
      onCount(all);
    },
  };
}
