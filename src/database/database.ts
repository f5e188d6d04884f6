/**
 * The one door to the data, whichever home it lives in: PostgreSQL, the embedded database in this process, or the
 * embedded database of a running server. Above this folder nobody knows which.
 */
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

/** Whatever SQL can be sent to. */
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

/** The result of a statement as PostgreSQL writes it, before any conversion. */
export interface RawResult {
  /** The name and the type (`pg_type.oid`) of each column. */
  columns: { name: string; oid: number }[];
  /** The values of each row in PostgreSQL's text format, in the order of the columns. */
  rows: (string | null)[][];
  /** How many rows the statement has read or changed. */
  rowCount: number;
}

/** The database itself, or a transaction that is open on it: what Prisma Client can work on. */
export interface Connection extends Queryable {
  /**
   * Runs one statement and gives its result without converting values. Prisma Client makes values of its own of it, so
   * everything that a database does for its statements, such as failover, timeouts and metrics, works for Prisma too.
   *
   * @throws as {@link Queryable.query} does.
   */
  raw(sql: string, parameters?: readonly unknown[], options?: QueryOptions): Promise<RawResult>;
}

export interface Database extends Connection {
  /** Where the data is, in words fit for a log: never with a password. */
  readonly description: string;
  /** Runs `work` in one transaction; what it throws rolls back. */
  transaction<Result>(work: (transaction: Connection) => Promise<Result>): Promise<Result>;
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

/** True when an error means that the database cannot be reached now. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (typeof code === 'string' && unavailableCode.test(code)) return true;
  // PostgreSQL's local socket is missing while it is stopped; any other missing file says nothing of the database.
  if (code === 'ENOENT' && syscall === 'connect') return true;
  return unavailableMessage.test(error.message) || (error.cause !== undefined && isUnavailable(error.cause));
}

/** True for a statement that reads: it may be sent again, and a replica may answer it. */
export const beginsToRead = (sql: string): boolean => /^\s*SELECT\b/i.test(sql);

/** The SQLSTATE of the database's error, or of the one that caused it, as those have that come from Prisma Client. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && sqlState.test(code) ? code : sqlStateOf(error.cause);
}

// An SQLSTATE, unlike the name of a socket's error, has a digit.
const sqlState = /^(?=.*\d)[0-9A-Z]{5}$/;
// What ends the session says nothing of its last statement: it may have been committed, and its answer lost.
const endOfSession = /^(08...|57P0.|25P0[34])$/;

/** True when nobody knows whether the statement that failed with this error was carried out. */
export function isUndecided(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return error.isUndecided;
  const code = sqlStateOf(error);
  return code === undefined || endOfSession.test(code);
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
  const code = sqlStateOf(error);
  if (code === undefined) {
    return typeof (error as { code?: unknown }).code !== 'string' && unavailableMessage.test(error.message);
  }
  return unavailableCode.test(code) || noEntryCode.test(code);
}
