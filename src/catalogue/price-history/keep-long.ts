/** Caches what was computed from very long histories until the catalogue changes. Others cost less than the memory they would take. */
import { LRUCache } from 'lru-cache';
import type { CatalogueVersion } from '../version.ts';

/** Half a year of five offers that change four times a day. */
const LEAST_ENTRIES = 4_000;
/** Points of all cached histories, of about 200 bytes each. */
const MOST_POINTS = 100_000;

interface Computed<Value> {
  value: Value;
  /** The number of entries that it was computed from. */
  entries: number;
  /** The number of points in it. */
  size: number;
}

/** Returns the cached value of a name, or computes it. */
export function keepLong<Value extends {}>(version: CatalogueVersion) {
  const kept = new LRUCache<string, Computed<Value>>({ maxSize: MOST_POINTS, sizeCalculation: ({ size }) => size + 1 });
  let keptOf: bigint | undefined;
  return async (name: string, compute: () => Promise<Computed<Value>>): Promise<Value> => {
    const known = version.known();
    if (known === undefined) return (await compute()).value;
    if (known !== keptOf) kept.clear();
    keptOf = known;
    const found = kept.get(name);
    if (found) return found.value;
    const computed = await compute();
    // The value is from this version or a later one. A later change raises the version, which discards the value.
    if (computed.entries >= LEAST_ENTRIES && keptOf === known) kept.set(name, computed);
    return computed.value;
  };
}
