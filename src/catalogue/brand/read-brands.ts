/** The named statements and loaders of brands. */
import { loadOne } from '../../database/batch.ts';
import type { Queryable } from '../../database/database.ts';
import { BRAND_COLUMNS, type BrandRow } from './columns.ts';

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

export const brandsById = (database: Queryable) =>
  loadOne<bigint, BrandRow>(database, { name: 'brands', sql: BRANDS, isNamed: true }, (row) => row.id);
export const brandsBySlug = (database: Queryable) =>
  loadOne<string, BrandRow>(database, { name: 'brands_by_slug', sql: BRANDS_BY_SLUG }, (row) => row.slug);
