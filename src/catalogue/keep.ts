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

/** A cacheable statement. */
export interface Statement {
  sql: string;
  parameters: readonly unknown[];
  options: QueryOptions;
}

/** A {@link Queryable} that may cache rows until the catalogue changes. */
export interface KeepingQueryable extends Queryable {
  /** Whether the rows of a statement are cached, or being read for the cache. */
  kept?(statement: Statement): boolean;
  /** Caches the rows of a statement that another one, which is running, reads as well. */
  keep?(statement: Statement, rows: Promise<unknown[]>): void;
}

/** Caches the results of at most `max` cacheable statements (`isKeepable`). Concurrent equal statements share one result. */
export function keepRows(database: Queryable, version: CatalogueVersion, max: number): KeepingQueryable {
  const answers = new LRUCache<string, Promise<unknown[]>>({ max });
  let keptOf: bigint | undefined;
  /** The name of a statement in the cache of the known version; `undefined` if no version is known. */
  const nameOf = (sql: string, parameters: readonly unknown[]): string | undefined => {
    const known = version.known();
    if (known === undefined) return undefined;
    if (known !== keptOf) answers.clear();
    keptOf = known;
    return JSON.stringify([sql, parameters], (_name, value) => (typeof value === 'bigint' ? String(value) : value));
  };
  return {
    script: (sql) => database.script(sql),
    query<Row>(sql: string, parameters: readonly unknown[] = [], options: QueryOptions = {}) {
      const name = options.isKeepable ? nameOf(sql, parameters) : undefined;
      if (name === undefined) return database.query<Row>(sql, parameters, options);
      return remembered(answers, name, () => database.query(sql, parameters, options)) as Promise<Row[]>;
    },
    kept({ sql, parameters }) {
      const name = nameOf(sql, parameters);
      return name !== undefined && answers.has(name);
    },
    keep({ sql, parameters }, rows) {
      const name = nameOf(sql, parameters);
      if (name !== undefined) void remembered(answers, name, () => rows);
    },
  };
}
