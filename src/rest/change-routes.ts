/** The REST route of the stream of changes. */
import * as z from 'zod';
import { MOST_PRODUCTS } from '../catalogue/change/change-filter.ts';
import { DEFAULT_CHANGES, MOST_CHANGES } from '../catalogue/change/read-changes.ts';
import { ChangeType } from '../generated/prisma/enums.ts';
import { graphql } from '../graphql/document.ts';
import { MERCHANT_REFERENCE } from './fragments.ts';
import { LONGEST_WAIT_SECONDS } from './long-polls.ts';
import { optional, reference, references, several, whole } from './parameter-types.ts';
import { fromGraphql, type Route } from './route.ts';

const TYPES = Object.values(ChangeType) as [ChangeType, ...ChangeType[]];

export const CHANGE_ROUTES: readonly Route[] = [
  {
    path: '/api/v1/changes',
    name: 'listChanges',
    tag: 'Changes',
    summary: 'What changed, in order',
    description:
      'The stream of changes: one line for each offer and each product that an import changed, in the order of the commits, with the offer or the product before and after. Start with the cursor of an export, with `cursor=now`, or without a cursor at the oldest change that is kept; continue with `page.nextCursor`, which is present on an empty page, too. `page.hasMore` tells whether more can be read now. `wait` lets the request wait for the next change. A cursor is independent of the filters. An unknown category, brand, merchant or product matches nothing.',
    tool: 'Use this to see what changed lately: prices, availability, new and withdrawn offers, and products, oldest first, each with the offer or the product `before` and `after`. Narrow it with `types` and with `product`, `merchant`, `category` or `brand`; without them it lists all changes of the shop feeds. Continue with `page.nextCursor`. For the prices of one product over time `get_price_history` is better.',
    access: 'metered',
    price:
      'Costs one request for each 100 changes begun, at least one; a page is shortened to what remains of the quota.',
    waits: true,
    asTool: { without: ['wait'], lists: ['types', 'product'], defaults: { limit: '20' } },
    parameters: z.object({
      types: optional(several(TYPES), 'Only changes with one of these types, separated by commas.', ['price']),
      merchant: optional(reference(), 'Slug or id of a merchant, to see only its offers.', 'techtonne'),
      category: optional(
        reference(),
        'Slug or id of a category, including its subcategories: that of the product now.',
        'headphones',
      ),
      brand: optional(reference(), 'Slug or id of a brand: that of the product now.', 'sonavia'),
      product: optional(
        references(MOST_PRODUCTS),
        `Slugs or ids of up to ${MOST_PRODUCTS} products, separated by commas.`,
        ['markina-glow-line-highlighter-yellow'],
      ),
      limit: whole(1, MOST_CHANGES)
        .default(DEFAULT_CHANGES)
        .meta({ description: 'The number of changes per page.', example: DEFAULT_CHANGES }),
      cursor: z.string().min(1, 'must not be empty').optional().meta({
        description:
          'Where to continue: `page.nextCursor` of the last page or the cursor of an export. `now` starts after the last change.',
      }),
      wait: whole(0, LONGEST_WAIT_SECONDS).default(0).meta({
        description: 'Long poll: the seconds to wait for a change if the page would be empty.',
        example: 0,
      }),
    }),
    example: { types: 'offer_created', limit: 2 },
    source: fromGraphql({
      document: graphql(`
        query Changes(
          $after: String
          $first: Int
          $types: [ChangeType!]
          $merchant: String
          $category: String
          $brand: String
          $products: [ID!]
        ) {
          data: changes(
            after: $after
            first: $first
            types: $types
            merchant: $merchant
            category: $category
            brand: $brand
            products: $products
          ) {
            nodes { ...Change }
            nextCursor
            hasMore
          }
        }
        fragment Change on Change {
          seq
          at
          observedAt
          types
          productId
          offerId
          before { ...OfferState ...ProductState }
          after { ...OfferState ...ProductState }
        }
        fragment OfferState on OfferState {
          id
          productId
          merchant { ...MerchantReference }
          price
          shipping
          shippingKnown
          totalPrice
          currency
          availability
          condition
          url
          updatedAt
        }
        fragment ProductState on ProductState {
          id
          slug
          name
          brand
          category { id slug name }
          identifier { ean asin mpn }
          identifiers { ean asin }
          description
          attributes { name value }
          image
          url
          createdAt
        }
        ${MERCHANT_REFERENCE}`),
      shape: 'stream',
      nullable: ['before', 'after'],
      variables: ({ cursor, limit, product, types, merchant, category, brand }) => ({
        after: cursor,
        first: limit,
        products: product,
        types,
        merchant,
        category,
        brand,
      }),
    }),
  },
];
