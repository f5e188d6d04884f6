/** Checks the Citus cluster of the database: its servers, and the shards of the distributed tables. Changes nothing. */
import type { Database } from '../../database/database.ts';
import { CannotDistribute, DEFAULT_SHARDS, planDistribution } from '../../database/distribute.ts';
import { hasCitus } from '../../database/distribution.ts';
import { counted } from '../../values/counted.ts';
import { type Finding, ok, problem, reasonOf, warning } from './finding.ts';

const NAME = 'cluster';

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
  const { workers, shards, steps } = await planDistribution(database, DEFAULT_SHARDS);
  const unreachable = await database.query<{ address: string }>(UNREACHABLE);
  if (unreachable.length > 0) {
    const names = unreachable.map(({ address }) => address).join(', ');
    const remedy =
      'Start it, or replace it from its standby. Until then, requests for the histories on it get 503, and imports fail.';
    return problem(NAME, `${names} cannot be reached`, remedy);
  }
  const all = counted(workers.length, 'worker');
  const due = steps.filter(({ state }) => state === 'due');
  if (due.length > 0) {
    const says = `${all}; to do: ${due.map((step) => `${step.tables.join(', ')}: ${step.says}`).join('; ')}`;
    return warning(NAME, says, 'Run `pda distribute`.');
  }
  const counts = await database.query<{ address: string; shards: number }>(SHARDS_OF_WORKERS);
  const numbers = counts.map((worker) => worker.shards);
  if (Math.max(...numbers) > Math.min(...numbers) + 1) {
    const spread = counts.map((worker) => `${worker.address}: ${worker.shards}`).join(', ');
    return warning(NAME, `${all} with unequal numbers of shards (${spread})`, 'Run SELECT citus_rebalance_start().');
  }
  return ok(NAME, `${all}, ledger and clicks in ${shards} shards each`);
}

// As the coordinator and the other workers see it. A worker whose own view is unknown cannot be reached either.
const UNREACHABLE = `
  SELECT DISTINCT COALESCE(to_nodename, from_nodename) || ':' || COALESCE(to_nodeport, from_nodeport) AS address
  FROM citus_check_cluster_node_health()
  WHERE result = FALSE
  ORDER BY 1`;

const SHARDS_OF_WORKERS = `
  SELECT node.nodename || ':' || node.nodeport AS address, count(shard.shardid)::int AS shards
  FROM pg_catalog.pg_dist_node AS node
  LEFT JOIN pg_catalog.pg_dist_placement AS placement ON placement.groupid = node.groupid
  LEFT JOIN pg_catalog.pg_dist_shard AS shard ON shard.shardid = placement.shardid AND shard.logicalrelid = 'ledger'::regclass
  WHERE node.noderole = 'primary' AND node.isactive AND node.shouldhaveshards
  GROUP BY node.groupid, 1
  ORDER BY node.groupid`;
