/** Prepares the database for this version when a process opens it, as far as the process's role may. */
import type { Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { sealStored } from '../database/sealed-columns.ts';
import { foldName } from '../values/words.ts';
import { raiseVersion } from './figures.ts';
import { addToWordList, LONGEST_SORT_NAME, refreshPopular, searchVector } from './search-words.ts';
import { soleValue } from './sole-value.ts';

/**
 * Applies missing migrations and returns their names. Also folds names that an older version has left.
 * @throws {MayNotMigrate} when migrations are missing and this role may not apply them.
 */
export async function bringUpToDate(database: Database): Promise<string[]> {
  const applied = await migrate(database);
  if (await soleValue(database, "SELECT has_table_privilege('product_search', 'INSERT') AS may"))
    await foldNames(database);
  // All processes that use a folder are of this version. On a server, gateways of earlier versions could not read what is sealed: `pda seal`.
  if (database.dataFolder !== undefined) await sealStored(database);
  return applied;
}

const BATCH = 2_000;
const KINDS = ['brand', 'category', 'merchant', 'product'] as const;

/** Folds all names that are not folded yet. Product names come last, because their words include those of brand and category. */
export async function foldNames(database: Database): Promise<void> {
  for (const kind of KINDS) {
    let batches = 0;
    while (await foldBatch(database, kind)) batches += 1;
    if (kind === 'product' && batches > 0) {
      await database.transaction(
        async (transaction) => {
          await raiseVersion(transaction);
          await refreshPopular(transaction);
        },
        { isLong: true },
      );
    }
  }
}

/** @returns whether there were names to fold. */
async function foldBatch(database: Database, kind: (typeof KINDS)[number]): Promise<boolean> {
  // By product_unfolded_idx; the other tables are small.
  const rows = await database.query<{ id: bigint; name: string }>(
    `SELECT id, name FROM ${kind} WHERE sort_name IS NULL ORDER BY id LIMIT ${BATCH}`,
  );
  if (rows.length === 0) return false;
  const words = rows.map(({ name }) => foldName(name));
  const parameters = [rows.map(({ id }) => id), words];
  await database.transaction(
    async (transaction) => {
      if (kind === 'product') await transaction.query(ADD_VECTORS, parameters);
      // Searches do not look for the words of merchants.
      if (kind !== 'merchant') await transaction.query(addToWordList('unnest($1::text[]) AS words'), [words]);
      await transaction.query(setSortName(kind), parameters);
    },
    { isLong: true },
  );
  return true;
}

const setSortName = (kind: string) => `
  UPDATE ${kind}
  SET sort_name = left(folded.words, ${LONGEST_SORT_NAME})
      ${kind === 'brand' || kind === 'category' ? `, search = ${searchVector('folded.words')}` : ''}
  FROM unnest($1::bigint[], $2::text[]) AS folded (id, words)
  WHERE ${kind}.id = folded.id`;

const ADD_VECTORS = `
  INSERT INTO product_search (product_id, search)
  SELECT product.id,
         ${searchVector('folded.words')} || ${searchVector('lower(product.mpn_key)')}
         || COALESCE(brand.search, '') || COALESCE(category.search, '')
  FROM unnest($1::bigint[], $2::text[]) AS folded (id, words)
  JOIN product ON product.id = folded.id
  LEFT JOIN brand ON brand.id = product.brand_id
  LEFT JOIN category ON category.id = product.category_id
  ON CONFLICT DO NOTHING`;
