/** Loaders that turn the reads of all requests in flight into one statement each. */
import { AsyncResource } from 'node:async_hooks';
import DataLoader from 'dataloader';
import type { Queryable } from './database.ts';

export type Loader<Key, Value> = Pick<DataLoader<Key, Value>, 'load'>;

// A statement for many keys costs the database little more than one for few. So that batches grow while it is busy instead
// of queuing behind each other, few are on their way at a time, and what is asked for meanwhile goes together in the next.
const MOST_AT_ONCE = 2;
const LARGEST_BATCH = 1_000;

/**
 * A loader that serves every request of the process. All keys asked for in one turn of the event loop, or while earlier ones
 * are being read, go together. Nothing is cached, since the next request must see what an import has changed.
 *
 * @param read gives the values of keys in their order.
 */
export function batched<Key, Value>(read: (keys: readonly Key[]) => Promise<Value[]>): Loader<Key, Value> {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return new DataLoader<Key, Value>(
    async (keys) => {
      underWay += 1;
      try {
        return await read(keys);
      } finally {
        underWay -= 1;
        waiting.shift()?.();
      }
    },
    {
      cache: false,
      maxBatchSize: LARGEST_BATCH,
      // What waits goes on as part of the request that has asked for it, not of the one whose end it waited for: traces tell.
      batchScheduleFn: (run) =>
        void setImmediate(() => (underWay < MOST_AT_ONCE ? run() : waiting.push(AsyncResource.bind(run)))),
    },
  );
}

/**
 * A loader of one row for each key.
 *
 * @param sql a statement that takes the keys as `$1`, an array.
 * @param keyOf the key that a row answers.
 * @param isNamed true where the keys are such as other rows have named, so that each has its row.
 */
export function loadOne<Key, Row>(
  database: Queryable,
  sql: string,
  keyOf: (row: Row) => Key,
  { isNamed = false } = {},
): Loader<Key, Row | undefined> {
  return batched(async (keys) => {
    const rows = await database.query<Row>(sql, [keys], {
      batchSize: keys.length,
      ...(isNamed && { isWhole: (found: readonly unknown[]) => found.length >= new Set(keys).size }),
    });
    const byKey = new Map(rows.map((row) => [keyOf(row), row]));
    return keys.map((key) => byKey.get(key));
  });
}

/** The rows of something with an id, as one value. */
export interface GroupRow<Json> {
  id: bigint;
  rows: Json;
}

/**
 * A loader of all rows for each id: together in one value of JSON, which costs both sides less than rows of their own.
 *
 * @param sql a statement that takes the ids as `$1`, an array, and gives a {@link GroupRow} for each.
 * @param read makes the rows of the value.
 */
export function loadMany<Json, Row>(
  database: Queryable,
  sql: string,
  read: (group: GroupRow<Json>) => Row[],
): Loader<bigint, Row[]> {
  return batched(async (ids) => {
    const groups = await database.query<GroupRow<Json>>(sql, [ids], { batchSize: ids.length });
    const byId = new Map(groups.map((group) => [group.id, group]));
    return ids.map((id) => {
      const group = byId.get(id);
      return group ? read(group) : [];
    });
  });
}

/** A row that another row names, and that is therefore there. */
export function present<Row>(row: Row | null | undefined): Row {
  if (!row) throw new Error('A row that another one names is not there.');
  return row;
}
