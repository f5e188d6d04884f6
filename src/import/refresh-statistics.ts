/** Brings indices and statistics up to date after an import. */
import type { Database } from '../database/database.ts';
import type { ImportSummary } from './import-request.ts';

// Without statistics, the next import would plan its joins as if the tables were still empty. The embedded database has no
// autovacuum, and PostgreSQL's runs a minute late.
const MANY_CHANGES = 1_000;

/** @param isInSteps whether other statements wait for each of these: then a table at a time, from fewer rows. */
export async function refreshStatistics(
  database: Database,
  { new: added, changed, withdrawn }: ImportSummary,
  isInSteps: boolean,
): Promise<void> {
  const yields = isInSteps;
  // Every search reads the words that the index has not yet sorted in.
  if (added > 0) await database.query('SELECT clean_search_index()', [], { yields });
  if (added + changed + withdrawn < MANY_CHANGES) return;
  if (!isInSteps) await database.query('SELECT analyse_catalogue()');
  else for (const columns of TABLES) await analyse(database, columns);
}

// As the function analyse_catalogue in the migrations does, which is one statement.
const TABLES = [
  'brand (id, slug, name_key, sort_name, search, product_count)',
  'product (id, slug, sort_name, brand_id, category_id)',
  'product (mpn_key, offer_count, min_total, lowest_ever, popularity, rank, discount, discounted_on, created_at, merchant_id)',
  'product_search',
  'product_identifier',
  'offer (id, merchant_id, sku, product_id, total)',
  'offer (availability, condition, updated_at, withdrawn_at, gtin, asin)',
  'ledger',
];

// A sample has 300 rows for each step of the histogram, of which there are 100 by default.
const STEPS_OF_HISTOGRAM = 20;

async function analyse(database: Database, columns: string): Promise<void> {
  await database.transaction(
    (transaction) =>
      transaction.script(`SET LOCAL default_statistics_target = ${STEPS_OF_HISTOGRAM}; ANALYZE ${columns}`),
    { yields: true },
  );
}
