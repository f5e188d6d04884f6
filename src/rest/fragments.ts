/** Selections that several routes share. Each fragment is a schema of the same name in the description of the API. */

export const CATEGORY_REFERENCE = `fragment CategoryReference on Category { id slug name }` as const;

export const MERCHANT_REFERENCE = `fragment MerchantReference on Merchant { id slug name }` as const;

export const PRICE_STATISTICS =
  `fragment PriceStatistics on PriceStats { currency min max lowestEver offerCount }` as const;

/** The unit price of an offer or a product. */
export const UNIT_PRICE = `fragment UnitPrice on UnitPrice { amount per }` as const;

/** A product in lists. */
export const PRODUCT = `
  fragment Product on Product {
    id
    slug
    name
    brand: brandName
    category { ...CategoryReference }
    identifier { ean asin mpn }
    image
    url
    priceStats { ...PriceStatistics }
    unitPrice { ...UnitPrice }
  }
  ${CATEGORY_REFERENCE}
  ${PRICE_STATISTICS}
  ${UNIT_PRICE}` as const;

/** A variant of a product. After {@link PRODUCT}, which has the statistics. */
export const VARIANT = `
  fragment Variant on Variant {
    id
    slug
    name
    identifier { ean asin mpn }
    image
    url
    priceStats { ...PriceStatistics }
    availability
    differs { name value }
  }` as const;

/** An offer in lists. After {@link PRODUCT} or {@link UNIT_PRICE}. */
export const OFFER = `
  fragment Offer on Offer {
    id
    merchant { id slug name }
    price
    shipping
    shippingKnown
    totalPrice
    unitPrice { ...UnitPrice }
    currency
    availability
    condition
    url
    updatedAt
    seenAt
    reduction { ...Reduction }
  }
  fragment Reduction on Reduction { since regularPrice priorPrice priorPriceProgressive percent }` as const;
