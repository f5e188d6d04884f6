/** Caches rows of loaders and of cacheable statements in memory until the catalogue changes. */
import { LRUCache } from 'lru-cache';
import type { Loader } from '../database/batch.ts';
import type { Queryable, QueryOptions } from '../database/database.ts';
import { remembered } from '../remember.ts';
import type { CatalogueVersion } from './version.ts';

/** Caches at most `max` rows of a loader. A key without a row is not cached, because the next import may create the row. */
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
      // The row is from this version or a later one. A later change raises the version, which discards the row.
      if (row !== undefined && keptOf === known) rows.set(key, row);
      return row;
    },
  };
}

/** Caches the results of at most `max` cacheable statements (`isKeepable`). Concurrent equal statements share one result. */
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
