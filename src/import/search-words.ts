/** Writes the words by which products, brands and categories are found: search vectors, and the list of all words, against which other readings and typing errors are checked. */
import { type Queryable, sqlStateOf } from '../database/database.ts';
import type { PlacedFeed } from './placed-feed.ts';

/** Names are ordered by their first characters: an entry of an index has its limit (2,704 bytes in PostgreSQL's B-tree). */
export const LONGEST_SORT_NAME = 200;

/** SQL for the search vector of folded words with blanks between. @param words an SQL expression; null gives an empty vector. */
export function searchVector(words: string): string {
  return `array_to_tsvector(string_to_array(COALESCE(${words}, ''), ' '))`;
}

/** SQL that adds words to the list of all words: in order, so that two writers never deadlock. @param texts SQL for a table of folded `words`. */
export function addToWordList(texts: string): string {
  return `
  INSERT INTO search_word (word)
  ${wordsIn(texts)}
  ORDER BY word
  ON CONFLICT DO NOTHING`;
}

const addUnknownWords = (texts: string) => `
  INSERT INTO search_word (word)
  SELECT word
  FROM (${wordsIn(texts)}) AS stated
  WHERE NOT EXISTS (SELECT FROM search_word WHERE search_word.word = stated.word)
  ORDER BY word`;

const wordsIn = (texts: string) => `
  SELECT DISTINCT word COLLATE "C" AS word
  FROM ${texts}
  CROSS JOIN LATERAL unnest(string_to_array(words, ' ')) AS word
  WHERE word <> ''`;

/** Writes the words of the products that a feed founds, and of those that it adds fields to. */
export async function writeSearchWords({ transaction, table, productFields }: PlacedFeed): Promise<void> {
  const words = productFields.flatMap((field) => (field.words === undefined ? [] : [`item.${field.words}`]));
  await transaction.query(addVectors(table, words));
  await transaction.query(EXTEND_VECTORS);
  await addNewWords(transaction, wordsOfFeed(table, words));
}

const UNIQUE_VIOLATION = '23505';

// A check for conflicts doubles the time of an insert, and hardly ever does another writer add words at the same time: the migration of
// old names, or a category tree.
async function addNewWords(transaction: Queryable, texts: string): Promise<void> {
  await transaction.script('SAVEPOINT words');
  try {
    await transaction.query(addUnknownWords(texts));
  } catch (error) {
    if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
    await transaction.script('ROLLBACK TO SAVEPOINT words');
    await transaction.query(addToWordList(texts));
  }
  await transaction.script('RELEASE SAVEPOINT words');
}

/** Updates the list of popular products, those of the highest rank. Call it after raising the catalogue's version: otherwise two transactions could deadlock. */
export async function refreshPopular(transaction: Queryable, most = MOST_POPULAR): Promise<void> {
  await transaction.query(DROP_LESS_POPULAR, [most]);
  await transaction.query(ADD_POPULAR, [most]);
}

const MOST_POPULAR = 20_000;

// By product_rank_idx.
const TOP = 'SELECT id, rank FROM product ORDER BY rank DESC, id DESC LIMIT $1::int';

const DROP_LESS_POPULAR = `
  DELETE FROM popular_product
  WHERE NOT EXISTS (SELECT FROM (${TOP}) AS top WHERE top.id = popular_product.product_id)`;

const ADD_POPULAR = `
  INSERT INTO popular_product (product_id, rank, search)
  SELECT top.id, top.rank, product_search.search
  FROM (${TOP}) AS top
  LEFT JOIN popular_product AS known ON known.product_id = top.id
  JOIN product_search ON product_search.product_id = top.id
  WHERE known.rank IS DISTINCT FROM top.rank
  ON CONFLICT (product_id) DO UPDATE SET rank = excluded.rank`;

/** Adds the feed's new words to popular products. Run it after raising the version, like {@link refreshPopular}. */
export const EXTEND_POPULAR = `
  UPDATE popular_product
  SET search = product_search.search
  FROM filled
  JOIN product_search ON product_search.product_id = filled.product_id
  WHERE popular_product.product_id = filled.product_id`;

const addVectors = (table: string, words: readonly string[]) => `
  INSERT INTO product_search (product_id, search)
  SELECT matched.product_id,
         ${['item.words', ...words].map(searchVector).join(' || ')}
         || COALESCE(brand.search, '') || COALESCE(category.search, '')
  FROM matched
  JOIN ${table} AS item ON item.position = matched.position
  LEFT JOIN brand ON brand.id = matched.brand_id
  LEFT JOIN category ON category.id = item.category_id
  WHERE matched.is_founder`;

const EXTEND_VECTORS = `
  UPDATE product_search
  SET search = product_search.search || ${searchVector('filled.words')}
               || COALESCE(brand.search, '') || COALESCE(category.search, '')
  FROM filled
  JOIN product ON product.id = filled.product_id
  LEFT JOIN brand ON brand.id = product.brand_id
  LEFT JOIN category ON category.id = product.category_id
  WHERE product_search.product_id = filled.product_id`;

const wordsOfFeed = (table: string, words: readonly string[]) => `(
    SELECT concat_ws(' ', ${['item.words', ...words].join(', ')}, item.brand_words) AS words
    FROM matched
    JOIN ${table} AS item ON item.position = matched.position
    WHERE matched.is_founder
    UNION ALL
    SELECT concat_ws(' ', filled.words, brand.sort_name)
    FROM filled
    JOIN product ON product.id = filled.product_id
    LEFT JOIN brand ON brand.id = product.brand_id
  ) AS named`;
