/** Reads the facets of a filter: how many products each value selects together with the rest of the filter. */

import type { Queryable } from '../../database/database.ts';
import { Availability, type Condition } from '../../generated/prisma/client.ts';
import { remembered } from '../../remember.ts';
import type { Context } from '../builder.ts';
import { LARGEST_TOTAL } from '../page.ts';
import { ATTRIBUTE_NAMES } from '../product/attributes.ts';
import { findByIdentifier } from '../product/find-by-identifier.ts';
import {
  attributeCondition,
  type Filtered,
  isAttribute,
  type ProductFilterInput,
  readFilter,
  tagsOfFacets,
} from '../product/product-filter.ts';
import type { CountRow } from '../read-page.ts';
import { readQuery, tiersOf } from '../search/text-search.ts';
import { type AttributeFilter, countFacets, type FacetCounts, type FacetFilter } from './count-facets.ts';
import {
  AVAILABILITY_ORDER,
  attributeKey,
  bytesOfIds,
  CONDITION_ORDER,
  isUnnumbered,
  type Matches,
  NONE,
  nameIndexIn,
  type ProductColumns,
  valueIn,
} from './product-columns.ts';

/** The most values of a facet. */
export const MOST_VALUES = 100;
/** The most ranges of prices. */
export const PRICE_RANGES = 5;

/** A value and its number of products. */
export interface Count<Value> {
  value: Value;
  count: number;
}

/** A range of prices in minor units. */
export interface CountedRange {
  min: bigint;
  max: bigint;
  count: number;
}

/** Counted facets. Counts are at most {@link LARGEST_TOTAL}, as totals of lists are. */
export interface CountedFacets {
  /** The moment whose catalogue the counts show, while a change of everything since then is not counted yet. */
  asOf: Date | undefined;
  /** Whether all counts are exact, all products with the words were looked at, and no value of an attribute is missing because it has no number. */
  isExact: boolean;
  categories: Count<bigint>[];
  brands: Count<bigint>[];
  merchants: Count<bigint>[];
  availability: Count<Availability>[];
  conditions: Count<Condition>[];
  priceRanges: CountedRange[];
  attributes: { name: string; values: Count<string>[] }[];
}

/** @throws {Problem} `invalid_parameter` for an invalid filter. */
export async function readFacets(filter: ProductFilterInput, context: Context): Promise<CountedFacets> {
  const found = await readFilter(filter, context);
  const { columns, asOf } = await context.loaders.productColumns.orOld(needsDiscounts(found));
  const selected = await selectPositions(filter, found, columns, context);
  const counts = await count(columns, found, selected, context);
  const facets = shown(counts, columns, await parentsOf(context));
  return { asOf, ...facets, isExact: facets.isExact && selected.isComplete };
}

/**
 * Counts the products of a filter with words; `undefined` while all columns are being read.
 * @param words as a `tsquery`.
 */
export async function countProducts(
  filter: ProductFilterInput,
  words: string,
  context: Context,
): Promise<CountRow | undefined> {
  const found = await readFilter(filter, context);
  const columns = await context.loaders.productColumns.ifCurrent(needsDiscounts(found));
  if (!columns) return undefined;
  const selected = await matchingPositions(context.catalogue, columns, words);
  const { total } = await count(columns, found, selected, context);
  return { count: total, isComplete: selected.isComplete };
}

const needsDiscounts = ({ leastDiscount }: Filtered): boolean => (leastDiscount ?? 0) > 0;

async function count(columns: ProductColumns, found: Filtered, { flags }: Selected, context: Context) {
  const attributes = await Promise.all(found.attributes.map((attribute) => findAttribute(attribute, columns, context)));
  return countFacets(columns, asNumbers(found, columns, flags, attributes));
}

type Selected = Matches | { flags: undefined; isComplete: true };

/** Flags of the positions of the products that the query of a filter selects; `undefined` without a query. */
async function selectPositions(
  filter: ProductFilterInput,
  found: Filtered,
  columns: ProductColumns,
  context: Context,
): Promise<Selected> {
  const nothing = { flags: new Uint8Array(0), isComplete: true };
  if (found.attributes.some(({ name }) => !isAttribute(name))) return nothing;
  const query = readQuery(filter.query);
  if (query === undefined) return { flags: undefined, isComplete: true };
  const productId = await findByIdentifier(query, context);
  if (productId !== undefined) {
    const flags = new Uint8Array(columns.size);
    const at = columns.positionOf(Number(productId));
    if (at !== NONE) flags[at] = 1;
    return { flags, isComplete: true };
  }
  const words = (await tiersOf(context.catalogue, query)).at(-1);
  return words === undefined ? nothing : matchingPositions(context.catalogue, columns, words);
}

/** Flags of the positions of the products with words, at most `mostMatches` of them. @param words as a `tsquery`. */
function matchingPositions(database: Queryable, columns: ProductColumns, words: string): Promise<Matches> {
  return remembered(columns.matches, words, async () => {
    const { mostMatches } = columns;
    const [row] = await database.query<{ ids: string | null; found: number }>(MATCHING, [words, mostMatches], {
      name: 'facet_products',
      isPlannedAnew: true,
    });
    return { flags: await columns.flags(row?.ids ?? ''), isComplete: (row?.found ?? 0) <= mostMatches };
  });
}

// By product_search_search_idx. One product more tells whether there are more.
const MATCHING = `
  SELECT ${bytesOfIds('product_id')} AS ids, count(*)::int AS found
  FROM (SELECT product_id FROM product_search WHERE search @@ $1::tsquery LIMIT $2::int + 1) AS matching`;

/** A filter by an attribute in numbers. The products of values that have no numbers are read from the database. */
async function findAttribute(
  { name, values }: Filtered['attributes'][number],
  columns: ProductColumns,
  { catalogue }: Context,
): Promise<AttributeFilter> {
  const nameIndex = (ATTRIBUTE_NAMES as readonly string[]).indexOf(name);
  const { attributeCodes, hasUnnumberedAttributes } = columns;
  const keyOf = (value: string) => attributeKey(nameIndex, value);
  const unnumbered = values.filter((value) => attributeCodes.known(keyOf(value)) === undefined);
  const numbered = { nameIndex, values: attributeCodes.flags(values.map(keyOf)), products: undefined };
  // Otherwise, no product has these values.
  if (!hasUnnumberedAttributes || unnumbered.length === 0 || nameIndex === NONE) return numbered;
  const parameters: unknown[] = [];
  const condition = attributeCondition({ name, values: unnumbered }, (value) => `$${parameters.push(value)}`);
  const [row] = await catalogue.query<{ ids: string | null }>(withAttribute(condition), parameters, {
    name: 'facet_products',
    isPlannedAnew: true,
  });
  return { ...numbered, products: await columns.flags(row?.ids ?? '') };
}

const withAttribute = (condition: string) => `
  SELECT ${bytesOfIds('product.id')} AS ids
  FROM product
  WHERE ${condition}`;

function asNumbers(
  found: Filtered,
  columns: ProductColumns,
  selected: Uint8Array | undefined,
  attributes: readonly AttributeFilter[],
): FacetFilter {
  const { categoryIds, brands, merchantIds, availabilities, conditions, isInStock, leastDiscount, prices } = found;
  return {
    selected,
    attributes,
    leastDiscount: leastDiscount ?? 0,
    categories: categoryIds && columns.categoryCodes.flags(categoryIds),
    brands: brands && columns.brandCodes.flags(brands.map(({ id }) => id)),
    merchants: merchantIds && columns.merchantCodes.flags(merchantIds),
    availabilities: bitsOf(AVAILABILITY_ORDER, availabilities),
    conditions: bitsOf(CONDITION_ORDER, conditions),
    stock: bitsOf(AVAILABILITY_ORDER, isInStock ? [Availability.in_stock] : undefined),
    least: Number(prices.least ?? 0n),
    most: prices.most === undefined ? Number.POSITIVE_INFINITY : Number(prices.most),
    isPriced: prices.least !== undefined || prices.most !== undefined,
  };
}

/** A bit for each of the words, by its place in the order; all bits without words. */
const bitsOf = <Word>(order: readonly Word[], words: readonly Word[] = order): number =>
  words.reduce((bits, word) => bits | (1 << order.indexOf(word)), 0);

/** The ids of a category and all above it. */
async function parentsOf({ loaders }: Context) {
  const { byId } = await loaders.categoryTree();
  return (id: bigint): bigint[] => {
    const path: bigint[] = [];
    for (let category = byId.get(id); category; category = category.parent) path.push(category.id);
    return path.length > 0 ? path : [id];
  };
}

/** The counts as facets show them: the most frequent values first. */
function shown(
  counts: FacetCounts,
  columns: ProductColumns,
  parents: (id: bigint) => bigint[],
): Omit<CountedFacets, 'asOf'> {
  const all: number[] = [];
  const noted = (count: number): number => {
    all.push(count);
    return Math.min(count, LARGEST_TOTAL);
  };
  const top = <Value extends bigint | string>(values: readonly Value[], numbers: ArrayLike<number>): Count<Value>[] =>
    mostFrequent(values, numbers).map(({ value, count }) => ({ value, count: noted(count) }));

  const inCategories = new Map<bigint, number>();
  counts.categories.forEach((count, n) => {
    if (count === 0) return;
    for (const id of parents(columns.categoryCodes.things[n] as bigint)) {
      inCategories.set(id, (inCategories.get(id) ?? 0) + count);
    }
  });
  const names = ATTRIBUTE_NAMES.map(() => ({ values: [] as string[], numbers: [] as number[] }));
  let isComplete = true;
  counts.attributes.forEach((count, n) => {
    const key = columns.attributeCodes.things[n] as string;
    if (count === 0) return;
    if (isUnnumbered(n)) {
      isComplete = false;
      return;
    }
    names[nameIndexIn(key)]?.values.push(valueIn(key));
    names[nameIndexIn(key)]?.numbers.push(count);
  });
  const facets = {
    categories: top([...inCategories.keys()], [...inCategories.values()]),
    brands: top(columns.brandCodes.things, counts.brands),
    merchants: top(columns.merchantCodes.things, counts.merchants),
    availability: top(AVAILABILITY_ORDER, counts.availabilities),
    conditions: top(CONDITION_ORDER, counts.conditions),
    priceRanges: rangesOf(counts).map(({ count, ...range }) => ({ ...range, count: noted(count) })),
    attributes: ATTRIBUTE_NAMES.map((name, n) => ({
      name,
      values: top(names[n]?.values ?? [], names[n]?.numbers ?? []),
    })).filter(({ values }) => values.length > 0),
  };
  return { isExact: isComplete && all.every((count) => count <= LARGEST_TOTAL), ...facets };
}

/** The values that occur most often, in this order; equally frequent ones by value. There may be a hundred thousand, so not all are sorted. */
function mostFrequent<Value extends bigint | string>(
  values: readonly Value[],
  numbers: ArrayLike<number>,
): Count<Value>[] {
  const best: Count<Value>[] = [];
  const isBefore = (one: Count<Value>, other: Count<Value>) =>
    one.count === other.count ? one.value < other.value : one.count > other.count;
  let least = 1;
  values.forEach((value, n) => {
    const count = numbers[n] ?? 0;
    if (count < least) return;
    const counted = { value, count };
    let [at, end] = [0, best.length];
    while (at < end) {
      const middle = (at + end) >>> 1;
      if (isBefore(counted, best[middle] as Count<Value>)) end = middle;
      else at = middle + 1;
    }
    if (at === MOST_VALUES) return;
    best.splice(at, 0, counted);
    if (best.length > MOST_VALUES) best.pop();
    if (best.length === MOST_VALUES) least = best[MOST_VALUES - 1]?.count ?? 1;
  });
  return best;
}

/** Ranges with about equally many products each. Their ends are prices of products, and a step of prices is in one range only. */
function rangesOf({ prices, lowest, highest }: FacetCounts): CountedRange[] {
  const total = prices.reduce((sum, count) => sum + count, 0);
  const ranges = new Map<number, CountedRange>();
  let before = 0;
  prices.forEach((count, step) => {
    if (count === 0) return;
    const number = Math.floor((before * PRICE_RANGES) / total);
    const range = ranges.get(number);
    ranges.set(number, {
      min: range?.min ?? BigInt(lowest[step] ?? 0),
      max: BigInt(highest[step] ?? 0),
      count: (range?.count ?? 0) + count,
    });
    before += count;
  });
  return [...ranges.values()];
}

/** What the facets of a filter depend on. */
export const facetTags = async (filter: ProductFilterInput, context: Context) =>
  tagsOfFacets(filter, await readFilter(filter, context));
