/** The columns of a brand, and the loaders by id and by slug. */
import { loadOne } from '../../database/batch.ts';
import { columnsOf } from '../../database/columns.ts';
import type { Queryable } from '../../database/database.ts';
import type { Prisma } from '../../generated/prisma/client.ts';

/** Declared once: the row type, the GraphQL type and the statements derive from it. */
export const BRAND = {
  id: true,
  slug: true,
  name: true,
  sortName: true,
  productCount: true,
} as const satisfies Prisma.BrandSelect;

export type BrandRow = Prisma.BrandGetPayload<{ select: typeof BRAND }>;

export const BRAND_COLUMNS = columnsOf('Brand', BRAND);

// By the primary key.
const BRANDS = `
  SELECT ${BRAND_COLUMNS}
  FROM brand
  WHERE id = ANY ($1::bigint[])`;

// By the unique index on brand (slug).
const BRANDS_BY_SLUG = `
  SELECT ${BRAND_COLUMNS}
  FROM brand
  WHERE slug = ANY ($1::text[])`;

/** Brands by number. @param isNamed false if clients may ask for numbers that no brand has. */
export const brandsById = (database: Queryable, isNamed = true) =>
  loadOne<bigint, BrandRow>(database, { name: 'brands', sql: BRANDS, isNamed }, (row) => row.id);
export const brandsBySlug = (database: Queryable) =>
  loadOne<string, BrandRow>(database, { name: 'brands_by_slug', sql: BRANDS_BY_SLUG }, (row) => row.slug);
