/** Facets: counts of a list's products by brand, category, price and so on, for filters with one click. */
import { present } from '../../database/batch.ts';
import type { Availability } from '../../generated/prisma/client.ts';
import { once } from '../../remember.ts';
import { amount } from '../amount.ts';
import { Brand } from '../brand/brand.ts';
import { builder, type Context } from '../builder.ts';
import { Category } from '../category/category.ts';
import { cost } from '../field-cost.ts';
import { Merchant } from '../merchant/merchant.ts';
import { AvailabilityType } from '../offer/offer.ts';
import { LARGEST_TOTAL } from '../page.ts';
import { type Bind, whereAll } from '../read-page.ts';
import type { ProductSelection } from './product-filter.ts';

/** Counts the facets of a list, once however many of them are selected. */
type Facets = () => Promise<CountedFacets>;

type CountedFacets = Awaited<ReturnType<typeof readFacets>>;
type Count = CountedFacets['brands'][number];

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
const countFacets = ({ from, conditions }: ProductSelection, bind: Bind) => {
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
      ${whereAll(conditions(bind))}
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

async function readFacets(selection: ProductSelection | undefined, { catalogue }: Context) {
  const parameters: unknown[] = [];
  const rows = selection
    ? await catalogue.query<Row>(
        countFacets(selection, (value) => `$${parameters.push(value)}`),
        parameters,
        { name: 'facets', isPlannedAnew: true, dependsOn: selection.dependsOn },
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

/** The facets of a list; `undefined` selects nothing. */
export const facetsOf = (selection: ProductSelection | undefined, context: Context): Facets =>
  once(() => readFacets(selection, context));

// One statement counts all facets, over up to ten thousand products.
const FACET_WEIGHT = 5_000;

const COUNT = { description: 'The number of products in the list that have this value.' };

const CategoryFacet = builder.objectRef<Count>('CategoryFacet').implement({
  description: 'A category and its number of products in the list.',
  fields: (t) => ({
    category: t.field({
      type: Category,
      description: 'The most specific known category of the products.',
      resolve: async ({ id }, _arguments, { loaders }) => present(await loaders.category.load(id)),
    }),
    count: t.exposeInt('count', COUNT),
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
    count: t.exposeInt('count', COUNT),
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
    count: t.exposeInt('count', COUNT),
  }),
});

const AvailabilityFacet = builder.objectRef<CountedFacets['availability'][number]>('AvailabilityFacet').implement({
  description: 'An availability and the number of products in the list with such an offer.',
  fields: (t) => ({
    availability: t.expose('availability', { type: AvailabilityType, description: 'The availability.' }),
    count: t.exposeInt('count', COUNT),
  }),
});

const PriceRange = builder.objectRef<CountedFacets['priceRanges'][number]>('PriceRange').implement({
  description: 'A range of lowest total prices.',
  fields: (t) => ({
    min: t.float(amount('min', 'The lowest price in it: for `minPrice`.')),
    max: t.float(amount('max', 'The highest price in it: for `maxPrice`.')),
    count: t.exposeInt('count', COUNT),
  }),
});

/** The options of a facet. */
const facet = <Name extends keyof CountedFacets>(name: Name, items: number, description: string) => ({
  ...cost({ weight: FACET_WEIGHT, items }),
  description,
  resolve: async (count: Facets) => (await count())[name],
});

export const ProductFacets = builder.objectRef<Facets>('ProductFacets').implement({
  description:
    'Counts of the values that the products of a list have under its filter, largest first, at most 50 per facet. If the list has more than 10000 products, the 10000 most popular are counted.',
  fields: (t) => ({
    isExact: t.boolean({
      description: 'Whether all products of the list were counted; false beyond 10000.',
      resolve: async (count) => (await count()).isExact,
    }),
    categories: t.field({
      type: [CategoryFacet],
      ...facet('categories', MOST_VALUES, 'The categories of the products.'),
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
    priceRanges: t.field({
      type: [PriceRange],
      ...facet('priceRanges', 10, 'Ranges of the lowest price with about equally many products each, cheapest first.'),
    }),
  }),
});
