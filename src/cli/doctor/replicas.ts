/** The replicas: whether each answers, is a copy of the database, and how far behind it is. Changes nothing. */
import { readVersion } from '../../catalogue/version.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { readDeployment } from '../../database/deployment.ts';
import { pendingMigrations } from '../../database/migrate.ts';
import { openDatabase } from '../../database/open.ts';
import { type Finding, ok, problem, reasonOf, warning } from './finding.ts';

/** What the database says, which a replica is compared with; nothing when it is away. */
type Primary = { deployment: string; version: bigint } | undefined;

/** Examines each replica that is configured, also when the database itself is away. */
export async function examineReplicas(config: Config): Promise<Finding[]> {
  if (config.databaseReplicaUrls.length === 0) return [];
  const primary = await reading(config, config.databaseUrl, async (database) => ({
    deployment: await readDeployment(database),
    version: await readVersion(database),
  })).catch(() => undefined); // The examination of the database says so.
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
      const remedy = 'Wait until it has caught up; if it does not, look at its log and at the database it copies.';
      return problem(name, `${description}: ${missing.length} migrations have not come yet`, remedy);
    }
    if (primary && (await readDeployment(database)) !== primary.deployment) {
      return problem(
        name,
        `${description} is a copy of another database`,
        'Name a replica of the database at DATABASE_URL.',
      );
    }
    if (!row?.standby) {
      const remedy = 'Name a standby, or leave it out: reads go to the database itself as they are.';
      return warning(name, `${description} takes writes: it is no standby`, remedy);
    }
    const behind = primary ? primary.version - (await readVersion(database)) : 0n;
    if (behind <= 0n) return ok(name, `${description}, level`);
    return warning(
      name,
      `${description}, ${behind} changes of the catalogue behind`,
      'It gets no reads until it is level: see its load, its disk, and whether its replay is paused.',
    );
  }).catch((error: unknown) =>
    problem(
      name,
      `${description}: ${reasonOf(error)}`,
      'Check that it runs and that DATABASE_REPLICA_URLS names it rightly; until then the others and the database read for it.',
    ),
  );
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
