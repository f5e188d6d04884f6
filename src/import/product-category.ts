/** Where a row places its product in the category tree: by Google's id, or by a path of names. */
import type { Queryable } from '../database/database.ts';
import { findSoldByMeasure, type TreeNode } from './measure/sold-by-measure.ts';

/** `google_product_category` as feeds write it: an id of Google's taxonomy, a path, or both. */
export interface ProductCategory {
  id?: number;
  /** Names from the top, separated by ` > `. */
  path?: string;
}

/** A row's words about its category. */
export interface CategoryWords extends ProductCategory {
  /** The shop's own category. */
  productType?: string;
}

/** Reads `469`, `Health & Beauty > Personal Care`, `469 > Health & Beauty` or, as in the taxonomy file, `469 - Health & Beauty`. */
export function parseProductCategory(text: string): ProductCategory {
  const [, id, names = ''] = WITH_ID.exec(text) ?? [undefined, undefined, text];
  const path = namesOf(names)
    .filter((name) => name !== '')
    .join(' > ');
  return { ...(id !== undefined && { id: Number(id) }), ...(path !== '' && { path }) };
}

const WITH_ID = /^\s*(\d{1,9})\s*(?:[->]\s*(.*))?$/s;

/** The tree of categories, as rows refer to it. */
export interface KnownCategories {
  /** The category that words name, as far as the tree has its path. `product_type` must start with names of the tree. */
  find(words: CategoryWords): bigint | undefined;
  /** Whether its goods are sold by their amount. */
  isSoldByMeasure(category: bigint): boolean;
}

/** Reads the tree. */
export async function indexCategories(database: Queryable): Promise<KnownCategories> {
  const rows = await database.query<TreeNode & { path: string }>('SELECT id, google_id, parent_id, path FROM category');
  const soldByMeasure = findSoldByMeasure(rows);
  const byGoogleId = new Map(rows.map((row) => [row.google_id, row.id]));
  // Many feeds have only ids of Google, and to take thousands of paths apart takes longer than to import a few rows.
  let paths: Map<string, bigint> | undefined;
  let mostNames = 0;
  const byPath = () => {
    paths ??= new Map(
      rows.map((row) => {
        const names = namesOf(row.path.toLowerCase());
        mostNames = Math.max(mostNames, names.length);
        return [names.join('>'), row.id];
      }),
    );
    return paths;
  };

  const deepest = (path = ''): bigint | undefined => {
    const known = byPath();
    // A row may name any number of categories, each below the last, but the tree has only so many levels.
    for (let names = namesOf(path.toLowerCase()).slice(0, mostNames); names.length > 0; names.pop()) {
      const found = known.get(names.join('>'));
      if (found !== undefined) return found;
    }
    return undefined;
  };

  return {
    find: ({ id, path, productType }) =>
      (id === undefined ? undefined : byGoogleId.get(id)) ?? deepest(path) ?? deepest(productType),
    isSoldByMeasure: (category) => soldByMeasure.has(category),
  };
}

function namesOf(path: string): string[] {
  return path.split('>').map((name) => name.trim());
}
