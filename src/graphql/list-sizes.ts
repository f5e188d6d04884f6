/**
 * How long lists are and what fields cost more than others: what an operation's work is estimated by, as the GraphQL Cost
 * Directives specification (IBM) has it with `@listSize` (assumed sizes, slicing arguments, sized fields) and `@cost`.
 */
import { MOST_LOOKUPS } from '../catalogue/lookup/lookup.ts';
import { LARGEST_OFFERS } from '../catalogue/offer/offer.ts';
import { DEFAULT_LIMIT, LARGEST_LIMIT } from '../catalogue/page.ts';
import { DEFAULT_DAYS, MOST_DAYS } from '../catalogue/price-history/price-history.ts';

/** The value of a field's argument; `undefined` when it is not given. */
export type ArgumentOf = (name: string) => unknown;

const whole = (value: unknown, fallback: number, most: number): number =>
  Number.isInteger(value) ? Math.min(Math.max(Number(value), 1), most) : fallback;

const DAY_MS = 86_400_000;
const DAYS_OF_A_POINT: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30 };

/**
 * By `Type.field`: for how many things the field's own list is taken. Lists of connections and histories are below; those of
 * introspection are counted (`introspection-size.ts`).
 */
export const ASSUMED_SIZES: Readonly<Record<string, number>> = {
  'Article.productSlugs': 5,
  'Article.products': 5,
  'Category.children': 10,
  'Category.path': 4,
  // As many as imports bind to one product.
  'Identifiers.asin': 50,
  'Identifiers.ean': 50,
  'Product.attributes': 4,
  'Product.categoryPath': 4,
  'ProductFacets.availability': 4,
  'ProductFacets.brands': 50,
  'ProductFacets.categories': 50,
  'ProductFacets.merchants': 50,
  'ProductFacets.priceRanges': 10,
  'Query.categories': 25,
  'Query.plans': 4,
};

/** By `Type.field`: the sizes of lists right below themselves. A tree has few levels: all of Google's has 5,600 categories. */
export const NESTED_SIZES: Readonly<Record<string, number>> = { 'Category.children': 1.5 };

const offers = (argument: ArgumentOf) => whole(argument('first'), LARGEST_OFFERS, LARGEST_OFFERS);

/** By `Type.field`: how long the field's own list is by its arguments. */
export const SLICED_SIZES: Readonly<Record<string, (argument: ArgumentOf) => number>> = {
  'LookupResult.offers': offers,
  'Product.offers': offers,
  'Query.lookups': (argument) => {
    const identifiers = argument('identifiers');
    const count = Array.isArray(identifiers) ? identifiers.length : 1;
    return count > MOST_LOOKUPS ? 1 : count; // More are refused.
  },
  'Query.search': (argument) => whole(argument('limit'), 10, 25),
};

/** How many days a price history covers. */
function historyDays(argument: ArgumentOf): number {
  const [from, to] = [Date.parse(String(argument('from'))), Date.parse(String(argument('to') ?? new Date()))];
  const days =
    Number.isNaN(from) || Number.isNaN(to) ? whole(argument('days'), DEFAULT_DAYS, MOST_DAYS) : (to - from) / DAY_MS;
  return Math.min(Math.max(days, 1), MOST_DAYS);
}

const pageSize = (argument: ArgumentOf) =>
  whole(argument('first'), whole(argument('last'), DEFAULT_LIMIT, LARGEST_LIMIT), LARGEST_LIMIT);

/** By `Type.field`: how long the lists named in {@link SIZED_FIELDS} are that stand right below the field, by its arguments. */
export const SIZES_BELOW: Readonly<Record<string, (argument: ArgumentOf) => number>> = {
  'Query.articles': pageSize,
  'Query.brands': pageSize,
  'Query.merchants': pageSize,
  'Query.products': pageSize,
  'Product.offersConnection': pageSize,
  'Product.priceHistory': (argument) =>
    Math.ceil(historyDays(argument) / (DAYS_OF_A_POINT[String(argument('interval') ?? 'day')] ?? 1)),
};

/** The lists whose size is told by the field above them. */
export const SIZED_FIELDS: ReadonlySet<string> = new Set([
  'ArticleConnection.edges',
  'ArticleConnection.nodes',
  'BrandConnection.edges',
  'BrandConnection.nodes',
  'MerchantConnection.edges',
  'MerchantConnection.nodes',
  'PriceHistory.points',
  'ProductOffersConnection.edges',
  'ProductOffersConnection.nodes',
  'ProductConnection.edges',
  'ProductConnection.nodes',
]);

/**
 * By `Type.field`: what a field costs where that is not 1, by its arguments. A statement of its own weighs more than a column, and a
 * history of many days more than one of few, whatever is selected of it.
 */
export const WEIGHTS: Readonly<Record<string, number | ((argument: ArgumentOf) => number)>> = {
  'ArticleConnection.totalCount': 100,
  'BrandConnection.totalCount': 100,
  'MerchantConnection.totalCount': 100,
  'Product.offersConnection': 20,
  'Product.priceHistory': (argument) => 20 + historyDays(argument),
  'ProductConnection.totalCount': 100,
  'ProductConnection.totalIsExact': 100,
  'ProductFacets.availability': 5_000,
  'ProductFacets.brands': 5_000,
  'ProductFacets.categories': 5_000,
  'ProductFacets.merchants': 5_000,
  'ProductFacets.priceRanges': 5_000,
};

/** By `Type.field`: the arguments by which a field reads by a statement of its own. Each combination of values is one window. */
export const WINDOWED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'Product.priceHistory': ['days', 'from', 'to', 'merchant'],
};
