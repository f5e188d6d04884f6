/** The table of REST routes: each has a path, parameters, and the GraphQL document that answers it. */
import * as z from 'zod';
import { DEEPEST } from '../catalogue/category/category.ts';
import { LOW_NAMES, LOWS, type LowName } from '../catalogue/deal/deal-filter.ts';
import { facetTags } from '../catalogue/facets/read-facets.ts';
import { explainNothing } from '../catalogue/lookup/lookup.ts';
import { INTERVALS } from '../catalogue/price-history/buckets.ts';
import { listTags } from '../catalogue/product/product-filter.ts';
import { PRODUCT_SORTS } from '../catalogue/product/product-list.ts';
import { tagsOfVariants } from '../catalogue/product/variant.ts';
import { MOST_DAYS } from '../catalogue/requested-days.ts';
import { DEFAULT_SUGGESTIONS, MOST_SUGGESTIONS } from '../catalogue/search/search.ts';
import { sightingTags, TAG, type Tag, tagOf } from '../catalogue/tags.ts';
import { drawPriceChart, PICTURE_HEADERS } from '../chart/price-chart.tsx';
import { present } from '../database/batch.ts';
import { graphql } from '../graphql/document.ts';
import { AVAILABILITIES, CONDITIONS } from '../ledger/entry.ts';
import { decodeId } from '../values/id.ts';
import { ACCOUNT_ROUTES } from './account-routes.ts';
import { CHANGE_ROUTES } from './change-routes.ts';
import {
  CATEGORY_REFERENCE,
  MERCHANT_REFERENCE,
  OFFER,
  PRICE_STATISTICS,
  PRODUCT,
  UNIT_PRICE,
  VARIANT,
} from './fragments.ts';
import { llmsText } from './llms.ts';
import { LOOKUP_ROUTES } from './lookup-routes.ts';
import { openApi } from './openapi.ts';
import {
  day,
  flag,
  oneOf,
  optional,
  paging,
  percentage,
  reference,
  shipping,
  typed,
  whole,
} from './parameter-types.ts';
import { FILTER_AS_TOOL, filterOf, PRODUCT_FILTER } from './product-filter.ts';
import { fromGraphql, type ParameterValues, type Route } from './route.ts';
import { INDEX_SCHEMA, serviceIndex } from './service-index.ts';
import { WEBHOOK_ROUTES } from './webhook-routes.ts';

const noSuchProduct = ({ slug, id }: ParameterValues) =>
  `No product has the slug or id ${slug ?? id}: get slugs and ids from /api/v1/products or /api/v1/search.`;

const productTag = (id: string) => tagOf('product', present(decodeId('product', id)));

/** What a product and its offers with their times depend on. */
function tagsOfOffers(id: string, offers: readonly { merchant: { id: string } }[]): Tag[] {
  const merchantIds = offers.map(({ merchant }) => present(decodeId('merchant', merchant.id)));
  return [productTag(id), ...sightingTags(present(decodeId('product', id)), merchantIds)];
}

const productId = reference().meta({ description: 'The id or the slug of the product.' });

// What the routes about the service itself have in common.
const ABOUT_SERVICE = { tag: 'Service', parameters: z.object({}), example: {} } as const;

export const ROUTES: readonly Route[] = [
  {
    path: '/api/v1',
    name: 'getServiceIndex',
    ...ABOUT_SERVICE,
    summary: 'Service index',
    description: 'Links to everything the service offers. Also at `/` for clients that do not ask for HTML.',
    access: 'limited',
    isFixed: true,
    source: { body: serviceIndex, mediaType: 'application/json', schema: INDEX_SCHEMA },
  },
  {
    path: '/api/v1/lookup',
    name: 'lookUp',
    tag: 'Lookup',
    summary: 'Look up a product by EAN/GTIN or ASIN',
    description:
      'The product with an identifier, its price statistics and the offers of all shops, cheapest first. Send exactly one of `ean` and `asin`. `Link` headers point to the product (`item`), its offers (`collection`) and its price history (`history`).',
    tool: 'Use this first if you have a number: an EAN, GTIN, ISBN-13, ASIN, or a UPC with a 0 in front of its 12 digits. Returns the product, its price statistics, and the price in each shop, cheapest first. Send exactly one of `ean` and `asin`. Without a number, use `search` or `list_products`.',
    access: 'metered',
    parameters: z.object({
      ean: z.string().optional().meta({
        description: 'EAN/GTIN, 13 or 14 digits. A GTIN-14 with a leading 0 equals its GTIN-13.',
        pattern: '^[0-9]{13,14}$',
        example: '4006381333931',
      }),
      asin: z.string().optional().meta({
        description: 'ASIN, 10 letters and digits in upper or lower case.',
        pattern: '^[0-9A-Za-z]{10}$',
        example: 'B0DEMO0001',
      }),
    }),
    example: { ean: '4006381333931' },
    source: fromGraphql({
      document: graphql(`
        query Lookup($ean: String, $asin: String) {
          data: lookup(ean: $ean, asin: $asin) {
            identifier { ean asin mpn }
            product { _slug: slug _id: id name brand: brandName url }
            priceStats { ...PriceStatistics }
            offers { merchant: merchantName totalPrice availability url }
          }
        }
        ${PRICE_STATISTICS}`),
      shape: 'whole',
      explainNothing,
      links: ({ product }) => ({
        item: `/api/v1/products/${product._slug}`,
        collection: `/api/v1/products/${product._id}/offers`,
        history: `/api/v1/products/${product._id}/price-history`,
      }),
      // Names of shops and brands never change.
      dependsOn: ({ product }) => [productTag(product._id)],
    }),
  },
  ...LOOKUP_ROUTES,
  {
    path: '/api/v1/products',
    name: 'listProducts',
    tag: 'Products',
    summary: 'Search and filter products',
    description:
      'A paged list of products. All filters must match; of several values for one filter, one must. One offer must meet all filters on offers: `merchant`, `availability`, `condition` and `inStock`. An unknown category, brand or merchant matches nothing. `/api/v1/facets` counts the values to filter by. Paging neither repeats nor skips a product that does not change.',
    tool: 'Use this to choose among products by words, category, brand, shop, price range, availability, condition, discount and attributes such as colour, in the order that you want. Returns pages of products, each with its lowest and highest price, and what a kilogram, litre or other unit costs if the amount is known. `sort=unit_price_asc` with `category` compares packs of different sizes. `category`, `brand` and `merchant` take a slug from `search`, `list_categories`, `list_brands` or `list_merchants`, or several separated by commas; an unknown slug matches nothing. `get_facets` shows which values there are. For one product by its number, `look_up` is better.',
    access: 'metered',
    asTool: FILTER_AS_TOOL,
    parameters: z.object({
      ...PRODUCT_FILTER,
      sort: optional(
        oneOf(PRODUCT_SORTS),
        'The order: by default `relevance` with `q`, `popularity` without. `discount` sorts by the discount of the lowest price from its 90-day average. `unit_price_asc` needs `category` and groups by unit (`kg`, `l`, `m`, `m2`, `m3`, `ct`); products without a unit price come last.',
        'price_asc',
      ),
      ...paging,
    }),
    example: { category: 'headphones', sort: 'price_asc', limit: 2 },
    source: fromGraphql({
      document: graphql(`
        query Products($filter: ProductFilter, $sort: ProductSort, $limit: Int, $cursor: String) {
          data: products(filter: $filter, sort: $sort, first: $limit, after: $cursor) {
            nodes { ...Product }
            pageInfo { hasNextPage endCursor }
            totalCount
            totalIsExact
          }
        }
        ${PRODUCT}`),
      shape: 'page',
      variables: ({ sort, limit, cursor, ...filter }) => ({ filter: filterOf(filter), sort, limit, cursor }),
      dependsOn: async (_data, { sort, ...filter }, context) => [
        ...(await listTags(filterOf(filter), context)),
        ...(sort === 'discount' ? [TAG.discounts] : []),
      ],
    }),
  },
  {
    path: '/api/v1/facets',
    name: 'getFacets',
    tag: 'Products',
    summary: 'Facets of a list of products',
    description:
      'How many products each category, brand, merchant, availability, condition, price range and attribute value has, largest first, at most 100 values each. Takes all filters of `/api/v1/products`; each facet ignores the filter by its own field. A count equals the `page.total` of `/api/v1/products` with this value for its field and the other filters unchanged: also at most 10000. For a minute after a change of more than 2000 products the counts may be older: then `asOf` is the moment that they show. A category counts its subcategories. Price ranges do not overlap: their ends are prices of products, for `minPrice` and `maxPrice`.',
    tool: 'Use this to see how a choice of products can be narrowed, before you list it: how many there are in each category, of each brand, at each shop, in each price range, and with each colour, size, material and pattern, for the same filters as `list_products`. Each facet ignores the filter by its own field, so it shows the alternatives. Then pass the values to `list_products`.',
    access: 'metered',
    asTool: FILTER_AS_TOOL,
    parameters: z.object(PRODUCT_FILTER),
    example: { category: 'headphones', maxPrice: 200 },
    source: fromGraphql({
      document: graphql(`
        query ProductFacets($filter: ProductFilter) {
          data: facets(filter: $filter) {
            asOf
            categories { ...CategoryCount }
            brands { ...BrandCount }
            merchants { ...MerchantCount }
            availability { ...AvailabilityCount }
            condition: conditions { ...ConditionCount }
            priceRanges { ...PriceRange }
            attributes { ...AttributeFacet }
          }
        }
        fragment CategoryCount on CategoryFacet { slug name count }
        fragment BrandCount on BrandFacet { slug name count }
        fragment MerchantCount on MerchantFacet { slug name count }
        fragment AvailabilityCount on AvailabilityFacet { value: availability count }
        fragment ConditionCount on ConditionFacet { value: condition count }
        fragment PriceRange on PriceRange { min max count }
        fragment AttributeFacet on AttributeFacet { name values { value count } }`),
      shape: 'whole',
      variables: (values) => ({ filter: filterOf(values) }),
      dependsOn: (_data, values, context) => facetTags(filterOf(values), context),
    }),
  },
  {
    path: '/api/v1/products/{slug}',
    name: 'getProduct',
    tag: 'Products',
    summary: 'Product detail',
    description:
      'A product with all its details, offers and variants: the other products that the shop that founded it, or two shops, list in one group with it, such as other sizes and colours, with the attributes that differ (at most 100; of those that only one shop sells, the first five; groups of more than 100 products are left out). An offer has `reduction` while its shop announces one, with the prior price under Directive 98/6/EC, Article 6a, and `seenAt`, the time of the last feed that listed it.',
    tool: 'Use this if you know a product’s slug or id and want all its details: description, attributes, all its numbers, its variants such as other sizes and colours with their lowest prices, and each shop’s offer with price, shipping and condition, when it was last seen, and for an announced reduction how far the price really is below the prior price (`reduction.percent`).',
    access: 'metered',
    changesWithTime: true,
    parameters: z.object({ slug: reference().meta({ description: 'The slug or the id of the product.' }) }),
    example: { slug: 'markina-glow-line-highlighter-yellow' },
    source: fromGraphql({
      document: graphql(`
        query ProductDetail($slug: ID!) {
          data: product(id: $slug) {
            ...Product
            description
            attributes { name value }
            categoryPath { ...CategoryReference }
            identifiers { ean asin mpn }
            offers { ...Offer }
            variants { ...Variant }
            createdAt
            updatedAt
          }
        }
        ${PRODUCT}
        ${OFFER}
        ${VARIANT}`),
      shape: 'whole',
      explainNothing: noSuchProduct,
      links: ({ id }) => ({
        collection: `/api/v1/products/${id}/offers`,
        history: `/api/v1/products/${id}/price-history`,
      }),
      dependsOn: async ({ id, offers }, _values, context) => [
        ...tagsOfOffers(id, offers),
        ...(await tagsOfVariants(id, context)),
      ],
    }),
  },
  {
    path: '/api/v1/products/{id}/offers',
    name: 'listOffers',
    tag: 'Products',
    summary: 'All offers of a product',
    description:
      'The offers of all shops for a product, cheapest first, then by shop name. The list is not paged. `totalPrice` of an offer with `shippingKnown` false is without shipping, because the shop does not state it; `shipping=known` leaves such offers out. An offer has `reduction` while its shop announces one, with the prior price under Directive 98/6/EC, Article 6a, and `seenAt`, the time of the last feed that listed it.',
    tool: 'Use this to compare shops for a product whose slug or id you know: each offer with price, shipping, total price, whether the shipping is known, availability, condition, when it was last seen, the link to the shop, and an announced reduction with its prior price.',
    access: 'metered',
    changesWithTime: true,
    parameters: z.object({ id: productId, shipping }),
    example: { id: 'markina-glow-line-highlighter-yellow' },
    source: fromGraphql({
      document: graphql(`
        query Offers($id: ID!, $shipping: ShippingFilter) {
          data: product(id: $id) { _id: id offers(shipping: $shipping) { ...Offer } }
        }
        ${UNIT_PRICE}
        ${OFFER}`),
      shape: { member: 'offers' },
      dependsOn: ({ _id, offers }) => tagsOfOffers(_id, offers),
      explainNothing: noSuchProduct,
    }),
  },
  {
    path: '/api/v1/products/{id}/price-history',
    name: 'getPriceHistory',
    tag: 'Products',
    summary: 'Price history of a product',
    description:
      'The price history of a product by day, week or month in UTC. A price applies until it changes or its offer is withdrawn: `min` and `max` cover all prices during the interval of a point, `avg` is weighted by time. Intervals without a price have no point. Weeks start on Monday. `inStock` is the share of the interval in which an offer was in stock, `minInStock` the lowest price then. `Accept: image/svg+xml` returns a chart.',
    tool: 'Use this to see how the price of a product developed: the lowest, highest and average price by day, week or month, and the lowest ever. To judge whether the current price is good, `get_price_statistics` is better. `availability=in_stock` and `condition=new` leave out prices that nobody could pay or of used goods. For more than three months use `interval` week or month, which keeps the answer short.',
    access: 'metered',
    parameters: z.object({
      id: productId,
      days: optional(
        whole(1, MOST_DAYS),
        'The number of days up to and including today; 90 by default. Cannot be combined with `from` and `to`.',
        30,
      ),
      from: optional(day(), 'The first day.', '2026-01-01'),
      to: optional(day(), 'The last day, inclusive; today by default.', '2026-03-31'),
      interval: oneOf(INTERVALS).default('day').meta({ description: 'The interval of a point.', example: 'week' }),
      merchant: optional(
        reference(),
        'Slug or id of a merchant, to see only that merchant’s prices. An unknown one has no points.',
        'techtonne',
      ),
      condition: optional(oneOf(CONDITIONS), 'Only prices of goods in this condition.', 'new'),
      availability: optional(
        oneOf(AVAILABILITIES),
        'Only prices of offers with this availability at the time. A time without a recorded one does not match.',
        'in_stock',
      ),
    }),
    example: { id: 'markina-glow-line-highlighter-yellow', days: 5 },
    source: fromGraphql({
      document: graphql(`
        query PriceHistory($id: ID!, $days: Int, $from: Day, $to: Day, $interval: HistoryInterval, $merchant: String, $condition: Condition, $availability: Availability) {
          data: product(id: $id) {
            _name: name
            priceHistory(days: $days, from: $from, to: $to, interval: $interval, merchant: $merchant, condition: $condition, availability: $availability) {
              currency
              interval
              from
              to
              lowestEver { price date }
              points { ...PricePoint }
            }
          }
        }
        fragment PricePoint on PricePoint { date min max avg offerCount inStock minInStock }`),
      shape: { member: 'priceHistory' },
      table: { rows: 'points', beside: ['currency', 'interval'] },
      explainNothing: noSuchProduct,
      forms: [
        {
          mediaType: 'image/svg+xml',
          description: 'The history as a chart, for embedding.',
          write: ({ _name, priceHistory }) => drawPriceChart({ title: _name, ...priceHistory }),
          headers: PICTURE_HEADERS,
        },
      ],
    }),
  },
  {
    path: '/api/v1/products/{id}/price-stats',
    name: 'getPriceStatistics',
    tag: 'Products',
    summary: 'Price statistics of a product',
    description:
      'Figures about the lowest matching total price at each instant: the lowest and the highest price with their days and shops, minimum, maximum, average and median of the last 30, 90 and 365 days and of all time, how often the price fell, and how long the product was out of stock. Averages, medians and shares are weighted by time. Prices that are probably typing errors are left out and counted in `excluded`; `currentExcluded` names the cheapest offer if its price is one of them. The prices are those with stated shipping; only if none is known at the end of the time span, those without (`shippingKnown`). `windows` end with the time span, which bounds all other figures; it covers all time by default.',
    tool: 'Use this to judge whether the current price is good: the lowest and highest price with their days and shops, average and median over 30, 90 and 365 days, the share of the last year in which it was cheaper, and how long the product was out of stock. Use `condition` new and `availability` in_stock for prices that a buyer could have paid. If `shippingKnown` is false, no shop states its shipping now, and all prices are without. For the course of the price use `get_price_history`.',
    access: 'metered',
    parameters: z.object({
      id: productId,
      condition: optional(oneOf(CONDITIONS), 'Only offers of this condition.', 'new'),
      availability: optional(oneOf(AVAILABILITIES), 'Only offers while they have this availability.', 'in_stock'),
      merchant: optional(
        reference(),
        'Slug or id of a merchant: only its offers. An unknown one has no figures.',
        'techtonne',
      ),
      shipping,
      days: optional(
        whole(1, MOST_DAYS),
        'The number of days up to and including today; all time by default. Cannot be combined with `from` and `to`.',
        365,
      ),
      from: optional(day(), 'The first day.', '2026-01-01'),
      to: optional(day(), 'The last day, inclusive; today by default.', '2026-03-31'),
    }),
    example: { id: 'aurelio-tempo-headphones-white', condition: 'new', availability: 'in_stock' },
    source: fromGraphql({
      document: graphql(`
        query PriceStatistics(
          $id: ID!
          $condition: Condition
          $availability: Availability
          $merchant: String
          $shipping: ShippingFilter
          $days: Int
          $from: Day
          $to: Day
        ) {
          data: product(id: $id) {
            statistics(
              condition: $condition
              availability: $availability
              merchant: $merchant
              shipping: $shipping
              days: $days
              from: $from
              to: $to
            ) {
              currency
              current
              shippingKnown
              low { ...PriceExtreme }
              high { ...PriceExtreme }
              windows { ...PriceWindow }
              percentile
              isLowest
              isLowest90
              drops
              observations
              excluded
              currentExcluded { offer { ...Offer } reason }
            }
          }
        }
        fragment PriceExtreme on PriceExtreme { price firstDay lastDay merchants }
        fragment PriceWindow on PriceWindow { days min max avg median outOfStockPercent }
        ${UNIT_PRICE}
        ${OFFER}`),
      shape: { member: 'statistics' },
      table: {
        rows: 'windows',
        beside: [
          'currency',
          'current',
          'percentile',
          'drops',
          'observations',
          'excluded',
          'low',
          'high',
          'shippingKnown',
        ],
      },
      explainNothing: noSuchProduct,
    }),
  },
  {
    path: '/api/v1/price-index',
    name: 'getPriceIndex',
    tag: 'Analysis',
    summary: 'Price index of a category, brand or shop',
    description:
      'How prices have developed in a category with its subcategories, of a brand or at a shop: a chained Jevons index, 100 at the end of the first day. Each day compares the offers that were listed at the end of that day and of the day before, by their total prices, without prices that are probably typing errors. A point has the index at the end of the last day of its interval, with the numbers of products and offers that this day compares; intervals whose last day compares none have no point. Send exactly one of `category`, `brand` and `merchant`; an unknown one has no points. At most 1,000 points.',
    tool: 'Use this to see how prices have developed in general, not of one product: an index of 100 on the first day for a category, a brand or a shop. Send exactly one of `category`, `brand` and `merchant`, a slug from `search`, `list_categories`, `list_brands` or `list_merchants`; an unknown slug has no points. For more than three months use `interval` week or month, which keeps the answer short. For one product use `get_price_history`.',
    access: 'metered',
    parameters: z.object({
      category: optional(reference(), 'Slug or id of a category, including its subcategories.', 'headphones'),
      brand: optional(reference(), 'Slug or id of a brand.', 'sonavia'),
      merchant: optional(reference(), 'Slug or id of a merchant.', 'techtonne'),
      days: optional(
        whole(1, MOST_DAYS),
        'The number of days up to and including today; 90 by default. Cannot be combined with `from` and `to`.',
        30,
      ),
      from: optional(day(), 'The first day.', '2026-01-01'),
      to: optional(day(), 'The last day, inclusive; today by default.', '2026-03-31'),
      interval: oneOf(INTERVALS).default('day').meta({ description: 'The interval of a point.', example: 'week' }),
    }),
    example: { category: 'headphones', days: 5 },
    source: fromGraphql({
      document: graphql(`
        query PriceIndex(
          $category: String
          $brand: String
          $merchant: String
          $days: Int
          $from: Day
          $to: Day
          $interval: HistoryInterval
        ) {
          data: priceIndex(
            category: $category
            brand: $brand
            merchant: $merchant
            days: $days
            from: $from
            to: $to
            interval: $interval
          ) {
            category { ...CategoryReference }
            brand { ...BrandReference }
            merchant { ...MerchantReference }
            interval
            from
            to
            points { ...PriceIndexPoint }
          }
        }
        fragment PriceIndexPoint on PriceIndexPoint { date index productCount offerCount }
        fragment BrandReference on Brand { id slug name }
        ${MERCHANT_REFERENCE}
        ${CATEGORY_REFERENCE}`),
      shape: 'whole',
      table: { rows: 'points', beside: ['interval'] },
    }),
  },
  {
    path: '/api/v1/merchant-comparison',
    name: 'compareMerchants',
    tag: 'Analysis',
    summary: 'Comparison of the shops in a category or brand',
    description:
      'How the shops in a category with its subcategories, or of a brand, stand now: at how many of its products each is the cheapest, how far its prices are from the lowest, and how much it has out of stock. Only new offers count; prices are compared with shipping, those whose shipping is not stated after all others, among offers in stock, without prices that are probably typing errors. Most products first, at most 100 shops. Send exactly one of `category` and `brand`; an unknown one returns an empty list.',
    tool: 'Use this to compare shops as a whole instead of for one product: which is the cheapest most often in a category or of a brand, how far its prices are from the lowest, and how much it has out of stock. Send exactly one of `category` and `brand`, a slug from `search`, `list_categories` or `list_brands`. For one product use `list_offers`.',
    access: 'metered',
    parameters: z.object({
      category: optional(reference(), 'Slug or id of a category, including its subcategories.', 'headphones'),
      brand: optional(reference(), 'Slug or id of a brand.', 'sonavia'),
    }),
    example: { category: 'headphones' },
    source: fromGraphql({
      document: graphql(`
        query MerchantComparison($category: String, $brand: String) {
          data: merchantComparison(category: $category, brand: $brand) { ...MerchantStanding }
        }
        fragment MerchantStanding on MerchantStanding {
          merchant { ...MerchantReference }
          productCount
          cheapestPercent
          soleSellerPercent
          medianDistancePercent
          outOfStockPercent
        }
        ${MERCHANT_REFERENCE}`),
      shape: 'whole',
    }),
  },
  {
    path: '/api/v1/deals',
    name: 'findDeals',
    tag: 'Products',
    summary: 'Products whose price fell',
    description:
      'The products whose lowest price in stock is lower than before, largest fall first. `price` is the lowest total price in stock for `condition` and `merchant`, `since` the time at which it began, `previous` the lowest such price in the 30 days before, and `percent` the fall from there. Prices with stated shipping are compared with each other; only where none is known, those without. Prices that are probably typing errors do not count. All filters must match; an unknown category, brand or merchant returns an empty list. A change of a price shows a few seconds after its import.',
    tool: 'Use this to find bargains: products whose price fell, largest fall first, each with the offer, its price, the lowest price in the 30 days before, the fall in percent and since when. Narrow it with `category`, `brand` and `merchant`, which take slugs from `search` or the `list_…` tools, with `minPercent`, and with `low` to prices that are the lowest ever or for some time. For the history of a product’s price continue with `get_price_history`.',
    access: 'metered',
    // Not kept: kept answers depend on changes of the catalogue, and deals are found after these. Each step of the digest would have to
    // announce one, while a page of deals takes a few milliseconds.
    parameters: z.object({
      minPercent: optional(percentage(), 'The least fall in percent.', 10),
      low: optional(
        oneOf(LOW_NAMES),
        'The price is the lowest ever (`all`), or of the last 90 or 30 days, for `condition` and `merchant` in stock.',
        '90d',
      ),
      category: optional(reference(), 'Slug or id of a category, including its subcategories.', 'headphones'),
      brand: optional(reference(), 'Slug or id of a brand.', 'sonavia'),
      merchant: optional(reference(), 'Slug or id of a merchant, to see only its prices.', 'techtonne'),
      condition: oneOf(CONDITIONS).default('new').meta({ description: 'The condition of the goods.', example: 'new' }),
      shipping,
      ...paging,
    }),
    example: { minPercent: 10, limit: 2 },
    source: fromGraphql({
      document: graphql(`
        query Deals($filter: DealFilter, $limit: Int, $cursor: String) {
          data: deals(filter: $filter, first: $limit, after: $cursor) {
            nodes { ...Deal }
            pageInfo { hasNextPage endCursor }
            totalCount
            totalIsExact
          }
        }
        fragment Deal on Deal { product { ...Product } offer { ...Offer } price previous percent since }
        ${PRODUCT}
        ${OFFER}`),
      shape: 'page',
      variables: ({ limit, cursor, low, ...filter }) => ({
        filter: { ...filter, low: LOWS[low as LowName] },
        limit,
        cursor,
      }),
    }),
  },
  ...CHANGE_ROUTES,
  {
    path: '/api/v1/categories',
    name: 'listCategories',
    tag: 'Catalogue',
    summary: 'Category tree',
    description:
      'The categories by name, each with its subcategories. `productCount` includes the products of subcategories.',
    tool: 'Use this to find the slug of a category, or to see which kinds of goods exist. Start with `depth` 1, then use `root` to go deeper: the whole tree is large. `nonEmpty` leaves out categories without products.',
    access: 'metered',
    parameters: z.object({
      root: optional(
        reference(),
        'Slug or id of the category to start from. An unknown category returns an empty list.',
        'audio',
      ),
      depth: optional(
        whole(1, DEEPEST),
        'The number of levels; all by default. Categories on the last level have no children.',
        2,
      ),
      nonEmpty: optional(flag(), '`true` leaves out categories without products, also in their subcategories.', true),
    }),
    example: { root: 'audio', depth: 2 },
    source: fromGraphql({
      document: graphql(`
        query Categories($root: ID, $depth: Int, $nonEmpty: Boolean) {
          data: categories(root: $root, depth: $depth, nonEmpty: $nonEmpty) {
            ...CategoryNode children { ...CategoryNode children { ...CategoryNode children { ...CategoryNode
            children { ...CategoryNode children { ...CategoryNode children { ...CategoryNode children { ...CategoryNode }}}}}}}
          }
        }
        fragment CategoryNode on Category { id slug name productCount }`),
      shape: 'whole',
      recursive: 'children',
      dependsOn: () => [TAG.categories],
    }),
  },
  {
    path: '/api/v1/brands',
    name: 'listBrands',
    tag: 'Catalogue',
    summary: 'Brands',
    description: 'The brands by name, with their numbers of products.',
    tool: 'Use this to find the slug of a brand by a prefix of its name, for the `brand` of other tools.',
    access: 'metered',
    parameters: z.object({
      q: optional(typed(), 'A prefix of the name, ignoring accents and case.', 'so'),
      ...paging,
    }),
    example: { q: 'so', limit: 5 },
    source: fromGraphql({
      document: graphql(`
        query Brands($q: String, $limit: Int, $cursor: String) {
          data: brands(query: $q, first: $limit, after: $cursor) {
            nodes { ...Brand }
            pageInfo { hasNextPage endCursor }
          }
        }
        fragment Brand on Brand { id slug name productCount }`),
      shape: 'page',
      dependsOn: () => [TAG.brands],
    }),
  },
  {
    path: '/api/v1/merchants',
    name: 'listMerchants',
    tag: 'Catalogue',
    summary: 'Merchants',
    description: 'The shops by name, with their numbers of current offers and the time of their newest feed.',
    tool: 'Use this to find the slug of a shop by a prefix of its name, for the `merchant` of other tools.',
    access: 'metered',
    parameters: z.object({
      q: optional(typed(), 'A prefix of the name, ignoring accents and case.', 'te'),
      ...paging,
    }),
    example: { limit: 3 },
    source: fromGraphql({
      document: graphql(`
        query Merchants($q: String, $limit: Int, $cursor: String) {
          data: merchants(query: $q, first: $limit, after: $cursor) {
            nodes { ...Merchant }
            pageInfo { hasNextPage endCursor }
          }
        }
        fragment Merchant on Merchant { id slug name offerCount url observedAt }`),
      shape: 'page',
      dependsOn: () => [TAG.merchants],
    }),
  },
  {
    path: '/api/v1/search',
    name: 'search',
    tag: 'Search',
    summary: 'Typeahead search',
    description:
      'Suggestions for the text typed so far, best first: whole words, prefixes, other readings (quantities, words joined or split, singular for plural, synonyms), then words with one typing error; equal ones by the number of shops, then stock, then completeness. Works from the first letter; accents are ignored. A GTIN or an ASIN finds its product.',
    tool: 'Use this if you have a name, or part of one: returns the products, brands and categories that match best, with their slugs. Typing errors are tolerated. For prices and filters continue with `list_products`; for one product with `get_product`.',
    access: 'metered',
    parameters: z.object({
      q: typed().meta({ description: 'The typed text.', example: 'mark' }),
      limit: whole(1, MOST_SUGGESTIONS)
        .default(DEFAULT_SUGGESTIONS)
        .meta({ description: 'The maximum number of suggestions.', example: DEFAULT_SUGGESTIONS }),
    }),
    example: { q: 'mark', limit: 3 },
    source: fromGraphql({
      document: graphql(`
        query Search($q: String!, $limit: Int) {
          data: search(query: $q, limit: $limit) { ...Suggestion }
        }
        fragment Suggestion on Suggestion { type id slug name url }`),
      shape: 'whole',
      dependsOn: () => [TAG.search],
    }),
  },
  {
    path: '/api/v1/articles',
    name: 'listArticles',
    tag: 'Articles',
    summary: 'Guide articles',
    description: 'Guides in Markdown, newest first.',
    tool: 'Use this for advice rather than prices: guides in Markdown on how to choose and use a kind of product. Cite the guide’s `url` if you use its content.',
    access: 'metered',
    parameters: z.object({
      q: optional(typed(), 'Words from the title, summary or text. Prefixes match too.', 'coffee'),
      category: optional(reference(), 'Slug or id of a category, including its subcategories.', 'electronics'),
      slug: optional(reference(), 'The slug of one article.'),
      ...paging,
    }),
    example: { limit: 1 },
    source: fromGraphql({
      document: graphql(`
        query Articles($filter: ArticleFilter, $limit: Int, $cursor: String) {
          data: articles(filter: $filter, first: $limit, after: $cursor) {
            nodes { ...Article }
            pageInfo { hasNextPage endCursor }
          }
        }
        fragment Article on Article {
          id
          slug
          title
          summary
          body
          category { ...CategoryReference }
          products: productSlugs
          publishedAt
          updatedAt
          url
        }
        ${CATEGORY_REFERENCE}`),
      shape: 'page',
      variables: ({ q, limit, cursor, ...filter }) => ({ filter: { query: q, ...filter }, limit, cursor }),
      dependsOn: () => [TAG.articles],
    }),
  },
  ...ACCOUNT_ROUTES,
  ...WEBHOOK_ROUTES,
  {
    path: '/api/v1/plans',
    name: 'listPlans',
    ...ABOUT_SERVICE,
    summary: 'Plans',
    description:
      'The plans that keys are issued for. A `monthlyQuota` of 0 means unlimited; a `priceEur` of null means on request.',
    access: 'limited',
    isFixed: true,
    source: fromGraphql({
      document: graphql(`
        query Plans {
          data: plans { ...Plan }
        }
        fragment Plan on Plan { id name monthlyQuota priceEur description }`),
      shape: 'whole',
      nullable: ['priceEur'],
    }),
  },
  {
    path: '/api/v1/openapi.json',
    name: 'getOpenApi',
    ...ABOUT_SERVICE,
    summary: 'Description of the API in OpenAPI 3.1',
    description: 'This description, for tools that generate clients or documentation.',
    access: 'limited',
    isFixed: true,
    source: {
      body: openApi,
      mediaType: 'application/json',
      schema: { type: 'object', description: 'An OpenAPI 3.1 document.', additionalProperties: true },
    },
  },
  {
    path: '/llms.txt',
    name: 'getLlmsText',
    ...ABOUT_SERVICE,
    summary: 'Overview for language models',
    description: 'An overview of the service and its use, as plain text following the llms.txt convention.',
    access: 'limited',
    isFixed: true,
    source: { body: llmsText, mediaType: 'text/plain; charset=utf-8', schema: { type: 'string' } },
  },
];
