/** Which home the data has, by configuration: the only place that asks. */
import type { Database, Purpose } from './database.ts';
import { enterDoor } from './door-client.ts';
import { FolderInUse, type Holder, lockOf } from './folder-lock.ts';
import { openReplica, type Replica, type ReplicaOptions } from './replica.ts';

export interface DatabaseHome {
  /** A PostgreSQL connection URL; the embedded database when absent. */
  databaseUrl?: string | undefined;
  /** The embedded database's folder. */
  dataDir: string;
}

export interface OpenOptions {
  /** What the statements are for; requests by default. */
  purpose?: Purpose;
  onConnectionLost?: (error: Error) => void;
  /** Called when the PostgreSQL server is away, and when one has been found again. */
  onAway?: (reason: Error) => void;
  onBack?: () => void;
  /** Told in a sentence when other users of the machine may change the embedded database's folder. */
  onShared?: (warning: string) => void;
  /** Told when the embedded database does not end statements any more that run for too long. */
  onTimeoutLost?: (error: Error) => void;
  /** Told when the embedded database has ended itself. */
  onEnd?: (error: Error) => void;
}

/**
 * Opens the data's home as the one process that serves it.
 *
 * @throws {FolderInUse} when another process holds the embedded folder.
 */
export async function openDatabase(home: DatabaseHome, options: OpenOptions = {}): Promise<Database> {
  // Each home is loaded when it is chosen: the other's driver would only cost start-up time.
  if (home.databaseUrl !== undefined) {
    const { openPostgres } = await import('./postgres.ts');
    return openPostgres({ url: home.databaseUrl, ...options });
  }
  const { openEmbedded } = await import('./embedded.ts');
  return openEmbedded(home.dataDir, options);
}

/** Opens the replicas at these PostgreSQL connection URLs. No connection is made until the first read. */
export async function openReplicas(urls: readonly string[], options: Omit<ReplicaOptions, 'open'>): Promise<Replica[]> {
  if (urls.length === 0) return [];
  const { openPostgres } = await import('./postgres.ts');
  return urls.map((url) =>
    openReplica({ ...options, open: (poolSize) => openPostgres({ url, ...(poolSize && { poolSize }) }) }),
  );
}

/** Opens the data's home for a command: when a running server holds the embedded folder, through that server's door. */
export async function openForCommand(home: DatabaseHome, options: OpenOptions = {}): Promise<Database> {
  try {
    return await openDatabase(home, options);
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    return enter(error.holder, home);
  }
}

/**
 * Opens the data's home where a server already has it open: PostgreSQL, or the door of the process that holds the embedded
 * folder. Nothing where nobody does: opening the folder itself takes a second, and makes it when it is not there.
 */
export async function openServed(home: DatabaseHome): Promise<Database | undefined> {
  if (home.databaseUrl !== undefined) return openDatabase(home);
  const lock = await lockOf(home.dataDir);
  return lock?.isAlive ? enter(lock.holder, home) : undefined;
}

function enter({ door, pid }: Holder, { dataDir }: DatabaseHome): Promise<Database> {
  return enterDoor(door, `embedded database in ${dataDir}, through the server (process ${pid})`);
}
