/**
 * A database whose statements somebody watches: how long each took, how many rows it gave, and what it is part of. A composition
 * like any other, so that neither home of the data knows of it.
 */
import type { Connection, Database, QueryOptions } from './database.ts';

/** How a statement has ended. */
export interface Statement {
  /** The text, with `$1` where values go: never a value. */
  sql: string;
  milliseconds: number;
  /** The rows that it gave; `undefined` when it failed. */
  rows: number | undefined;
  /** For how many keys at once, where it gathers what several requests have asked for. */
  batchSize: number | undefined;
}

export interface StatementObserver {
  /** Told of each statement that has ended. */
  observe(statement: Statement): void;
  /** Runs a statement as part of a trace, where there are traces. */
  trace?<Result>(sql: string, batchSize: number | undefined, run: () => Promise<Result>): Promise<Result>;
}

/** The database, with its statements watched, also those of transactions. */
export function observed(database: Database, observer: StatementObserver): Database {
  return {
    ...database,
    ...watch(database, observer),
    transaction: (work) => database.transaction((transaction) => work(watch(transaction, observer))),
  };
}

function watch(connection: Connection, observer: StatementObserver): Connection {
  return {
    query: <Row>(sql: string, parameters?: readonly unknown[], options?: QueryOptions) =>
      timed(
        observer,
        sql,
        options?.batchSize,
        () => connection.query<Row>(sql, parameters, options),
        (rows) => rows.length,
      ),
    raw: (sql, parameters, options) =>
      timed(
        observer,
        sql,
        options?.batchSize,
        () => connection.raw(sql, parameters, options),
        ({ rowCount }) => rowCount,
      ),
    script: (sql) =>
      timed(
        observer,
        sql,
        undefined,
        () => connection.script(sql),
        () => 0,
      ),
  };
}

async function timed<Result>(
  observer: StatementObserver,
  sql: string,
  batchSize: number | undefined,
  run: () => Promise<Result>,
  count: (result: Result) => number,
): Promise<Result> {
  const startedAt = performance.now();
  let rows: number | undefined;
  try {
    const result = await (observer.trace ? observer.trace(sql, batchSize, run) : run());
    rows = count(result);
    return result;
  } finally {
    observer.observe({ sql, milliseconds: performance.now() - startedAt, rows, batchSize });
  }
}
