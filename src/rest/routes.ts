/** The REST face as a table: each row a path, its parameters, and the GraphQL document that answers it. */
import { z } from 'zod';
import { DEEPEST } from '../catalogue/category/category.ts';
import { explainNothing } from '../catalogue/lookup/lookup.ts';
import { AVAILABILITIES } from '../catalogue/offer/offer.ts';
import { INTERVALS } from '../catalogue/price-history/price-buckets.ts';
import { MOST_DAYS } from '../catalogue/price-history/price-history.ts';
import { PRODUCT_SORTS } from '../catalogue/product/product-list.ts';
import { DEFAULT_SUGGESTIONS, MOST_SUGGESTIONS } from '../catalogue/search/search.ts';
import { drawPriceChart, PICTURE_HEADERS } from '../chart/price-chart.ts';
import { graphql } from '../graphql/document.ts';
import { CATEGORY_REFERENCE, OFFER, PRICE_STATISTICS, PRODUCT } from './fragments.ts';
import { llmsText } from './llms.ts';
import { openApi } from './openapi.ts';
import { day, oneOf, paging, price, reference, typed, whole } from './parameter-types.ts';
import { fromGraphql, type ParameterValues, type Route } from './route.ts';
import { INDEX_SCHEMA, serviceIndex } from './service-index.ts';

const noSuchProduct = ({ slug, id }: ParameterValues) =>
  `There is no product ${slug ?? id}: take its slug or id from /api/v1/products or /api/v1/search.`;

const productId = reference().meta({ description: 'The id or the slug of the product.' });

export const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v1',
    name: 'getServiceIndex',
    tag: 'Service',
    summary: 'Service index',
    description: 'What there is and where. Also at `/` for clients that do not ask for HTML.',
    access: 'limited',
    parameters: z.object({}),
    example: {},
    source: { body: serviceIndex, mediaType: 'application/json', schema: INDEX_SCHEMA },
  },
  {
    method: 'GET',
    path: '/api/v1/lookup',
    name: 'lookUp',
    tag: 'Lookup',
    summary: 'Look a product up by EAN/GTIN or ASIN',
    description:
      'The product of one identifier, its price statistics and all shops’ offers, cheapest first. Exactly one of `ean` and `asin` is needed. `Link` headers lead on to the product (`item`), its offers (`collection`) and its price history (`history`).',
    tool: 'Use this first when you have a number: an EAN, GTIN, ISBN-13, ASIN, or a UPC with a 0 put before its 12 digits. Gives the product, the figures of its prices, and what it costs in each shop, cheapest first. Send exactly one of `ean` and `asin`. Without a number, use `search` or `list_products`.',
    access: 'metered',
    isKept: true,
    parameters: z.object({
      ean: z.string().optional().meta({
        description: 'EAN/GTIN, 13 to 14 digits. A GTIN-14 with a leading 0 and its GTIN-13 are the same.',
        pattern: '^[0-9]{13,14}$',
        example: '4006381333931',
      }),
      asin: z.string().optional().meta({
        description: 'ASIN, 10 letters and digits in any case.',
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
    }),
  },
  {
    method: 'GET',
    path: '/api/v1/products',
    name: 'listProducts',
    tag: 'Products',
    summary: 'Search and filter products',
    description:
      'Products page by page. All filters that are given must hold; an unknown category, brand or merchant gives an empty list. Paging neither repeats nor skips a product that does not change.',
    tool: 'Use this to choose among products: by words, category, brand, shop, price range and availability, in the order that you want. Gives each with its lowest and highest price, page by page. `category`, `brand` and `merchant` take a slug, which `search`, `list_categories`, `list_brands` and `list_merchants` give; one that is unknown gives an empty list. For one product by its number, `look_up` is better.',
    access: 'metered',
    isKept: true,
    parameters: z.object({
      q: typed().optional().meta({
        description:
          'Words of name, brand or category in any order, or a GTIN, ASIN or MPN. Accents do not count, words may be begun only, one typing error is forgiven in each word of four letters or more.',
        example: 'headphones',
      }),
      category: reference()
        .optional()
        .meta({ description: 'Slug or id of a category, with all below it.', example: 'headphones' }),
      brand: reference().optional().meta({ description: 'Slug or id of a brand.', example: 'sonavia' }),
      merchant: reference()
        .optional()
        .meta({ description: 'Slug or id of a merchant that must have an offer now.', example: 'techtonne' }),
      minPrice: price().optional().meta({ description: 'The least that the lowest total price may be.', example: 10 }),
      maxPrice: price()
        .optional()
        .meta({ description: 'The most that the lowest total price may be.', example: 99.99 }),
      availability: oneOf(AVAILABILITIES).optional().meta({
        description: 'How an offer must be available now; with `merchant`, that merchant’s.',
        example: 'in_stock',
      }),
      sort: oneOf(PRODUCT_SORTS).optional().meta({
        description:
          'The order. By default `relevance` with `q` and `popularity` without. `discount` is by how far the lowest price is below its average of 90 days.',
        example: 'price_asc',
      }),
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
      variables: ({ q, sort, limit, cursor, ...filter }) => ({ filter: { query: q, ...filter }, sort, limit, cursor }),
    }),
  },
  {
    method: 'GET',
    path: '/api/v1/products/{slug}',
    name: 'getProduct',
    tag: 'Products',
    summary: 'Product detail',
    description: 'All that is known of one product, its offers included.',
    tool: 'Use this when you know a product’s slug or id and want all that is known of it: description, attributes, all its numbers, and each shop’s offer with price, shipping and condition.',
    access: 'metered',
    isKept: true,
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
            createdAt
            updatedAt
          }
        }
        ${PRODUCT}
        ${OFFER}`),
      shape: 'whole',
      explainNothing: noSuchProduct,
      links: ({ id }) => ({
        collection: `/api/v1/products/${id}/offers`,
        history: `/api/v1/products/${id}/price-history`,
      }),
    }),
  },
  {
    method: 'GET',
    path: '/api/v1/products/{id}/offers',
    name: 'listOffers',
    tag: 'Products',
    summary: 'All offers of a product',
    description:
      'Every shop’s offer for one product, cheapest first, then by the name of the shop. There are no pages.',
    tool: 'Use this to compare shops for one product whose slug or id you know: each offer with price, shipping, total price, availability, condition, and the link to the shop.',
    access: 'metered',
    isKept: true,
    parameters: z.object({ id: productId }),
    example: { id: 'markina-glow-line-highlighter-yellow' },
    source: fromGraphql({
      document: graphql(`
        query Offers($id: ID!) {
          data: product(id: $id) { offers { ...Offer } }
        }
        ${OFFER}`),
      shape: { member: 'offers' },
      explainNothing: noSuchProduct,
    }),
  },
  {
    method: 'GET',
    path: '/api/v1/products/{id}/price-history',
    name: 'getPriceHistory',
    tag: 'Products',
    summary: 'Price history of a product',
    description:
      'What a product has cost, by day, week or month in UTC. A price holds until it changes or its offer is withdrawn: `min` and `max` are over all prices that held in a point, `avg` is weighted by time. Where no offer had a price there is no point. Weeks begin on Monday. `Accept: image/svg+xml` gives the same as a chart.',
    tool: 'Use this to tell whether a price is good now, or how it has gone: the lowest, highest and average price of one product by day, week or month, and the lowest ever. For spans of more than three months take `interval` week or month, which keeps the answer short.',
    access: 'metered',
    parameters: z.object({
      id: productId,
      days: whole(1, MOST_DAYS).optional().meta({
        description: 'How many days until today, today included; 90 by default. Not beside `from` and `to`.',
        example: 30,
      }),
      from: day().optional().meta({ description: 'The first day.', example: '2026-01-01' }),
      to: day().optional().meta({ description: 'The last day, included; today by default.', example: '2026-03-31' }),
      interval: oneOf(INTERVALS).default('day').meta({ description: 'How long a point is.', example: 'week' }),
      merchant: reference()
        .optional()
        .meta({ description: 'Slug of a merchant: that merchant’s prices alone.', example: 'techtonne' }),
    }),
    example: { id: 'markina-glow-line-highlighter-yellow', days: 5 },
    source: fromGraphql({
      document: graphql(`
        query PriceHistory($id: ID!, $days: Int, $from: Day, $to: Day, $interval: HistoryInterval, $merchant: String) {
          data: product(id: $id) {
            _name: name
            priceHistory(days: $days, from: $from, to: $to, interval: $interval, merchant: $merchant) {
              currency
              interval
              from
              to
              lowestEver { price date }
              points { ...PricePoint }
            }
          }
        }
        fragment PricePoint on PricePoint { date min max avg offerCount }`),
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
    method: 'GET',
    path: '/api/v1/categories',
    name: 'listCategories',
    tag: 'Catalogue',
    summary: 'Category tree',
    description:
      'The categories by name, each with those below it. `productCount` counts the products in a category and below it.',
    tool: 'Use this to find the slug of a category, or to see what kinds of goods there are. Ask with `depth` 1 first, then with `root` for what is below: the whole tree is large.',
    access: 'metered',
    isKept: true,
    parameters: z.object({
      root: reference().optional().meta({
        description: 'Slug or id of the category to begin at; an unknown one gives an empty list.',
        example: 'audio',
      }),
      depth: whole(1, DEEPEST)
        .optional()
        .meta({ description: 'How many levels; all by default. The last one has no children.', example: 2 }),
    }),
    example: { root: 'audio', depth: 2 },
    source: fromGraphql({
      document: graphql(`
        query Categories($root: ID, $depth: Int) {
          data: categories(root: $root, depth: $depth) {
            ...CategoryNode children { ...CategoryNode children { ...CategoryNode children { ...CategoryNode
            children { ...CategoryNode children { ...CategoryNode children { ...CategoryNode children { ...CategoryNode }}}}}}}
          }
        }
        fragment CategoryNode on Category { id slug name productCount }`),
      shape: 'whole',
      recursive: 'children',
    }),
  },
  {
    method: 'GET',
    path: '/api/v1/brands',
    name: 'listBrands',
    tag: 'Catalogue',
    summary: 'Brands',
    description: 'The brands by name, with how many products they have.',
    tool: 'Use this to find the slug of a brand by how its name begins, for `brand` of `list_products`.',
    access: 'metered',
    isKept: true,
    parameters: z.object({
      q: typed().optional().meta({ description: 'How the name begins, accents and case apart.', example: 'so' }),
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
    }),
  },
  {
    method: 'GET',
    path: '/api/v1/merchants',
    name: 'listMerchants',
    tag: 'Catalogue',
    summary: 'Merchants',
    description: 'The shops by name, with how many offers they have now.',
    tool: 'Use this to find the slug of a shop by how its name begins, for `merchant` of `list_products` or `get_price_history`.',
    access: 'metered',
    isKept: true,
    parameters: z.object({
      q: typed().optional().meta({ description: 'How the name begins, accents and case apart.', example: 'te' }),
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
        fragment Merchant on Merchant { id slug name offerCount url }`),
      shape: 'page',
    }),
  },
  {
    method: 'GET',
    path: '/api/v1/search',
    name: 'search',
    tag: 'Search',
    summary: 'Typeahead search',
    description:
      'Suggestions for what has been typed so far, best first: whole words before begun words before words with one typing error, then the most popular. Works from the first letter on; accents do not count. A GTIN or an ASIN finds its product.',
    tool: 'Use this when you have a name, or a part of one, and want to know what it is: gives the products, brands and categories that fit best, with their slugs. Typing errors are forgiven. For prices and filters go on with `list_products`; for one product with `get_product`.',
    access: 'metered',
    isKept: true,
    parameters: z.object({
      q: typed().meta({ description: 'What has been typed.', example: 'mark' }),
      limit: whole(1, MOST_SUGGESTIONS)
        .default(DEFAULT_SUGGESTIONS)
        .meta({ description: 'How many suggestions at the most.', example: DEFAULT_SUGGESTIONS }),
    }),
    example: { q: 'mark', limit: 3 },
    source: fromGraphql({
      document: graphql(`
        query Search($q: String!, $limit: Int) {
          data: search(query: $q, limit: $limit) { ...Suggestion }
        }
        fragment Suggestion on Suggestion { type id slug name url }`),
      shape: 'whole',
    }),
  },
  {
    method: 'GET',
    path: '/api/v1/articles',
    name: 'listArticles',
    tag: 'Articles',
    summary: 'Guide articles',
    description: 'Guides in Markdown, newest first.',
    tool: 'Use this for advice rather than prices: guides on how to choose and use goods of a kind, in Markdown. Name the guide’s `url` when you use what it says.',
    access: 'metered',
    isKept: true,
    parameters: z.object({
      q: typed()
        .optional()
        .meta({ description: 'Words of title, summary or text, whole or begun.', example: 'coffee' }),
      category: reference()
        .optional()
        .meta({ description: 'Slug or id of a category, with all below it.', example: 'electronics' }),
      slug: reference().optional().meta({ description: 'The slug of one article.' }),
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
    }),
  },
  {
    method: 'GET',
    path: '/api/v1/plans',
    name: 'listPlans',
    tag: 'Service',
    summary: 'Plans',
    description:
      'The plans that keys are issued for. A `monthlyQuota` of 0 is unlimited; a `priceEur` of null is on request.',
    access: 'limited',
    parameters: z.object({}),
    example: {},
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
    method: 'GET',
    path: '/api/v1/openapi.json',
    name: 'getOpenApi',
    tag: 'Service',
    summary: 'Description of the API in OpenAPI 3.1',
    description: 'This description, for tools that make clients or documentation of it.',
    access: 'limited',
    parameters: z.object({}),
    example: {},
    source: {
      body: openApi,
      mediaType: 'application/json',
      schema: { type: 'object', description: 'An OpenAPI 3.1 document.', additionalProperties: true },
    },
  },
  {
    method: 'GET',
    path: '/llms.txt',
    name: 'getLlmsText',
    tag: 'Service',
    summary: 'Overview for language models',
    description: 'What the service is and how to use it, as plain text in the form of the llms.txt convention.',
    access: 'limited',
    parameters: z.object({}),
    example: {},
    source: { body: llmsText, mediaType: 'text/plain; charset=utf-8', schema: { type: 'string' } },
  },
];
