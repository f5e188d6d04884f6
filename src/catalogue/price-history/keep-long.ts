/** Caches what was computed from very long histories until their products change. Others cost less than the memory they would take. */
import { TaggedCache } from '../tagged-cache.ts';
import { tagOf } from '../tags.ts';
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

/** Returns the cached value of a product under a name, or computes it. */
export function keepLong<Value extends {}>(version: CatalogueVersion) {
  const { changes } = version;
  const kept = new TaggedCache<string, Computed<Value>>(changes, {
    maxSize: MOST_POINTS,
    sizeOf: ({ size }) => size + 1,
  });
  return async (productId: bigint, name: string, compute: () => Promise<Computed<Value>>): Promise<Value> => {
    if (version.known() === undefined) return (await compute()).value;
    const key = `${productId} ${name}`;
    const found = kept.get(key);
    if (found) return found.value;
    const { seen } = changes;
    const computed = await compute();
    if (computed.entries >= LEAST_ENTRIES) kept.set(key, computed, [tagOf('product', productId)], seen);
    return computed.value;
  };
}
