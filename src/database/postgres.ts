/** PostgreSQL as the home of the data: a pool of connections, statements prepared once on each. */
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { type Database, DatabaseUnavailable, isUnavailable, type Queryable, type QueryOptions } from './database.ts';

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

/** `requests`: many short statements. `bulk`: few that move much, as imports do, without a limit of time. */
export type Purpose = 'requests' | 'bulk';

// What requests read is in memory or on a disk without a head to move: an index is the way also to what is not quite rare. Their
// statements are short: to compile them or to share them among processes takes longer than to run them.
const SETTINGS: Record<Purpose, string> = {
  requests:
    '-c timezone=UTC -c statement_timeout=10000 -c random_page_cost=1.1 -c jit=off -c max_parallel_workers_per_gather=0',
  bulk: '-c timezone=UTC -c statement_timeout=0 -c work_mem=128MB -c temp_buffers=128MB -c jit=off',
};

export interface PostgresOptions {
  url: string;
  /** The most connections that this process holds. */
  poolSize?: number;
  /** What the connections are for; requests by default. */
  purpose?: Purpose;
  /** Called when an idle connection breaks; the pool replaces it by itself. */
  onConnectionLost?: (error: Error) => void;
}

/** Opens a pool. No connection is made until the first query, so an unreachable database shows there. */
export function openPostgres({
  url,
  poolSize = 10,
  purpose = 'requests',
  onConnectionLost,
}: PostgresOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    types,
    application_name: 'product-data-api',
    options: SETTINGS[purpose],
  });
  pool.on('error', (error) => onConnectionLost?.(error));
  const nameOf = statementNames();

  return {
    description: describeUrl(url),
    prismaAdapter: new PrismaPg(
      { connectionString: url, max: 4, connectionTimeoutMillis: 5_000, options: '-c timezone=UTC' },
      { statementNameGenerator: ({ sql }) => nameOf(sql) },
    ),
    async query<Row>(sql: string, parameters: readonly unknown[] = [], { isPlannedAnew = false }: QueryOptions = {}) {
      const named = isPlannedAnew ? {} : { name: nameOf(sql) };
      return rowsOf(pool.query({ ...named, text: sql, values: [...parameters] })) as Promise<Row[]>;
    },
    async script(sql) {
      await rowsOf(pool.query(sql));
    },
    async transaction(work) {
      const client = await pool.connect().catch(throwUnavailable);
      let broken: Error | undefined;
      try {
        await rowsOf(client.query('BEGIN'));
        const result = await work(inTransaction(client));
        await rowsOf(client.query('COMMIT'));
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch((rollbackError: Error) => {
          broken = rollbackError; // The connection is gone, and with it the transaction: the pool must drop it.
        });
        throw error;
      } finally {
        client.release(broken);
      }
    },
    close: () => pool.end(),
  };
}

/** Statements inside a transaction are not prepared: imports name tables of their own, which would pile up names. */
function inTransaction(client: pg.PoolClient): Queryable {
  return {
    query: <Row>(sql: string, parameters: readonly unknown[] = []) =>
      rowsOf(client.query(sql, [...parameters])) as Promise<Row[]>,
    async script(sql) {
      await rowsOf(client.query(sql));
    },
  };
}

function statementNames(): (sql: string) => string {
  const names = new Map<string, string>();
  return (sql) => {
    let name = names.get(sql);
    if (name === undefined) {
      name = `s${names.size}`;
      names.set(sql, name);
    }
    return name;
  };
}

async function rowsOf(running: Promise<pg.QueryResult>): Promise<unknown[]> {
  const result = await running.catch(throwUnavailable);
  return result.rows;
}

function throwUnavailable(error: unknown): never {
  if (isUnavailable(error)) throw new DatabaseUnavailable((error as Error).message, { cause: error });
  throw error;
}

function describeUrl(url: string): string {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `PostgreSQL at ${hostname || 'the local socket'}:${port || 5432}${pathname}`;
  } catch {
    return 'PostgreSQL';
  }
}
