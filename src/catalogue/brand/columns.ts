/** The columns of a brand that loaders and lists read. */
import { columnsOf } from '../../database/columns.ts';
import type { Prisma } from '../../generated/prisma/client.ts';

/** Declared once: the row type, the GraphQL type and the statements derive from it. */
export const BRAND = {
  id: true,
  slug: true,
  name: true,
  nameKey: true,
  sortName: true,
  productCount: true,
} as const satisfies Prisma.BrandSelect;

export type BrandRow = Prisma.BrandGetPayload<{ select: typeof BRAND }>;

export const BRAND_COLUMNS = columnsOf('Brand', BRAND);
