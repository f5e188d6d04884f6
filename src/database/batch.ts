/** Loaders that combine the reads of concurrent requests into one statement. */
import { AsyncResource } from 'node:async_hooks';
import DataLoader from 'dataloader';
import type { Queryable, QueryOptions } from './database.ts';

export type Loader<Key, Value> = Pick<DataLoader<Key, Value>, 'load'>;

// A statement for many keys costs the database little more than one for a few. Only a few batches run at a time, so that under load
// the next batch grows instead of more batches queuing up.
const MOST_AT_ONCE = 2;
const LARGEST_BATCH = 1_000;

// Half of the keys that 64 connections request in one turn.
const FIRST_KEYS = 16;

export interface BatchOptions {
  /** The most keys of a batch. */
  largest?: number;
  /** The longest time in milliseconds that the next batch waits for a running one. By default it waits until that one ends. */
  patienceMs?: number;
  /** The most batches at a time. Further keys are collected meanwhile. */
  mostAtOnce?: number;
}

/**
 * A loader shared by all requests of the process. Keys requested in one turn of the event loop, or while earlier batches are running,
 * form one batch. Nothing is cached, because the next request must see the changes of an import.
 *
 * @param read returns the values in the order of the keys, or errors, each of which concerns its key only.
 */
export function batched<Key, Value>(
  read: (keys: readonly Key[]) => Promise<(Value | Error)[]>,
  { largest = LARGEST_BATCH, patienceMs, mostAtOnce = MOST_AT_ONCE }: BatchOptions = {},
): Loader<Key, Value> {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  const begin = (): (() => void) => {
    underWay += 1;
    let isCounted = true;
    const end = () => {
      clearTimeout(timer);
      if (!isCounted) return;
      isCounted = false;
      underWay -= 1;
      waiting.shift()?.();
    };
    const timer = patienceMs === undefined ? undefined : setTimeout(end, patienceMs);
    return end;
  };
  return new DataLoader<Key, Value>(
    async (keys) => {
      const end = begin();
      try {
        return await read(keys);
      } finally {
        end();
      }
    },
    {
      cache: false,
      maxBatchSize: largest,
      // Runs a waiting batch in the async context of its own request, not of the one that it waited for, so that traces are correct.
      batchScheduleFn: (run) =>
        void setImmediate(() => (underWay < mostAtOnce ? run() : waiting.push(AsyncResource.bind(run)))),
    },
  );
}

/** Lets reads with equal names that are requested in one turn of the event loop share one. Nothing is cached, as with {@link batched}. */
export function sharedInTurn<Value>(): (name: string, read: () => Promise<Value>) => Promise<Value> {
  const underWay = new Map<string, Promise<Value>>();
  return (name, read) => {
    if (underWay.size === 0) setImmediate(() => underWay.clear());
    const reading = underWay.get(name) ?? read();
    underWay.set(name, reading);
    return reading;
  };
}

/** A loader that knows which request asks for a key, so that it reads the keys of one request together. */
export interface RequestLoader<Key, Value> {
  /** @param request an object of the request's own, such as the context of its resolvers. */
  load(key: Key, request: object): Promise<Value>;
}

/**
 * As {@link batched}, for statements whose time grows with their keys: the first requests of a turn form a batch of their own. Their values
 * are used while the database reads the others, so that neither waits for the other. All keys of one request are in one batch, because
 * everything that follows them would otherwise be read twice. Each half has its own limit of batches at a time, so twice as many run at once
 * as with {@link batched}.
 */
export function batchedInTwo<Key, Value>(read: (keys: readonly Key[]) => Promise<Value[]>): RequestLoader<Key, Value> {
  const [first, others] = [batched(read), batched(read)];
  const firstRequests = new Set<object>();
  let inTurn = 0;
  return {
    load(key, request) {
      if (inTurn === 0) {
        setImmediate(() => {
          inTurn = 0;
          firstRequests.clear();
        });
      }
      inTurn += 1;
      if (inTurn <= FIRST_KEYS) firstRequests.add(request);
      return firstRequests.has(request) ? first.load(key) : others.load(key);
    },
  };
}

/** A statement that takes the keys as `$1`, an array. */
export interface KeyedStatement {
  /** See {@link QueryOptions.name}. */
  name: string;
  sql: string;
}

/**
 * A loader of one row for each key.
 *
 * @param isNamed true if the keys come from references in other rows, so that every key has a row.
 * @param keyOf the key of a row.
 */
export function loadOne<Key, Row>(
  database: Queryable,
  { name, sql, isNamed = false }: KeyedStatement & { isNamed?: boolean },
  keyOf: (row: Row) => Key,
): Loader<Key, Row | undefined> {
  return batched(async (keys) => {
    const rows = await database.query<Row>(sql, [keys], {
      name,
      batchSize: keys.length,
      ...(isNamed && { isWhole: (found: readonly unknown[]) => found.length >= new Set(keys).size }),
    });
    const byKey = new Map(rows.map((row) => [keyOf(row), row]));
    return keys.map((key) => byKey.get(key));
  });
}

/** Asserts that a row referenced by another row exists. */
export function present<Row>(row: Row | null | undefined): Row {
  if (row == null) throw new Error('A row referenced by another row is missing.');
  return row;
}
