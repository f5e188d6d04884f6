/** Prepares the database for this version when a process opens it, as far as the process's role may. */

import type { Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { foldNames } from './fold-names.ts';
import { soleValue } from './sole-value.ts';

/**
 * Applies missing migrations, and folds names that an older version has left. A role that may migrate may do both, so a role that may
 * not change the catalogue finds nothing to fold.
 *
 * @returns the names of the migrations applied now.
 * @throws {MayNotMigrate} when migrations are missing and this role may not apply them.
 */
export async function bringUpToDate(database: Database): Promise<string[]> {
  const applied = await migrate(database);
  if (await soleValue(database, "SELECT has_table_privilege('product_search', 'INSERT') AS may"))
    await foldNames(database);
  return applied;
}
