/** Whether the ledger and the clicks are distributed over the machines of a Citus cluster (docs/scaling.md). */
import { type Queryable, sqlStateOf } from './database.ts';

/** The tables that are distributed, by the product of their rows. */
export const DISTRIBUTED_TABLES = ['ledger', 'click'] as const;

/** Their distribution column. */
export const DISTRIBUTION_COLUMN = 'product_id';

/** Whether the database has the extension Citus. */
export async function hasCitus(database: Queryable): Promise<boolean> {
  const [server] = await database.query<{ hasCitus: boolean }>(HAS_CITUS, [], { name: 'distribution' });
  return server?.hasCitus ?? false;
}

/** Whether the ledger is distributed now. */
export async function isDistributed(database: Queryable): Promise<boolean> {
  if (!(await hasCitus(database))) return false;
  const [ledger] = await database.query<{ isDistributed: boolean }>(IS_DISTRIBUTED, [], { name: 'distribution' });
  return ledger?.isDistributed ?? false;
}

/** Whether the ledger is distributed, as this process knows it. */
export interface LedgerHome {
  /** As found less than a minute ago: `pda distribute` may run while the service runs. */
  hasShards(): Promise<boolean>;
  /** The same, read now: after the engine has refused a statement. */
  lookAgain(): Promise<boolean>;
}

/** Follows whether the ledger is distributed. */
export function followDistribution(database: Queryable): LedgerHome {
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
  return {
    hasShards: async () => (known && performance.now() < known.until ? known.answer : lookAgain()),
    lookAgain,
  };
}

const FOLLOW_MS = 60_000;

// A statement that names a table of Citus fails where Citus is not installed.
const HAS_CITUS = `SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS "hasCitus"`;

const IS_DISTRIBUTED = `
  SELECT EXISTS (
    SELECT FROM pg_catalog.pg_dist_partition WHERE logicalrelid = 'ledger'::regclass AND partmethod = 'h'
  ) AS "isDistributed"`;

/** Whether a statement failed because it would have to be sent to several shards, and its form does not allow that. */
export const needsOneShard = (error: unknown): boolean => sqlStateOf(error) === FEATURE_NOT_SUPPORTED;

// SQLSTATE (PostgreSQL, Appendix A).
const FEATURE_NOT_SUPPORTED = '0A000';
