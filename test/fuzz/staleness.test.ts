/**
 * Random changes of a small catalogue: after each, every interface of gateways with caches answers as one without. The products, shops and
 * filters are few, so that each change meets cached answers of all kinds. A dependency that a route does not declare makes it fail.
 */
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { startGateway } from '../../src/gateway.ts';
import { filterOf } from '../../src/rest/product-filter.ts';
import { eventually } from '../harness/eventually.ts';
import { tries } from '../harness/fuzz.ts';
import { ask, startTestGateway, type TestGateway } from '../harness/gateway.ts';
import { forTest } from '../harness/lifetime.ts';
import { ASINS, GTINS, openRandomChanges } from '../harness/random-changes.ts';

const SAME = { PUBLIC_URL: 'https://pda.example', RATE_LIMIT_PUBLIC: '1000000' };

test('after each of many random changes, all cached answers equal those of a gateway without caches', async () => {
  const seed = tries(1).seed ?? Date.now() % 1_000_000;
  const truth = await forTest(startTestGateway(SAME));
  const kept = await Promise.all([startKept(truth), startKept(truth)]);
  const { key } = await truth.makeKey('enterprise');
  const change = openRandomChanges(truth, seed);
  for (let round = 0; round < tries(8).numRuns; round += 1) {
    const during = kept.map((gateway) => answersOf(gateway, truth, key));
    const changing = change();
    await Promise.all(during);
    const what = await changing;
    // Facets may be older for a moment, and say so.
    const isCurrent = (answers: Map<string, string>) => ![...answers.values()].some((text) => text.includes('"asOf"'));
    const expected = await eventually(() => answersOf(truth, truth, key), isCurrent);
    for (const gateway of kept) {
      const differing = async () => {
        const answers = await answersOf(gateway, truth, key);
        return [...expected].flatMap(([request, text]) =>
          answers.get(request) === text ? [] : [{ request, text: answers.get(request), expected: text }],
        );
      };
      const stale = await eventually(differing, ({ length }) => length === 0);
      expect(stale, `seed ${seed}, round ${round}: ${what}`).toEqual([]);
    }
  }
  for (const gateway of kept) {
    const metric = await gateway.services.metrics.registry.getSingleMetricAsString('pda_kept_answers_total');
    expect(Number(/result="hit"\} (\d+)/.exec(metric)?.[1])).toBeGreaterThan(100);
  }
});

async function startKept({ database }: TestGateway) {
  const environment = { ...SAME, PORT: '0', LOG_LEVEL: 'silent', ANSWER_CACHE_MB: '8', DRAIN_DELAY_SECONDS: '0' };
  const gateway = await forTest(startGateway(readConfig(environment), { ...database, close: async () => {} }));
  return gateway;
}

// Offers that move do so now, so averages of today change with each second.
const DAY_MS = 86_400_000;
const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const PAST = `from=${dayBefore(80)}&to=${dayBefore(1)}`;
const HISTORY_OF_PAGE = /<picture[\s\S]*<\/details>/;

const FILTERS = [
  {},
  { brand: 'acme' },
  { brand: 'corvus' },
  { category: 'home' },
  { category: 'kitchen' },
  { category: 'garden' },
  { merchant: 'one' },
  { merchant: 'three' },
  { brand: 'bolt', merchant: 'two' },
  { category: 'home', merchant: 'two', q: 'kettle' },
  { brand: 'acme', q: 'ketle' },
  { brand: 'unknown' },
  { q: 'kettle' },
  { q: GTINS[0] },
  { brand: 'acme', q: GTINS[1] },
  { minPrice: 25, maxPrice: 40 },
  { availability: 'out_of_stock' },
  { merchant: 'four', availability: 'in_stock' },
  { brand: 'acme,bolt', category: 'home,garden' },
  { brand: 'corvus,unknown', condition: 'used' },
  { merchant: 'one,three', 'attr.color': 'Red' },
  { minDiscount: 1 },
  { brand: 'acme', merchant: 'two', inStock: 'true' },
];

const GRAPHQL = `query ($filter: ProductFilter) {
  products(filter: $filter, first: 3) {
    totalCount
    nodes { slug discount brand { name productCount } category { name productCount } offers { merchant { name offerCount observedAt } seenAt } }
    facets { brands { brand { slug productCount } count } categories { category { slug } count } merchants { merchant { slug } count }
      availability { availability count } conditions { condition count } priceRanges { min max count } attributes { name values { value count } } }
  }
  brands { totalCount } merchants { totalCount } articles { totalCount }
}`;

/** The answers to requests of all kinds, by request; of errors only the status. */
async function answersOf({ address }: { address: string }, { database }: TestGateway, key: string) {
  const answers = new Map<string, string>();
  // A slow machine refuses some of so many requests at once.
  const put = async (name: string, asking: () => ReturnType<typeof ask>) => {
    const { status, text } = await eventually(asking, ({ status }) => status !== 503);
    answers.set(name, status === 200 ? text.replace(HISTORY_OF_PAGE, '') : String(status));
  };
  const get = (path: string, accept = 'application/json') =>
    put(`${path} ${accept}`, () => ask(address + path, { key, headers: { accept } }));
  const slugs = await database.query<{ slug: string }>('SELECT slug FROM product ORDER BY id LIMIT 12');
  await Promise.all([
    ...GTINS.map((gtin) => get(`/api/v1/lookup?ean=${gtin}`)),
    ...ASINS.map((asin) => get(`/api/v1/lookup?asin=${asin}`)),
    ...slugs.flatMap(({ slug }) => [
      get(`/api/v1/products/${slug}`),
      get(`/api/v1/products/${slug}/offers`),
      get(`/api/v1/products/${slug}/offers`, 'text/csv'),
      get(`/api/v1/products/${slug}/price-history?${PAST}&interval=week`),
      get(`/api/v1/products/${slug}/price-history?${PAST}&interval=month&condition=new&merchant=one`),
      get(`/api/v1/products/${slug}/price-stats?${PAST}`),
      get(`/products/${slug}`, 'text/html'),
    ]),
    ...FILTERS.map((filter) =>
      get(`/api/v1/products?limit=5&${new URLSearchParams(filter as Record<string, string>)}`),
    ),
    ...FILTERS.map((filter) => get(`/api/v1/facets?${new URLSearchParams(filter as Record<string, string>)}`)),
    ...['price_asc', 'price_desc', 'name', 'newest', 'discount'].flatMap((sort) => [
      get(`/api/v1/products?sort=${sort}&limit=5`),
      get(`/api/v1/products?sort=${sort}&limit=5&brand=acme`, 'text/csv'),
    ]),
    get('/api/v1/products?sort=unit_price_asc&limit=5&category=home'),
    get('/api/v1/categories'),
    get('/api/v1/categories?root=home&depth=2'),
    get('/api/v1/categories?nonEmpty=true'),
    get('/api/v1/brands?limit=100'),
    get('/api/v1/brands?q=a'),
    get('/api/v1/merchants'),
    get('/api/v1/articles'),
    get('/api/v1/articles?q=guide&category=home'),
    ...['k', 'kettle', 'ketle', 'acm', 'hom', 'm1', GTINS[2], ASINS[0]].map((q) => get(`/api/v1/search?q=${q}`)),
    ...FILTERS.map((filter) => {
      const variables = { filter: filterOf({ ...filter, ...('inStock' in filter && { inStock: true }) }) };
      const body = JSON.stringify({ query: GRAPHQL, variables });
      const headers = { 'content-type': 'application/json' };
      return put(`graphql ${body}`, () => ask(`${address}/graphql`, { method: 'POST', key, headers, body }));
    }),
  ]);
  return answers;
}
