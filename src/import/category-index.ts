/** Finds the category of the tree that a shop's words name: Google's id, or a path of names. */
import type { Queryable } from '../database/database.ts';
import type { ProductCategory } from './product-category.ts';

/** A row's words about its category. */
export interface CategoryWords extends ProductCategory {
  /** The shop's own category. */
  productType?: string;
}

/**
 * Reads the tree and returns the function that finds categories. A path that goes deeper than the tree, or into a branch that the
 * tree lacks, is followed as far as the tree knows it. A shop's own `product_type` helps only if it starts with names of the tree.
 */
export async function indexCategories(database: Queryable): Promise<(words: CategoryWords) => bigint | undefined> {
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

  return ({ id, path, productType }) =>
    (id === undefined ? undefined : byGoogleId.get(id)) ?? deepest(path) ?? deepest(productType);
}

function pathKey(path: string): string {
  return path
    .split('>')
    .map((name) => name.trim().toLowerCase())
    .join('>');
}
