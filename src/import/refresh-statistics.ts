/** Brings indices and statistics up to date after an import. */
import type { Database } from '../database/database.ts';
import type { ImportSummary } from './import-request.ts';

// Without statistics, the next import would plan its joins as if the tables were still empty. Autovacuum comes up to a minute later.
const MANY_CHANGES = 1_000;

export async function refreshStatistics(
  database: Database,
  { new: added, changed, withdrawn }: ImportSummary,
): Promise<void> {
  // Every search reads the words that the index has not yet sorted in.
  if (added > 0) await database.query('SELECT clean_search_index()');
  if (added + changed + withdrawn >= MANY_CHANGES) await database.query('SELECT analyse_catalogue()');
}
