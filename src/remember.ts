/** Caches promises of shared values. A rejected promise is discarded, so that the next caller retries. */

/** A `Map`, or a cache of bounded size. */
interface Memory<Key, Value> {
  get(key: Key): Promise<Value> | undefined;
  set(key: Key, value: Promise<Value>): unknown;
  delete(key: Key): unknown;
}

/** Returns the value cached under `key`, or makes and caches it. Concurrent callers share one promise. */
export function remembered<Key, Value>(
  memory: Memory<Key, Value>,
  key: Key,
  make: () => Promise<Value>,
): Promise<Value> {
  const known = memory.get(key);
  if (known) return known;
  const making = make();
  memory.set(key, making);
  making.catch(() => {
    if (memory.get(key) === making) memory.delete(key);
  });
  return making;
}

/** Makes a value on first use. @example const openPool = once(() => import('./pool.ts')); */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  const memory = new Map<'it', Promise<Value>>();
  return () => remembered(memory, 'it', make);
}
