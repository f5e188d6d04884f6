/** Offers: what a merchant asks for a product now. */
import { loadMany, loadOne, present } from '../database/batch.ts';
import type { Queryable } from '../database/database.ts';
import { Availability, Condition, type Offer as OfferRow } from '../generated/prisma/client.ts';
import { builder } from './builder.ts';
import { encodeId } from './id.ts';
import { amountIn } from './market.ts';
import { Merchant } from './merchant.ts';

const COLUMNS = `
  offer.id, offer.merchant_id AS "merchantId", offer.sku, offer.product_id AS "productId",
  offer.price, offer.shipping, offer.total, offer.availability, offer.condition, offer.link,
  offer.created_at AS "createdAt", offer.updated_at AS "updatedAt", offer.withdrawn_at AS "withdrawnAt"`;

// By the partial index offer_listed_idx. Cheapest first, then by merchant name (decisions §5); the id makes it total, and one
// collation makes it the same on every server.
const LISTED_OFFERS = `
  SELECT ${COLUMNS}, merchant.name AS "merchantName"
  FROM offer
  JOIN merchant ON merchant.id = offer.merchant_id
  WHERE offer.product_id = ANY ($1::bigint[])
    AND offer.withdrawn_at IS NULL
  ORDER BY offer.total, merchant.name COLLATE "C", offer.id`;

// By the primary key; withdrawn offers too.
const OFFERS = `
  SELECT ${COLUMNS}
  FROM offer
  WHERE offer.id = ANY ($1::bigint[])`;

/** An offer, with the name of its merchant where the statement had to read it anyway. */
type NamedOffer = OfferRow & { merchantName?: string };

/** The offers listed now, of products by their numbers. */
export const offersByProduct = (database: Queryable) =>
  loadMany<bigint, NamedOffer>(database, LISTED_OFFERS, (row) => row.productId);

/** Offers by their numbers, also withdrawn ones. */
export const offersById = (database: Queryable) => loadOne<bigint, OfferRow>(database, OFFERS, (row) => row.id);

/** The address that leads to an offer's shop: a path of this service (contract §2.1). */
export function redirectPath(offer: Pick<OfferRow, 'id'>): string {
  return `/go/${encodeId('offer', offer.id)}`;
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
  fields: (t) => ({
    merchant: t.field({
      type: Merchant,
      description: 'The shop that makes the offer.',
      resolve: (offer, _arguments, { loaders }) => loaders.merchant.load(offer.merchantId).then(present),
    }),
    merchantName: t.string({
      description: 'The name of the shop that makes the offer.',
      resolve: (offer: NamedOffer, _arguments, { loaders }) =>
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
  id: { resolve: (offer: OfferRow) => encodeId('offer', offer.id) },
  loadOne: async (id, { loaders }) => {
    const offer = await loaders.offer.load(BigInt(id));
    return offer?.withdrawnAt ? null : offer;
  },
});
