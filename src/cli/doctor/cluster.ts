/** Checks the Citus cluster of the database: its servers, and the shards of the distributed tables. Changes nothing. */
import type { Database } from '../../database/database.ts';
import {
  CannotDistribute,
  DEFAULT_SHARDS,
  isDue,
  planDistribution,
  unreachableServers,
} from '../../database/distribute.ts';
import { hasCitus, isCitusWorker } from '../../database/ledger-home.ts';
import { counted } from '../../values/counted.ts';
import { type Finding, ok, problem, reasonOf, warning } from './finding.ts';

const NAME = 'cluster';

/** Finds that the server is a worker of a cluster, which must not be used directly. Any other server is no finding. */
export async function examineRole(database: Database): Promise<Finding[]> {
  if (!(await isCitusWorker(database))) return [];
  return [problem(NAME, 'this server is a worker of a Citus cluster', 'Set DATABASE_URL to the coordinator.')];
}

/** Examines the cluster. Returns no finding for a database without Citus. */
export async function examineCluster(database: Database): Promise<Finding[]> {
  if (!(await hasCitus(database))) return [];
  try {
    return [await examineShards(database)];
  } catch (error) {
    if (error instanceof CannotDistribute) {
      const remedy = 'See docs/scaling.md, or remove the extension citus if the database is to stay on one server.';
      return [warning(NAME, error.message, remedy)];
    }
    const remedy = 'Check that the coordinator and all workers run and reach each other.';
    return [problem(NAME, reasonOf(error), remedy)];
  }
}

async function examineShards(database: Database): Promise<Finding> {
  const plan = await planDistribution(database, DEFAULT_SHARDS);
  const unreachable = await unreachableServers(database);
  if (unreachable.length > 0) {
    const remedy =
      'Start it, or replace it from its standby. Until then, requests for the histories on it get 503, and imports fail.';
    return problem(NAME, `${unreachable.join(', ')} cannot be reached`, remedy);
  }
  const all = counted(plan.workers.length, 'Citus worker');
  if (isDue(plan)) {
    const tables = new Set(plan.steps.flatMap((step) => (step.state === 'due' ? step.tables : [])));
    return warning(NAME, `${all}; not completely distributed: ${[...tables].join(', ')}`, 'Run `pda distribute`.');
  }
  const [rebalance] = await database.query<{ isRunning: boolean }>(IS_REBALANCING);
  if (rebalance?.isRunning) return ok(NAME, `${all}; shards are being moved`);
  const [moves] = await database.query<{ shards: number }>(DUE_MOVES);
  if (moves && moves.shards > 0) {
    const remedy = 'Run SELECT citus_rebalance_start() on the coordinator, and ANALYZE ledger when it has ended.';
    return warning(NAME, `${all}, over which the shards are spread unevenly`, remedy);
  }
  return ok(NAME, `${all}, ledger and clicks in ${counted(plan.shards, 'shard')} each`);
}

const IS_REBALANCING = `
  SELECT EXISTS (SELECT FROM citus_rebalance_status() WHERE state::text IN ('scheduled', 'running')) AS "isRunning"`;

// What Citus itself would move: it compares sizes, not only numbers.
const DUE_MOVES = 'SELECT count(*)::int AS shards FROM get_rebalance_table_shards_plan()';
