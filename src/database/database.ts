/** The interface to the data. Code outside this folder does not know whether it is in a server of our own or of the operator. */
import type { Vault } from './vault.ts';

export interface QueryOptions {
  /**
   * The name of the statement in metrics and traces, as listed in docs/architecture.md; `other` by default. Names are constants,
   * because a metric keeps each name.
   */
  name?: string;
  /** Does not prepare the statement: for those built from a request, whose best plan depends on the parameters. */
  isPlannedAnew?: boolean;
  /**
   * The parts of the catalogue that the rows depend on (catalogue/tags.ts), if on nothing else: the rows may be cached until one of them
   * changes. Callers must not modify them.
   */
  dependsOn?: readonly string[];
  /** The statement is idempotent, so it may be resent if its outcome is unknown. Statements that start with `SELECT` always are. */
  isRepeatable?: boolean;
  /** Reads the current state from the primary, even if there are replicas. */
  isCurrent?: boolean;
  /** Whether no row is missing that rows of another, newer replica refer to. If one is, the read is repeated on the primary. */
  isWhole?(rows: readonly unknown[]): boolean;
  /** The number of keys in a statement that combines several requests: for metrics. */
  batchSize?: number;
}

/** `requests`: many short statements. `bulk`: few large ones without a time limit, as in imports. */
export type Purpose = 'requests' | 'bulk';

/** The most connections of an instance to a PostgreSQL server, besides those that monitor it. */
export const POOL_SIZE = 10;

/** The database connections of a process. */
export interface PoolState {
  total: number;
  idle: number;
  /** Statements waiting for a connection. */
  waiting: number;
}

/** Anything that accepts SQL. */
export interface Queryable {
  /**
   * Runs one statement and returns its rows. `BIGINT` becomes `bigint` as in Prisma, also in arrays, which have no nulls; `TIMESTAMPTZ`
   * becomes `Date`, `DATE` becomes `YYYY-MM-DD`, and `JSONB` is parsed.
   *
   * @throws {DatabaseUnavailable} if the database cannot be reached; otherwise the database's own error, with the SQLSTATE as `code`.
   */
  query<Row = Record<string, unknown>>(
    sql: string,
    parameters?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<Row[]>;
  /** Runs several statements without parameters, as in a migration. */
  script(sql: string, options?: Pick<QueryOptions, 'name'>): Promise<void>;
}

/** The unconverted result of a statement. */
export interface RawResult {
  /** The name and type (`pg_type.oid`) of each column. */
  columns: { name: string; oid: number }[];
  /** The values in PostgreSQL's text format. */
  rows: (string | null)[][];
  /** The number of rows that the statement read or changed. */
  rowCount: number;
}

/** The database itself or an open transaction; Prisma Client can use either. */
export interface Connection extends Queryable {
  /** Runs one statement without converting values, which Prisma Client does itself. @throws as {@link Queryable.query} does. */
  raw(sql: string, parameters?: readonly unknown[], options?: QueryOptions): Promise<RawResult>;
}

/** An open transaction. */
export interface Transaction extends Connection {
  /** Runs `COPY … TO STDOUT`, whose rows have to be read or returned to their end. @returns the number of rows. */
  copyOut(sql: string): AsyncGenerator<Uint8Array, number>;
  /** Runs `COPY … FROM STDIN`. @returns the number of rows. */
  copyIn(sql: string, chunks: AsyncIterable<Uint8Array>): Promise<number>;
}

export interface Database extends Connection {
  /** The location of the data, for logs: never contains a password. */
  readonly description: string;
  /** The folder of the data; missing if it may be on another machine. Its disk must have room for what is written. */
  readonly dataFolder?: string;
  /** Seals the secrets in it; missing if they are stored as they are. */
  readonly vault?: Vault;
  /**
   * Runs `work` in one transaction, which is rolled back if it throws.
   * @param options `isLong` lifts the limits of statements and of waits for locks: for imports and migrations. Otherwise a transaction for
   *   a request could hold its connection for as long as somebody else holds a lock.
   */
  transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options?: { isLong?: boolean },
  ): Promise<Result>;
  /** The current connections. */
  poolState(): PoolState;
  close(): Promise<void>;
}

/** The database cannot be reached or cannot serve now. The request is valid and can be retried later. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
  /** True if the statement was sent and may have been executed. */
  readonly isUndecided: boolean;

  constructor(message: string, { cause, isUndecided = true }: { cause?: unknown; isUndecided?: boolean } = {}) {
    super(message, { cause });
    this.isUndecided = isUndecided;
  }
}

/** The embedded database has ended and cannot be started; the message tells the operator why and what to do. */
export class DatabaseEnded extends DatabaseUnavailable {
  override name = 'DatabaseEnded';
}

/** The embedded database cannot be used here or in this folder; the message says why, and what to do. */
export class EmbeddedUnusable extends Error {
  override name = 'EmbeddedUnusable';
}

/** The embedded database does not exist yet, and was not to be created. */
export class NotCreated extends EmbeddedUnusable {
  override name = 'NotCreated';
}

// SQLSTATE codes of temporary errors (PostgreSQL, Appendix A): 08 connection exception, 25006 read-only, 40 deadlock, 53 insufficient
// resources, 55P03 and 57014 timeouts of locks and statements, 57P0x shutdown and crash. The rest are socket errors of Node.
const unavailableCode =
  /^(08...|25006|40001|40P01|53...|55P03|57P0[1-5]|57014|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH)$/;
const unavailableMessage =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|timeout expired|Query read timeout|Cannot use a pool)/;

/** Whether an error means that the database cannot be reached now. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (typeof code === 'string' && unavailableCode.test(code)) return true;
  // PostgreSQL's local socket is missing while it is stopped. Other missing files say nothing about the database.
  if (code === 'ENOENT' && syscall === 'connect') return true;
  return unavailableMessage.test(error.message) || (error.cause !== undefined && isUnavailable(error.cause));
}

/** Whether a statement is a read, which may be resent or answered by a replica. */
export const beginsToRead = (sql: string): boolean => /^\s*SELECT\b/i.test(sql);

/** The SQLSTATE of a database error or of its cause; errors from Prisma Client have it in their cause. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && sqlState.test(code) ? code : sqlStateOf(error.cause);
}

// An SQLSTATE contains a digit, unlike the codes of socket errors, and does not look like Prisma's codes.
const sqlState = /^(?!P[123]\d{3}$)(?=.*\d)[0-9A-Z]{5}$/;
// Errors that end the session leave the outcome of its last statement open: it may have been committed with its response lost.
const endOfSession = /^(08...|57P0.|25P0[34])$/;

/** Whether the statement that failed with this error may have been executed. */
export function isUndecided(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return error.isUndecided;
  const code = sqlStateOf(error);
  return code === undefined || endOfSession.test(code);
}

// SQLSTATE classes and codes of a rejected login: 28 invalid authorization, 3D000 no such database (PostgreSQL, Appendix A).
const noEntryCode = /^(28...|3D000)$/;

/**
 * Whether an error means that the database cannot be used, because it cannot be reached or rejects the login. Socket errors by
 * themselves do not count, because feeds and listeners cause errors with the same codes.
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
