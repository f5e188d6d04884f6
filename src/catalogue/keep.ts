/** Loaders whose rows stay in memory for as long as the catalogue stays as it is. */
import { LRUCache } from 'lru-cache';
import type { Loader } from '../database/batch.ts';
import type { CatalogueVersion } from './version.ts';

/**
 * Keeps what a loader has given, at most `max` rows. Nothing is kept of a key that has no row: the next import may make it.
 */
export function keep<Key extends {}, Row extends {}>(
  loader: Loader<Key, Row | undefined>,
  version: CatalogueVersion,
  max: number,
): Loader<Key, Row | undefined> {
  const rows = new LRUCache<Key, Row>({ max });
  let keptOf: bigint | undefined;
  return {
    async load(key) {
      const known = version.known();
      if (known === undefined) return loader.load(key);
      if (known !== keptOf) rows.clear();
      keptOf = known;
      const kept = rows.get(key);
      if (kept !== undefined) return kept;
      const row = await loader.load(key);
      // Read while that version was current, or after it: what has changed since is dropped with it.
      if (row !== undefined && keptOf === known) rows.set(key, row);
      return row;
    },
  };
}
