/** PostgreSQL as the home of the data: a pool of connections, statements prepared once on each. */
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import {
  beginsToRead,
  type Connection,
  type Database,
  DatabaseUnavailable,
  isUnavailable,
  isUndecided,
  type Purpose,
  type Queryable,
  type QueryOptions,
  type RawResult,
} from './database.ts';
import { describeHosts, type Hosts, readHosts } from './hosts.ts';
import { openPrimary } from './primary.ts';

const { builtins } = pg.types;

/** How values come out of the driver: as {@link Queryable.query} promises, whatever the process's time zone is. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === builtins.INT8) return BigInt;
    if (oid === builtins.DATE) return String;
    if (oid === builtins.TIMESTAMPTZ) return parseMoment;
    return pg.types.getTypeParser(oid, format as 'text');
  }) as typeof pg.types.getTypeParser,
};

const parseAnyMoment = pg.types.getTypeParser(builtins.TIMESTAMPTZ);
const UTC = '+00';
const LENGTH_OF_SECONDS = '2026-01-31 08:00:00+00'.length;
const LONGEST = '2026-01-31 08:00:00.123456+00'.length;

/** A moment as a connection in UTC writes it, by the engine's own parser; the driver's takes apart every zone there is. */
function parseMoment(text: string): Date {
  const isPlain = text.length >= LENGTH_OF_SECONDS && text.length <= LONGEST && text[4] === '-' && text.endsWith(UTC);
  return isPlain
    ? new Date(`${text.slice(0, 10)}T${text.slice(11, -UTC.length)}Z`)
    : (parseAnyMoment(text) as unknown as Date);
}

// A statement of a request ends by itself before the client's side gives up on the server, and a wait for a lock before that: nobody
// waits for an answer for more than six seconds, and a server that is only busy is told from one that hangs.
const REQUEST_STATEMENT_MS = 4_000;
const REQUEST_LOCK_MS = 2_000;
const REQUEST_SILENCE_MS = 4_500;

// What requests read is in memory or on a disk without a head to move: an index is the way also to what is not quite rare. Their
// statements are short: to compile them or to share them among processes takes longer than to run them.
const SETTINGS: Record<Purpose, string> = {
  requests: `-c timezone=UTC -c statement_timeout=${REQUEST_STATEMENT_MS} -c lock_timeout=${REQUEST_LOCK_MS} -c random_page_cost=1.1 -c jit=off -c max_parallel_workers_per_gather=0`,
  bulk: '-c timezone=UTC -c statement_timeout=0 -c work_mem=128MB -c temp_buffers=128MB -c jit=off',
};

/** How long somebody waits for a connection, a free one or a new one. */
const CONNECT_MS: Record<Purpose, number> = { requests: 1_500, bulk: 5_000 };

// An administrator who ends all sessions ends them within milliseconds, not at once.
const REPEAT_AFTER_MS = [10, 100];
const NO_MORE_CONNECTIONS_MS = 5_000;

export interface PostgresOptions {
  /** The server's address, or those of several in libpq's notation, of which the one is used that takes writes. */
  url: string;
  /** The most connections that this process holds. */
  poolSize?: number;
  /** What the connections are for; requests by default. */
  purpose?: Purpose;
  /** Called when an idle connection breaks; the pool replaces it by itself. */
  onConnectionLost?: (error: Error) => void;
  /** Called when the server is away, or is not the primary any more; it is looked for from then on. */
  onAway?: (reason: Error) => void;
  /** Called when a server has been found again. */
  onBack?: () => void;
}

/**
 * Opens a pool. No connection is made until the first query, so an unreachable database shows there.
 *
 * @throws {TypeError} when `url` is no address of PostgreSQL.
 */
export function openPostgres({
  url,
  poolSize = 10,
  purpose = 'requests',
  onConnectionLost,
  onAway,
  onBack,
}: PostgresOptions): Database {
  const hosts = readHosts(url);
  if (!hosts) throw new TypeError('The address of the database is no URL of PostgreSQL.');
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
    description: describeHosts(hosts),
    async query<Row>(sql: string, parameters?: readonly unknown[], options?: QueryOptions) {
      return (await send(sql, parameters, options)).rows as Row[];
    },
    async raw(sql, parameters, options) {
      return asRaw(await send(sql, parameters, options, RAW));
    },
    async script(sql) {
      await runRepeatedly({ text: sql }, false);
    },
    async transaction(work) {
      const pool = await primary.pool();
      const client = await pool.connect().catch((cause: unknown) => {
        const error = new NotSent('', { cause });
        if (isSignOfLoss(error, pool, hosts)) primary.lose(pool, causeOf(error));
        throw unavailable(error);
      });
      let broken: Error | undefined;
      // Without a listener, a connection that is cut between two statements would end the process.
      const noteBreak = (error: Error) => {
        broken = error;
      };
      client.on('error', noteBreak);
      try {
        // Transactions are for what takes its time: migrations and imports.
        await ended(client.query('BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0'));
        const result = await work(inTransaction(client));
        await ended(client.query('COMMIT'));
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch(noteBreak); // The connection is gone, and with it the transaction: the pool must drop it.
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

/** An error of before the statement was sent. */
class NotSent extends Error {}

/** Runs a statement on a connection of the pool. What fails before it was sent is a {@link NotSent}. */
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

/** Whether an error says that the server is away, hangs, or is not the primary: not only this connection of it. */
function isSignOfLoss(error: unknown, pool: pg.Pool, { mustWrite }: Hosts): boolean {
  const { code, message } = causeOf(error);
  if (code === '25006') return mustWrite;
  if (message === 'Query read timeout') return true;
  if (!(error instanceof NotSent) || message === BUSY || isOutOfConnections(error)) return false;
  // A busy machine may be slow to let somebody in, while it goes on answering those who are.
  if (isSlowEntry.test(message)) return pool.totalCount === 0;
  return isUnavailable(error.cause);
}

const isSlowEntry = /^(Connection terminated due to connection timeout|timeout expired)/;

// The words of pg-pool for who waited in vain while all connections were in use.
const BUSY = 'timeout exceeded when trying to connect';

/** `too_many_connections`, and the same for a role or a database. */
const isOutOfConnections = (error: unknown) => error instanceof NotSent && causeOf(error).code === '53300';

/** For some seconds takes no more connections than there are: whoever comes waits for one of those. */
function keepToConnections(pool: pg.Pool, poolSize: number): void {
  if (pool.totalCount === 0 || pool.options.max !== poolSize) return;
  pool.options.max = pool.totalCount;
  setTimeout(() => {
    pool.options.max = poolSize;
  }, NO_MORE_CONNECTIONS_MS).unref();
}

/** Whether a statement may be sent again, and that may help: its connection was cut, or is not to the primary any more. */
function mayRepeat(error: unknown, isRepeatable: boolean): boolean {
  if (!(error instanceof DatabaseUnavailable) || (error.isUndecided && !isRepeatable)) return false;
  const { code = '', message } = (error.cause ?? {}) as { code?: string; message?: string };
  return cut.test(code) || cutMessage.test(message ?? '');
}

const cut = /^(25006|53300|57P0[1235]|08...|ECONNRESET|ECONNREFUSED|EPIPE)$/;
const cutMessage = /^(Connection terminated( unexpectedly)?$|Client (has encountered|was closed)|Cannot use a pool)/;

/** Statements inside a transaction are not prepared: imports name tables of their own, which would pile up names. */
function inTransaction(client: pg.PoolClient): Connection {
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
  };
}

/** How the driver is asked for rows without names and for values without conversion. */
const RAW = { rowMode: 'array', types: { getTypeParser: () => (text: string) => text } };
type RawForm = typeof RAW;

function asRaw({ fields, rows, rowCount }: pg.QueryResult): RawResult {
  return { columns: fields.map(({ name, dataTypeID }) => ({ name, oid: dataTypeID })), rows, rowCount: rowCount ?? 0 };
}

interface Statement {
  /** What it is called on each connection that has prepared it. */
  name: string;
  isRead: boolean;
}

function statements(): (sql: string) => Statement {
  const known = new Map<string, Statement>();
  return (sql) => {
    let statement = known.get(sql);
    if (statement === undefined) {
      statement = { name: `s${known.size}`, isRead: beginsToRead(sql) };
      known.set(sql, statement);
    }
    return statement;
  };
}

function ended(running: Promise<pg.QueryResult>): Promise<pg.QueryResult> {
  return running.catch((error: unknown) => {
    throw unavailable(error);
  });
}

/** The error as {@link Queryable} promises it. */
function unavailable(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable) return error;
  const cause = causeOf(error);
  if (!isUnavailable(cause)) return cause;
  const wasSent = !(error instanceof NotSent);
  return new DatabaseUnavailable(cause.message, { cause, isUndecided: wasSent && isUndecided(cause) });
}
