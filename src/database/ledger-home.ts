/** The home of the ledger and the clicks: the database itself, or the workers of a Citus cluster (docs/scaling.md). */
import { type Queryable, sqlStateOf } from './database.ts';
import { type InTurn, openTurns } from './in-turn.ts';

/** The tables that are distributed, by the product of their rows. The others are colocated with the first. */
export const DISTRIBUTED_TABLES = ['ledger', 'click'] as const;

/** Their distribution column. */
export const DISTRIBUTION_COLUMN = 'product_id';

/** Whether the database has the extension Citus. */
export async function hasCitus(database: Queryable): Promise<boolean> {
  const [server] = await database.query<{ hasCitus: boolean }>(HAS_CITUS, [], { name: 'distribution' });
  return server?.hasCitus ?? false;
}

/** Whether the server is a worker of a Citus cluster. Its tables come from the coordinator, so nothing may be made or changed there. */
export async function isCitusWorker(database: Queryable): Promise<boolean> {
  if (!(await hasCitus(database))) return false;
  const [server] = await database.query<{ isWorker: boolean }>(IS_WORKER);
  return server?.isWorker ?? false;
}

/** Whether the ledger is distributed now. */
export async function isDistributed(database: Queryable): Promise<boolean> {
  if (!(await hasCitus(database))) return false;
  const [ledger] = await database.query<{ isDistributed: boolean }>(IS_DISTRIBUTED, [], { name: 'distribution' });
  return ledger?.isDistributed ?? false;
}

/** Where the readers of the ledger find it. */
export interface LedgerHome {
  /** Whether it is distributed, as found less than a minute ago: `pda distribute` may run while the service runs. */
  isDistributed(): Promise<boolean>;
  /**
   * Runs `joint`, which may join the ledger with other tables and reads several products with one statement; or `divided` where the ledger
   * is distributed, also if it was distributed since the last look, so that the engine has refused `joint`.
   */
  read<Value>(joint: () => Promise<Value>, divided: () => Promise<Value>): Promise<Value>;
  /**
   * Runs the statements of `divided`, a few at a time in the whole process. Each reads one product, so that the loss of one server fails only the
   * products on it, or is repeated for each product after a failure (shard-reads.ts).
   */
  inTurn: InTurn;
}

const homes = new WeakMap<Queryable, LedgerHome>();

/** The home of the ledger of a database. All readers in the process share it, and thereby its limit of statements at a time. */
export function ledgerHomeOf(database: Queryable): LedgerHome {
  const home = homes.get(database) ?? openLedgerHome(database);
  homes.set(database, home);
  return home;
}

function openLedgerHome(database: Queryable): LedgerHome {
  let known: { answer: Promise<boolean>; until: number } | undefined;
  const lookAgain = async () => {
    const looking = { answer: isDistributed(database), until: performance.now() + FOLLOW_MS };
    known = looking;
    try {
      return await looking.answer;
    } catch (error) {
      if (known === looking) known = undefined;
      throw error;
    }
  };
  const look = async () => (known && performance.now() < known.until ? known.answer : lookAgain());
  return {
    isDistributed: look,
    async read(joint, divided) {
      if (await look()) return divided();
      try {
        return await joint();
      } catch (error) {
        if (isUnsupported(error) && (await lookAgain())) return divided();
        throw error;
      }
    },
    inTurn: openTurns(),
  };
}

const FOLLOW_MS = 60_000;

// A statement that names a table of Citus fails where Citus is not installed.
const HAS_CITUS = `SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS "hasCitus"`;

// Also FALSE on a server that knows no cluster yet, unlike NOT citus_is_coordinator().
const IS_WORKER = 'SELECT groupid > 0 AS "isWorker" FROM pg_catalog.pg_dist_local_group';

const IS_DISTRIBUTED = `
  SELECT EXISTS (
    SELECT FROM pg_catalog.pg_dist_partition WHERE logicalrelid = '${DISTRIBUTED_TABLES[0]}'::regclass AND partmethod = 'h'
  ) AS "isDistributed"`;

// SQLSTATE feature_not_supported (PostgreSQL, Appendix A): Citus has it for joins over several shards.
const isUnsupported = (error: unknown): boolean => sqlStateOf(error) === '0A000';
