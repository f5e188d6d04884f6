/** Checks each replica: whether it answers, whether it is a copy of the database, and how far it lags. Changes nothing. */
import { readVersion } from '../../catalogue/version.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { readDeployment } from '../../database/deployment.ts';
import { pendingMigrations } from '../../database/migrate.ts';
import { openDatabase } from '../../database/open.ts';
import { counted } from '../../values/counted.ts';
import { type Finding, ok, problem, reasonOf, warning } from './finding.ts';

/** The state of the database that replicas are compared with; `undefined` if the database cannot be reached. */
type Primary = { deployment: string; version: bigint } | undefined;

/** Examines each configured replica, even if the database itself cannot be reached. */
export async function examineReplicas(config: Config): Promise<Finding[]> {
  if (config.databaseReplicaUrls.length === 0) return [];
  const primary = await reading(config, config.databaseUrl, async (database) => ({
    deployment: await readDeployment(database),
    version: await readVersion(database),
  })).catch(() => undefined); // The check of the database reports this.
  return Promise.all(
    config.databaseReplicaUrls.map((url, index) => examineReplica(config, url, `replica ${index + 1}`, primary)),
  );
}

function examineReplica(config: Config, url: string, name: string, primary: Primary): Promise<Finding> {
  let description = name;
  return reading(config, url, async (database) => {
    ({ description } = database);
    const [row] = await database.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
    const missing = await pendingMigrations(database);
    if (missing.length > 0) {
      const remedy = 'Wait until it has caught up. If it does not, check its log and the database that it copies.';
      return problem(
        name,
        `${description}: ${counted(missing.length, 'migration has', 'migrations have')} not arrived yet`,
        remedy,
      );
    }
    if (primary && (await readDeployment(database)) !== primary.deployment) {
      const remedy = 'Set DATABASE_REPLICA_URLS to replicas of the database at DATABASE_URL.';
      return problem(name, `${description} is a copy of another database`, remedy);
    }
    if (!row?.standby) {
      const remedy = 'Remove it from DATABASE_REPLICA_URLS, or replace it with a standby.';
      return warning(name, `${description} accepts writes, so it is not a standby`, remedy);
    }
    const behind = primary ? primary.version - (await readVersion(database)) : 0n;
    if (behind <= 0n) return ok(name, `${description}, up to date`);
    const remedy = 'It gets no reads until it has caught up. Check its load, its disk, and whether replay is paused.';
    return warning(name, `${description}, ${counted(Number(behind), 'catalogue change')} behind`, remedy);
  }).catch((error: unknown) => {
    const remedy =
      'Check that it is running and that DATABASE_REPLICA_URLS is correct. Until then its reads go to the other replicas and the database.';
    return problem(name, `${description}: ${reasonOf(error)}`, remedy);
  });
}

async function reading<Result>(
  { dataDir }: Config,
  databaseUrl: string | undefined,
  read: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase({ databaseUrl, dataDir });
  try {
    return await read(database);
  } finally {
    await database.close();
  }
}
