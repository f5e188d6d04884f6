/** Adds the brands of a feed that the catalogue does not have. */
import type { Queryable } from '../database/database.ts';
import { searchVector } from './search-words.ts';
import type { Staging } from './staging.ts';

/** Adds the brands that staged rows name. */
export async function addBrands(transaction: Queryable, { table }: Staging): Promise<void> {
  await transaction.query(add(table));
}

// By the unique index on brand (name_key). A slug that is taken gets the brand's number after two hyphens, which no slug
// made from a name can have.
const add = (table: string) => `
  INSERT INTO brand (id, slug, name, name_key, sort_name, search)
  SELECT id,
         CASE WHEN is_first AND NOT EXISTS (SELECT FROM brand WHERE brand.slug = fresh.slug) THEN slug ELSE slug || '--' || id END,
         name,
         name_key,
         words,
         ${searchVector('words')}
  FROM (
    SELECT nextval('brand_id_seq') AS id, slug, name, name_key, words,
           row_number() OVER (PARTITION BY slug ORDER BY position) = 1 AS is_first
    FROM (
      SELECT DISTINCT ON (brand_key)
             brand_slug AS slug, brand AS name, brand_key AS name_key, brand_words AS words, position
      FROM ${table}
      WHERE fault IS NULL AND brand_key IS NOT NULL
      ORDER BY brand_key, position
    ) AS named
    WHERE NOT EXISTS (SELECT FROM brand WHERE brand.name_key = named.name_key)
  ) AS fresh`;
