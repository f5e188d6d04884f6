/** The columns of an offer, and the statements and loaders that read them. */
import { loadMany, loadOne } from '../../database/batch.ts';
import { columnsOf } from '../../database/columns.ts';
import type { Queryable } from '../../database/database.ts';
import type { Availability, Condition, Prisma } from '../../generated/prisma/client.ts';

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
type OfferWithLink = Prisma.OfferGetPayload<{ select: typeof OFFER_WITH_LINK }>;

/** {@link LISTED_OFFERS} of a product; null if it has none. */
export type ListedOffersJson =
  | [
      id: string,
      merchantId: string,
      merchantName: string,
      price: number,
      shipping: number | null,
      total: number,
      availability: Availability,
      condition: Condition,
      updatedAt: string,
    ][]
  | null;

/**
 * SQL for one JSON column with the listed offers of the row `product`, cheaper than a row per offer; {@link readListedOffers} parses it.
 * By offer_listed_idx alone. Cheapest first, then by merchant name and id, in a collation that is the same on every server.
 */
export const LISTED_OFFERS = `
  (
    SELECT json_agg(
             json_build_array(
               offer.id::text, offer.merchant_id::text, merchant.name, offer.price, offer.shipping, offer.total,
               offer.availability, offer.condition, offer.updated_at
             )
             ORDER BY offer.total, merchant.name COLLATE "C", offer.id
           )
    FROM offer
    JOIN merchant ON merchant.id = offer.merchant_id
    WHERE offer.product_id = product.id AND offer.withdrawn_at IS NULL
  )`;

/** Parses a value of {@link LISTED_OFFERS}. */
export function readListedOffers(productId: bigint, json: ListedOffersJson): ListedOffer[] {
  return (json ?? []).map(
    ([id, merchantId, merchantName, price, shipping, total, availability, condition, updatedAt]) => ({
      id: BigInt(id),
      merchantId: BigInt(merchantId),
      merchantName,
      productId,
      price: BigInt(price),
      shipping: shipping === null ? null : BigInt(shipping),
      total: BigInt(total),
      availability,
      condition,
      updatedAt: new Date(updatedAt),
    }),
  );
}

const OFFERS_OF_PRODUCTS = `
  SELECT product.id, ${LISTED_OFFERS} AS rows
  FROM unnest($1::bigint[]) AS product (id)`;

/** The listed offers of products, by product number. */
export const offersByProduct = (database: Queryable) =>
  loadMany<ListedOffersJson, ListedOffer>(
    database,
    { name: 'offers_of_products', sql: OFFERS_OF_PRODUCTS },
    ({ id, rows }) => readListedOffers(id, rows),
  );

// By the primary key; withdrawn offers too.
const OFFERS = `
  SELECT ${columnsOf('Offer', OFFER_WITH_LINK)}
  FROM offer
  WHERE id = ANY ($1::bigint[])`;

/** Offers by their numbers, including withdrawn ones. */
export const offersById = (database: Queryable) =>
  loadOne<bigint, OfferWithLink>(database, { name: 'offers', sql: OFFERS }, (row) => row.id);
