/** Facets: counts of products by brand, category, price and so on, for filters with one click. */
import { present } from '../../database/batch.ts';
import { once } from '../../remember.ts';
import { amount } from '../amount.ts';
import { Brand } from '../brand/brand.ts';
import { builder, type Context } from '../builder.ts';
import { Category } from '../category/category.ts';
import { cost } from '../field-cost.ts';
import { Merchant } from '../merchant/merchant.ts';
import { AvailabilityType, ConditionType } from '../offer/offer.ts';
import { ATTRIBUTE_NAMES } from '../product/attributes.ts';
import { ProductFilter, type ProductFilterInput } from '../product/product-filter.ts';
import { LONGEST_OLD_MS } from './follow-products.ts';
import { MOST_ATTRIBUTE_VALUES, MOST_MATCHES } from './product-columns.ts';
import {
  type Count,
  type CountedFacets,
  type CountedRange,
  MOST_VALUES,
  PRICE_RANGES,
  readFacets,
} from './read-facets.ts';

/** Counts the facets of a filter, once however many of them are selected. */
type Facets = () => Promise<CountedFacets>;

/** The facets of a filter. */
export const facetsOf = (filter: ProductFilterInput, context: Context): Facets =>
  once(() => readFacets(filter, context));

// A pass over all products in memory.
const FACET_WEIGHT = 5_000;

const COUNT = {
  description: 'The number of products that this value selects together with the rest of the filter, at most 10000.',
};

/** The row of a counted value. */
const load = async <Row>(loader: { load(id: bigint): Promise<Row | undefined> }, id: bigint): Promise<Row> =>
  present(await loader.load(id));

const CategoryFacet = builder.objectRef<Count<bigint>>('CategoryFacet').implement({
  description: 'A category and its number of products.',
  fields: (t) => ({
    category: t.field({
      type: Category,
      description: 'The category. Its products include those of its subcategories.',
      resolve: ({ value }, _arguments, { loaders }) => load(loaders.category, value),
    }),
    slug: t.string({
      description: 'The slug of the category.',
      resolve: async ({ value }, _arguments, { loaders }) => (await load(loaders.category, value)).slug,
    }),
    name: t.string({
      description: 'The name of the category.',
      resolve: async ({ value }, _arguments, { loaders }) => (await load(loaders.category, value)).name,
    }),
    count: t.exposeInt('count', COUNT),
  }),
});

const BrandFacet = builder.objectRef<Count<bigint>>('BrandFacet').implement({
  description: 'A brand and its number of products.',
  fields: (t) => ({
    brand: t.field({
      type: Brand,
      description: 'The brand.',
      resolve: ({ value }, _arguments, { loaders }) => load(loaders.brand, value),
    }),
    slug: t.string({
      description: 'The slug of the brand.',
      resolve: async ({ value }, _arguments, { loaders }) => (await load(loaders.brand, value)).slug,
    }),
    name: t.string({
      description: 'The name of the brand.',
      resolve: async ({ value }, _arguments, { loaders }) => (await load(loaders.brand, value)).name,
    }),
    count: t.exposeInt('count', COUNT),
  }),
});

const MerchantFacet = builder.objectRef<Count<bigint>>('MerchantFacet').implement({
  description: 'A merchant and the number of products that it offers.',
  fields: (t) => ({
    merchant: t.field({
      type: Merchant,
      description: 'The merchant.',
      resolve: ({ value }, _arguments, { loaders }) => load(loaders.merchant, value),
    }),
    slug: t.string({
      description: 'The slug of the merchant.',
      resolve: async ({ value }, _arguments, { loaders }) => (await load(loaders.merchant, value)).slug,
    }),
    name: t.string({
      description: 'The name of the merchant.',
      resolve: async ({ value }, _arguments, { loaders }) => (await load(loaders.merchant, value)).name,
    }),
    count: t.exposeInt('count', COUNT),
  }),
});

const AvailabilityFacet = builder.objectRef<CountedFacets['availability'][number]>('AvailabilityFacet').implement({
  description: 'An availability and the number of products with such an offer.',
  fields: (t) => ({
    availability: t.expose('value', { type: AvailabilityType, description: 'The availability.' }),
    count: t.exposeInt('count', COUNT),
  }),
});

const ConditionFacet = builder.objectRef<CountedFacets['conditions'][number]>('ConditionFacet').implement({
  description: 'A condition and the number of products with such an offer.',
  fields: (t) => ({
    condition: t.expose('value', { type: ConditionType, description: 'The condition.' }),
    count: t.exposeInt('count', COUNT),
  }),
});

const PriceRange = builder.objectRef<CountedRange>('PriceRange').implement({
  description: 'A range of lowest total prices. Ranges do not overlap.',
  fields: (t) => ({
    min: t.float(amount('min', 'The lowest price in it: for `minPrice`.')),
    max: t.float(amount('max', 'The highest price in it: for `maxPrice`.')),
    count: t.exposeInt('count', COUNT),
  }),
});

const AttributeValueFacet = builder.objectRef<Count<string>>('AttributeValueFacet').implement({
  description: 'A value of an attribute and its number of products.',
  fields: (t) => ({
    value: t.exposeString('value', { description: 'The value, as products have it.' }),
    count: t.exposeInt('count', COUNT),
  }),
});

const AttributeFacet = builder.objectRef<CountedFacets['attributes'][number]>('AttributeFacet').implement({
  description: 'The values of an attribute.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name, such as `color`.' }),
    values: t.field({
      type: [AttributeValueFacet],
      ...cost({ items: MOST_VALUES }),
      description: `The values, at most ${MOST_VALUES}.`,
      resolve: ({ values }) => values,
    }),
  }),
});

/** The options of a facet. */
const facet = <Name extends keyof CountedFacets>(name: Name, items: number, description: string) => ({
  ...cost({ weight: FACET_WEIGHT, items }),
  description,
  resolve: async (count: Facets) => (await count())[name],
});

export const ProductFacets = builder.objectRef<Facets>('ProductFacets').implement({
  description: `Counts of products by the values of their fields, largest first, at most ${MOST_VALUES} values each. Each facet ignores the filter by its own field, so its other values have counts, too; each count equals the \`totalCount\` of the list with this value instead.`,
  fields: (t) => ({
    asOf: t.field({
      type: 'DateTime',
      nullable: true,
      ...cost({ weight: FACET_WEIGHT }),
      description: `The moment whose products are counted, for at most ${LONGEST_OLD_MS / 1_000} seconds after a change of more than 2000 products, while these are read; null if the counts are current.`,
      resolve: async (count) => (await count()).asOf,
    }),
    isExact: t.boolean({
      ...cost({ weight: FACET_WEIGHT }),
      description: `Whether all counts are exact and no attribute value is missing. False if a count is above 10000, where counts end, if more than ${MOST_MATCHES} products have the words of the query, or if a counted product has an attribute value that facets do not list: they know the first ${MOST_ATTRIBUTE_VALUES} different values of the catalogue. Filters by other values are exact, too.`,
      resolve: async (count) => (await count()).isExact,
    }),
    categories: t.field({
      type: [CategoryFacet],
      ...facet('categories', MOST_VALUES, 'The categories of the products, and all categories above these.'),
    }),
    brands: t.field({ type: [BrandFacet], ...facet('brands', MOST_VALUES, 'The brands of the products.') }),
    merchants: t.field({
      type: [MerchantFacet],
      ...facet('merchants', MOST_VALUES, 'The merchants that offer the products now.'),
    }),
    availability: t.field({
      type: [AvailabilityFacet],
      ...facet('availability', 4, 'The availabilities of the current offers.'),
    }),
    conditions: t.field({
      type: [ConditionFacet],
      ...facet('conditions', 3, 'The conditions of the current offers.'),
    }),
    priceRanges: t.field({
      type: [PriceRange],
      ...facet(
        'priceRanges',
        PRICE_RANGES,
        `Up to ${PRICE_RANGES} ranges of the lowest price with about equally many products each, cheapest first.`,
      ),
    }),
    attributes: t.field({
      type: [AttributeFacet],
      ...facet(
        'attributes',
        ATTRIBUTE_NAMES.length,
        `The attributes of the products: ${ATTRIBUTE_NAMES.map((name) => `\`${name}\``).join(', ')}, each if a product has it.`,
      ),
    }),
  }),
});

builder.queryField('facets', (t) =>
  t.field({
    type: ProductFacets,
    description: 'Counts of products by the values of their fields, for narrowing a filter.',
    args: { filter: t.arg({ type: ProductFilter, description: 'Selects products; all by default.' }) },
    resolve: (_root, { filter }, context) => facetsOf(filter ?? {}, context),
  }),
);
