/**
 * The driver adapter of Prisma Client: `@prisma/adapter-pg` on a {@link Database} instead of its own pool. The library only converts
 * values; failover, timeouts, replicas and metrics are the database's.
 */
import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client';
import pg from 'pg';
import type { Connection, Database, QueryOptions } from './database.ts';
import { beginTransaction } from './open-transaction.ts';

type SqlDriverAdapter = Awaited<ReturnType<SqlDriverAdapterFactory['connect']>>;
type Transaction = Awaited<ReturnType<SqlDriverAdapter['startTransaction']>>;

/** Connects Prisma Client to a database. */
export async function connectPrisma(database: Database): Promise<SqlDriverAdapter> {
  const adapter = await adapterOver(database);
  adapter.startTransaction = (isolation) => startTransaction(database, isolation);
  return adapter;
}

async function startTransaction(database: Database, isolation: string | undefined): Promise<Transaction> {
  const { on, commit, rollback } = await beginTransaction(database);
  const adapter = await adapterOver(oneAtATime(on));
  const run = (sql: string) => adapter.executeRaw({ sql, args: [], argTypes: [] });
  if (isolation !== undefined) {
    await run(`SET TRANSACTION ISOLATION LEVEL ${isolation}`).catch(async (error: unknown) => {
      await rollback().catch(() => {}); // The first error tells the reason.
      throw error;
    });
  }
  return Object.assign(adapter, {
    // Keeps Prisma from sending BEGIN, COMMIT and ROLLBACK, which the database sends.
    options: { usePhantomQuery: true },
    commit,
    rollback,
    createSavepoint: async (name: string) => void (await run(`SAVEPOINT ${name}`)),
    rollbackToSavepoint: async (name: string) => void (await run(`ROLLBACK TO SAVEPOINT ${name}`)),
    releaseSavepoint: async (name: string) => void (await run(`RELEASE SAVEPOINT ${name}`)),
  });
}

/** Runs statements in sequence: Prisma reads relations of one query concurrently, but a connection runs one statement at a time. */
function oneAtATime({ raw }: Connection): Pick<Connection, 'raw'> {
  let last: Promise<unknown> = Promise.resolve();
  return {
    raw(...asked) {
      const running = last.then(() => raw(...asked));
      last = running.catch(() => {}); // Its own caller gets the error.
      return running;
    },
  };
}

/** A query in the form that the library passes to a pool. */
type PoolQuery = { text: string; values: unknown[]; types: pg.CustomTypesConfig };

/** The library's adapter with a pool that has no connections and sends all queries to `connection`. */
async function adapterOver(connection: Pick<Connection, 'raw'>): Promise<SqlDriverAdapter> {
  const query = async ({ text, values, types }: PoolQuery) => {
    // The text of a statement depends on the length of its lists, so prepared statements would accumulate.
    const options: QueryOptions = {
      name: 'prisma',
      isPlannedAnew: true,
      isWhole: (rows) => rows.length >= countNamed(text),
    };
    const result = await connection.raw(text, values, options).catch((error: unknown) => {
      throw surfacing(error);
    });
    const fields = result.columns.map(({ name, oid }) => ({ name, dataTypeID: oid }));
    const parsers = result.columns.map(({ oid }) =>
      oid === pg.types.builtins.TIMESTAMPTZ ? inUtc : types.getTypeParser(oid, 'text'),
    );
    const rows = result.rows.map((row) => row.map((value, index) => (value === null ? null : parsers[index]?.(value))));
    return { fields, rows, rowCount: result.rowCount };
  };
  // The library only accepts an instance of this class.
  return new PrismaPg(Object.assign(new pg.Pool(), { query })).connect();
}

const parseMoment = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as unknown as (text: string) => Date;

/** A time in the session's time zone, in UTC. The library drops the offset, which is not 0 behind some poolers. */
const inUtc = (text: string) => parseMoment(text).toISOString();

const BY_IDS = /\bWHERE \(?"public"\."\w+"\."id" (?:= \$|IN \(([^)]*)\))/;

/** The number of rows that a statement reads by id. The rows that reference them may come from a replica that is further ahead. */
function countNamed(sql: string): number {
  const found = BY_IDS.exec(sql);
  return found ? (found[1] ?? '').split(',').length : 0;
}

/** SQLSTATE class 23, integrity constraint violation (PostgreSQL, Appendix A). */
const constraintViolation = /^23/;

/**
 * Prepares an error for Prisma Client. Constraint violations become Prisma's own errors, such as P2002. All other errors are wrapped
 * without a `code`, so that Prisma passes them on; {@link sqlStateOf} and {@link isUnavailable} recognise them by their cause.
 */
function surfacing(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  return constraintViolation.test(String(error.code)) ? error : new Error(error.message, { cause: error });
}
