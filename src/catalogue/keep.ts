/** Caches rows of loaders and of cacheable statements in memory until the catalogue changes in what they depend on. */
import type { Loader } from '../database/batch.ts';
import type { Queryable, QueryOptions } from '../database/database.ts';
import { remembered } from '../remember.ts';
import { TaggedCache } from './tagged-cache.ts';
import type { Tag } from './tags.ts';
import type { CatalogueVersion } from './version.ts';

/**
 * Caches at most `max` rows of a loader. A key without a row is not cached, because the next import may create the row.
 * @param tagsOfRow what a row depends on.
 */
export function keep<Key extends string | bigint, Row extends {}>(
  loader: Loader<Key, Row | undefined>,
  version: CatalogueVersion,
  max: number,
  tagsOfRow: (row: Row) => readonly Tag[],
): Loader<Key, Row | undefined> {
  const { changes } = version;
  const rows = new TaggedCache<Key, Row>(changes, { max });
  return {
    async load(key) {
      if (version.known() === undefined) return loader.load(key);
      const kept = rows.get(key);
      if (kept !== undefined) return kept;
      const { seen } = changes;
      const row = await loader.load(key);
      if (row !== undefined) rows.set(key, row, tagsOfRow(row), seen);
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

/** Caches the results of at most `max` cacheable statements (`dependsOn`). Concurrent equal statements share one result. */
export function keepRows(database: Queryable, version: CatalogueVersion, max: number): KeepingQueryable {
  const answers = new TaggedCache<string, Promise<unknown[]>>(version.changes, { max });
  /** The name of a statement in the cache; `undefined` if no version is known. */
  const nameOf = (sql: string, parameters: readonly unknown[]): string | undefined =>
    version.known() === undefined
      ? undefined
      : JSON.stringify([sql, parameters], (_name, value) => (typeof value === 'bigint' ? String(value) : value));
  return {
    script: (sql) => database.script(sql),
    query<Row>(sql: string, parameters: readonly unknown[] = [], options: QueryOptions = {}) {
      const { dependsOn } = options;
      const name = dependsOn && nameOf(sql, parameters);
      if (name === undefined) return database.query<Row>(sql, parameters, options);
      const read = () => database.query(sql, parameters, options);
      return remembered(answers.under(dependsOn ?? []), name, read) as Promise<Row[]>;
    },
    kept({ sql, parameters }) {
      const name = nameOf(sql, parameters);
      return name !== undefined && answers.has(name);
    },
    keep({ sql, parameters, options: { dependsOn } }, rows) {
      const name = dependsOn && nameOf(sql, parameters);
      if (name !== undefined) void remembered(answers.under(dependsOn ?? []), name, () => rows);
    },
  };
}
