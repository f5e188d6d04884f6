/** The columns of a merchant, and the loaders by id and by slug. */
import { loadOne } from '../../database/batch.ts';
import { columnsOf } from '../../database/columns.ts';
import type { Queryable } from '../../database/database.ts';
import type { Prisma } from '../../generated/prisma/client.ts';

/** Declared once: the row type, the GraphQL type and the statements derive from it. */
export const MERCHANT = {
  id: true,
  slug: true,
  name: true,
  url: true,
  observedAt: true,
  fullObservedAt: true,
  sortName: true,
  offerCount: true,
} as const satisfies Prisma.MerchantSelect;

export type MerchantRow = Prisma.MerchantGetPayload<{ select: typeof MERCHANT }>;

export const MERCHANT_COLUMNS = columnsOf('Merchant', MERCHANT);

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

/** Merchants by number. @param isNamed false if clients may ask for numbers that no merchant has. */
export const merchantsById = (database: Queryable, isNamed = true) =>
  loadOne<bigint, MerchantRow>(database, { name: 'merchants', sql: MERCHANTS, isNamed }, (row) => row.id);
export const merchantsBySlug = (database: Queryable) =>
  loadOne<string, MerchantRow>(database, { name: 'merchants_by_slug', sql: MERCHANTS_BY_SLUG }, (row) => row.slug);
