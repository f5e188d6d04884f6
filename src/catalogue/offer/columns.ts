/** The columns of an offer that loaders read. */
import { columnsOf } from '../../database/columns.ts';
import type { Prisma } from '../../generated/prisma/client.ts';

/** Declared once: the row type, the GraphQL type and the statements derive from it. */
export const OFFER = {
  id: true,
  merchantId: true,
  productId: true,
  price: true,
  shipping: true,
  total: true,
  availability: true,
  condition: true,
  updatedAt: true,
} as const satisfies Prisma.OfferSelect;

/** An offer as clients see it. */
export type ListedOffer = Prisma.OfferGetPayload<{ select: typeof OFFER }> & {
  /** The merchant's name, if the statement read it too. */
  merchantName?: string;
};

const OFFER_WITH_LINK = { ...OFFER, link: true, withdrawnAt: true } as const satisfies Prisma.OfferSelect;

/** An offer, listed or withdrawn, with the URL of its page in the shop. */
export type OfferWithLink = Prisma.OfferGetPayload<{ select: typeof OFFER_WITH_LINK }>;

export const OFFER_COLUMNS = columnsOf('Offer', OFFER_WITH_LINK);
