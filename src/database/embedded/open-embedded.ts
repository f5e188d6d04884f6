/** Opens the embedded database: a PostgreSQL server of our own in a folder, which all processes that use the folder share. */
import { availableParallelism } from 'node:os';
import { type Database, type DatabaseEnded, NotCreated } from '../database.ts';
import { isOpenToOthers } from '../open-to-others.ts';
import { openPostgres, type PostgresOptions } from '../postgres.ts';
import { openVault, type Vault, type VaultKeys } from '../vault.ts';
import { clusterIn, hasCluster } from './cluster.ts';
import { keysIn } from './own-key.ts';
import { type Place, takePlace } from './place.ts';
import { explainRefusal } from './refusal.ts';

export interface EmbeddedOptions extends Omit<PostgresOptions, 'url' | 'description'> {
  /** The processes that answer requests; those of this process's instance. */
  workers?: number | undefined;
  /** The operator's keys; without a present one, the key in the folder is used. */
  keys?: VaultKeys;
  /** Refuses to create the database, and its key: without one, values are read as they are. */
  mustExist?: boolean;
  /** Called with a sentence if other users of the machine can replace the database. */
  onShared?: ((warning: string) => void) | undefined;
  /** Called when the server has ended by itself and cannot be started again. */
  onEnd?: ((error: DatabaseEnded) => void) | undefined;
}

// Each worker has at most ten connections, its place, and those of its streams; imports, commands and feeds have the rest.
const CONNECTIONS_A_WORKER = 16;
const FURTHER_CONNECTIONS = 50;

/**
 * Opens the embedded database in `dataDir`, and creates it on first use.
 * @throws {EmbeddedUnusable} when it cannot run here or in this folder; {@link NotCreated} if it must exist.
 * @throws {DatabaseEnded} when it cannot be started, as on a full disk.
 */
export async function openEmbedded(dataDir: string, options: EmbeddedOptions = {}): Promise<Database> {
  const { workers = 1, mustExist = false, onShared, onEnd, keys, ...ofPool } = options;
  const cluster = clusterIn(dataDir);
  const most = Math.max(workers, availableParallelism());
  const maxConnections = CONNECTIONS_A_WORKER * most + FURTHER_CONNECTIONS;
  let place: Place | undefined;
  let vault: Vault;
  try {
    if (mustExist && !hasCluster(cluster)) {
      throw new NotCreated(
        `${dataDir} has no database yet: start the server or run \`pda migrate\` first, or set DATA_DIR or DATABASE_URL to another one.`,
      );
    }
    place = await takePlace(cluster, { maxConnections, onEnd });
    vault = openVault(keysIn(cluster.home, keys, mustExist));
  } catch (error) {
    await place?.leave();
    throw explainRefusal(cluster.home, error);
  }
  if (isOpenToOthers(cluster.home)) {
    onShared?.(
      `Other users may write to the data folder ${cluster.home} and could replace the database. ` +
        'Set DATA_DIR to a folder that belongs to this user and contains nothing else, or remove write permission for other users.',
    );
  }
  const database = openPostgres({ ...ofPool, url: place.url, description: `embedded database in ${dataDir}` });
  return {
    ...database,
    dataFolder: cluster.home,
    vault,
    async close() {
      await database.close().finally(place.leave);
    },
  };
}
