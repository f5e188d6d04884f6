/** Wraps a database and reports each statement: its duration, its rows, and its place in a trace. */
import type { Connection, Database, QueryOptions } from './database.ts';

/** A completed statement. */
export interface Statement {
  /** The text, with placeholders such as `$1` and never with values. */
  sql: string;
  milliseconds: number;
  /** The number of rows; `undefined` if the statement failed. */
  rows: number | undefined;
  /** The number of keys, if it combines several requests. */
  batchSize: number | undefined;
}

export interface StatementObserver {
  /** Called after each statement. */
  observe(statement: Statement): void;
  /** Runs a statement as part of a trace, if traces are on. */
  trace?<Result>(sql: string, batchSize: number | undefined, run: () => Promise<Result>): Promise<Result>;
}

/** Wraps a database to observe its statements, including those of transactions. */
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
