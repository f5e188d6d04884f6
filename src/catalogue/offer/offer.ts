/** Offers: what a merchant asks for a product now. */
import { loadMany, loadOne, present } from '../../database/batch.ts';
import type { Queryable } from '../../database/database.ts';
import { Availability, Condition, type Offer as OfferRow } from '../../generated/prisma/client.ts';
import { Problem } from '../../problem.ts';
import { encodeId } from '../../values/id.ts';
import { asksOnlyFor, builder, type Context } from '../builder.ts';
import { amountIn } from '../market.ts';
import { Merchant } from '../merchant/merchant.ts';

/** An offer as clients see it. */
export type ListedOffer = Pick<
  OfferRow,
  'id' | 'merchantId' | 'productId' | 'price' | 'shipping' | 'total' | 'availability' | 'condition' | 'updatedAt'
> & {
  /** The name of its merchant, where the statement had to read it anyway. */
  merchantName?: string;
};

/** {@link LISTED_OFFERS} of a product; nothing when it has none. */
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
 * The offers of the row `product` that are listed now, as SQL for one column of JSON: read by {@link readListedOffers}. One value
 * costs both sides less than a row for each offer would, and comes with what else is read of the product. By
 * offer_listed_idx alone, which holds these columns. Cheapest first, then by merchant name (decisions §5); the id makes it total, and one collation makes it
 * the same on every server.
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

/** The offers in a value of {@link LISTED_OFFERS}. */
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

/** The offers listed now, of products by their numbers. */
export const offersByProduct = (database: Queryable) =>
  loadMany<ListedOffersJson, ListedOffer>(database, OFFERS_OF_PRODUCTS, ({ id, rows }) => readListedOffers(id, rows));

// By the primary key; withdrawn offers too.
const OFFERS = `
  SELECT id, merchant_id AS "merchantId", product_id AS "productId", price, shipping, total, availability, condition, link,
         updated_at AS "updatedAt", withdrawn_at AS "withdrawnAt"
  FROM offer
  WHERE id = ANY ($1::bigint[])`;

/** Offers by their numbers, also withdrawn ones. */
export const offersById = (database: Queryable) =>
  loadOne<bigint, ListedOffer & Pick<OfferRow, 'link' | 'withdrawnAt'>>(database, OFFERS, (row) => row.id);

/** The address that leads to an offer's shop: a path of this service (contract §2.1). */
export function redirectPath(offer: Pick<OfferRow, 'id'>): string {
  return `/go/${encodeId('offer', offer.id)}`;
}

/** The most offers in a product's GraphQL list, and its default; `offersConnection` pages through the rest. */
export const LARGEST_OFFERS = 100;
export const FIRST_OFFERS = `How many offers, 1 to ${LARGEST_OFFERS}; \`offersConnection\` of the product pages through more.`;

/**
 * The first offers of a product's list; all of them for the service's own documents.
 *
 * @throws {Problem} `invalid_parameter` when `first` is not from 1 to {@link LARGEST_OFFERS}.
 */
export function firstOffers(
  offers: ListedOffer[],
  first: number | null | undefined,
  { listsAllOffers = false }: Context,
): ListedOffer[] {
  if (listsAllOffers) return offers;
  const most = first ?? LARGEST_OFFERS;
  if (most < 1 || most > LARGEST_OFFERS) {
    const more = most > LARGEST_OFFERS ? ': page through more with `offersConnection`' : '';
    const detail = `\`first\` must be 1 to ${LARGEST_OFFERS}; got ${most}${more}.`;
    throw new Problem('invalid_parameter', detail, { parameter: 'first' });
  }
  return offers.length > most ? offers.slice(0, most) : offers;
}

/** How an offer may be available (decisions §5). */
export const AVAILABILITIES = Object.values(Availability) as [Availability, ...Availability[]];

export const AvailabilityType = builder.enumType('Availability', {
  description: "Whether an offer can be bought now, in Google Merchant's words.",
  values: {
    in_stock: { value: Availability.in_stock, description: 'It ships now.' },
    out_of_stock: { value: Availability.out_of_stock, description: 'It cannot be bought now.' },
    preorder: { value: Availability.preorder, description: 'It can be ordered before it is released.' },
    backorder: { value: Availability.backorder, description: 'It can be ordered and ships when it is in stock again.' },
  },
});

const ConditionType = builder.enumType('Condition', {
  description: 'The condition of the goods.',
  values: {
    new: { value: Condition.new, description: 'Never used.' },
    refurbished: { value: Condition.refurbished, description: 'Restored to working order.' },
    used: { value: Condition.used, description: 'Used before.' },
  },
});

export const Offer = builder.prismaObject('Offer', {
  description: 'What a merchant asks for a product now.',
  ...asksOnlyFor({
    id: true,
    merchantId: true,
    productId: true,
    price: true,
    shipping: true,
    total: true,
    availability: true,
    condition: true,
    updatedAt: true,
  }),
  fields: (t) => ({
    merchant: t.field({
      type: Merchant,
      description: 'The shop that makes the offer.',
      resolve: (offer, _arguments, { loaders }) => loaders.merchant.load(offer.merchantId).then(present),
    }),
    merchantName: t.string({
      description: 'The name of the shop that makes the offer.',
      resolve: (offer: ListedOffer, _arguments, { loaders }) =>
        offer.merchantName ?? loaders.merchant.load(offer.merchantId).then((merchant) => present(merchant).name),
    }),
    price: t.float({
      description: 'The price of the goods, taxes included.',
      resolve: (offer, _arguments, { market }) => amountIn(market, offer.price),
    }),
    shipping: t.float({
      nullable: true,
      description: 'The lowest shipping cost in the market; null when the shop does not say.',
      resolve: (offer, _arguments, { market }) => (offer.shipping === null ? null : amountIn(market, offer.shipping)),
    }),
    totalPrice: t.float({
      description: 'Price and shipping together.',
      resolve: (offer, _arguments, { market }) => amountIn(market, offer.total),
    }),
    currency: t.string({
      description: 'The currency of the amounts, ISO 4217.',
      resolve: (_offer, _arguments, { market }) => market.currency,
    }),
    availability: t.field({
      type: AvailabilityType,
      description: 'Whether it can be bought now.',
      resolve: (offer) => offer.availability,
    }),
    condition: t.field({
      type: ConditionType,
      description: 'The condition of the goods.',
      resolve: (offer) => offer.condition,
    }),
    url: t.string({
      description: 'The path below this service that leads to the offer in its shop.',
      resolve: redirectPath,
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'When the offer was last seen to change.',
      resolve: (offer) => offer.updatedAt,
    }),
  }),
});

builder.nodeRef(Offer, {
  id: { resolve: (offer: ListedOffer) => encodeId('offer', offer.id) },
  loadOne: async (id, { loaders }) => {
    const offer = await loaders.offer.load(BigInt(id));
    return offer?.withdrawnAt ? null : offer;
  },
});
