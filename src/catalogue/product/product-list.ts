/** Lists of products: filtered, sorted and paginated, with facets. */

import { columnsOf } from '../../database/columns.ts';
import type { Queryable } from '../../database/database.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { builder, type Context } from '../builder.ts';
import { cost } from '../field-cost.ts';
import {
  countRows,
  emptyPage,
  type List,
  type Order,
  type Page,
  type PageArguments,
  pageOf,
  readPage,
  readPageRequest,
  readRows,
  TOTAL_WEIGHT,
} from '../page.ts';
import { PRODUCT, type ProductRow } from './columns.ts';
import { type Facets, ProductFacets } from './facets.ts';
import { Product } from './product.ts';
import {
  CHEAPEST,
  DEAREST,
  ProductFilter,
  type ProductFilterInput,
  type ProductSelection,
  selectProducts,
} from './product-filter.ts';

/** A product with its sort keys. */
const PLACED_PRODUCT = { ...PRODUCT, popularity: true, sortName: true } as const satisfies Prisma.ProductSelect;
type PlacedProduct = Prisma.ProductGetPayload<{ select: typeof PLACED_PRODUCT }>;

const bigints = (value: bigint | null, whenNull: string) => (value === null ? whenNull : String(value));
const ID = { sql: 'product.id', type: 'bigint' } as const;

/** Each by its own index: product_popularity_idx, product_cheapest_idx and so on. */
const ORDERS = {
  popularity: {
    name: 'popularity',
    keys: [{ sql: 'product.popularity', type: 'integer' }, ID],
    isDescending: true,
    placeOf: (row) => [row.popularity, String(row.id)],
  },
  price_asc: {
    name: 'price_asc',
    keys: [{ sql: CHEAPEST, type: 'bigint' }, ID],
    isDescending: false,
    placeOf: (row) => [bigints(row.minTotal, '9223372036854775807'), String(row.id)],
  },
  price_desc: {
    name: 'price_desc',
    keys: [{ sql: DEAREST, type: 'bigint' }, ID],
    isDescending: true,
    placeOf: (row) => [bigints(row.minTotal, '-1'), String(row.id)],
  },
  name: {
    name: 'name',
    keys: [{ sql: 'product.sort_name', type: 'text' }, ID],
    isDescending: false,
    placeOf: (row) => [row.sortName ?? '', String(row.id)],
  },
  newest: {
    name: 'newest',
    keys: [{ sql: 'product.created_at', type: 'timestamptz' }, ID],
    isDescending: true,
    placeOf: (row) => [row.createdAt.toISOString(), String(row.id)],
  },
  discount: {
    name: 'discount',
    keys: [{ sql: 'product.discount', type: 'integer' }, ID],
    isDescending: true,
    placeOf: (row) => [row.discount, String(row.id)],
  },
} as const satisfies Record<string, Order<PlacedProduct>>;

const SORTS = {
  relevance: 'By how the words of the query match (exactly, as prefixes, with a typing error), then by popularity.',
  popularity: 'By the number of shops with an offer, largest first.',
  price_asc: 'By the lowest total price, cheapest first. Products without an offer come last.',
  price_desc: 'By the lowest total price, most expensive first. Products without an offer come last.',
  name: 'By name, ignoring accents and case.',
  newest: 'By the time of first observation, newest first.',
  discount: 'By the discount of the lowest price from its 90-day average, largest first.',
} as const;
export type ProductSortName = keyof typeof SORTS;

/** The orders of a list of products (decisions §5). */
export const PRODUCT_SORTS = Object.keys(SORTS) as [ProductSortName, ...ProductSortName[]];

const ProductSort = builder.enumType('ProductSort', {
  description: 'The orders of a list of products.',
  values: Object.fromEntries(
    Object.entries(SORTS).map(([value, description]) => [value, { value, description }]),
  ) as Record<ProductSortName, { value: ProductSortName; description: string }>,
});

export interface ProductListArguments extends PageArguments {
  filter?: ProductFilterInput | null | undefined;
  sort?: ProductSortName | null | undefined;
}

/** A page of products, with the selection of its list. */
export interface ProductPage extends Page<ProductRow> {
  /** The selection, for facets; `undefined` if the filter cannot match any product. */
  selection: ProductSelection | undefined;
}

/**
 * Reads a page of products: one statement for each way to match that the page covers, at most three.
 *
 * @throws {Problem} `invalid_parameter` as {@link readPageRequest} and {@link selectProducts} do.
 */
export async function readProducts(
  { filter, sort, ...page }: ProductListArguments,
  context: Context,
): Promise<ProductPage> {
  const selection = await selectProducts(filter ?? {}, context, sort === 'price_desc' ? DEAREST : CHEAPEST);
  // Without words to match, relevance is popularity.
  const isByRelevance = (sort ?? 'relevance') === 'relevance' && (selection?.tiers.length ?? 0) > 0;
  const order = ORDERS[sort == null || sort === 'relevance' ? 'popularity' : sort];
  const description = JSON.stringify(['products', isByRelevance ? 'relevance' : order.name, filter ?? {}]);
  if (!selection) {
    readPageRequest(description, [], { first: page.first, last: page.last });
    return { ...emptyPage<ProductRow>(), selection };
  }
  const list: List<PlacedProduct> & Pick<ProductSelection, 'tiers'> = {
    ...selection,
    table: 'product',
    columns: columnsOf('Product', PLACED_PRODUCT),
    description,
    order,
  };
  const read = isByRelevance ? readByRelevance : readPage;
  return { ...(await read(context.catalogue, list, page)), selection };
}

/**
 * Reads the best matches first: tier by tier, and by popularity within a tier. A place in this order is the tier and the place within
 * it.
 */
async function readByRelevance(
  database: Queryable,
  { tiers, ...list }: List<PlacedProduct> & Pick<ProductSelection, 'tiers'>,
  page: PageArguments,
): Promise<Page<ProductRow>> {
  const types = list.order.keys.map(({ type }) => type);
  const request = readPageRequest(list.description, ['integer', ...types], page);
  // A forged cursor may contain any tier, so the range is limited to the existing ones.
  const first = Math.max(request.after ? Number(request.after[0]) : 0, 0);
  const last = Math.min(request.before ? Number(request.before[0]) : tiers.length - 1, tiers.length - 1);
  const steps = Array.from({ length: Math.max(0, last - first + 1) }, (_, step) => first + step);
  const rows: (PlacedProduct & { tier: number })[] = [];
  for (const tier of request.isBackward ? steps.reverse() : steps) {
    const missing = request.limit + 1 - rows.length;
    if (missing <= 0) break;
    const inTier = await readRows(
      database,
      { ...list, conditions: (bind) => [...list.conditions(bind), ...ofTier(tiers, tier, bind)] },
      {
        ...request,
        after: tier === request.after?.[0] ? request.after.slice(1) : undefined,
        before: tier === request.before?.[0] ? request.before.slice(1) : undefined,
      },
      missing,
    );
    rows.push(...inTier.map((row) => ({ ...row, tier })));
  }
  return pageOf(
    list.description,
    request,
    rows,
    (row) => [row.tier, ...list.order.placeOf(row)],
    () => countRows(database, list),
  );
}

/** Conditions for products that a tier matches and the tiers before it do not. */
function ofTier(tiers: readonly string[], tier: number, bind: (value: unknown) => string): string[] {
  return [
    `product_search.search @@ ${bind(tiers[tier])}::tsquery`,
    ...(tier === 0 ? [] : [`NOT product_search.search @@ ${bind(tiers[tier - 1])}::tsquery`]),
  ];
}

builder.queryField('products', (t) =>
  t.connection(
    {
      type: Product,
      description:
        'A filtered and sorted list of products. Paging neither repeats nor skips a product that does not change.',
      args: {
        filter: t.arg({ type: ProductFilter, description: 'Selects products; all by default.' }),
        sort: t.arg({
          type: ProductSort,
          description: 'The order: by default relevance with a query, popularity without.',
        }),
      },
      resolve: (_root, listArguments, context) => readProducts(listArguments, context),
    },
    {
      name: 'ProductConnection',
      description: 'A page of products, with figures about the whole list.',
      fields: (c) => ({
        totalCount: c.int({
          ...cost({ weight: TOTAL_WEIGHT }),
          description: 'The number of products in the list, at most 10000.',
          resolve: async (page) => (await page.total()).count,
        }),
        totalIsExact: c.boolean({
          ...cost({ weight: TOTAL_WEIGHT }),
          description: 'Whether `totalCount` is exact; false beyond 10000.',
          resolve: async (page) => (await page.total()).isExact,
        }),
        facets: c.field({
          type: ProductFacets,
          description: 'Counts over the whole list, for narrowing the filter.',
          resolve: ({ selection }): Facets => ({ selection }),
        }),
      }),
    },
    { name: 'ProductEdge', description: 'A product in a list.' },
  ),
);
