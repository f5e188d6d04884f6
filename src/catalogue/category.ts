/** Categories: the nodes of Google's product taxonomy. */
import { loadOne } from '../database/batch.ts';
import type { Queryable } from '../database/database.ts';
import type { Category as CategoryRow } from '../generated/prisma/client.ts';
import { builder } from './builder.ts';
import { encodeId } from './id.ts';

// By the primary key.
const CATEGORIES = `
  SELECT id, google_id AS "googleId", slug, name, path, parent_id AS "parentId"
  FROM category
  WHERE id = ANY ($1::bigint[])`;

export const categoriesById = (database: Queryable) =>
  loadOne<bigint, CategoryRow>(database, CATEGORIES, (row) => row.id);

export const Category = builder.prismaObject('Category', {
  description: "A category of Google's product taxonomy.",
  fields: (t) => ({
    id: t.id({
      description: 'The opaque id of the category.',
      resolve: (category) => encodeId('category', category.id),
    }),
    slug: t.exposeString('slug', { description: 'The name in addresses; never changes.' }),
    name: t.exposeString('name', { description: 'The name to show.' }),
  }),
});
