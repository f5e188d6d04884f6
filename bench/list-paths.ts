/** The paths of lists with filters and orders, and of searches; none is repeated. */
import type { Database } from '../src/database/database.ts';
import { wordsOf } from '../src/values/words.ts';

const SORTS = ['popularity', 'price_asc', 'price_desc', 'name', 'newest', 'discount'];

/** The paths of product lists, by what they filter by. @param count of each. */
export async function filterPaths(database: Database, count = 300) {
  const brands = await database.query<{ slug: string }>('SELECT slug FROM brand ORDER BY product_count DESC LIMIT 100');
  const categories = await database.query<{ slug: string }>(
    'SELECT slug FROM category WHERE total_count > 0 ORDER BY total_count DESC LIMIT 100',
  );
  const slugs = categories.map(({ slug }) => slug);
  const names = await someNames(database, count);
  const sortOf = (n: number) => SORTS[n % SORTS.length];
  const numbers = names.map((_, n) => n);
  return {
    byBrand: numbers.map(
      (n) => `/api/v1/products?brand=${brands[n % brands.length]?.slug}&minPrice=${n}&sort=${sortOf(n)}`,
    ),
    byPrice: numbers.map((n) => `/api/v1/products?minPrice=${n}&maxPrice=${n + 50}&sort=${sortOf(n)}`),
    byMerchant: numbers.map((n) => `/api/v1/products?merchant=shop-${1 + (n % 5)}&sort=${sortOf(n)}`),
    byUnitPrice: slugs.flatMap((slug, n) =>
      [slug, slugs.slice(n, n + 20).join(',')].map((each) => `/api/v1/products?category=${each}&sort=unit_price_asc`),
    ),
    byWord: names.map(pathByWord),
  };
}

const pathByWord = (name: string) => `/api/v1/products?q=${encodeURIComponent(wordOf(name))}`;

/** The paths of product lists by one word of a name. */
export const wordPaths = async (database: Database, count = 300): Promise<string[]> =>
  (await someNames(database, count)).map(pathByWord);

/** The paths of facets: filters of every size, from a brand and a price to all products in stock. */
export async function facetPaths(database: Database, count = 300): Promise<string[]> {
  const brands = await database.query<{ slug: string }>('SELECT slug FROM brand ORDER BY product_count DESC LIMIT 100');
  const names = await someNames(database, count);
  return names.map((name, n) => {
    const brand = (further: number) => brands[(n + further) % brands.length]?.slug;
    const filters = [
      `brand=${brand(0)},${brand(1)}&minPrice=${n}`,
      `minPrice=${n / 10}&maxPrice=${n + 200}`,
      `merchant=shop-${1 + (n % 5)}&minPrice=${n / 100}`,
      `inStock=true&condition=new&maxPrice=${1_000 - n / 10}`,
      `q=${encodeURIComponent(wordOf(name))}`,
    ];
    return `/api/v1/facets?${filters[n % filters.length]}`;
  });
}

/** The paths of lists of deals, with each filter and without. */
export async function dealPaths(database: Database, count = 300): Promise<string[]> {
  const brands = await database.query<{ slug: string }>('SELECT slug FROM brand ORDER BY product_count DESC LIMIT 100');
  const categories = await database.query<{ slug: string }>(
    'SELECT slug FROM category ORDER BY total_count DESC LIMIT 100',
  );
  return Array.from({ length: count }, (_, n) => {
    const slug = (rows: readonly { slug: string }[]) => rows[n % rows.length]?.slug;
    const filters = [
      `minPercent=${(n % 50) / 10}`,
      `category=${slug(categories)}`,
      `brand=${slug(brands)}`,
      `merchant=shop-${1 + (n % 5)}&category=${slug(categories)}`,
      `low=${['all', '90d', '30d'][n % 3]}&category=${slug(categories)}`,
    ];
    return `/api/v1/deals?limit=${1 + (n % 100)}&${filters[n % filters.length]}`;
  });
}

/** The paths of figures for analysts: price indices over a year by day or ten years by month, and comparisons of merchants. */
export async function analystPaths(database: Database, count = 300) {
  const brands = await database.query<{ slug: string }>('SELECT slug FROM brand ORDER BY product_count DESC LIMIT 100');
  const categories = await database.query<{ slug: string }>(
    'SELECT slug FROM category ORDER BY total_count DESC LIMIT 100',
  );
  const slug = (rows: readonly { slug: string }[], n: number) => rows[n % rows.length]?.slug;
  const spans = ['days=365', 'days=3650&interval=month'];
  const numbers = Array.from({ length: count }, (_, n) => n);
  return {
    indices: numbers.map((n) => {
      const groups = [`category=${slug(categories, n)}`, `brand=${slug(brands, n)}`, `merchant=shop-${1 + (n % 5)}`];
      return `/api/v1/price-index?${groups[n % groups.length]}&${spans[n % spans.length]}`;
    }),
    comparisons: numbers.map(
      (n) => `/api/v1/merchant-comparison?${n % 2 ? `category=${slug(categories, n)}` : `brand=${slug(brands, n)}`}`,
    ),
  };
}

/** Searches for prefixes of 1 to 12 letters, a fifth of them mistyped. */
export async function searchPaths(database: Database, count = 600): Promise<string[]> {
  return (await someNames(database, count)).map((name, n) => {
    const prefix = wordsOf(name)
      .join(' ')
      .slice(0, 1 + (n % 12));
    return `/api/v1/search?q=${encodeURIComponent(n % 5 === 0 ? mistype(prefix) : prefix || 'a')}`;
  });
}

async function someNames(database: Database, count: number): Promise<string[]> {
  const rows = await database.query<{ name: string }>('SELECT name FROM product ORDER BY md5(slug) LIMIT $1', [count]);
  return rows.map(({ name }) => name);
}

const wordOf = (text: string) => wordsOf(text).find((word) => word.length > 3) ?? 'a';
const mistype = (text: string) =>
  text.length < 4 ? text || 'a' : `${text.slice(0, 2)}${text[3]}${text[2]}${text.slice(4)}`;
