/**
 * The one door to the data, whichever home it lives in: PostgreSQL, the embedded database in this process, or the
 * embedded database of a running server. Above this folder nobody knows which.
 */
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client';

export interface QueryOptions {
  /**
   * Plans the statement for these very parameters, each time: for statements that are put together by what a request asks
   * for, whose best plan depends on it. By default a statement is prepared once on each connection.
   */
  isPlannedAnew?: boolean;
  /** The rows depend on the catalogue alone: whoever keeps them may give them until it changes. Nobody may change them. */
  isKeepable?: boolean;
}

/** Whatever SQL can be sent to: the database itself, or a transaction that is open on it. */
export interface Queryable {
  /**
   * Runs one statement and gives its rows. `BIGINT` comes as `bigint`, as Prisma gives it, `TIMESTAMPTZ` as `Date`, `DATE` as `YYYY-MM-DD`,
   * `JSONB` parsed.
   *
   * @throws {DatabaseUnavailable} when the database cannot be reached; otherwise the database's own error, with `code`
   *   set to the SQLSTATE.
   */
  query<Row = Record<string, unknown>>(
    sql: string,
    parameters?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<Row[]>;
  /** Runs several statements without parameters, as a migration has them. */
  script(sql: string): Promise<void>;
}

export interface Database extends Queryable {
  /** Where the data is, in words fit for a log: never with a password. */
  readonly description: string;
  /** Runs `work` in one transaction; what it throws rolls back. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
  /** What Prisma Client connects through; absent on the door to another process's embedded database. */
  readonly prismaAdapter?: SqlDriverAdapterFactory;
  close(): Promise<void>;
}

/** The database cannot be reached or refuses to serve now: a reason to try again later, not a fault of the request. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

// SQLSTATE classes and codes that say "not now": 08 connection exception, 53 insufficient resources, 57P0x shutdown and
// crash, 57014 statement timeout (PostgreSQL, Appendix A). The rest are the socket errors of Node.
const unavailableCode =
  /^(08...|53...|57P0[1-5]|57014|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ENOTFOUND|ETIMEDOUT|EAI_AGAIN)$/;
const unavailableMessage =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Cannot use a pool|PGlite is clos)/;

/** True when an error, from the driver or from Prisma, means that the database cannot be reached now. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && (unavailableCode.test(code) || /^P10(01|02|08|17)$/.test(code))) return true;
  return unavailableMessage.test(error.message) || (error.cause !== undefined && isUnavailable(error.cause));
}
