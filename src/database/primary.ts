/**
 * Selects the primary among the configured PostgreSQL servers. When it is lost, statements fail immediately and all servers are
 * polled until a primary is found. So no request waits for a connection that cannot be made, and no process needs a restart.
 */
import pg from 'pg';
import { DatabaseUnavailable } from './database.ts';
import type { Hosts } from './hosts.ts';

interface PrimaryOptions {
  hosts: Hosts;
  /** Opens a pool of connections to one of the servers. */
  openPool(url: string): pg.Pool;
  onAway?: ((reason: Error) => void) | undefined;
  onBack?: (() => void) | undefined;
}

const LOOK_EVERY_MS = 250;
const LONGEST_LOOK_MS = 2_000;

// Each promotion increments the timeline. Of two servers that accept writes, the one with the higher timeline is the primary; the
// other one is an old primary that has returned without knowing that it was replaced.
const LOOK = `
  SELECT current_setting('transaction_read_only') = 'off' AS "isWritable",
         CASE WHEN pg_is_in_recovery() THEN '' ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END AS timeline`;

interface Seen {
  url: string;
  isWritable: boolean;
  /** Eight hexadecimal digits; empty for a replica. */
  timeline: string;
}

/** Makes no connection until one is requested. Several servers are then polled before the first connection. */
export function openPrimary({ hosts, openPool, onAway, onBack }: PrimaryOptions) {
  let pool: pg.Pool | undefined;
  let lostFor: Error = new Error('No server that accepts writes has been found');
  let highest = '';
  /** The first poll, while servers are polled. */
  let looking: Promise<void> | undefined;
  let isClosed = false;
  let next: NodeJS.Timeout | undefined;

  const use = (url: string) => {
    pool = openPool(url);
    return pool;
  };

  const look = async (): Promise<void> => {
    const seen = await Promise.all(hosts.urls.map(lookAt));
    if (isClosed) return;
    const [best] = seen
      .filter((one): one is Seen => !(one instanceof Error))
      .filter(({ isWritable, timeline }) => !hosts.mustWrite || (isWritable && timeline >= highest))
      .sort((a, b) => (a.timeline < b.timeline ? 1 : a.timeline > b.timeline ? -1 : 0));
    if (best) {
      if (best.timeline > highest) highest = best.timeline;
      looking = undefined;
      use(best.url);
      onBack?.();
      return;
    }
    const [fault] = seen.filter((one) => one instanceof Error);
    lostFor = fault ?? new Error('None of the servers accepts writes');
    next = setTimeout(() => void look(), LOOK_EVERY_MS).unref();
  };

  const begin = () => {
    looking ??= look();
    return looking;
  };

  const found = async (): Promise<pg.Pool> => {
    await begin();
    if (pool) return pool;
    // Node's error has no message when a name has several addresses and none of them answers.
    const reason = lostFor.message || String((lostFor as { code?: string }).code);
    throw new DatabaseUnavailable(reason, { isUndecided: false });
  };

  return {
    /**
     * The connections to the primary. If it has just been lost, waits for the first poll of all servers.
     *
     * @throws {DatabaseUnavailable} while no primary is known; nothing has been sent.
     */
    pool(): pg.Pool | Promise<pg.Pool> {
      if (isClosed) throw new DatabaseUnavailable('The database is closed.', { isUndecided: false });
      if (pool) return pool;
      const [only] = hosts.urls;
      return looking || hosts.mustWrite || only === undefined ? found() : use(only);
    },
    /** Reports that the server of this pool does not answer or rejects writes. All servers are then polled again. */
    lose(lost: pg.Pool, reason: Error) {
      if (pool !== lost || isClosed) return; // Already reported by another statement.
      pool = undefined;
      lostFor = reason;
      // Running statements end by themselves or by their time limit.
      lost.end().catch(() => {});
      onAway?.(reason);
      void begin();
    },
    state: () => ({ total: pool?.totalCount ?? 0, idle: pool?.idleCount ?? 0, waiting: pool?.waitingCount ?? 0 }),
    async close() {
      isClosed = true;
      clearTimeout(next);
      await pool?.end();
    },
  };
}

async function lookAt(url: string): Promise<Seen | Error> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: LONGEST_LOOK_MS,
    query_timeout: LONGEST_LOOK_MS,
    application_name: 'product-data-api',
  });
  client.on('error', () => {}); // The awaited call reports the error.
  try {
    await client.connect();
    const { rows } = await client.query<{ isWritable: boolean; timeline: string }>(LOOK);
    const [row] = rows;
    return row ? { url, ...row } : new Error('The server returned no row');
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    client.end().catch(() => {}); // Not awaited, because a hanging server never closes the connection.
  }
}
