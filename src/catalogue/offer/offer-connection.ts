/** A product's offers as a connection, for products with more offers than `offers` lists. */

import { present } from '../../database/batch.ts';
import type { Place } from '../../values/cursor.ts';
import type { Context } from '../builder.ts';
import { builder } from '../builder.ts';
import { cost } from '../field-cost.ts';
import { type KeyType, type Page, type PageArguments, pageOf, readPageRequest } from '../page.ts';
import { Product } from '../product/product.ts';
import type { ListedOffer } from './columns.ts';
import { Offer } from './offer.ts';

/** An offer in the list of its product, with the name of its shop, which is a sort key. */
interface PlacedOffer extends ListedOffer {
  merchantName: string;
}

/** The order of the list: cheapest first, then by shop name (decisions §5); the id makes it total. */
const KEYS: readonly KeyType[] = ['bigint', 'text', 'bigint'];

const placeOf = ({ total, merchantName, id }: PlacedOffer): Place => [String(total), merchantName, String(id)];

/** Negative if one place comes before the other. Names compare by their UTF-8 bytes, as in the database. */
function compare(one: Place, other: Place): number {
  const [oneTotal, oneName, oneId] = one;
  const [otherTotal, otherName, otherId] = other;
  return (
    Number(BigInt(oneTotal ?? 0) - BigInt(otherTotal ?? 0)) ||
    Buffer.compare(Buffer.from(String(oneName)), Buffer.from(String(otherName))) ||
    Number(BigInt(oneId ?? 0) - BigInt(otherId ?? 0))
  );
}

/** Reads a page. It reads all offers of the product for any page; imports limit their number per shop. */
async function readOffers(productId: bigint, page: PageArguments, { loaders }: Context): Promise<Page<ListedOffer>> {
  const description = JSON.stringify(['offer', String(productId)]);
  const request = readPageRequest(description, KEYS, page);
  const { after, before, isBackward, limit } = request;
  const listed = await loaders.offersOfProduct.load(productId);
  const offers = listed.map((offer) => ({ ...offer, merchantName: present(offer.merchantName) }));
  const inRange = offers.filter((offer) => {
    const place = placeOf(offer);
    return (!after || compare(place, after) > 0) && (!before || compare(place, before) < 0);
  });
  const rows = isBackward ? inRange.slice(-limit - 1).reverse() : inRange.slice(0, limit + 1);
  return pageOf(description, request, rows, placeOf, async () => ({ count: listed.length, isExact: true }));
}

builder.objectField(Product, 'offersConnection', (t) =>
  t.connection(
    {
      type: Offer,
      ...cost({ weight: 20 }),
      description: 'All current offers in pages: cheapest first, then by shop name.',
      resolve: (product, page, context) => readOffers(product.id, page, context),
    },
    {
      name: 'ProductOffersConnection',
      description: 'A page of offers of a product.',
      fields: (c) => ({
        totalCount: c.int({
          description: 'The number of current offers.',
          resolve: async (page) => (await page.total()).count,
        }),
      }),
    },
    { name: 'ProductOffersEdge', description: 'An offer in a page of offers.' },
  ),
);
