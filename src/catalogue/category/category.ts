/** Categories: the nodes of Google's product taxonomy. */
import { encodeId } from '../../values/id.ts';
import { requireUpTo } from '../arguments.ts';
import { builder, numberOf } from '../builder.ts';
import { cost } from '../field-cost.ts';
import type { CategoryNode } from './category-tree.ts';

export const Category = builder.objectRef<CategoryNode>('Category');

Category.implement({
  description: "A category of Google's product taxonomy.",
  fields: (t) => ({
    slug: t.exposeString('slug', { description: 'The name used in URLs. It never changes.' }),
    name: t.exposeString('name', { description: 'The name to show.' }),
    productCount: t.exposeInt('totalCount', {
      description: 'The number of products in this category and its subcategories.',
    }),
    parent: t.expose('parent', {
      type: Category,
      nullable: true,
      description: 'The parent category; null for a top category.',
    }),
    children: t.expose('children', {
      type: [Category],
      // The taxonomy has few levels, and 5,600 categories in all.
      ...cost({ items: 10, itemsBelowItself: 1.5 }),
      description: 'The direct subcategories, by name.',
    }),
    path: t.field({
      type: [Category],
      ...cost({ items: 4 }),
      description: 'The path from the top category to this one, inclusive.',
      resolve: pathTo,
    }),
  }),
});

builder.nodeRef(Category, {
  id: { resolve: (category: CategoryNode) => encodeId('category', category.id) },
  loadOne: (id, { loaders }) => loaders.category.load(numberOf('category', id)),
});

/** The path from the top level to a category, including the category. */
export function pathTo(category: CategoryNode): CategoryNode[] {
  return [...(category.parent ? pathTo(category.parent) : []), category];
}

/** The most levels in one request; Google's taxonomy has seven. */
export const DEEPEST = 8;

builder.queryField('categories', (t) =>
  t.field({
    type: [Category],
    ...cost({ items: 25 }),
    description: 'The category tree by name, from the top or from one category.',
    args: {
      root: t.arg.id({
        description: 'The slug or id of the category to start from. An unknown category returns an empty list.',
      }),
      depth: t.arg.int({
        description: 'The number of levels, 1 to 8; all by default. Categories on the last level have no children.',
      }),
      nonEmpty: t.arg.boolean({
        description: 'If true, without categories that have no products, not even in subcategories.',
      }),
    },
    resolve: async (_root, { root, depth, nonEmpty }, { loaders }) => {
      requireUpTo(DEEPEST, 'depth', depth);
      const tree = await loaders.categoryTree();
      const top = root == null ? tree.roots : [tree.find(root)].filter((node) => node !== undefined);
      if (depth == null && !nonEmpty) return [...top];
      return cut(top, depth ?? Number.POSITIVE_INFINITY, nonEmpty ?? false);
    },
  }),
);

/** The categories, cut to a number of levels, of which they are the first. @param isNonEmpty whether to leave out those without products. */
function cut(categories: readonly CategoryNode[], depth: number, isNonEmpty: boolean): CategoryNode[] {
  return categories
    .filter(({ totalCount }) => !isNonEmpty || totalCount > 0)
    .map((category) => ({
      ...category,
      children: depth > 1 ? cut(category.children, depth - 1, isNonEmpty) : [],
    }));
}
