/** Offers: the current price of a product at a merchant. */
import { present } from '../../database/batch.ts';
import { Availability, Condition } from '../../generated/prisma/client.ts';
import { amount, CURRENCY, optionalAmount } from '../amount.ts';
import { invalid } from '../arguments.ts';
import { builder, type Context, nodeOf, numberOf } from '../builder.ts';
import { type ArgumentOf, wholeArgument } from '../field-cost.ts';
import { Merchant } from '../merchant/merchant.ts';
import { goUrl } from './go-url.ts';
import type { ListedOffer, OFFER } from './read-offers.ts';
import { lastSeen } from './read-seen.ts';

/** The most offers in a product's GraphQL list, and its default; `offersConnection` pages through the rest. */
const LARGEST_OFFERS = 100;
const ShippingFilter = builder.enumType('ShippingFilter', {
  description: 'Selects offers by what is known of their shipping.',
  values: { known: { value: 'known', description: 'Offers whose shops state the shipping.' } } as const,
});

/** The argument that leaves out offers with unknown shipping. */
export const SHIPPING_ARGUMENT = {
  type: ShippingFilter,
  description: '`known` leaves out offers whose shop does not state the shipping.',
};
export type ShippingFilter = typeof ShippingFilter.$inferType;

/** The offers that {@link SHIPPING_ARGUMENT} selects. */
export const withShipping = (offers: ListedOffer[], filter: ShippingFilter | null | undefined): ListedOffer[] =>
  filter == null ? offers : offers.filter(({ shipping }) => shipping !== null);

/** The arguments of the list. */
export const OFFER_ARGUMENTS = builder.args((t) => ({
  first: t.int({
    defaultValue: LARGEST_OFFERS,
    description: `The number of offers, 1 to ${LARGEST_OFFERS}. \`offersConnection\` of the product pages through all.`,
  }),
  shipping: t.field(SHIPPING_ARGUMENT),
}));

/** The length of the list, for its cost. */
export const offersAsked = (argument: ArgumentOf): number =>
  wholeArgument(argument('first'), LARGEST_OFFERS, LARGEST_OFFERS);

/** A product's first offers; all for the service's own documents. @throws {Problem} `invalid_parameter` beyond {@link LARGEST_OFFERS}. */
export function firstOffers(
  all: ListedOffer[],
  { first, shipping }: { first?: number | null | undefined; shipping?: ShippingFilter | null | undefined },
  { listsAllOffers = false }: Context,
): ListedOffer[] {
  const offers = withShipping(all, shipping);
  if (listsAllOffers) return offers;
  const most = first ?? LARGEST_OFFERS;
  if (most < 1 || most > LARGEST_OFFERS) {
    const more = most > LARGEST_OFFERS ? ': page through more with `offersConnection`' : '';
    throw invalid('first', `\`first\` must be 1 to ${LARGEST_OFFERS}; got ${most}${more}.`);
  }
  return offers.length > most ? offers.slice(0, most) : offers;
}

export const AvailabilityType = builder.enumType('Availability', {
  description: "Whether an offer can be bought now, in Google Merchant Center's terms.",
  values: {
    in_stock: { value: Availability.in_stock, description: 'In stock: it ships now.' },
    out_of_stock: { value: Availability.out_of_stock, description: 'It cannot be bought now.' },
    preorder: { value: Availability.preorder, description: 'It can be ordered before its release.' },
    backorder: { value: Availability.backorder, description: 'It can be ordered and ships once it is back in stock.' },
  },
});

export const ConditionType = builder.enumType('Condition', {
  description: 'The condition of the goods.',
  values: {
    new: { value: Condition.new, description: 'Never used.' },
    refurbished: { value: Condition.refurbished, description: 'Restored to working order.' },
    used: { value: Condition.used, description: 'Used before.' },
  },
});

export const Offer = builder.prismaNode<'Offer', [], unknown, typeof OFFER>('Offer', {
  ...nodeOf('offer'),
  // A withdrawn offer is no node.
  findUnique: (id) => ({ id: numberOf('offer', id), withdrawnAt: null }),
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
    price: t.float(amount('price', 'The price without shipping, including taxes.')),
    shipping: t.float(
      optionalAmount('shipping', 'The lowest shipping cost in the market; null if the shop does not state it.'),
    ),
    shippingKnown: t.boolean({
      description: 'Whether the shop states the shipping. If not, it may add any amount to `totalPrice`.',
      resolve: ({ shipping }) => shipping !== null,
    }),
    totalPrice: t.float(amount('total', 'Price plus shipping, if the shop states it.')),
    currency: t.string(CURRENCY),
    availability: t.expose('availability', { type: AvailabilityType, description: 'Whether it can be bought now.' }),
    condition: t.expose('condition', { type: ConditionType, description: 'The condition of the goods.' }),
    url: t.string({
      description: 'The path on this server that redirects to the offer in the shop.',
      resolve: ({ id }) => goUrl(id),
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'The time of the last observed change of the offer.',
    }),
    seenAt: t.field({
      type: 'DateTime',
      description: 'The time of the last feed that listed the offer, changed or not.',
      resolve: async (offer, _arguments, { loaders }) => {
        const [merchant, sighting] = await Promise.all([
          loaders.merchant.load(offer.merchantId),
          loaders.offerSeenAt.load(offer.id),
        ]);
        return lastSeen(offer, present(merchant), sighting);
      },
    }),
  }),
});
