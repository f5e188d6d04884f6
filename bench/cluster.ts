/** Databases of a Citus cluster for benchmarks, which know one worker or more. */
import { openPostgres } from '../src/database/postgres.ts';
import { run, temporaryName } from './databases.ts';
import { NotMeasured } from './not-measured.ts';

interface Node {
  host: string;
  port: number;
}

export interface Cluster {
  coordinator: Node;
  workers: Node[];
  /** The version of Citus. */
  version: string;
  /** The URL of the coordinator. */
  url: string;
}

const FEWEST_WORKERS = 2;

/**
 * Reads the servers of a cluster from the database of its coordinator.
 *
 * @param url BENCH_CLUSTER_URL.
 * @throws NotMeasured if it is not a coordinator with two workers.
 */
export async function readCluster(url: string | undefined): Promise<Cluster> {
  if (url === undefined) {
    throw new NotMeasured(
      'The part "distribution" needs a Citus cluster: set BENCH_CLUSTER_URL to a database on its coordinator that knows at least two workers.',
    );
  }
  const database = openPostgres({ url, purpose: 'bulk' });
  try {
    const [extension] = await database.query<{ version: string }>(
      "SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'",
    );
    if (!extension)
      throw new NotMeasured('BENCH_CLUSTER_URL has no Citus: run CREATE EXTENSION citus in its database.');
    const nodes = await database.query<Node & { isCoordinator: boolean }>(NODES);
    const coordinator = nodes.find(({ isCoordinator }) => isCoordinator);
    const workers = nodes.filter(({ isCoordinator }) => !isCoordinator);
    if (!coordinator || workers.length < FEWEST_WORKERS) {
      throw new NotMeasured(
        `BENCH_CLUSTER_URL knows ${workers.length} workers and needs ${FEWEST_WORKERS}: call citus_set_coordinator_host, and citus_add_node for each, in its database.`,
      );
    }
    return { coordinator, workers, version: extension.version, url };
  } catch (error) {
    if (error instanceof NotMeasured) throw error;
    throw new NotMeasured(`BENCH_CLUSTER_URL could not be read: ${(error as Error).message}`);
  } finally {
    await database.close();
  }
}

const NODES = `
  SELECT nodename AS host, nodeport AS port, groupid = 0 AS "isCoordinator"
  FROM pg_catalog.pg_dist_node
  WHERE noderole = 'primary' AND isactive
  ORDER BY groupid`;

/** Creates an empty database on the coordinator and on all workers, of which it knows the first `count`. Call `drop` at the end. */
export async function temporaryClusterDatabase(cluster: Cluster, count: number) {
  const { coordinator, workers, url } = cluster;
  const name = temporaryName();
  const used = workers.slice(0, count);
  const servers = [coordinator, ...used].map((node) => urlOn(url, node));
  for (const server of servers) {
    await run(server, `CREATE DATABASE ${name}`);
    await run(named(server, name), 'CREATE EXTENSION citus');
  }
  const own = named(urlOn(url, coordinator), name);
  await run(own, `SELECT citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`);
  for (const { host, port } of used) await run(own, `SELECT citus_add_node('${host}', ${port})`);
  return {
    url: own,
    async drop() {
      for (const server of servers) await run(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

function urlOn(url: string, { host, port }: Node): string {
  const other = new URL(url);
  other.hostname = host;
  other.port = String(port);
  return other.href;
}

function named(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}
