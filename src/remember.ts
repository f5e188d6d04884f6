/** Remembers promises of what is made once and then shared. A failure is forgotten, so that the next caller tries again. */

/** What remembers: a `Map`, or a cache of bounded size. */
interface Memory<Key, Value> {
  get(key: Key): Promise<Value> | undefined;
  set(key: Key, value: Promise<Value>): unknown;
  delete(key: Key): unknown;
}

/** Gives what is remembered under `key`, or makes it and remembers it. Callers at the same time share one promise. */
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

/**
 * Makes something when it is first asked for.
 *
 * @example const openPool = once(() => import('./pool.ts'));
 */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  const memory = new Map<'it', Promise<Value>>();
  return () => remembered(memory, 'it', make);
}
