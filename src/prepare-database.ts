/** Prepares the database of an instance, once before it serves. */
import type { Database } from './database/database.ts';
import { requireServerRights } from './database/roles.ts';
import { unreadableSecrets } from './database/sealed-columns.ts';
import { migrateAndSeal } from './import/bring-up-to-date.ts';
import type { Log } from './operations/log.ts';

/** Migrates the database if its role may, checks that the role has the rights of the server, and warns of secrets that cannot be read. */
export async function prepareDatabase(database: Database, log: Log): Promise<void> {
  const applied = await migrateAndSeal(database);
  if (applied.length > 0) log.info({ migrations: applied }, 'The database was migrated');
  await requireServerRights(database);
  const unreadable = await unreadableSecrets(database);
  if (unreadable !== undefined) log.warn(unreadable);
}
