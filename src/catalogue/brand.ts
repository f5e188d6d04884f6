/** Brands. */
import { loadOne } from '../database/batch.ts';
import type { Queryable } from '../database/database.ts';
import type { Brand as BrandRow } from '../generated/prisma/client.ts';
import { builder } from './builder.ts';
import { encodeId } from './id.ts';

// By the primary key.
const BRANDS = `
  SELECT id, slug, name, name_key AS "nameKey"
  FROM brand
  WHERE id = ANY ($1::bigint[])`;

export const brandsById = (database: Queryable) => loadOne<bigint, BrandRow>(database, BRANDS, (row) => row.id);

export const Brand = builder.prismaObject('Brand', {
  description: 'A brand, as the shops write it.',
  fields: (t) => ({
    id: t.id({ description: 'The opaque id of the brand.', resolve: (brand) => encodeId('brand', brand.id) }),
    slug: t.exposeString('slug', { description: 'The name in addresses; never changes.' }),
    name: t.exposeString('name', { description: 'The name to show.' }),
  }),
});
