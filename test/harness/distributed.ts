/**
 * With TEST_DISTRIBUTED=1, the tests run on a Citus cluster, and each of their databases is distributed. TEST_DATABASE_URL is the URL of a
 * database on the coordinator that knows the workers.
 */
import type { Database } from '../../src/database/database.ts';
import {
  detachClicks,
  distributeTables,
  planDistribution,
  readWorkers,
  removeCopies,
} from '../../src/database/distribute.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { writeAlone } from '../../src/import/write-lock.ts';

/** Whether the databases of tests are distributed. */
export const isDistributedRun = (): boolean => process.env.TEST_DISTRIBUTED === '1';

/** The reason that is written once per run when tests of distributed databases are skipped. */
export const WHY_NOT_DISTRIBUTED =
  'The tests of distributed databases (test/distributed) are skipped: they need TEST_DISTRIBUTED=1, and TEST_DATABASE_URL with a database on the coordinator of a Citus cluster.\n';

/** The URLs of the servers on which each database of a test is made: the coordinator, then its workers. */
export async function readServers(url: string): Promise<string[]> {
  const coordinator = openPostgres({ url, poolSize: 1, purpose: 'bulk' });
  try {
    const workers = await readWorkers(coordinator);
    return [url, ...workers.map((address) => withAddress(url, address))];
  } catch (cause) {
    throw new Error('TEST_DISTRIBUTED=1 needs a TEST_DATABASE_URL on the coordinator of a Citus cluster.', { cause });
  } finally {
    await coordinator.close();
  }
}

function withAddress(url: string, address: string): string {
  const other = new URL(url);
  other.host = address;
  return other.href;
}

/** The URL of another database on the same server. */
export function databaseUrl(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

/** Makes a database on each server, as a copy of another; `FILE_COPY` is quicker where commits do not wait for the disk. No server's list of nodes names a database, so the copies know each other. */
export async function createDatabase(
  servers: readonly string[],
  name: string,
  template: string,
  strategy: 'WAL_LOG' | 'FILE_COPY' = 'WAL_LOG',
): Promise<void> {
  const sql = `CREATE DATABASE ${name} TEMPLATE ${template} ENCODING 'UTF8' STRATEGY ${strategy}`;
  await Promise.all(servers.map((url) => onServer(url, sql)));
}

/** Drops a database on each server: first on the coordinator, from where Citus would connect to the others again. */
export async function dropDatabase([coordinator = '', ...workers]: readonly string[], name: string): Promise<void> {
  const drop = async (url: string) => {
    const statement = `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`;
    // FORCE waits five seconds for sessions to end. One that speaks with a worker may take longer.
    await onServer(url, statement).catch(() => onServer(url, statement));
  };
  await drop(coordinator);
  await Promise.all(workers.map(drop));
}

// Few, because a test's entries are few, too.
const SHARDS = 4;

/** Makes new databases a cluster, without tables. */
export async function joinCluster(servers: readonly string[], name: string): Promise<void> {
  const [coordinator = '', ...workers] = servers.map((url) => databaseUrl(url, name));
  for (const url of [...workers, coordinator]) await onServer(url, 'CREATE EXTENSION citus');
  await onServer(coordinator, `SELECT citus_set_coordinator_host(${addressOf(coordinator)})`);
  for (const url of workers) await onServer(coordinator, `SELECT citus_add_node(${addressOf(url)})`);
}

function addressOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `'${hostname}', ${port || 5432}`;
}

/** Migrates and distributes the databases that tests copy. */
export async function prepareCluster(servers: readonly string[], name: string): Promise<void> {
  await joinCluster(servers, name);
  const database = openPostgres({ url: databaseUrl(servers[0] ?? '', name), purpose: 'bulk' });
  try {
    await migrate(database);
    await distribute(database, SHARDS);
  } finally {
    await database.close();
  }
  await Promise.all(servers.map((url) => keepToCopies(url, name)));
}

/** Distributes a database as `pda distribute` does. */
export async function distribute(database: Database, shards: number): Promise<void> {
  const plan = await planDistribution(database, shards);
  await detachClicks(database);
  await writeAlone(database, false, (transaction) => distributeTables(transaction, plan));
  await removeCopies(database);
}

/** Ends the sessions that Citus keeps in a database, which would prevent its copies. */
async function keepToCopies(url: string, name: string): Promise<void> {
  await onServer(url, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await onServer(url, `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${name}'`);
}

async function onServer(url: string, sql: string): Promise<void> {
  const server = openPostgres({ url, poolSize: 1, purpose: 'bulk' });
  try {
    await server.script(sql);
  } finally {
    await server.close();
  }
}
