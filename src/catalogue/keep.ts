/** What stays in memory for as long as the catalogue stays as it is: rows of loaders, and of statements that may be kept. */
import { LRUCache } from 'lru-cache';
import type { Loader } from '../database/batch.ts';
import type { Queryable, QueryOptions } from '../database/database.ts';
import { remembered } from '../remember.ts';
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

/**
 * A database that keeps what statements have given which say that they may be kept, at most `max` of them. Those that ask the
 * same at the same time share one.
 */
export function keepRows(database: Queryable, version: CatalogueVersion, max: number): Queryable {
  const answers = new LRUCache<string, Promise<unknown[]>>({ max });
  let keptOf: bigint | undefined;
  return {
    script: (sql) => database.script(sql),
    query<Row>(sql: string, parameters: readonly unknown[] = [], options: QueryOptions = {}) {
      const known = options.isKeepable ? version.known() : undefined;
      if (known === undefined) return database.query<Row>(sql, parameters, options);
      if (known !== keptOf) answers.clear();
      keptOf = known;
      const name = JSON.stringify([sql, parameters], (_name, value) =>
        typeof value === 'bigint' ? String(value) : value,
      );
      return remembered(answers, name, () => database.query(sql, parameters, options)) as Promise<Row[]>;
    },
  };
}
