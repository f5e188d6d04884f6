/** A Citus cluster for a test that breaks its servers: a complete service whose ledger is distributed over workers. */
import { openPostgres } from '../../src/database/postgres.ts';
import { distribute } from './distributed.ts';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';
import { type Service, startService } from './service.ts';

const SETTINGS = [
  "shared_preload_libraries = 'citus'",
  "citus.node_conninfo = 'sslmode=disable'",
  'wal_level = logical',
  'max_prepared_transactions = 100',
  'max_replication_slots = 20',
  'max_worker_processes = 32',
];

export interface Cluster extends Service {
  workers: PostgresServer[];
  /** Starts another worker and adds it to the cluster, without shards. */
  addWorker(): Promise<void>;
  /** The worker that holds the ledger of a product. */
  workerOf(productId: bigint): Promise<PostgresServer>;
}

/** Starts a coordinator with workers, and a service on it with one product and a key, as {@link startService} does. */
export async function startCluster({ workers: count, shards }: { workers: number; shards: number }): Promise<Cluster> {
  const workers = await Promise.all(Array.from({ length: count }, startWorker));
  const service = await startService(SETTINGS, async (coordinator) => {
    const database = openPostgres({ url: coordinator.url, purpose: 'bulk', poolSize: 1 });
    await database.script('CREATE EXTENSION citus');
    await database.query("SELECT citus_set_coordinator_host('127.0.0.1', $1::int)", [coordinator.port]);
    for (const { port } of workers) await database.query(ADD_WORKER, [port]);
    await database.close();
  });
  const { database } = service;
  await distribute(database, shards);

  return {
    ...service,
    workers,
    async addWorker() {
      const worker = await startWorker();
      workers.push(worker);
      await database.query(ADD_WORKER, [worker.port]);
    },
    async workerOf(productId) {
      const [row] = await database.query<{ port: number }>(PORT_OF, [productId]);
      const worker = workers.find(({ port }) => port === row?.port);
      if (!worker) throw new Error(`No worker holds product ${productId}.`);
      return worker;
    },
    async end() {
      await service.end();
      for (const worker of workers) await worker.remove();
    },
  };
}

async function startWorker(): Promise<PostgresServer> {
  const worker = await startPostgresServer(SETTINGS);
  const database = openPostgres({ url: worker.url, purpose: 'bulk', poolSize: 1 });
  await database.script('CREATE EXTENSION citus');
  await database.close();
  return worker;
}

const ADD_WORKER = "SELECT citus_add_node('127.0.0.1', $1::int)";

const PORT_OF = `
  SELECT nodeport AS port
  FROM citus_shards
  WHERE shardid = get_shard_id_for_distribution_column('ledger', $1::bigint)`;
