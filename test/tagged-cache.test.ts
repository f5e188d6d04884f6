/** The cache behind all cached data of the catalogue: entries are evicted by the tags that they depend on. */
import { describe, expect, test } from 'vitest';
import { openChanges } from '../src/catalogue/changes.ts';
import { TaggedCache } from '../src/catalogue/tagged-cache.ts';
import { sightingTags } from '../src/catalogue/tags.ts';

function open(max = 10) {
  const changes = openChanges();
  return { changes, cache: new TaggedCache<string, number>(changes, { max }) };
}

describe('a change', () => {
  test('without tags evicts everything', () => {
    const { changes, cache } = open();
    cache.set('a', 1, ['one'], changes.seen);
    cache.set('b', 2, [], changes.seen);
    changes.announce(undefined);
    expect(cache.figures).toMatchObject({ entries: 0, tags: 0, evictedWhole: 2 });
  });

  test('that is forgotten keeps out all work that began before it', () => {
    const changes = openChanges(2);
    changes.announce(['one']);
    const between = changes.seen;
    changes.announce(['two']);
    expect(changes.hasChanged(['other'], 0)).toBe(false);
    changes.announce(['three']);
    expect(changes.hasChanged(['other'], 0)).toBe(true);
    expect(changes.hasChanged(['other'], between)).toBe(false);
    expect(changes.hasChanged(['two'], between)).toBe(true);
  });
});

describe('the index of tags', () => {
  test('has only the tags of present entries: not of those that the limit evicted, or that were replaced', () => {
    const { changes, cache } = open(2);
    for (const key of ['a', 'b', 'c']) cache.set(key, 1, [key, 'all'], changes.seen);
    expect(cache.figures).toMatchObject({ entries: 2, tags: 3 });
    cache.set('c', 2, ['other'], changes.seen);
    expect(cache.figures).toMatchObject({ entries: 2, tags: 3 });
    changes.announce(['c', 'all']);
    expect([cache.get('b'), cache.get('c')]).toEqual([undefined, 2]);
    expect(cache.figures.tags).toBe(1);
  });

  test('has no tags of an entry that is larger than the cache', () => {
    const changes = openChanges();
    const cache = new TaggedCache<string, number>(changes, { maxSize: 5, sizeOf: (value) => value });
    cache.set('a', 6, ['one'], changes.seen);
    expect(cache.figures).toMatchObject({ entries: 0, tags: 0, size: 0 });
  });
});

test('an answer with very many shops depends on any of them instead of on each', () => {
  const merchants = Array.from({ length: 60 }, (_, n) => BigInt(n));
  expect(sightingTags(1n, [2n, 2n, 3n])).toEqual(['sighted:1', 'seen-whole:2', 'seen-whole:3']);
  expect(sightingTags(1n, merchants)).toEqual(['sighted:1', 'all-seen-whole']);
});
