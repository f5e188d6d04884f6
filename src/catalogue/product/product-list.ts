/** Lists of products: filtered, sorted and paginated, with facets. */
import type { GraphQLResolveInfo } from 'graphql';
import { columnsOf } from '../../database/columns.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { LARGEST_BIGINT } from '../../values/largest-bigint.ts';
import { invalid } from '../arguments.ts';
import { builder, type Context } from '../builder.ts';
import { facetsOf, ProductFacets } from '../facets/facets.ts';
import { MOST_MATCHES } from '../facets/product-columns.ts';
import { countProducts } from '../facets/read-facets.ts';
import { type KeyType, type Page, type PageArguments, paginate, TOTAL_COST, totalCount } from '../page.ts';
import { type OrderKey, orderBy, type Parts, readPage } from '../read-page.ts';
import { selects } from '../selection.ts';
import { PRICED_PRODUCT, type ProductRow } from './columns.ts';
import { Product } from './product.ts';
import {
  CHEAPEST,
  DEAREST,
  ProductFilter,
  type ProductFilterInput,
  type ProductSelection,
  selectProducts,
} from './product-filter.ts';
import { type ProductTiers, readByRelevance } from './read-by-relevance.ts';
import { IDENTIFIERS } from './read-identifiers.ts';

/** A product with its sort keys. */
const PLACED_PRODUCT = { ...PRICED_PRODUCT, rank: true, sortName: true } as const satisfies Prisma.ProductSelect;
type PlacedProduct = Prisma.ProductGetPayload<{ select: typeof PLACED_PRODUCT }>;

const by = (name: string, sql: string, type: KeyType, isDescending: boolean, of: OrderKey<PlacedProduct>['of']) =>
  orderBy<PlacedProduct>(name, 'product', { sql, type, isDescending, of });

const UNIT_PRICE = `COALESCE(product.unit_price, ${LARGEST_BIGINT})`;

/** Each by its own index: product_rank_idx, product_cheapest_idx and so on. */
const ORDERS = {
  popularity: by('rank', 'product.rank', 'integer', true, (row) => row.rank),
  price_asc: by('price_asc', CHEAPEST, 'bigint', false, (row) => String(row.minTotal ?? LARGEST_BIGINT)),
  price_desc: by('price_desc', DEAREST, 'bigint', true, (row) => String(row.minTotal ?? -1)),
  name: by('name', 'product.sort_name', 'text', false, (row) => row.sortName ?? ''),
  newest: by('newest', 'product.created_at', 'timestamptz', true, (row) => row.createdAt.toISOString()),
  discount: by('discount', 'product.discount', 'integer', true, (row) => row.discount),
  unit_price_asc: by('unit_price_asc', UNIT_PRICE, 'bigint', false, (row) => String(row.unitPrice ?? LARGEST_BIGINT)),
};

const SORTS = {
  relevance:
    'By how the words of the query match (exactly, as prefixes, in another reading, with a typing error), then as by `popularity`.',
  popularity:
    'By the number of shops with an offer, largest first; equal ones that are in stock first, and then those with more of picture, description, brand and category.',
  price_asc: 'By the lowest total price, cheapest first. Products without an offer come last.',
  price_desc: 'By the lowest total price, most expensive first. Products without an offer come last.',
  name: 'By name, ignoring accents and case.',
  newest: 'By the time of first observation, newest first.',
  discount: 'By the discount of the lowest price from its 90-day average, largest first.',
  unit_price_asc:
    'By the unit price, cheapest first, in groups by unit: `kg`, `l`, `m`, `m2`, `m3`, `ct`. Products without a unit price come last. Needs a category in the filter.',
} as const;
type ProductSortName = keyof typeof SORTS;

/** The orders of a list of products. */
export const PRODUCT_SORTS = Object.keys(SORTS) as [ProductSortName, ...ProductSortName[]];

const ProductSort = builder.enumType('ProductSort', {
  description: 'The orders of a list of products.',
  values: Object.fromEntries(
    Object.entries(SORTS).map(([value, description]) => [value, { value, description }]),
  ) as Record<ProductSortName, { value: ProductSortName; description: string }>,
});

type ListArguments = PageArguments & {
  filter?: ProductFilterInput | null | undefined;
  sort?: ProductSortName | null | undefined;
};

/**
 * Reads a page, with one statement for each way to match.
 * @throws {Problem} as {@link paginate} and {@link selectProducts} do, and `invalid_parameter` for an order by unit price without a category.
 */
async function readProducts({ filter, sort, ...page }: ListArguments, context: Context, info: GraphQLResolveInfo) {
  if (sort === 'unit_price_asc' && filter?.category == null && filter?.categories == null) {
    throw invalid('sort', 'The order `unit_price_asc` needs a category: send `category` too, or choose another order.');
  }
  const selection = await selectProducts(filter ?? {}, context, sort === 'price_desc' ? DEAREST : CHEAPEST);
  // Without words to match, relevance is the order by popularity.
  const isByRelevance = (sort ?? 'relevance') === 'relevance' && (selection?.tiers.length ?? 0) > 0;
  const order = ORDERS[sort == null || sort === 'relevance' ? 'popularity' : sort];
  const orderName = isByRelevance ? `relevance, ${order.name}` : order.name;
  const description = JSON.stringify(['products', orderName, filter ?? {}]);
  // The filter is for the facets.
  if (!selection) return { ...(await nothing(description, page)), filter };
  const columns = IDENTIFIED.some((path) => selects(info, path)) ? COLUMNS_AND_IDENTIFIERS : COLUMNS;
  const isByUnitPrice = order === ORDERS.unit_price_asc;
  const hasOnePlan = isOneRange(filter ?? {}, order);
  const list: ProductTiers<PlacedProduct> = {
    ...selection,
    table: 'product',
    columns,
    description,
    order: selection.hasFew && order !== ORDERS.popularity && !isByUnitPrice ? sorted(order) : order,
    hasOnePlan,
    countInMemory: hasWordsAndMore(selection)
      ? () => countProducts(filter ?? {}, selection.tiers.at(-1) ?? '', context)
      : undefined,
    parts: isByUnitPrice && isOfCategories(filter ?? {}) ? partsOf(selection) : undefined,
  };
  const isCounted = COUNTED.some((path) => selects(info, path));
  const read = isByRelevance
    ? readByRelevance(context.catalogue, list, page, isCounted)
    : readPage(context.catalogue, list, page, isCounted);
  return { ...(await read), filter };
}

const COLUMNS = columnsOf('Product', PLACED_PRODUCT);
const COLUMNS_AND_IDENTIFIERS = `${COLUMNS}, ${IDENTIFIERS} AS identifiers`;

// Below a connection of products, the fields with identifiers and with the total.
const IDENTIFIED = ['nodes', 'edges.node'].flatMap((item) => [`${item}.identifier`, `${item}.identifiers`]);
const COUNTED = ['totalCount', 'totalIsExact'];

/**
 * An order that no index has, so that the rows of a list are found by its filter. The planner expects the products of a brand to be
 * evenly distributed in each order, but in the order of names, for instance, they are mostly in one place.
 */
function sorted(order: typeof ORDERS.name): typeof ORDERS.name {
  const [{ sql, type }, id] = order.keys as [OrderKey<PlacedProduct>, OrderKey<PlacedProduct>];
  return { ...order, keys: [{ sql: `COALESCE(${sql}, ${sql})`, type }, id] };
}

/** Whether a filter has other conditions besides words. PostgreSQL would look at each product with the words to count those that meet them. */
const hasWordsAndMore = ({ tiers, countedIn }: ProductSelection): boolean =>
  tiers.length > 0 && countedIn === undefined;

/** Each category is a range of product_unit_price_idx. */
const partsOf = ({ inCategories }: ProductSelection): Parts | undefined =>
  inCategories && { column: 'product.category_id', values: inCategories.ids, conditions: inCategories.others };

/** Whether a filter is by category, and at most by price too. For others, the planner chooses where to start. */
function isOfCategories({ category, categories, minPrice, maxPrice, ...others }: ProductFilterInput): boolean {
  return Object.values(others).every((condition) => condition == null);
}

/** Whether a list is one range of one index, whatever the values: of the order's, or of product_brand_idx. */
function isOneRange(filter: ProductFilterInput, order: { name: string }): boolean {
  const { brand, minPrice, maxPrice, ...others } = filter;
  if (Object.values(others).some((condition) => condition != null)) return false;
  const hasPrice = minPrice != null || maxPrice != null;
  if (brand != null) return !hasPrice && order === ORDERS.popularity;
  return !hasPrice || order === ORDERS.price_asc || order === ORDERS.price_desc;
}

/** The page of a list without any products. Its cursors are not checked, since nothing could have returned them. */
const nothing = (description: string, { first, last }: PageArguments): Promise<Page<ProductRow>> =>
  paginate<ProductRow>(
    description,
    [],
    { first, last },
    () => [],
    async () => [],
    async () => ({ count: 0, isExact: true }),
  );

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
      resolve: (_root, listArguments, context, info) => readProducts(listArguments, context, info),
    },
    {
      name: 'ProductConnection',
      description: 'A page of products, with figures about the whole list.',
      fields: (c) => ({
        totalCount: c.int(totalCount('products')),
        totalIsExact: c.boolean({
          ...TOTAL_COST,
          description: `Whether \`totalCount\` is exact; false beyond 10000. If more than ${MOST_MATCHES} products have the words of the query, it counts only among so many of them that meet the other conditions, and this is false.`,
          resolve: async (page) => (await page.total()).isExact,
        }),
        facets: c.field({
          type: ProductFacets,
          description: 'Counts with the filter of the list, for narrowing it.',
          resolve: ({ filter }, _arguments, context) => facetsOf(filter ?? {}, context),
        }),
      }),
    },
    { name: 'ProductEdge', description: 'A product in a list.' },
  ),
);
