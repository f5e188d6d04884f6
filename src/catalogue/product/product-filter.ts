/** The filter of a list of products: as clients send it, and as SQL conditions. */
import { Availability, Condition } from '../../generated/prisma/client.ts';
import { LARGEST_BIGINT } from '../../values/largest-bigint.ts';
import { currencyDecimals, fromMajor } from '../../values/money.ts';
import { invalid } from '../arguments.ts';
import { builder, type Context } from '../builder.ts';
import { type CategoryNode, withAllBelow } from '../category/category-tree.ts';
import { AvailabilityType, ConditionType } from '../offer/offer.ts';
import type { Bind } from '../read-page.ts';
import { readQuery, tiersOf } from '../search/text-search.ts';
import { TAG, type Tag, tagOf } from '../tags.ts';
import { ATTRIBUTE_NAMES, LONGEST_ATTRIBUTE_VALUE } from './attributes.ts';
import { findByIdentifier, identifiersIn } from './find-by-identifier.ts';
import { findBrand, findMerchant } from './find-by-slug.ts';

/** The products that a filter selects, as SQL on `product`, and on `product_search` if the filter has words. */
export interface ProductSelection {
  from: string;
  /** The table of the words, which has a row for each product, if they are the only condition. */
  countedIn: string | undefined;
  conditions(bind: Bind): string[];
  /** The conditions without the words. */
  besideWords(bind: Bind): string[];
  /** Its categories with all below them, and its other conditions; `undefined` if it names no category. */
  inCategories: { ids: readonly bigint[]; others(bind: Bind): string[] } | undefined;
  /** Whether the filter is for a brand with so few products that to sort them all is cheaper than to find them in an order. */
  hasFew: boolean;
  /** The ways to match the words, best first; empty if the filter has no words. */
  tiers: readonly string[];
  /** What the selection and the figures of its products depend on. */
  dependsOn: readonly Tag[];
}

/** The most values of a list in a filter. */
export const MOST_FILTER_VALUES = 20;
const MOST_ATTRIBUTES = 10;

const several = (name: string) =>
  `As \`${name}\`, with one of several values, at most ${MOST_FILTER_VALUES}. Send only one of the two.`;

const AttributeFilter = builder.inputType('AttributeFilter', {
  description: 'Selects products by an attribute.',
  fields: (t) => ({
    name: t.string({
      required: true,
      description: `The name: ${ATTRIBUTE_NAMES.map((name) => `\`${name}\``).join(', ')}. Another one matches nothing.`,
    }),
    values: t.stringList({
      required: true,
      description: `One of these values, exactly as products have it; at most ${MOST_FILTER_VALUES}.`,
    }),
  }),
});

export const ProductFilter = builder.inputType('ProductFilter', {
  description:
    'Selects products. All conditions must match; of a list, one value must. An unknown category, brand or merchant matches nothing. One offer must meet all conditions on offers: merchant, availability and condition.',
  fields: (t) => ({
    query: t.string({
      description:
        'Words from the name, brand or category, in any order; or a GTIN, an ASIN or an MPN. Accents are ignored. Prefixes match too, and then other readings: quantities, words joined or split, singular for plural, synonyms. Each word of four letters or more may contain one typing error.',
    }),
    category: t.string({ description: 'The slug or id of a category, including its subcategories.' }),
    brand: t.string({ description: 'The slug or id of a brand.' }),
    merchant: t.string({ description: 'The slug or id of a merchant with a current offer.' }),
    minPrice: t.float({ description: 'The minimum of the lowest total price.' }),
    maxPrice: t.float({ description: 'The maximum of the lowest total price.' }),
    availability: t.field({
      type: AvailabilityType,
      description: "At least one offer has this availability; with `merchant`, that merchant's offer.",
    }),
    categories: t.stringList({ description: several('category') }),
    brands: t.stringList({ description: several('brand') }),
    merchants: t.stringList({ description: several('merchant') }),
    availabilities: t.field({ type: [AvailabilityType], description: several('availability') }),
    conditions: t.field({
      type: [ConditionType],
      description:
        "At least one offer has one of these conditions, at most 20; with `merchant`, that merchant's offer.",
    }),
    inStock: t.boolean({
      description: "If true, at least one offer is in stock; with `merchant`, that merchant's offer.",
    }),
    minDiscount: t.float({
      description:
        'The minimum discount of the lowest total price from its 90-day average, in percent from 0 to 100, with at most two decimals.',
    }),
    attributes: t.field({
      type: [AttributeFilter],
      description: 'The product has each of these attributes; at most 10.',
    }),
  }),
});

/** The filter as clients send it; absent members do not restrict the list. */
export type ProductFilterInput = typeof ProductFilter.$inferInput;

/** The lowest price, for the ascending and the descending order: a product without one comes last in both. */
export const CHEAPEST = `COALESCE(product.min_total, ${LARGEST_BIGINT})` as const;
export const DEAREST = 'COALESCE(product.min_total, -1)';
// Their entries in product_brand_idx are read and sorted in at most about 25 milliseconds.
const FEW = 50_000;
const HIGHEST_PRICE = LARGEST_BIGINT - 1n;

/**
 * Reads a filter; `undefined` if it cannot match any product.
 * @param priced the price of an order by price, so that one index serves both.
 * @throws {Problem} `invalid_parameter` for a price below 0 or with too many decimals, `minPrice` above `maxPrice`, and a bad query.
 */
export async function selectProducts(
  filter: ProductFilterInput,
  context: Context,
  priced: typeof CHEAPEST | typeof DEAREST = CHEAPEST,
): Promise<ProductSelection | undefined> {
  const query = readQuery(filter.query);
  const [found, productId] = await Promise.all([
    findFiltered(filter, context),
    query === undefined ? undefined : findByIdentifier(query, context),
  ]);
  if (!found) return undefined;
  const { prices, brands } = found;
  const tiers = query === undefined || productId !== undefined ? [] : await tiersOf(context.catalogue, query);
  if (query !== undefined && productId === undefined && tiers.length === 0) return undefined;

  const besideWordsOf = (filtered: Filtered) => (bind: Bind) => [
    ...(productId === undefined ? [] : [`product.id = ${bind(productId)}`]),
    ...groupConditions(filtered, bind),
    ...priceConditions(prices, priced, bind),
    ...offerConditions(filtered, bind),
    ...discountConditions(filtered, bind),
    ...attributeConditions(filtered, bind),
  ];
  const conditionsOf = (filtered: Filtered) => (bind: Bind) => [
    ...besideWordsOf(filtered)(bind),
    ...(tiers.length === 0 ? [] : [`product_search.search @@ ${bind(tiers.at(-1))}::tsquery`]),
  ];
  const hasOnlyWords = tiers.length > 0 && conditionsOf(found)(() => '').length === 1;
  return {
    countedIn: hasOnlyWords ? 'product_search' : undefined,
    from: tiers.length === 0 ? 'product' : 'product JOIN product_search ON product_search.product_id = product.id',
    tiers,
    dependsOn: tagsOfFilter(filter, found),
    hasFew: brands !== undefined && brands.reduce((sum, { productCount }) => sum + productCount, 0) <= FEW,
    conditions: conditionsOf(found),
    besideWords: besideWordsOf(found),
    inCategories: found.categoryIds && {
      ids: found.categoryIds,
      others: conditionsOf({ ...found, categoryIds: undefined }),
    },
  };
}

/** What a filter names, by number. Members that do not restrict the list are absent; a list without values selects nothing. */
export interface Filtered extends OfferFilter {
  /** The named categories that are known, and their ids with those of all categories below them. */
  categories: CategoryNode[] | undefined;
  categoryIds: bigint[] | undefined;
  brands: { id: bigint; productCount: number }[] | undefined;
  attributes: { name: string; values: readonly string[] }[];
  /** In hundredths of a percent. */
  leastDiscount: number | undefined;
  /** In minor units. */
  prices: PriceRange;
  /** Whether a named category, brand or merchant is unknown. */
  hasUnknown: boolean;
}

/** What one offer of a product must meet. */
export interface OfferFilter {
  merchantIds: bigint[] | undefined;
  availabilities: readonly Availability[] | undefined;
  conditions: readonly Condition[] | undefined;
  isInStock: boolean;
}

/** A range of prices in minor units, both ends included. */
export interface PriceRange {
  least: bigint | undefined;
  most: bigint | undefined;
}

/**
 * Looks up what a filter names, except for its words; `undefined` if it cannot match any product.
 * @throws {Problem} `invalid_parameter` as {@link readFilter} does.
 */
export async function findFiltered(
  filter: ProductFilterInput,
  context: Pick<Context, 'loaders' | 'market'>,
): Promise<Filtered | undefined> {
  const found = await readFilter(filter, context);
  const { categories, brands, merchantIds, availabilities, conditions, attributes } = found;
  const lists = [
    categories,
    brands,
    merchantIds,
    availabilities,
    conditions,
    ...attributes.map(({ values }) => values),
  ];
  const isImpossible = lists.some((list) => list?.length === 0) || attributes.some(({ name }) => !isAttribute(name));
  return isImpossible ? undefined : found;
}

/** Whether products may have an attribute with this name. */
export const isAttribute = (name: string): boolean => (ATTRIBUTE_NAMES as readonly string[]).includes(name);

/**
 * Looks up what a filter names, except for its words.
 * @throws {Problem} `invalid_parameter` for a price or discount out of range or with too many decimals, `minPrice` above `maxPrice`, too many
 *   values, and a field that is sent both with one value and with several.
 */
export async function readFilter(
  filter: ProductFilterInput,
  context: Pick<Context, 'loaders' | 'market'>,
): Promise<Filtered> {
  const prices = readPrices(filter, context);
  const leastDiscount = readDiscount(filter);
  const attributes = readAttributes(filter);
  const named = {
    categories: valuesOf(filter, 'category', 'categories'),
    brands: valuesOf(filter, 'brand', 'brands'),
    merchants: valuesOf(filter, 'merchant', 'merchants'),
  };
  const availabilities = valuesOf(filter, 'availability', 'availabilities');
  const conditions = valuesOf(filter, undefined, 'conditions');
  const [categories, brands, merchantIds] = await Promise.all([
    findEach(named.categories, async (each) => (await context.loaders.categoryTree()).find(each)),
    findEach(named.brands, (each) => findBrand(each, context)),
    findEach(named.merchants, (each) => findMerchant(each, context)),
  ]);
  return {
    categories,
    categoryIds: categories && [...new Set(categories.flatMap(withAllBelow))],
    brands,
    merchantIds,
    availabilities,
    conditions,
    isInStock: filter.inStock === true,
    attributes,
    leastDiscount,
    prices,
    hasUnknown:
      categories?.length !== named.categories?.length ||
      brands?.length !== named.brands?.length ||
      merchantIds?.length !== named.merchants?.length,
  };
}

/** The things with these slugs or ids that exist, in their order; `undefined` if none are named. */
async function findEach<Found>(
  named: readonly string[] | undefined,
  find: (slugOrId: string) => Promise<Found | undefined>,
): Promise<Found[] | undefined> {
  if (!named) return undefined;
  return (await Promise.all(named.map(find))).filter((each) => each !== undefined);
}

type Values<Many extends keyof ProductFilterInput> = NonNullable<ProductFilterInput[Many]>;

/** The distinct values of a field of the filter, which has a name for one value and one for several. */
function valuesOf<Many extends 'categories' | 'brands' | 'merchants' | 'availabilities' | 'conditions'>(
  filter: ProductFilterInput,
  one: 'category' | 'brand' | 'merchant' | 'availability' | undefined,
  many: Many,
): Values<Many>[number][] | undefined {
  const single = one && filter[one];
  const several = filter[many];
  if (several == null) return single == null ? undefined : [single as Values<Many>[number]];
  if (single != null) throw invalid(many, `Send either \`${one}\` or \`${many}\`, not both.`);
  requireFew(many, several);
  return [...new Set(several)];
}

function requireFew(parameter: string, values: readonly unknown[], most = MOST_FILTER_VALUES): void {
  if (values.length > most) {
    throw invalid(parameter, `\`${parameter}\` has ${values.length} values, but the limit is ${most}: send fewer.`);
  }
}

function readDiscount({ minDiscount }: ProductFilterInput): number | undefined {
  if (minDiscount == null) return undefined;
  const hundredths = Math.round(minDiscount * 100);
  if (minDiscount >= 0 && minDiscount <= 100 && Math.abs(hundredths - minDiscount * 100) < 1e-6) return hundredths;
  throw invalid('minDiscount', '`minDiscount` must be a number from 0 to 100 with at most two decimals.');
}

function readAttributes({ attributes }: ProductFilterInput): Filtered['attributes'] {
  const named = attributes ?? [];
  requireFew('attributes', named, MOST_ATTRIBUTES);
  for (const { values } of named) {
    requireFew('attributes', values);
    // PostgreSQL's texts cannot contain NUL, and no stored value has lone surrogates.
    if (values.some((value) => value.length > LONGEST_ATTRIBUTE_VALUE)) {
      throw invalid('attributes', `A value of an attribute has at most ${LONGEST_ATTRIBUTE_VALUE} characters.`);
    }
  }
  return named.map(({ name, values }) => ({ name, values: values.filter(isStorable) }));
}

const isStorable = (text: string): boolean => !text.includes('\0') && !/\p{Surrogate}/u.test(text);

/** What the list of a filter depends on: the fewest products that include all that are, or could come to be, in the list. */
export async function listTags(filter: ProductFilterInput, context: Context): Promise<readonly Tag[]> {
  return tagsOfFilter(filter, await readFilter(filter, context));
}

// One filter is enough: a product that comes into the list, changes in it or leaves it has the brand and the category of the list, which it
// never changes, and an offer of the merchant before or after.
function tagsOfFilter(filter: ProductFilterInput, found: Filtered): readonly Tag[] {
  return [...(filtersWithTags(filter, found)[0] ?? [TAG.products]), ...tagsOfDiscount(found)];
}

/**
 * What the facets of a filter depend on. Each ignores the filter by its own field, so one filter with tags is not enough: of two, each facet
 * obeys at least one.
 */
export function tagsOfFacets(filter: ProductFilterInput, found: Filtered): readonly Tag[] {
  const [first, second] = filtersWithTags(filter, found);
  return [TAG.facetColumns, ...(first && second ? [...first, ...second] : [TAG.products]), ...tagsOfDiscount(found)];
}

const tagsOfDiscount = ({ leastDiscount }: Filtered): Tag[] => (leastDiscount === undefined ? [] : [TAG.discounts]);

// The tags of each filter by a group of products. Typed identifiers find a product of any brand, which decides whether the words of the
// query count; and what is unknown may be added with any product.
function filtersWithTags(
  { query }: ProductFilterInput,
  { brands, categories, merchantIds, hasUnknown }: Filtered,
): Tag[][] {
  if (hasUnknown || (query != null && identifiersIn(query).length > 0)) return [];
  return [
    brands?.map(({ id }) => tagOf('ofBrand', id)),
    categories?.map(({ id }) => tagOf('ofCategory', id)),
    merchantIds?.map((id) => tagOf('ofMerchant', id)),
  ].filter((tags) => tags !== undefined);
}

/** The conditions on the brand and the category of `product`. */
export function groupConditions(
  { categoryIds, brands }: Pick<Filtered, 'categoryIds' | 'brands'>,
  bind: Bind,
): string[] {
  return [
    ...(categoryIds ? [`product.category_id = ANY (${bind(categoryIds)}::bigint[])`] : []),
    ...isOneOf(
      'product.brand_id',
      brands?.map(({ id }) => id),
      bind,
    ),
  ];
}

/** The condition that a column has one of several numbers. For one number, it is an equation, for which plans are better. */
export function isOneOf(column: string, ids: readonly bigint[] | undefined, bind: Bind): string[] {
  if (!ids) return [];
  return [ids.length === 1 ? `${column} = ${bind(ids[0])}` : `${column} = ANY (${bind(ids)}::bigint[])`];
}

/** The conditions on a price. @param priced its SQL. A product without a price is in no price range: both orders put it last. */
export function priceConditions({ least, most }: PriceRange, priced: string, bind: Bind): string[] {
  if (least === undefined && most === undefined) return [];
  return [`${priced} >= ${bind(least ?? 0n)}`, `${priced} <= ${bind(most ?? HIGHEST_PRICE)}`];
}

/**
 * The condition that `product` has a listed offer that meets a filter.
 * By offer_listed_idx, by offer (merchant_id, sku), or by offer_unavailable_idx or offer_not_new_idx, whose conditions must be repeated
 * here literally.
 */
export function offerConditions(
  { merchantIds, availabilities, conditions, isInStock }: OfferFilter,
  bind: Bind,
): string[] {
  const asked = [
    ...isOneOf('offer.merchant_id', merchantIds, bind),
    ...isWord('offer.availability', Availability, availabilities),
    ...(isInStock ? ["offer.availability = 'in_stock'"] : []),
    ...isWord('offer.condition', Condition, conditions),
  ];
  if (asked.length === 0) return [];
  const all = ['offer.product_id = product.id', 'offer.withdrawn_at IS NULL', ...asked];
  return [`EXISTS (SELECT FROM offer WHERE ${all.join(' AND ')})`];
}

/** The condition that a column has one of some words, all of which are in `known`. */
function isWord(
  column: string,
  known: Readonly<Record<string, string>>,
  words: readonly string[] | undefined,
): string[] {
  if (!words) return [];
  const literals = words.map((word) => `'${known[word]}'`);
  return [literals.length === 1 ? `${column} = ${literals[0]}` : `${column} IN (${literals.join(', ')})`];
}

/** The condition on the discount. Every product has one of at least 0. */
const discountConditions = ({ leastDiscount = 0 }: Pick<Filtered, 'leastDiscount'>, bind: Bind): string[] =>
  leastDiscount === 0 ? [] : [`product.discount >= ${bind(leastDiscount)}`];

const attributeConditions = ({ attributes }: Filtered, bind: Bind): string[] =>
  attributes.map((attribute) => attributeCondition(attribute, bind));

/** The condition that `product` has one of the values of an attribute. By product_attributes_idx, whose condition the operator implies. */
export function attributeCondition({ name, values }: Filtered['attributes'][number], bind: Bind): string {
  const each = values.map((value) => `product.attributes @> ${bind(JSON.stringify({ [name]: value }))}::jsonb`);
  return `(${each.join(' OR ')})`;
}

function readPrices(filter: ProductFilterInput, { market }: Pick<Context, 'market'>): PriceRange {
  const read = (parameter: 'minPrice' | 'maxPrice') => {
    const price = filter[parameter];
    if (price == null) return undefined;
    const minorUnits = price < 0 ? undefined : fromMajor(price, market.currency);
    if (minorUnits !== undefined) return BigInt(minorUnits);
    const decimals = currencyDecimals(market.currency);
    const detail = `\`${parameter}\` must be a price of at least 0 with at most ${decimals} decimals (${market.currency}).`;
    throw invalid(parameter, detail);
  };
  const least = read('minPrice');
  const most = read('maxPrice');
  if (least !== undefined && most !== undefined && least > most) {
    throw invalid('minPrice', '`minPrice` is above `maxPrice`: swap them.');
  }
  return { least, most };
}
