/**
 * What Prisma Client connects through: `@prisma/adapter-pg` over a {@link Database} instead of a pool of its own. The library
 * converts the values. Finding the primary, retries, timeouts, replicas, metrics, the turns of the embedded database and its door
 * come from the database.
 */
import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client';
import pg from 'pg';
import type { Connection, Database, QueryOptions } from './database.ts';
import { beginTransaction } from './open-transaction.ts';

type SqlDriverAdapter = Awaited<ReturnType<SqlDriverAdapterFactory['connect']>>;
type Transaction = Awaited<ReturnType<SqlDriverAdapter['startTransaction']>>;

/** Lets Prisma Client work on a database. */
export async function connectPrisma(database: Database): Promise<SqlDriverAdapter> {
  const adapter = await adapterOver(database);
  adapter.startTransaction = (isolation) => startTransaction(database, isolation);
  return adapter;
}

async function startTransaction(database: Database, isolation: string | undefined): Promise<Transaction> {
  const { on, commit, rollback } = await beginTransaction(database);
  const adapter = await adapterOver(oneAtATime(on));
  const run = (sql: string) => adapter.executeRaw({ sql, args: [], argTypes: [] });
  if (isolation !== undefined) await run(`SET TRANSACTION ISOLATION LEVEL ${isolation}`);
  return Object.assign(adapter, {
    // Prisma is not to send BEGIN, COMMIT and ROLLBACK: the database does.
    options: { usePhantomQuery: true },
    commit,
    rollback,
    createSavepoint: async (name: string) => void (await run(`SAVEPOINT ${name}`)),
    rollbackToSavepoint: async (name: string) => void (await run(`ROLLBACK TO SAVEPOINT ${name}`)),
    releaseSavepoint: async (name: string) => void (await run(`RELEASE SAVEPOINT ${name}`)),
  });
}

/** Prisma reads relations of one query side by side; a connection takes one statement after the other. */
function oneAtATime({ raw }: Connection): Pick<Connection, 'raw'> {
  let last: Promise<unknown> = Promise.resolve();
  return {
    raw(...asked) {
      const running = last.then(() => raw(...asked));
      last = running.catch(() => {}); // Its own caller is told.
      return running;
    },
  };
}

/** A query as the library hands it to a pool. */
interface PoolQuery {
  text: string;
  values: unknown[];
  types: { getTypeParser(oid: number, format: 'text'): (text: string) => unknown };
}

/** The library's adapter over a pool that has no connections, but sends all queries to `connection`. */
async function adapterOver(connection: Pick<Connection, 'raw'>): Promise<SqlDriverAdapter> {
  const query = async ({ text, values, types }: PoolQuery) => {
    // The number of values in a list is part of a statement's text: prepared ones would pile up.
    const options: QueryOptions = { isPlannedAnew: true, isWhole: (rows) => rows.length >= countNamed(text) };
    const result = await connection.raw(text, values, options).catch((error: unknown) => {
      throw surfacing(error);
    });
    const fields = result.columns.map(({ name, oid }) => ({ name, dataTypeID: oid }));
    const parsers = result.columns.map(({ oid }) => types.getTypeParser(oid, 'text'));
    const rows = result.rows.map((row) => row.map((value, index) => (value === null ? null : parsers[index]?.(value))));
    return { fields, rows, rowCount: result.rowCount };
  };
  // The library takes nothing but an instance of this class.
  return new PrismaPg(Object.assign(new pg.Pool(), { query })).connect();
}

const BY_IDS = /\bWHERE \(?"public"\."\w+"\."id" (?:= \$|IN \(([^)]*)\))/;

/** How many rows a statement reads by their ids: other rows name them, which may come from a replica that is further ahead. */
function countNamed(sql: string): number {
  const found = BY_IDS.exec(sql);
  return found ? (found[1] ?? '').split(',').length : 0;
}

/** SQLSTATE class 23, integrity constraint violation (PostgreSQL, Appendix A). */
const constraintViolation = /^23/;

/**
 * The error as it is to leave Prisma Client. Violated constraints become Prisma's own errors, such as P2002. All others keep their
 * message and are told by {@link sqlStateOf} and {@link isUnavailable}, as those of {@link Connection.raw} are: without a `code` of
 * its own, Prisma hands an error on.
 */
function surfacing(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  return constraintViolation.test(String(error.code)) ? error : new Error(error.message, { cause: error });
}
