/** Reads the data of a product's page, like REST with a GraphQL document that runs in process. */
import type { Context } from '../../catalogue/builder.ts';
import { graphql, type ResultOf } from '../../graphql/document.ts';
import { openQuery } from '../../graphql/open-query.ts';

const DOCUMENT = graphql(`
  query ProductPage($slug: ID!, $days: Int!) {
    product(id: $slug) {
      id
      name
      brandName
      url
      image
      description
      attributes { name value }
      categoryPath { name }
      identifiers { ean asin mpn }
      priceStats { currency min minShippingKnown max lowestEver offerCount }
      offers {
        id
        merchantName
        price
        shipping
        shippingKnown
        totalPrice
        unitPrice { amount per }
        availability
        condition
        url
      }
      variants {
        id
        name
        url
        priceStats { currency min minShippingKnown }
        availability
        differs { name value }
      }
      priceHistory(days: $days) {
        currency
        interval
        from
        to
        lowestEver { price date }
        points { date min max avg inStock minInStock }
      }
      historyInStock: priceHistory(days: $days, availability: in_stock) {
        lowestEver { price date }
      }
    }
  }`);

// Half a year, by day.
const DAYS = 180;

export type ShownProduct = NonNullable<ResultOf<typeof DOCUMENT>['product']>;
export type ShownOffer = ShownProduct['offers'][number];

/** Opens the reader of products by slug, which returns `undefined` for an unknown slug. */
export function openShownProducts(): (slug: string, context: Context) => Promise<ShownProduct | undefined> {
  const query = openQuery(DOCUMENT);
  return async (slug, context) => (await query(context, { slug, days: DAYS })).product ?? undefined;
}
