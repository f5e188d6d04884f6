/** Offers: the current price of a product at a merchant. */

import { present } from '../../database/batch.ts';
import type PrismaTypes from '../../generated/pothos.ts';
import { Availability, Condition } from '../../generated/prisma/client.ts';
import { Problem } from '../../problem.ts';
import { encodeId } from '../../values/id.ts';
import { builder, type Context } from '../builder.ts';
import { type ArgumentOf, wholeArgument } from '../field-cost.ts';
import { amountIn } from '../market.ts';
import { Merchant } from '../merchant/merchant.ts';
import type { ListedOffer, OFFER } from './columns.ts';

/** The path of this service that redirects to an offer's shop (contract §2.1). */
export function redirectPath(offer: Pick<ListedOffer, 'id'>): string {
  return `/go/${encodeId('offer', offer.id)}`;
}

/** The most offers in a product's GraphQL list, and its default; `offersConnection` pages through the rest. */
export const LARGEST_OFFERS = 100;
export const FIRST_OFFERS = `The number of offers, 1 to ${LARGEST_OFFERS}. \`offersConnection\` of the product pages through all.`;

/** The length of the list, for its cost. */
export const offersAsked = (argument: ArgumentOf): number =>
  wholeArgument(argument('first'), LARGEST_OFFERS, LARGEST_OFFERS);

/**
 * The first offers of a product's list; all of them for the service's own documents.
 *
 * @throws {Problem} `invalid_parameter` if `first` is not from 1 to {@link LARGEST_OFFERS}.
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

/** The availabilities of an offer (decisions §5). */
export const AVAILABILITIES = Object.values(Availability) as [Availability, ...Availability[]];

export const AvailabilityType = builder.enumType('Availability', {
  description: "Whether an offer can be bought now, in Google Merchant Center's terms.",
  values: {
    in_stock: { value: Availability.in_stock, description: 'In stock: it ships now.' },
    out_of_stock: { value: Availability.out_of_stock, description: 'It cannot be bought now.' },
    preorder: { value: Availability.preorder, description: 'It can be ordered before its release.' },
    backorder: { value: Availability.backorder, description: 'It can be ordered and ships once it is back in stock.' },
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

export const Offer = builder.prismaObject<'Offer', [], PrismaTypes['Offer'], unknown, typeof OFFER>('Offer', {
  description: 'The current price and availability of a product at one merchant.',
  fields: (t) => ({
    merchant: t.field({
      type: Merchant,
      description: 'The shop.',
      resolve: (offer, _arguments, { loaders }) => loaders.merchant.load(offer.merchantId).then(present),
    }),
    merchantName: t.string({
      description: 'The name of the shop.',
      resolve: (offer: ListedOffer, _arguments, { loaders }) =>
        offer.merchantName ?? loaders.merchant.load(offer.merchantId).then((merchant) => present(merchant).name),
    }),
    price: t.float({
      description: 'The price without shipping, including taxes.',
      resolve: (offer, _arguments, { market }) => amountIn(market, offer.price),
    }),
    shipping: t.float({
      nullable: true,
      description: 'The lowest shipping cost in the market; null if the shop does not state it.',
      resolve: (offer, _arguments, { market }) => (offer.shipping === null ? null : amountIn(market, offer.shipping)),
    }),
    totalPrice: t.float({
      description: 'Price plus shipping.',
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
      description: 'The path on this server that redirects to the offer in the shop.',
      resolve: redirectPath,
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'The time of the last observed change of the offer.',
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
