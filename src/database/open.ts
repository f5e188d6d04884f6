/** Opens the configured home of the data. Only this module knows which one it is. */
import type { Database } from './database.ts';
import type { EmbeddedOptions } from './embedded/open-embedded.ts';
import { openPostgres, type PostgresOptions } from './postgres.ts';
import { openReplica, type Replica, type ReplicaOptions } from './replica.ts';
import { openVault } from './vault.ts';

interface DatabaseHome {
  /** A PostgreSQL connection URL; without it, the embedded database is used. */
  databaseUrl?: string | undefined;
  /** The embedded database's folder. */
  dataDir: string;
  /** Seals the secrets in the database. The embedded one has a key of its own. */
  secretKey?: string | undefined;
  /** The key that it has replaced. */
  formerSecretKey?: string | undefined;
  /** The processes that answer requests; one by default. */
  workers?: { count: number };
}

/** @throws what `openPostgres` or `openEmbedded` throw. */
export async function openDatabase(
  home: DatabaseHome,
  options: Omit<EmbeddedOptions, 'workers' | 'keys'> = {},
): Promise<Database> {
  const { databaseUrl, dataDir, workers, secretKey, formerSecretKey } = home;
  const { mustExist, onShared, onEnd, ...ofPool } = options;
  const keys = { present: secretKey, former: [formerSecretKey] };
  if (databaseUrl !== undefined) return { ...openPostgres({ url: databaseUrl, ...ofPool }), vault: openVault(keys) };
  // Loaded only where it is used, because it would cost start-up time.
  const { openEmbedded } = await import('./embedded/open-embedded.ts');
  return openEmbedded(dataDir, { ...options, keys, workers: workers?.count });
}

/** Opens the replicas at these PostgreSQL connection URLs. No connection is made until the first read. */
export async function openReplicas(
  urls: readonly string[],
  { poolSize, ...options }: Omit<ReplicaOptions, 'open'> & Pick<PostgresOptions, 'poolSize'>,
): Promise<Replica[]> {
  if (urls.length === 0) return [];
  return urls.map((url) =>
    openReplica({ ...options, open: (size = poolSize) => openPostgres({ url, poolSize: size }) }),
  );
}
