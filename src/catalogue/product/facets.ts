/** Facets: counts of a list's products by brand, category, price and so on, for filters with one click. */

import { present } from '../../database/batch.ts';
import type { Availability } from '../../generated/prisma/client.ts';
import { Brand } from '../brand/brand.ts';
import { builder, type Context } from '../builder.ts';
import { Category } from '../category/category.ts';
import { cost } from '../field-cost.ts';
import { amountIn } from '../market.ts';
import { Merchant } from '../merchant/merchant.ts';
import { AvailabilityType } from '../offer/offer.ts';
import { LARGEST_TOTAL } from '../page.ts';
import type { ProductSelection } from './product-filter.ts';

/** The facets of a list, counted when the first of them is selected. */
export interface Facets {
  selection: ProductSelection | undefined;
  counted?: Promise<CountedFacets>;
}

interface CountedFacets {
  isExact: boolean;
  categories: Count[];
  brands: Count[];
  merchants: Count[];
  availability: { availability: Availability; count: number }[];
  priceRanges: { min: bigint; max: bigint; count: number }[];
}

interface Count {
  id: bigint;
  count: number;
}

interface Row {
  facet: 'category' | 'brand' | 'merchant' | 'availability' | 'price' | 'all';
  key: string | null;
  count: number;
  min: bigint | null;
  max: bigint | null;
}

const MOST_VALUES = 50;
const PRICE_RANGES = 5;

// One statement for all facets. If the list has more products than a total counts, it covers only the most popular ones.
const countFacets = ({ from, conditions }: ProductSelection, bind: (value: unknown) => string) => {
  const where = conditions(bind);
  const top = (facet: string, key: string, source: string, count = 'count(*)') => `
    (SELECT '${facet}' AS facet, ${key}::text AS key, ${count}::int AS count, NULL::bigint AS min, NULL::bigint AS max
     FROM ${source}
     WHERE ${key} IS NOT NULL
     GROUP BY ${key}
     ORDER BY count DESC, ${key}
     LIMIT ${MOST_VALUES})`;
  return `
    WITH found AS MATERIALIZED (
      SELECT product.id, product.brand_id, product.category_id, product.min_total
      FROM ${from}
      ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''}
      ORDER BY product.popularity DESC, product.id DESC
      LIMIT ${LARGEST_TOTAL + 1}
    ), listed AS MATERIALIZED (
      SELECT offer.product_id, offer.merchant_id, offer.availability
      FROM found
      JOIN offer ON offer.product_id = found.id AND offer.withdrawn_at IS NULL
    ), bounds AS (
      SELECT percentile_disc(ARRAY[${Array.from({ length: PRICE_RANGES - 1 }, (_, n) => (n + 1) / PRICE_RANGES).join(', ')}])
               WITHIN GROUP (ORDER BY min_total) AS at
      FROM found
    )
    SELECT 'all' AS facet, NULL AS key, count(*)::int AS count, NULL::bigint AS min, NULL::bigint AS max FROM found
    UNION ALL ${top('category', 'category_id', 'found')}
    UNION ALL ${top('brand', 'brand_id', 'found')}
    UNION ALL ${top('merchant', 'merchant_id', 'listed', 'count(DISTINCT product_id)')}
    UNION ALL ${top('availability', 'availability', 'listed', 'count(DISTINCT product_id)')}
    UNION ALL (
      SELECT 'price', NULL, count(*)::int, min(min_total), max(min_total)
      FROM found
      CROSS JOIN bounds
      WHERE min_total IS NOT NULL
      GROUP BY width_bucket(min_total, bounds.at)
      ORDER BY min(min_total)
    )`;
};

async function readFacets({ selection }: Facets, { catalogue }: Context): Promise<CountedFacets> {
  const parameters: unknown[] = [];
  const rows = selection
    ? await catalogue.query<Row>(
        countFacets(selection, (value) => `$${parameters.push(value)}`),
        parameters,
        { name: 'facets', isPlannedAnew: true, isKeepable: true },
      )
    : [];
  const of = (facet: Row['facet']) => rows.filter((row) => row.facet === facet);
  const counts = (facet: Row['facet']) => of(facet).map(({ key, count }) => ({ id: BigInt(key ?? 0), count }));
  return {
    isExact: (of('all')[0]?.count ?? 0) <= LARGEST_TOTAL,
    categories: counts('category'),
    brands: counts('brand'),
    merchants: counts('merchant'),
    availability: of('availability').map(({ key, count }) => ({ availability: key as Availability, count })),
    priceRanges: of('price').map(({ min, max, count }) => ({ min: min ?? 0n, max: max ?? 0n, count })),
  };
}

function counted(facets: Facets, context: Context): Promise<CountedFacets> {
  facets.counted ??= readFacets(facets, context);
  return facets.counted;
}

// One statement counts all facets, over up to ten thousand products.
const FACET_WEIGHT = 5_000;

const COUNT = 'The number of products in the list that have this value.';

const CategoryFacet = builder.objectRef<Count>('CategoryFacet').implement({
  description: 'A category and its number of products in the list.',
  fields: (t) => ({
    category: t.field({
      type: Category,
      description: 'The most specific known category of the products.',
      resolve: async ({ id }, _arguments, { loaders }) => present(await loaders.category.load(id)),
    }),
    count: t.exposeInt('count', { description: COUNT }),
  }),
});

const BrandFacet = builder.objectRef<Count>('BrandFacet').implement({
  description: 'A brand and its number of products in the list.',
  fields: (t) => ({
    brand: t.field({
      type: Brand,
      description: 'The brand.',
      resolve: async ({ id }, _arguments, { loaders }) => present(await loaders.brand.load(id)),
    }),
    count: t.exposeInt('count', { description: COUNT }),
  }),
});

const MerchantFacet = builder.objectRef<Count>('MerchantFacet').implement({
  description: 'A merchant and the number of products in the list that it offers.',
  fields: (t) => ({
    merchant: t.field({
      type: Merchant,
      description: 'The merchant.',
      resolve: async ({ id }, _arguments, { loaders }) => present(await loaders.merchant.load(id)),
    }),
    count: t.exposeInt('count', { description: COUNT }),
  }),
});

const AvailabilityFacet = builder.objectRef<CountedFacets['availability'][number]>('AvailabilityFacet').implement({
  description: 'An availability and the number of products in the list with such an offer.',
  fields: (t) => ({
    availability: t.field({
      type: AvailabilityType,
      description: 'The availability.',
      resolve: ({ availability }) => availability,
    }),
    count: t.exposeInt('count', { description: COUNT }),
  }),
});

const PriceRange = builder.objectRef<CountedFacets['priceRanges'][number]>('PriceRange').implement({
  description: 'A range of lowest total prices.',
  fields: (t) => ({
    min: t.float({
      description: 'The lowest price in it: for `minPrice`.',
      resolve: ({ min }, _arguments, { market }) => amountIn(market, min),
    }),
    max: t.float({
      description: 'The highest price in it: for `maxPrice`.',
      resolve: ({ max }, _arguments, { market }) => amountIn(market, max),
    }),
    count: t.exposeInt('count', { description: COUNT }),
  }),
});

export const ProductFacets = builder.objectRef<Facets>('ProductFacets').implement({
  description:
    'Counts of the values that the products of a list have under its filter, largest first, at most 50 per facet. If the list has more than 10000 products, the 10000 most popular are counted.',
  fields: (t) => ({
    isExact: t.boolean({
      description: 'Whether all products of the list were counted; false beyond 10000.',
      resolve: async (facets, _arguments, context) => (await counted(facets, context)).isExact,
    }),
    categories: t.field({
      type: [CategoryFacet],
      ...cost({ weight: FACET_WEIGHT, items: MOST_VALUES }),
      description: 'The categories of the products.',
      resolve: async (facets, _arguments, context) => (await counted(facets, context)).categories,
    }),
    brands: t.field({
      type: [BrandFacet],
      ...cost({ weight: FACET_WEIGHT, items: MOST_VALUES }),
      description: 'The brands of the products.',
      resolve: async (facets, _arguments, context) => (await counted(facets, context)).brands,
    }),
    merchants: t.field({
      type: [MerchantFacet],
      ...cost({ weight: FACET_WEIGHT, items: MOST_VALUES }),
      description: 'The merchants that offer the products now.',
      resolve: async (facets, _arguments, context) => (await counted(facets, context)).merchants,
    }),
    availability: t.field({
      type: [AvailabilityFacet],
      ...cost({ weight: FACET_WEIGHT, items: 4 }),
      description: 'The availabilities of the current offers.',
      resolve: async (facets, _arguments, context) => (await counted(facets, context)).availability,
    }),
    priceRanges: t.field({
      type: [PriceRange],
      ...cost({ weight: FACET_WEIGHT, items: 10 }),
      description: 'Ranges of the lowest price with about equally many products each, cheapest first.',
      resolve: async (facets, _arguments, context) => (await counted(facets, context)).priceRanges,
    }),
  }),
});
