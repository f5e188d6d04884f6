/** Creates products for offers that have lost theirs, from what their rows stated; later feeds fill in the rest. */
import type { Queryable } from '../database/database.ts';
import { slugOf } from '../values/slug.ts';
import { foldName } from '../values/words.ts';
import type { Home } from './affected-offers.ts';
import { addToWordList, LONGEST_SORT_NAME, searchVector } from './search-words.ts';
import { noteNewProducts } from './stream.ts';

/** Creates a product that has only a name and can be found by its words. Its figures are refreshed with its offers. */
export async function makeOwnProduct(transaction: Queryable, name: string, merchantId: bigint): Promise<Home> {
  const words = foldName(name);
  const [made] = await transaction.query<Home>(ADD, [slugOf(name, 'product'), name, words, merchantId]);
  if (!made) throw new Error('The product was not made.');
  await transaction.query(noteNewProducts('SELECT $1::bigint'), [made.id]);
  const addVector = `INSERT INTO product_search (product_id, search) VALUES ($1, ${searchVector('$2::text')})`;
  await transaction.query(addVector, [made.id, words]);
  await transaction.query(addToWordList('(SELECT $1::text AS words) AS named'), [words]);
  return made;
}

// A slug that is taken gets the product's number after two hyphens, which no slug made from a name can have.
const ADD = `
  INSERT INTO product (id, slug, name, sort_name, merchant_id, created_at, updated_at)
  SELECT fresh.id,
         CASE WHEN EXISTS (SELECT FROM product WHERE product.slug = $1::text) THEN $1::text || '--' || fresh.id ELSE $1::text END,
         $2::text, left($3::text, ${LONGEST_SORT_NAME}), $4::bigint, now(), now()
  FROM (SELECT nextval('product_id_seq') AS id) AS fresh
  RETURNING id, slug`;
