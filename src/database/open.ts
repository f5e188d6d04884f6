/** Opens the configured home of the data. Only this module knows which one it is. */
import type { Database } from './database.ts';
import { enterDoor } from './door-client.ts';
import type { EmbeddedOptions } from './embedded.ts';
import { FolderInUse, type Holder } from './folder-lock.ts';
import type { PostgresOptions } from './postgres.ts';
import { openReplica, type Replica, type ReplicaOptions } from './replica.ts';

interface DatabaseHome {
  /** A PostgreSQL connection URL; without it, the embedded database is used. */
  databaseUrl?: string | undefined;
  /** The embedded database's folder. */
  dataDir: string;
}

/** What both homes report; each calls what applies to it. */
type OpenOptions = Pick<PostgresOptions, 'purpose' | 'poolSize' | 'onConnectionLost' | 'onAway' | 'onBack'> &
  Pick<EmbeddedOptions, 'onShared' | 'onTimeoutLost' | 'onEnd'>;

/** Opens the data's home. @throws {FolderInUse} when another process holds the embedded folder. */
export async function openDatabase(home: DatabaseHome, options: OpenOptions = {}): Promise<Database> {
  // Load only the chosen driver, because the other one would cost start-up time.
  if (home.databaseUrl !== undefined) {
    const { openPostgres } = await import('./postgres.ts');
    return openPostgres({ url: home.databaseUrl, ...options });
  }
  const { openEmbedded } = await import('./embedded.ts');
  return openEmbedded(home.dataDir, options);
}

/** Opens the replicas at these PostgreSQL connection URLs. No connection is made until the first read. */
export async function openReplicas(
  urls: readonly string[],
  { poolSize, ...options }: Omit<ReplicaOptions, 'open'> & Pick<PostgresOptions, 'poolSize'>,
): Promise<Replica[]> {
  if (urls.length === 0) return [];
  const { openPostgres } = await import('./postgres.ts');
  return urls.map((url) =>
    openReplica({ ...options, open: (size = poolSize) => openPostgres({ url, poolSize: size }) }),
  );
}

/** Opens the data's home for a command. If a running server holds the embedded folder, connects through that server's door. */
export async function openForCommand(home: DatabaseHome, options: OpenOptions = {}): Promise<Database> {
  try {
    return await openDatabase(home, options);
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    return enter(error.holder, home);
  }
}

function enter({ door, pid }: Holder, { dataDir }: DatabaseHome): Promise<Database> {
  return enterDoor(door, `embedded database in ${dataDir}, through the server (process ${pid})`);
}
