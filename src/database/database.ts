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
  /**
   * The statement does the same when it is carried out twice: it may be sent again when its connection was cut and nobody knows
   * whether it was. Statements that begin with `SELECT` always are.
   */
  isRepeatable?: boolean;
  /** Reads what is in force now: of the primary, where replicas answer other reads. */
  isCurrent?: boolean;
  /**
   * Whether these rows are all that were asked for. A replica may not have yet what names them, read a moment ago from another:
   * what it gives less than whole is asked of the primary.
   */
  isWhole?(rows: readonly unknown[]): boolean;
  /** For how many keys at once the statement asks, where it gathers what several requests have asked for: for metrics. */
  batchSize?: number;
}

/** `requests`: many short statements. `bulk`: few that move much, as imports do, without a limit of time. */
export type Purpose = 'requests' | 'bulk';

/** The connections that a process holds to the database. */
export interface PoolState {
  total: number;
  idle: number;
  /** Statements that wait for a connection. */
  waiting: number;
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
  /** The connections now; absent where there are none to run out of. */
  poolState?(): PoolState;
  close(): Promise<void>;
}

/** The database cannot be reached or refuses to serve now: a reason to try again later, not a fault of the request. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
  /** True when the statement may have been carried out all the same: it was sent, and its outcome is not known. */
  readonly isUndecided: boolean;

  constructor(message: string, { cause, isUndecided = true }: { cause?: unknown; isUndecided?: boolean } = {}) {
    super(message, { cause });
    this.isUndecided = isUndecided;
  }
}

/** The embedded database has ended itself, or cannot begin; the message tells the operator why and what to do. */
export class DatabaseEnded extends DatabaseUnavailable {
  override name = 'DatabaseEnded';
}

// SQLSTATE classes and codes that say "not now": 08 connection exception, 25006 read-only, 40 deadlock, 53 insufficient resources,
// 55P03 and 57014 timeouts of locks and statements, 57P0x shutdown and crash (PostgreSQL, Appendix A). The rest are the
// socket errors of Node.
const unavailableCode =
  /^(08...|25006|40001|40P01|53...|55P03|57P0[1-5]|57014|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH)$/;
const unavailableMessage =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|timeout expired|Query read timeout|Cannot use a pool|PGlite is clos)/;

/** True when an error, from the driver or from Prisma, means that the database cannot be reached now. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (typeof code === 'string' && (unavailableCode.test(code) || /^P10(01|02|08|17)$/.test(code))) return true;
  // PostgreSQL's local socket is missing while it is stopped; any other missing file says nothing of the database.
  if (code === 'ENOENT' && syscall === 'connect') return true;
  return unavailableMessage.test(error.message) || (error.cause !== undefined && isUnavailable(error.cause));
}

// An SQLSTATE, unlike the name of a socket's error, has a digit.
const sqlState = /^(?=.*\d)[0-9A-Z]{5}$/;
// What ends the session says nothing of its last statement: it may have been committed, and its answer lost.
const endOfSession = /^(08...|57P0.|25P0[34])$/;

/** True when nobody knows whether the statement that failed with this error was carried out. */
export function isUndecided(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return error.isUndecided;
  const { code } = error as { code?: unknown };
  return !(typeof code === 'string' && sqlState.test(code) && !endOfSession.test(code));
}

// SQLSTATE classes and codes of a server that answers and lets nobody in: 28 invalid authorization, 3D000 no such
// database (PostgreSQL, Appendix A).
const noEntryCode = /^(28...|3D000)$/;

/**
 * True when an error of the database means that it cannot be used: it is away, or lets nobody in as it is asked to. A socket's
 * error alone does not say whose it is: those of feeds and listeners have the same codes.
 */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return unavailableMessage.test(error.message);
  return sqlState.test(code) && (unavailableCode.test(code) || noEntryCode.test(code));
}
