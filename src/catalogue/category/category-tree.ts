/** The category tree in memory: nearly every request needs its few thousand rows. A change of categories or their counts reloads it. */
import { batched } from '../../database/batch.ts';
import { columnsOf } from '../../database/columns.ts';
import type { Queryable } from '../../database/database.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { decodeId } from '../../values/id.ts';
import { TAG } from '../tags.ts';
import { type CatalogueVersion, readVersion } from '../version.ts';

/** The columns of a category. Declared once: the row type and the statement derive from it. */
const CATEGORY = {
  id: true,
  slug: true,
  name: true,
  parentId: true,
  totalCount: true,
} as const satisfies Prisma.CategorySelect;

type CategoryRow = Prisma.CategoryGetPayload<{ select: typeof CATEGORY }>;

/** A category with its place in the tree. */
export interface CategoryNode extends CategoryRow {
  parent: CategoryNode | undefined;
  /** By name. */
  children: CategoryNode[];
}

type CategoryTree = ReturnType<typeof grow>;

const CATEGORIES = `
  SELECT ${columnsOf('Category', CATEGORY)}
  FROM category
  ORDER BY sort_name, id`;

/** Opens the tree over a database. */
export function openCategoryTree(database: Queryable, version: CatalogueVersion) {
  const { changes } = version;
  let kept: { version: bigint; tree: CategoryTree } | undefined;
  let hasChanged = true;
  changes.watch((tags) => {
    if (!tags || tags.includes(TAG.categories)) hasChanged = true;
  });
  const current = batched<'tree', CategoryTree>(async (asked) => {
    // Read the version before the tree. A tree newer than its version is only reloaded once more, but an older one would stay
    // until the next change.
    const { seen } = changes;
    const now = await readVersion(database);
    if (kept?.version !== now) {
      const rows = await database.query<CategoryRow>(CATEGORIES, [], { name: 'categories', isCurrent: true });
      kept = { version: now, tree: grow(rows) };
    }
    const { tree } = kept;
    hasChanged = changes.hasChanged([TAG.categories], seen);
    return asked.map(() => tree);
  });
  return {
    /** The tree of the known version, without a query if it is loaded and has not changed; otherwise the current one. */
    async known(): Promise<CategoryTree> {
      const isKept = version.known() !== undefined && !hasChanged;
      return kept && isKept ? kept.tree : current.load('tree');
    },
    /** The current tree: one statement for all concurrent callers, two after a change. */
    current: () => current.load('tree'),
  };
}

function grow(rows: readonly CategoryRow[]) {
  const byId = new Map<bigint, CategoryNode>(rows.map((row) => [row.id, { ...row, parent: undefined, children: [] }]));
  const roots: CategoryNode[] = [];
  for (const node of byId.values()) {
    node.parent = node.parentId === null ? undefined : byId.get(node.parentId);
    (node.parent?.children ?? roots).push(node);
  }
  const bySlug = new Map([...byId.values()].map((node) => [node.slug, node]));
  return {
    byId,
    /** By name. */
    roots,
    /** Finds a category by slug or id. */
    find: (slugOrId: string) => {
      const id = decodeId('category', slugOrId);
      return id === undefined ? bySlug.get(slugOrId) : byId.get(id);
    },
  };
}

/** The ids of a category and all its descendants. */
export function withAllBelow(category: CategoryNode): bigint[] {
  return [category.id, ...category.children.flatMap(withAllBelow)];
}
