/** The named statements and loaders of merchants. */
import { loadOne } from '../../database/batch.ts';
import type { Queryable } from '../../database/database.ts';
import { MERCHANT_COLUMNS, type MerchantRow } from './columns.ts';

// By the primary key.
const MERCHANTS = `
  SELECT ${MERCHANT_COLUMNS}
  FROM merchant
  WHERE id = ANY ($1::bigint[])`;

// By the unique index on merchant (slug).
const MERCHANTS_BY_SLUG = `
  SELECT ${MERCHANT_COLUMNS}
  FROM merchant
  WHERE slug = ANY ($1::text[])`;

export const merchantsById = (database: Queryable) =>
  loadOne<bigint, MerchantRow>(database, { name: 'merchants', sql: MERCHANTS, isNamed: true }, (row) => row.id);
export const merchantsBySlug = (database: Queryable) =>
  loadOne<string, MerchantRow>(database, { name: 'merchants_by_slug', sql: MERCHANTS_BY_SLUG }, (row) => row.slug);
