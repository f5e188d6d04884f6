/** Which category of the tree a shop's words name: Google's id, or a path of names. */
import type { Queryable } from '../database/database.ts';
import type { FeedItem } from './item.ts';

type Words = Pick<FeedItem, 'googleCategoryId' | 'categoryPath' | 'productType'>;

/**
 * Reads the tree and gives the finder of categories. A path that goes deeper than the tree, or into a branch that it has
 * not, is taken as far as it is known; a shop's own `product_type` helps only where it begins with names of the tree.
 */
export async function indexCategories(database: Queryable): Promise<(words: Words) => bigint | undefined> {
  const rows = await database.query<{ id: bigint; google_id: number; path: string }>(
    'SELECT id, google_id, path FROM category',
  );
  const byGoogleId = new Map(rows.map((row) => [row.google_id, row.id]));
  const byPath = new Map(rows.map((row) => [pathKey(row.path), row.id]));

  const deepest = (path: string | undefined): bigint | undefined => {
    for (let names = path === undefined ? [] : pathKey(path).split('>'); names.length > 0; names = names.slice(0, -1)) {
      const found = byPath.get(names.join('>'));
      if (found !== undefined) return found;
    }
    return undefined;
  };

  return ({ googleCategoryId, categoryPath, productType }) =>
    (googleCategoryId === undefined ? undefined : byGoogleId.get(googleCategoryId)) ??
    deepest(categoryPath) ??
    deepest(productType);
}

function pathKey(path: string): string {
  return path
    .split('>')
    .map((name) => name.trim().toLowerCase())
    .join('>');
}
