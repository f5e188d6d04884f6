/**
 * Facets of random filters of a random catalogue: each count equals the total of the list of products with that value. The heavy tests try
 * a thousand filters.
 */
import { expect, test } from 'vitest';
import { importTaxonomyText } from '../harness/catalogue.ts';
import { gtinOf, numbers, tries } from '../harness/fuzz.ts';
import { feedRow, startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

const PRODUCTS = 150;
const SHOPS = ['One', 'Two', 'Three'];
const TAXONOMY = '1 - Home\n2 - Garden\n3 - Home > Kitchen\n4 - Home > Kitchen > Kettles\n5 - Home > Light\n6 - Office';
const CATEGORIES = ['home', 'garden', 'kitchen', 'kettles', 'light', 'office', 'unknown'];
const COLORS = ['Red', 'Blue', 'Dark Green', 'Red, Blue', 'back\\slash'];
const SIZES = ['S', 'M', '9,5', '40'];
const AVAILABILITIES = ['in_stock', 'out_of_stock', 'preorder', 'backorder'];
const CONDITIONS = ['new', 'refurbished', 'used'];
const WORDS = ['kettle', 'lamp', 'l', 'ketle', 'red', 'chair 1', gtinOf(400_638_133_003)];

const seed = tries(1).seed ?? Date.now() % 1_000_000;
const next = numbers(seed);
const pick = <Item>(items: readonly Item[]): Item => items[next(items.length)] as Item;
const perhaps = <Fields extends object>(oneIn: number, fields: () => Fields) => (next(oneIn) === 0 ? fields() : {});
const escaped = (value: string) => value.replace(/[\\,]/g, '\\$&');

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await importTaxonomyText(gateway.database, TAXONOMY);
const goods = Array.from({ length: PRODUCTS }, (_, n) => ({
  title: `${pick(['Kettle', 'Lamp', 'Chair', 'Spade'])} ${n}`,
  gtin: gtinOf(400_638_133_000 + n),
  ...perhaps(2, () => ({ brand: `Brand ${next(6)}` })),
  ...perhaps(2, () => ({ google_product_category: `${1 + next(6)}` })),
  ...perhaps(2, () => ({ color: pick(COLORS) })),
  ...perhaps(2, () => ({ size: pick(SIZES) })),
  ...perhaps(4, () => ({ material: `Material ${next(3)}` })),
}));
for (const shop of SHOPS) {
  const rows = goods.flatMap((fields, n) =>
    next(2) === 0
      ? []
      : Array.from({ length: 1 + (next(8) === 0 ? 1 : 0) }, (_, copy) =>
          feedRow({
            id: `${n}-${copy}`,
            ...fields,
            price: `${1 + next(60)}.${10 + next(90)} EUR`,
            availability: next(2) === 0 ? 'in_stock' : pick(AVAILABILITIES),
            condition: next(2) === 0 ? 'new' : pick(CONDITIONS),
          }),
        ),
  );
  await gateway.importRows(shop, rows);
}
await gateway.database.query('UPDATE product SET discount = (id * 37) % 3000 WHERE id % 3 = 0');

type Filter = Record<string, string>;

/** Some of the values, separated by commas. */
const some = (values: readonly string[]) =>
  [...new Set(Array.from({ length: 1 + next(3) }, () => escaped(pick(values))))].join(',');

function randomFilter(): Filter {
  const from = next(40);
  return {
    ...perhaps(5, () => ({ q: pick(WORDS) })),
    ...perhaps(3, () => ({ category: some(CATEGORIES) })),
    ...perhaps(3, () => ({ brand: some(['brand-0', 'brand-1', 'brand-2', 'brand-3', 'nobody']) })),
    ...perhaps(3, () => ({ merchant: some(['one', 'two', 'three', 'nobody']) })),
    ...perhaps(4, () => ({ minPrice: `${from}` })),
    ...perhaps(4, () => ({ maxPrice: `${from + next(30)}.5` })),
    ...perhaps(4, () => ({ availability: some(AVAILABILITIES) })),
    ...perhaps(4, () => ({ condition: some(CONDITIONS) })),
    ...perhaps(5, () => ({ inStock: 'true' })),
    ...perhaps(6, () => ({ minDiscount: `${next(20)}` })),
    ...perhaps(5, () => ({ 'attr.color': some(COLORS) })),
    ...perhaps(5, () => ({ 'attr.size': some(SIZES) })),
  };
}

interface Facets {
  categories: { slug: string; count: number }[];
  brands: { slug: string; count: number }[];
  merchants: { slug: string; count: number }[];
  availability: { value: string; count: number }[];
  condition: { value: string; count: number }[];
  priceRanges: { min: number; max: number; count: number }[];
  attributes: { name: string; values: { value: string; count: number }[] }[];
}

/** The filters by one value each, instead of the filter by its field, with the count of the value. */
const asFilters = (facets: Facets): { instead: Filter; count: number }[] => [
  ...facets.categories.map(({ slug, count }) => ({ instead: { category: slug }, count })),
  ...facets.brands.map(({ slug, count }) => ({ instead: { brand: slug }, count })),
  ...facets.merchants.map(({ slug, count }) => ({ instead: { merchant: slug }, count })),
  ...facets.availability.map(({ value, count }) => ({ instead: { availability: value }, count })),
  ...facets.condition.map(({ value, count }) => ({ instead: { condition: value }, count })),
  ...facets.priceRanges.map(({ min, max, count }) => ({ instead: { minPrice: `${min}`, maxPrice: `${max}` }, count })),
  ...facets.attributes.flatMap(({ name, values }) =>
    values.map(({ value, count }) => ({ instead: { [`attr.${name}`]: escaped(value) }, count })),
  ),
];

test('each count of random facets equals the total of the list with its value, and no value with products is missing', async () => {
  const get = async (path: string, filter: Filter) => {
    const { status, body } = await gateway.get(`/api/v1/${path}?${new URLSearchParams(filter)}`, { key });
    expect([path, filter, status, body.detail]).toEqual([path, filter, 200, undefined]);
    return body;
  };
  const whole = asFilters((await get('facets', {})).data);
  for (let n = 0; n < tries(50).numRuns; n += 1) {
    const filter = randomFilter();
    const facets = asFilters((await get('facets', filter)).data);
    const told = `seed ${seed}, filter ${n}: ${JSON.stringify(filter)}`;
    const counted = new Map(facets.map(({ instead, count }) => [JSON.stringify(instead), count]));
    const missing = whole.filter(({ instead }) => !('minPrice' in instead) && !counted.has(JSON.stringify(instead)));
    const expected = [...facets, ...Array.from({ length: 3 }, () => ({ instead: pick(missing)?.instead, count: 0 }))];
    const wrong = await Promise.all(
      expected.map(async ({ instead, count }) => {
        if (!instead) return [];
        const total = (await get('products', { ...without(filter, instead), ...instead, limit: '1' })).page.total;
        return total === count ? [] : [{ instead, count, total }];
      }),
    );
    expect(wrong.flat(), told).toEqual([]);
    const ranges = facets.filter(({ instead }) => 'minPrice' in instead).reduce((sum, { count }) => sum + count, 0);
    const { minPrice: _, maxPrice: __, ...unpriced } = filter;
    const priced = (await get('products', { ...unpriced, minPrice: '0', limit: '1' })).page.total;
    expect(ranges, told).toBe(priced);
  }
});

/** The filter without the fields that the other one has; a range of prices has both its ends. */
const without = (filter: Filter, instead: Filter): Filter =>
  Object.fromEntries(
    Object.entries(filter).filter(([name]) => !(name in instead) && !('minPrice' in instead && name === 'maxPrice')),
  );
