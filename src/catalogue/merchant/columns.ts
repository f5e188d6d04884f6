/** The columns of a merchant that loaders and lists read. */
import { columnsOf } from '../../database/columns.ts';
import type { Prisma } from '../../generated/prisma/client.ts';

/** Declared once: the row type, the GraphQL type and the statements derive from it. */
export const MERCHANT = {
  id: true,
  slug: true,
  name: true,
  url: true,
  observedAt: true,
  createdAt: true,
  sortName: true,
  offerCount: true,
} as const satisfies Prisma.MerchantSelect;

export type MerchantRow = Prisma.MerchantGetPayload<{ select: typeof MERCHANT }>;

export const MERCHANT_COLUMNS = columnsOf('Merchant', MERCHANT);
