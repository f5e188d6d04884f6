/**
 * A database whose statements somebody watches: how long each took, how many rows it gave, and what it is part of. A composition
 * like any other, so that neither home of the data knows of it.
 */
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client';
import type { Database, Queryable, QueryOptions } from './database.ts';

type SqlDriverAdapter = Awaited<ReturnType<SqlDriverAdapterFactory['connect']>>;

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

/** The database, with its statements watched, those of transactions and of Prisma too. */
export function observed(database: Database, observer: StatementObserver): Database {
  const { prismaAdapter } = database;
  return {
    ...database,
    ...watch(database, observer),
    transaction: (work) => database.transaction((transaction) => work(watch(transaction, observer))),
    ...(prismaAdapter && { prismaAdapter: watchAdapters(prismaAdapter, observer) }),
  };
}

function watch(queryable: Queryable, observer: StatementObserver): Queryable {
  return {
    query: <Row>(sql: string, parameters?: readonly unknown[], options?: QueryOptions) =>
      timed(
        observer,
        sql,
        options?.batchSize,
        () => queryable.query<Row>(sql, parameters, options),
        (rows) => rows.length,
      ),
    script: (sql) =>
      timed(
        observer,
        sql,
        undefined,
        () => queryable.script(sql),
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

/** What Prisma connects through: each connection that it makes, and each transaction on one. */
function watchAdapters(factory: SqlDriverAdapterFactory, observer: StatementObserver): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const adapter = await factory.connect();
      const begin = adapter.startTransaction.bind(adapter);
      watchPrisma(adapter, observer);
      adapter.startTransaction = async (level) => {
        const transaction = await begin(level);
        watchPrisma(transaction, observer);
        return transaction;
      };
      return adapter;
    },
  };
}

function watchPrisma(on: Pick<SqlDriverAdapter, 'queryRaw' | 'executeRaw'>, observer: StatementObserver): void {
  const query = on.queryRaw.bind(on);
  const execute = on.executeRaw.bind(on);
  on.queryRaw = (asked) =>
    timed(
      observer,
      asked.sql,
      undefined,
      () => query(asked),
      ({ rows }) => rows.length,
    );
  on.executeRaw = (asked) =>
    timed(
      observer,
      asked.sql,
      undefined,
      () => execute(asked),
      (changed) => changed,
    );
}
