/**
 * The PostgreSQL server that is asked, among those that are configured. When it is lost, statements fail at once, and all servers
 * are looked at until one is found again: nobody waits for a connection that cannot be made, and nobody has to restart.
 */
import pg from 'pg';
import { DatabaseUnavailable, type PoolState } from './database.ts';
import type { Hosts } from './hosts.ts';

export interface Primary {
  /**
   * Connections to the server. Waits for the first look around when it has just been lost.
   *
   * @throws {DatabaseUnavailable} while it is away; nothing has been sent.
   */
  pool(): pg.Pool | Promise<pg.Pool>;
  /** Tells that the server of this pool does not answer, or takes no writes: all are looked at anew. */
  lose(pool: pg.Pool, reason: Error): void;
  /** The connections that are held now. */
  state(): PoolState;
  close(): Promise<void>;
}

export interface PrimaryOptions {
  hosts: Hosts;
  /** Makes the connections to one of the servers. */
  openPool(url: string): pg.Pool;
  onAway?: ((reason: Error) => void) | undefined;
  onBack?: (() => void) | undefined;
}

const LOOK_EVERY_MS = 250;
const LONGEST_LOOK_MS = 2_000;

// The timeline is raised by each promotion: of two servers that take writes, the one with the higher is the primary, and the other
// one that has come back without knowing that it was replaced.
const LOOK = `
  SELECT current_setting('transaction_read_only') = 'off' AS "isWritable",
         CASE WHEN pg_is_in_recovery() THEN '' ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END AS timeline`;

interface Seen {
  url: string;
  isWritable: boolean;
  /** Eight hexadecimal digits; empty for a replica. */
  timeline: string;
}

/** Opens no connection until somebody asks for one; several servers are then looked at before the first. */
export function openPrimary({ hosts, openPool, onAway, onBack }: PrimaryOptions): Primary {
  let pool: pg.Pool | undefined;
  let lostFor: Error = new Error('No server has been found that takes writes');
  let highest = '';
  let looking: { firstRound: Promise<void> } | undefined;
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
    lostFor = fault ?? new Error('None of the servers takes writes');
    next = setTimeout(() => void look(), LOOK_EVERY_MS).unref();
  };

  const begin = () => {
    looking ??= { firstRound: look() };
    return looking;
  };

  const found = async (): Promise<pg.Pool> => {
    await begin().firstRound;
    if (pool) return pool;
    // Node tells of a name with several addresses, none of which answers, without a message.
    const reason = lostFor.message || String((lostFor as { code?: string }).code);
    throw new DatabaseUnavailable(reason, { isUndecided: false });
  };

  return {
    pool() {
      if (isClosed) throw new DatabaseUnavailable('The database is closed.', { isUndecided: false });
      if (pool) return pool;
      const [only] = hosts.urls;
      return looking || hosts.mustWrite || only === undefined ? found() : use(only);
    },
    lose(lost, reason) {
      if (pool !== lost || isClosed) return; // Somebody has been quicker.
      pool = undefined;
      lostFor = reason;
      // What is under way on it ends by itself or by its limit of time.
      lost.end().catch(() => {});
      onAway?.(reason);
      begin();
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
  client.on('error', () => {}); // It shows in what is awaited.
  try {
    await client.connect();
    const { rows } = await client.query<{ isWritable: boolean; timeline: string }>(LOOK);
    const [row] = rows;
    return row ? { url, ...row } : new Error('The server gave no answer');
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    client.end().catch(() => {}); // Not awaited: a server that hangs does not say goodbye.
  }
}
