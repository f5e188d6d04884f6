/** A product for search engines: schema.org's `Product` with an `AggregateOffer`. */
import type { ShownOffer, ShownProduct } from './product.ts';
import { AVAILABILITY, CONDITION } from './words.ts';

const SCHEMA = 'https://schema.org';

/** The JSON-LD data. @param publicUrl the base URL of offers. */
export function structuredData(product: ShownProduct, publicUrl: string): unknown {
  const { name, url, image, description, brandName, categoryPath, identifiers, offers, priceStats } = product;
  const { currency } = priceStats;
  // Prices in schema.org exclude shipping, which has its own property.
  const prices = offers.map(({ price }) => price);
  return {
    '@context': SCHEMA,
    '@type': 'Product',
    name,
    url,
    ...(image && { image }),
    ...(description && { description }),
    ...(brandName && { brand: { '@type': 'Brand', name: brandName } }),
    ...(categoryPath.length > 0 && { category: categoryPath.map((category) => category.name).join(' > ') }),
    ...(identifiers.ean[0] && { gtin: identifiers.ean[0] }),
    ...(identifiers.mpn && { mpn: identifiers.mpn }),
    ...(offers.length > 0 && {
      offers: {
        '@type': 'AggregateOffer',
        priceCurrency: currency,
        lowPrice: Math.min(...prices),
        highPrice: Math.max(...prices),
        offerCount: offers.length,
        offers: offers.map((offer) => structuredOffer(offer, currency, publicUrl)),
      },
    }),
  };
}

function structuredOffer(offer: ShownOffer, currency: string, publicUrl: string): unknown {
  const { merchantName, price, shipping, availability, condition, url } = offer;
  return {
    '@type': 'Offer',
    price,
    priceCurrency: currency,
    availability: `${SCHEMA}/${AVAILABILITY[availability].schema}`,
    itemCondition: `${SCHEMA}/${CONDITION[condition].schema}`,
    url: publicUrl + url,
    seller: { '@type': 'Organization', name: merchantName },
    ...(shipping !== null && {
      shippingDetails: {
        '@type': 'OfferShippingDetails',
        shippingRate: { '@type': 'MonetaryAmount', value: shipping, currency },
      },
    }),
  };
}
