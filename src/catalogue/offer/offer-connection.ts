/** A product's offers as a connection, for products with more offers than `offers` lists. */
import { present } from '../../database/batch.ts';
import { once } from '../../remember.ts';
import type { Place } from '../../values/cursor.ts';
import { builder, type Context } from '../builder.ts';
import { cost } from '../field-cost.ts';
import { type Page, type PageArguments, paginate } from '../page.ts';
import { Product } from '../product/product.ts';
import { Offer, SHIPPING_ARGUMENT, type ShippingFilter, withShipping } from './offer.ts';
import { compareListed, type ListedOffer, type OfferPlace } from './read-offers.ts';

/** Cheapest first, then by shop name; the id makes the order total. */
const placeOf = ({ total, merchantName, id }: ListedOffer): Place => [String(total), present(merchantName), String(id)];

/** The reverse of {@link placeOf}. */
const offerAt = ([total, merchantName, id]: Place): OfferPlace => ({
  total: BigInt(total ?? 0),
  merchantName: String(merchantName),
  id: BigInt(id ?? 0),
});

/** Reads a page. It reads all offers of the product for any page; imports limit their number per shop. */
function readOffers(
  productId: bigint,
  { shipping, ...page }: PageArguments & { shipping?: ShippingFilter | null | undefined },
  { loaders }: Context,
): Promise<Page<ListedOffer>> {
  const listed = once(async () => withShipping(await loaders.offersOfProduct.load(productId), shipping));
  return paginate(
    JSON.stringify(['offer', String(productId), ...(shipping == null ? [] : [shipping])]),
    ['bigint', 'text', 'bigint'],
    page,
    placeOf,
    async ({ after, before, isBackward }, limit) => {
      const [low, high] = [after && offerAt(after), before && offerAt(before)];
      const isBetween = (offer: ListedOffer) =>
        (!low || compareListed(offer, low) > 0) && (!high || compareListed(offer, high) < 0);
      const offers = (await listed()).filter(isBetween);
      return isBackward ? offers.slice(-limit).reverse() : offers.slice(0, limit);
    },
    async () => ({ count: (await listed()).length, isExact: true }),
  );
}

builder.objectField(Product, 'offersConnection', (t) =>
  t.connection(
    {
      type: Offer,
      ...cost({ weight: 20 }),
      description: 'All current offers in pages: cheapest first, then by shop name.',
      args: { shipping: t.arg(SHIPPING_ARGUMENT) },
      resolve: (product, page, context) => readOffers(product.id, page, context),
    },
    {
      name: 'ProductOffersConnection',
      description: 'A page of offers of a product.',
      fields: (c) => ({
        totalCount: c.int({
          description: 'The number of offers in all pages.',
          resolve: async (page) => (await page.total()).count,
        }),
      }),
    },
    { name: 'ProductOffersEdge', description: 'An offer in a page of offers.' },
  ),
);
