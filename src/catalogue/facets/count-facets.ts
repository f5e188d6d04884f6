/** Counts facets over the columns in memory: one pass, in which each facet ignores the filter by its own field. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  AVAILABILITY_ORDER,
  availabilityIn,
  CONDITION_ORDER,
  conditionIn,
  merchantIn,
  NONE,
  nameIndexIn,
  PRICE_STEPS,
  type ProductColumns,
} from './product-columns.ts';

/** A filter in the numbers of {@link ProductColumns}. Members that do not restrict the list are absent. */
export interface FacetFilter {
  /** By position: 1 for the products that the words select. */
  selected: Uint8Array | undefined;
  /** By number: 1 for each that is asked for. */
  brands: Uint8Array | undefined;
  categories: Uint8Array | undefined;
  merchants: Uint8Array | undefined;
  /** A bit for each that is asked for. */
  availabilities: number;
  conditions: number;
  /** The availabilities that `inStock` allows. */
  stock: number;
  /** In hundredths of a percent. */
  leastDiscount: number;
  /** Prices in minor units, both included; products without a price are in no range. */
  isPriced: boolean;
  least: number;
  most: number;
  attributes: readonly AttributeFilter[];
}

/** A filter by an attribute. A product matches if it has one of the values or is one of the products. */
export interface AttributeFilter {
  nameIndex: number;
  /** By number: 1 for each value that is asked for. */
  values: Uint8Array;
  /** By position: 1 for the products that have a value without a number that is asked for; `undefined` if all values have numbers. */
  products: Uint8Array | undefined;
}

/** How often each value occurs, by its number. */
export interface FacetCounts {
  /** All products of the filter. */
  total: number;
  brands: Int32Array;
  categories: Int32Array;
  merchants: Int32Array;
  attributes: Int32Array;
  availabilities: Int32Array;
  conditions: Int32Array;
  /** By step of prices, with the lowest and the highest price in it. */
  prices: Int32Array;
  lowest: Float64Array;
  highest: Float64Array;
}

// A block takes about a millisecond, after which other requests have their turn.
const BLOCK = 20_000;

// What a product fails: a bit for each field of its own, and for each attribute from the fourth bit on.
const CATEGORY = 1;
const BRAND = 2;
const PRICE = 4;
const FIRST_ATTRIBUTE = 3;

/** Counts the products that a filter selects, for each value of each facet. */
export async function countFacets(columns: ProductColumns, filter: FacetFilter): Promise<FacetCounts> {
  const counts: FacetCounts = {
    total: 0,
    brands: new Int32Array(columns.brandCodes.things.length),
    categories: new Int32Array(columns.categoryCodes.things.length),
    merchants: new Int32Array(columns.merchantCodes.things.length),
    attributes: new Int32Array(columns.attributeCodes.things.length),
    availabilities: new Int32Array(AVAILABILITY_ORDER.length),
    conditions: new Int32Array(CONDITION_ORDER.length),
    prices: new Int32Array(PRICE_STEPS),
    lowest: new Float64Array(PRICE_STEPS).fill(Number.POSITIVE_INFINITY),
    highest: new Float64Array(PRICE_STEPS),
  };
  const names = Int32Array.from(columns.attributeCodes.things, nameIndexIn);
  // The last product that was counted for a merchant: one with two offers of a merchant counts once.
  const countedFor = new Int32Array(columns.merchantCodes.things.length).fill(NONE);
  for (let from = 0; from < columns.size; from += BLOCK) {
    if (from > 0) await nextTurn();
    countBlock(columns, filter, counts, { names, countedFor }, from, Math.min(from + BLOCK, columns.size));
  }
  return counts;
}

function countBlock(
  columns: ProductColumns,
  filter: FacetFilter,
  counts: FacetCounts,
  { names, countedFor }: { names: Int32Array; countedFor: Int32Array },
  from: number,
  to: number,
): void {
  const { present, brands, categories, prices, priceSteps, discounts, offers, attributes } = columns;
  const { selected, leastDiscount, availabilities, conditions, stock, merchants, isPriced, least, most } = filter;
  const allAvailabilities = (1 << AVAILABILITY_ORDER.length) - 1;
  const allConditions = (1 << CONDITION_ORDER.length) - 1;
  const hasOfferFilter =
    merchants !== undefined ||
    availabilities !== allAvailabilities ||
    conditions !== allConditions ||
    stock !== allAvailabilities;

  for (let at = from; at < to; at += 1) {
    if (!present[at] || (selected && !selected[at]) || (discounts[at] as number) < leastDiscount) continue;
    const brand = brands[at] as number;
    const category = categories[at] as number;
    const price = prices[at] as number;
    const firstAttribute = attributes.starts[at] as number;
    const endOfAttributes = firstAttribute + (attributes.lengths[at] as number);
    let failed = 0;
    if (filter.categories && !(category !== NONE && filter.categories[category])) failed |= CATEGORY;
    if (filter.brands && !(brand !== NONE && filter.brands[brand])) failed |= BRAND;
    if (isPriced && !(price !== NONE && price >= least && price <= most)) failed |= PRICE;
    for (const { nameIndex, values, products } of filter.attributes) {
      let has = products?.[at] === 1;
      for (let n = firstAttribute; n < endOfAttributes; n += 1) if (values[attributes.values[n] as number]) has = true;
      if (!has) failed |= 1 << (FIRST_ATTRIBUTE + nameIndex);
    }
    // It fails two fields, so no facet counts it.
    if (failed & (failed - 1)) continue;

    const firstOffer = offers.starts[at] as number;
    const endOfOffers = firstOffer + (offers.lengths[at] as number);
    let isOffered = !hasOfferFilter;
    let foundAvailabilities = 0;
    let foundConditions = 0;
    for (let n = firstOffer; n < endOfOffers; n += 1) {
      const offer = offers.values[n] as number;
      const merchant = merchantIn(offer);
      const availability = 1 << availabilityIn(offer);
      const condition = 1 << conditionIn(offer);
      if (!(stock & availability)) continue;
      const hasMerchant = !merchants || merchants[merchant] === 1;
      const hasAvailability = (availabilities & availability) !== 0;
      const hasCondition = (conditions & condition) !== 0;
      if (hasMerchant && hasAvailability && hasCondition) isOffered = true;
      if (failed) continue;
      if (hasMerchant && hasCondition) foundAvailabilities |= availability;
      if (hasMerchant && hasAvailability) foundConditions |= condition;
      if (hasAvailability && hasCondition && countedFor[merchant] !== at) {
        countedFor[merchant] = at;
        increment(counts.merchants, merchant);
      }
    }
    for (let n = 0; foundAvailabilities >> n; n += 1)
      if ((foundAvailabilities >> n) & 1) increment(counts.availabilities, n);
    for (let n = 0; foundConditions >> n; n += 1) if ((foundConditions >> n) & 1) increment(counts.conditions, n);
    if (!isOffered) continue;
    if (failed === 0) counts.total += 1;

    if (category !== NONE && (failed === 0 || failed === CATEGORY)) increment(counts.categories, category);
    if (brand !== NONE && (failed === 0 || failed === BRAND)) increment(counts.brands, brand);
    if (price !== NONE && (failed === 0 || failed === PRICE)) {
      const step = priceSteps[at] as number;
      increment(counts.prices, step);
      if (price < (counts.lowest[step] as number)) counts.lowest[step] = price;
      if (price > (counts.highest[step] as number)) counts.highest[step] = price;
    }
    for (let n = firstAttribute; n < endOfAttributes; n += 1) {
      const value = attributes.values[n] as number;
      if (failed === 0 || failed === 1 << (FIRST_ATTRIBUTE + (names[value] as number)))
        increment(counts.attributes, value);
    }
  }
}

const increment = (counts: Int32Array, at: number): void => {
  counts[at] = (counts[at] as number) + 1;
};
