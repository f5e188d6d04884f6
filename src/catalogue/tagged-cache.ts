/** A cache whose entries depend on parts of the catalogue, and are evicted when one of these changes. */
import { LRUCache } from 'lru-cache';
import type { Changes } from './changes.ts';

interface Entry<Value> {
  value: Value;
  tags: readonly string[];
}

/** The limit of a cache: a number of entries, or the sum of their sizes. */
export type CacheLimit<Key, Value> =
  | { max: number }
  | { maxSize: number; sizeOf: (value: Value, key: Key, tags: readonly string[]) => number };

/** A least-recently-used cache with a tag index, which holds the tags of present entries only. */
export class TaggedCache<Key extends string | bigint, Value extends {}> {
  readonly #changes: Changes;
  readonly #entries: LRUCache<Key, Entry<Value>>;
  // Most tags have one entry, which needs no set.
  readonly #keysOf = new Map<string, Key | Set<Key>>();
  #evictedWhole = 0;
  #evictedByTags = 0;

  constructor(changes: Changes, limit: CacheLimit<Key, Value>) {
    this.#changes = changes;
    this.#entries = new LRUCache<Key, Entry<Value>>({
      ...('max' in limit
        ? limit
        : {
            maxSize: limit.maxSize,
            sizeCalculation: ({ value, tags }: Entry<Value>, key: Key) => limit.sizeOf(value, key, tags),
          }),
      dispose: ({ tags }, key) => {
        for (const tag of tags) this.#unlink(tag, key);
      },
    });
    changes.watch((tags) => (tags ? this.#evict(tags) : this.#clear()));
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  /**
   * Stores a value, unless a change may have affected it meanwhile.
   * @param since {@link Changes.seen} before the value's data was read.
   */
  set(key: Key, value: Value, tags: readonly string[], since: number): void {
    if (this.#changes.hasChanged(tags, since)) return;
    const entry = { value, tags };
    this.#entries.set(key, entry);
    // It is not stored if it is larger than the whole cache.
    if (this.#entries.peek(key) === entry) for (const tag of tags) this.#link(tag, key);
  }

  /** The cache as the memory of `remembered`: a value that it stores depends on `tags`, and its data is not read before that. */
  under(tags: readonly string[]) {
    return {
      get: (key: Key) => this.get(key),
      set: (key: Key, value: Value) => this.set(key, value, tags, this.#changes.seen),
      delete: (key: Key) => this.#entries.delete(key),
    };
  }

  /** The number of entries and of their tags, the sum of sizes, and the entries evicted by changes of everything and of their tags. */
  get figures() {
    return {
      entries: this.#entries.size,
      tags: this.#keysOf.size,
      size: this.#entries.calculatedSize,
      evictedWhole: this.#evictedWhole,
      evictedByTags: this.#evictedByTags,
    };
  }

  #clear(): void {
    this.#evictedWhole += this.#entries.size;
    this.#keysOf.clear();
    this.#entries.clear();
  }

  #evict(tags: readonly string[]): void {
    const before = this.#entries.size;
    for (const tag of tags) {
      const keys = this.#keysOf.get(tag);
      if (keys instanceof Set) for (const key of keys) this.#entries.delete(key);
      else if (keys !== undefined) this.#entries.delete(keys);
    }
    this.#evictedByTags += before - this.#entries.size;
  }

  #link(tag: string, key: Key): void {
    const keys = this.#keysOf.get(tag);
    if (keys === undefined) this.#keysOf.set(tag, key);
    else if (keys instanceof Set) keys.add(key);
    else if (keys !== key) this.#keysOf.set(tag, new Set([keys, key]));
  }

  #unlink(tag: string, key: Key): void {
    const keys = this.#keysOf.get(tag);
    if (keys === key) this.#keysOf.delete(tag);
    if (!(keys instanceof Set)) return;
    keys.delete(key);
    if (keys.size === 0) this.#keysOf.delete(tag);
  }
}
