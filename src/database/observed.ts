/** Wraps a database and reports each statement: its duration, its rows, and its place in a trace. */
import type { Connection, Database, Queryable, QueryOptions } from './database.ts';

/** The name of statements that have none of their own. */
const UNNAMED = 'other';

/** A completed statement. */
export interface Statement {
  /** See {@link QueryOptions.name}. */
  name: string;
  /** The text, with placeholders such as `$1` and never with values. */
  sql: string;
  milliseconds: number;
  /** The number of rows; `undefined` if the statement failed. */
  rows: number | undefined;
  /** The number of keys, if it combines several requests. */
  batchSize: number | undefined;
}

/** A statement that is about to run. */
export type TracedStatement = Pick<Statement, 'name' | 'sql' | 'batchSize'>;

export interface StatementObserver {
  /** Called after each statement. */
  observe(statement: Statement): void;
  /** Runs a statement as part of a trace, if traces are on. */
  trace?<Result>(statement: TracedStatement, run: () => Promise<Result>): Promise<Result>;
}

/** Wraps a database to observe its statements, including those of transactions. */
export function observed(database: Database, observer: StatementObserver): Database {
  return {
    ...database,
    ...watch(database, observer),
    transaction: (work, options) =>
      database.transaction((transaction) => work({ ...transaction, ...watch(transaction, observer) }), options),
  };
}

/** Gives a name to all statements of a phase, such as the matching of an import. */
export function named(connection: Queryable, name: string): Queryable {
  return {
    query: (sql, parameters, options) => connection.query(sql, parameters, { name, ...options }),
    script: (sql) => connection.script(sql, { name }),
  };
}

function watch(connection: Connection, observer: StatementObserver): Connection {
  return {
    query: <Row>(sql: string, parameters?: readonly unknown[], options?: QueryOptions) =>
      timed(
        observer,
        describe(sql, options),
        () => connection.query<Row>(sql, parameters, options),
        (rows) => rows.length,
      ),
    raw: (sql, parameters, options) =>
      timed(
        observer,
        describe(sql, options),
        () => connection.raw(sql, parameters, options),
        ({ rowCount }) => rowCount,
      ),
    script: (sql, options) =>
      timed(
        observer,
        describe(sql, options),
        () => connection.script(sql, options),
        () => 0,
      ),
  };
}

const describe = (sql: string, { name = UNNAMED, batchSize }: QueryOptions = {}): TracedStatement => ({
  name,
  sql,
  batchSize,
});

async function timed<Result>(
  observer: StatementObserver,
  statement: TracedStatement,
  run: () => Promise<Result>,
  count: (result: Result) => number,
): Promise<Result> {
  const startedAt = performance.now();
  let rows: number | undefined;
  try {
    const result = await (observer.trace ? observer.trace(statement, run) : run());
    rows = count(result);
    return result;
  } finally {
    observer.observe({ ...statement, milliseconds: performance.now() - startedAt, rows });
  }
}
