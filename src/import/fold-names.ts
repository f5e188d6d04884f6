/** Folds the names that an older version has stored without folding. The importer folds the names that it writes. */

import type { Database } from '../database/database.ts';
import { foldName } from '../values/words.ts';
import { raiseVersion } from './figures.ts';
import { LONGEST_SORT_NAME, refreshPopular, searchVector } from './search-words.ts';

const BATCH = 2_000;

const KINDS = ['brand', 'category', 'merchant', 'product'] as const;

/** Folds all names that are not folded yet. Product names come last, because their words include those of brand and category. */
export async function foldNames(database: Database): Promise<void> {
  for (const kind of KINDS) {
    let folded = 0;
    while (folded % BATCH === 0) {
      const more = await foldBatch(database, kind);
      if (more === 0) break;
      folded += more;
    }
    if (kind === 'product' && folded > 0) {
      await database.transaction(async (transaction) => {
        await raiseVersion(transaction);
        await refreshPopular(transaction);
      });
    }
  }
}

/** @returns how many names were folded. */
async function foldBatch(database: Database, kind: (typeof KINDS)[number]): Promise<number> {
  // By product_unfolded_idx; the other tables are small.
  const rows = await database.query<{ id: bigint; name: string }>(
    `SELECT id, name FROM ${kind} WHERE sort_name IS NULL ORDER BY id LIMIT ${BATCH}`,
  );
  if (rows.length === 0) return 0;
  const parameters = [rows.map((row) => row.id), rows.map((row) => foldName(row.name))];
  await database.transaction(async (transaction) => {
    if (kind === 'product') await transaction.query(ADD_VECTORS, parameters);
    await transaction.query(addWords(kind), parameters);
    await transaction.query(setSortName(kind), parameters);
  });
  return rows.length;
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

// Searches do not look for the words of merchants.
const addWords = (kind: string) => `
  INSERT INTO search_word (word)
  SELECT DISTINCT word COLLATE "C" AS word
  FROM unnest($1::bigint[], $2::text[]) AS folded (id, words)
  CROSS JOIN LATERAL unnest(string_to_array(words, ' ')) AS word
  WHERE word <> '' AND '${kind}' <> 'merchant'
  ORDER BY word
  ON CONFLICT DO NOTHING`;
