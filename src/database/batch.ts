/** Loaders that turn the reads of all requests in flight into one statement each. */
import DataLoader from 'dataloader';
import type { Queryable } from './database.ts';

export type Loader<Key, Value> = Pick<DataLoader<Key, Value>, 'load'>;

/**
 * How loaders batch: all keys asked for in one turn of the event loop go together. Nothing is cached, since a loader
 * serves every request of the process, and the next one must see what an import has changed.
 */
export const shared = {
  cache: false,
  batchScheduleFn: (run: () => void) => void setImmediate(run),
  maxBatchSize: 1_000,
};

/**
 * A loader of one row for each key.
 *
 * @param sql a statement that takes the keys as `$1`, an array.
 * @param keyOf the key that a row answers.
 */
export function loadOne<Key, Row>(
  database: Queryable,
  sql: string,
  keyOf: (row: Row) => Key,
): Loader<Key, Row | undefined> {
  return new DataLoader<Key, Row | undefined>(async (keys) => {
    const rows = await database.query<Row>(sql, [keys]);
    const byKey = new Map(rows.map((row) => [keyOf(row), row]));
    return keys.map((key) => byKey.get(key));
  }, shared);
}

/** A loader of all rows for each key, in the statement's order; otherwise like {@link loadOne}. */
export function loadMany<Key, Row>(database: Queryable, sql: string, keyOf: (row: Row) => Key): Loader<Key, Row[]> {
  return new DataLoader<Key, Row[]>(async (keys) => {
    const byKey = new Map<Key, Row[]>();
    for (const row of await database.query<Row>(sql, [keys])) {
      const rows = byKey.get(keyOf(row));
      if (rows) rows.push(row);
      else byKey.set(keyOf(row), [row]);
    }
    return keys.map((key) => byKey.get(key) ?? []);
  }, shared);
}

/** A row that another row names, and that is therefore there. */
export function present<Row>(row: Row | null | undefined): Row {
  if (!row) throw new Error('A row that another one names is not there.');
  return row;
}
