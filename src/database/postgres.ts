/** PostgreSQL as the home of the data: a pool of connections, with statements prepared once on each. */
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import {
  beginsToRead,
  type Database,
  DatabaseUnavailable,
  isUnavailable,
  isUndecided,
  POOL_SIZE,
  type Purpose,
  type Queryable,
  type QueryOptions,
  type RawResult,
  type Transaction,
} from './database.ts';
import { describeHosts, type Hosts, readHosts } from './hosts.ts';
import { openPrimary } from './primary.ts';

const { builtins } = pg.types;

// The type of bigint[] (pg_type.oid), which the driver has no name for.
const ARRAY_OF_INT8 = 1016;
const parseBigInts = (text: string) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(BigInt));

/** Converts the driver's values as {@link Queryable.query} specifies, regardless of the process's time zone. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === builtins.INT8) return BigInt;
    if (oid === ARRAY_OF_INT8) return parseBigInts;
    if (oid === builtins.DATE) return String;
    if (oid === builtins.TIMESTAMPTZ) return parseMoment;
    return pg.types.getTypeParser(oid, format as 'text');
  }) as typeof pg.types.getTypeParser,
};

const parseAnyMoment = pg.types.getTypeParser(builtins.TIMESTAMPTZ) as unknown as (text: string) => Date;
const UTC = '+00';
const LENGTH_OF_SECONDS = '2026-01-31 08:00:00+00'.length;
const LONGEST = '2026-01-31 08:00:00.123456+00'.length;

/** Parses timestamps of connections in UTC with the fast parser of `Date`; the driver's parser handles all time zones. */
function parseMoment(text: string): Date {
  const isPlain = text.length >= LENGTH_OF_SECONDS && text.length <= LONGEST && text[4] === '-' && text.endsWith(UTC);
  return isPlain ? new Date(`${text.slice(0, 10)}T${text.slice(11, -UTC.length)}Z`) : parseAnyMoment(text);
}

// Timeouts increase from the wait for a lock to the statement to the client side's wait for a response. So no request waits for more
// than six seconds, and a busy server can be distinguished from one that hangs.
const REQUEST_STATEMENT_MS = 4_000;
const REQUEST_LOCK_MS = 2_000;
const REQUEST_SILENCE_MS = 4_500;

// Requests read from memory or solid-state disks, so an index pays even for less selective conditions. JIT compilation, parallel workers
// or further connections of Citus to a worker would take longer than running their short statements. Servers without Citus ignore its setting.
const SETTINGS: Record<Purpose, string> = {
  requests: `-c timezone=UTC -c statement_timeout=${REQUEST_STATEMENT_MS} -c lock_timeout=${REQUEST_LOCK_MS} -c random_page_cost=1.1 -c jit=off -c max_parallel_workers_per_gather=0 -c citus.max_adaptive_executor_pool_size=1`,
  bulk: '-c timezone=UTC -c statement_timeout=0 -c work_mem=128MB -c temp_buffers=128MB -c jit=off',
};

const BEGIN_LONG = `BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0`;

/** The longest wait for a free or new connection. */
const CONNECT_MS: Record<Purpose, number> = { requests: 1_500, bulk: 5_000 };

// When an administrator terminates all sessions, they end within milliseconds of each other.
const REPEAT_AFTER_MS = [10, 100];
const NO_MORE_CONNECTIONS_MS = 5_000;

export interface PostgresOptions {
  /** The server's URL, or that of several servers in libpq's notation, of which the one that accepts writes is used. */
  url: string;
  /** The location of the data, for logs; the hosts of `url` by default. */
  description?: string;
  /** The maximum number of connections of this process. */
  poolSize?: number | undefined;
  /** The purpose of the connections; requests by default. */
  purpose?: Purpose;
  /** Called when an idle connection breaks. The pool replaces it. */
  onConnectionLost?: (error: Error) => void;
  /** Called when the server cannot be reached or is no longer the primary. The search for a primary then starts. */
  onAway?: (reason: Error) => void;
  /** Called when a server has been found again. */
  onBack?: () => void;
}

/**
 * Opens a pool. The first query makes the first connection, so it also reports an unreachable database.
 *
 * @throws {TypeError} when `url` is not a PostgreSQL URL.
 */
export function openPostgres(options: PostgresOptions): Database {
  const { url, poolSize = POOL_SIZE, purpose = 'requests', onConnectionLost, onAway, onBack } = options;
  const hosts = readHosts(url);
  if (!hosts) throw new TypeError('The address of the database is not a PostgreSQL URL.');
  const primary = openPrimary({
    hosts,
    openPool(connectionString) {
      const pool = new pg.Pool({
        connectionString,
        max: poolSize,
        connectionTimeoutMillis: CONNECT_MS[purpose],
        keepAlive: true,
        types,
        application_name: 'product-data-api',
        options: SETTINGS[purpose],
      });
      pool.on('error', (error) => onConnectionLost?.(error));
      return pool;
    },
    onAway,
    onBack,
  });
  const statementOf = statements();
  const silence = purpose === 'requests' ? { query_timeout: REQUEST_SILENCE_MS } : {};

  const run = async (statement: pg.QueryConfig): Promise<pg.QueryResult> => {
    const waiting = primary.pool();
    const pool = waiting instanceof Promise ? await waiting : waiting;
    try {
      return await runOn(pool, statement);
    } catch (error) {
      if (isSignOfLoss(error, pool, hosts)) primary.lose(pool, causeOf(error));
      if (isOutOfConnections(error)) keepToConnections(pool, poolSize);
      throw unavailable(error);
    }
  };
  const runRepeatedly = async (statement: pg.QueryConfig, isRepeatable: boolean): Promise<pg.QueryResult> => {
    for (let tried = 0; ; tried += 1) {
      try {
        return await run(statement);
      } catch (error) {
        const pause = REPEAT_AFTER_MS[tried];
        if (pause === undefined || !mayRepeat(error, isRepeatable)) throw error;
        await wait(pause);
      }
    }
  };

  const send = (
    sql: string,
    parameters: readonly unknown[] = [],
    { isPlannedAnew = false, isRepeatable = false }: QueryOptions = {},
    form?: RawForm,
  ) => {
    const { name, isRead } = isPlannedAnew ? { name: undefined, isRead: beginsToRead(sql) } : statementOf(sql);
    const statement = { ...silence, ...(name !== undefined && { name }), text: sql, values: [...parameters], ...form };
    return runRepeatedly(statement, isRead || isRepeatable);
  };

  return {
    description: options.description ?? describeHosts(hosts),
    async query<Row>(sql: string, parameters?: readonly unknown[], options?: QueryOptions) {
      return (await send(sql, parameters, options)).rows as Row[];
    },
    async raw(sql, parameters, options) {
      return asRaw(await send(sql, parameters, options, RAW));
    },
    async script(sql) {
      await runRepeatedly({ text: sql }, false);
    },
    async transaction(work, { isLong = false } = {}) {
      const pool = await primary.pool();
      const client = await pool.connect().catch((cause: unknown) => {
        const error = new NotSent('', { cause });
        if (isSignOfLoss(error, pool, hosts)) primary.lose(pool, causeOf(error));
        throw unavailable(error);
      });
      let broken: Error | undefined;
      // Without a listener, losing the connection between two statements would end the process.
      const noteBreak = (error: Error) => {
        broken = error;
      };
      client.on('error', noteBreak);
      try {
        await ended(client.query(isLong ? BEGIN_LONG : 'BEGIN'));
        const result = await work(inTransaction(client));
        await ended(client.query('COMMIT'));
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch(noteBreak); // The connection and its transaction are gone, so the pool must drop it.
        throw error;
      } finally {
        client.removeListener('error', noteBreak);
        client.release(broken);
      }
    },
    poolState: primary.state,
    close: () => primary.close(),
  };
}

/** An error that occurred before the statement was sent. */
class NotSent extends Error {}

/** Runs a statement on a connection of the pool. @throws {NotSent} if it fails before sending the statement. */
function runOn(pool: pg.Pool, statement: pg.QueryConfig): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    pool.connect((connectError, client, release) => {
      if (!client) return reject(new NotSent(connectError?.message, { cause: connectError }));
      let isOver = false;
      const end = (error: Error | null, result?: pg.QueryResult) => {
        client.removeListener('error', end);
        if (isOver) return;
        isOver = true;
        release(error ?? undefined);
        if (error) reject(error);
        else if (result) resolve(result);
      };
      client.once('error', end);
      client.query(statement, end);
    });
  });
}

const causeOf = (error: unknown) => (error instanceof NotSent ? error.cause : error) as Error & { code?: string };

/** Whether an error means that the server is gone, hangs or is not the primary, and not only that one connection failed. */
function isSignOfLoss(error: unknown, pool: pg.Pool, { mustWrite }: Hosts): boolean {
  const { code, message } = causeOf(error);
  if (code === '25006') return mustWrite;
  if (message === 'Query read timeout') return true;
  if (!(error instanceof NotSent) || message === BUSY || isOutOfConnections(error)) return false;
  // A busy server may be slow to accept connections while it still answers on existing ones.
  if (isSlowEntry.test(message)) return pool.totalCount === 0;
  return isUnavailable(error.cause);
}

const isSlowEntry = /^(Connection terminated due to connection timeout|timeout expired)/;

// The message of pg-pool when no connection became free in time.
const BUSY = 'timeout exceeded when trying to connect';

/** `too_many_connections`, including the limits of a role or a database. */
const isOutOfConnections = (error: unknown) => error instanceof NotSent && causeOf(error).code === '53300';

/** Limits the pool to its existing connections for a few seconds; further statements wait for one of those. */
function keepToConnections(pool: pg.Pool, poolSize: number): void {
  if (pool.totalCount === 0 || pool.options.max !== poolSize) return;
  pool.options.max = pool.totalCount;
  setTimeout(() => {
    pool.options.max = poolSize;
  }, NO_MORE_CONNECTIONS_MS).unref();
}

/** Whether resending a statement is allowed and may help, because its connection was lost or no longer leads to the primary. */
function mayRepeat(error: unknown, isRepeatable: boolean): boolean {
  if (!(error instanceof DatabaseUnavailable) || (error.isUndecided && !isRepeatable)) return false;
  const { code = '', message } = (error.cause ?? {}) as { code?: string; message?: string };
  return cut.test(code) || cutMessage.test(message ?? '');
}

const cut = /^(25006|53300|57P0[1235]|08...|ECONNRESET|ECONNREFUSED|EPIPE)$/;
const cutMessage = /^(Connection terminated( unexpectedly)?$|Client (has encountered|was closed)|Cannot use a pool)/;

/** Statements in a transaction are not prepared: each import uses its own table names, so prepared statements would accumulate. */
function inTransaction(client: pg.PoolClient): Transaction {
  return {
    async query<Row>(sql: string, parameters: readonly unknown[] = []) {
      return (await ended(client.query(sql, [...parameters]))).rows as Row[];
    },
    async raw(sql, parameters = []) {
      return asRaw(await ended(client.query({ text: sql, values: [...parameters], ...RAW })));
    },
    async script(sql) {
      await ended(client.query(sql));
    },
    async *copyOut(sql) {
      const rows = client.query(copyTo(sql));
      let isRead = false;
      try {
        yield* rows;
        isRead = true;
      } catch (error) {
        throw unavailable(error);
      } finally {
        // Only the end of the connection stops PostgreSQL from sending the rest.
        if (!isRead) await client.end();
      }
      await ended(client.query('')); // The number of rows may arrive after the last of them.
      return rows.rowCount;
    },
    async copyIn(sql, chunks) {
      const rows = client.query(copyFrom(sql));
      await pipeline(chunks, rows).catch((error: unknown) => {
        throw unavailable(error);
      });
      return rows.rowCount;
    },
  };
}

/** Options of the driver for rows as arrays and unconverted values. */
const RAW = { rowMode: 'array', types: { getTypeParser: () => (text: string) => text } };
type RawForm = typeof RAW;

function asRaw({ fields, rows, rowCount }: pg.QueryResult): RawResult {
  return { columns: fields.map(({ name, dataTypeID }) => ({ name, oid: dataTypeID })), rows, rowCount: rowCount ?? 0 };
}

/** Names prepared statements by their text. */
function statements() {
  const known = new Map<string, { name: string; isRead: boolean }>();
  return (sql: string) => {
    let statement = known.get(sql);
    if (statement === undefined) {
      statement = { name: `s${known.size}`, isRead: beginsToRead(sql) };
      known.set(sql, statement);
    }
    return statement;
  };
}

const ended = (running: Promise<pg.QueryResult>): Promise<pg.QueryResult> =>
  running.catch((error: unknown) => {
    throw unavailable(error);
  });

/** The error as {@link Queryable} specifies it. */
function unavailable(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable) return error;
  const cause = causeOf(error);
  if (!isUnavailable(cause)) return cause;
  const wasSent = !(error instanceof NotSent);
  return new DatabaseUnavailable(cause.message, { cause, isUndecided: wasSent && isUndecided(cause) });
}
