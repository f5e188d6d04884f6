/** The columns of a product that loaders and lists read. */
import { columnsOf } from '../../database/columns.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { IdentifiersText } from './read-identifiers.ts';

/** Declared once: the row type, the GraphQL type and the statements derive from it. */
export const PRODUCT = {
  id: true,
  slug: true,
  name: true,
  brandId: true,
  categoryId: true,
  mpn: true,
  description: true,
  imageUrl: true,
  attributes: true,
  offerCount: true,
  minTotal: true,
  maxTotal: true,
  lowestEver: true,
  lowestEverAt: true,
  discount: true,
  createdAt: true,
  updatedAt: true,
} as const satisfies Prisma.ProductSelect;

/** A product as a statement reads it. */
export type ProductRow = Prisma.ProductGetPayload<{ select: typeof PRODUCT }> & {
  /** The brand's name, if the statement read it too. */
  brandName?: string | null;
  /** The identifiers, if the statement read them too. */
  identifiers?: IdentifiersText;
  /** The number of the unit price, if the statement read it too. */
  unitPrice?: bigint | null;
};

/** Those that lookups read. */
export const PRODUCT_COLUMNS = columnsOf('Product', PRODUCT);

/** The columns of a product with its unit price. */
export const PRICED_PRODUCT = { ...PRODUCT, unitPrice: true } as const satisfies Prisma.ProductSelect;

/** The SELECT list for {@link PRICED_PRODUCT}. */
export const PRICED_PRODUCT_COLUMNS = columnsOf('Product', PRICED_PRODUCT);
