/** Which cached answers a change of the catalogue evicts, on two gateways over one database (docs/architecture.md, Caching). */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../src/config.ts';
import { startGateway } from '../src/gateway.ts';
import { MOST_PRODUCTS } from '../src/import/invalidation.ts';
import { importTaxonomyText } from './harness/catalogue.ts';
import { eventually } from './harness/eventually.ts';
import { ask, type FeedRowFields, feedRow, startTestGateway, type TestGateway } from './harness/gateway.ts';
import { forFile } from './harness/lifetime.ts';

const ENVIRONMENT = { ANSWER_CACHE_MB: '4', RATE_LIMIT_PUBLIC: '1000000' };
const [EAN_A, EAN_B] = ['4006381333931', '4006381333948'];
const LOOKUP_A = `/api/v1/lookup?ean=${EAN_A}`;
const LOOKUP_B = `/api/v1/lookup?ean=${EAN_B}`;

let price = 10;

const rowA = (fields: FeedRowFields = {}) =>
  feedRow({ id: 'a', title: 'Kettle', gtin: EAN_A, brand: 'Acme', google_product_category: '3', ...fields });
const rowB = (fields: FeedRowFields = {}) =>
  feedRow({ id: 'b', title: 'Lamp', gtin: EAN_B, brand: 'Bolt', google_product_category: '4', ...fields });

// Answers with reductions are cached for one minute of the clock, which therefore only moves a little with each test.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 60_000) * 60_000 }));
beforeEach(() => void vi.setSystemTime(Date.now() + 1_000));
afterAll(() => void vi.useRealTimers());

const first = await forFile(startTestGateway(ENVIRONMENT));
const shared = { ...first.database, close: async () => {} };
const second = await forFile(startGateway(readConfig({ PORT: '0', LOG_LEVEL: 'silent', ...ENVIRONMENT }), shared));
const { key } = await first.makeKey('enterprise');
await importTaxonomyText(first.database, '1 - Home\n2 - Garden\n3 - Home > Kitchen\n4 - Garden > Light');
await first.importRows('One', [rowA()]);
await first.importRows('Two', [rowB()]);
await first.importRows('Both', [rowA({ price: '50 EUR' }), rowB({ price: '50 EUR' })]);

async function misses(gateway: Pick<TestGateway, 'services'>): Promise<number> {
  const metric = await gateway.services.metrics.registry.getSingleMetricAsString('pda_kept_answers_total');
  return Number(/result="miss"\} (\d+)/.exec(metric)?.[1]);
}

/** The paths of which no gateway, and those of which every gateway, has a cached answer. They have afterwards. */
async function readAll(paths: readonly string[]) {
  const [made, kept]: [string[], string[]] = [[], []];
  for (const path of paths) {
    const missed: boolean[] = [];
    for (const gateway of [first, second]) {
      const before = await misses(gateway);
      await ask(gateway.address + path, { key });
      missed.push((await misses(gateway)) > before);
    }
    if (missed.every((each) => each)) made.push(path);
    if (missed.every((each) => !each)) kept.push(path);
  }
  return { made, kept };
}

/** Waits until both gateways know the current version. */
async function settle() {
  const version = (await first.database.query<{ version: bigint }>('SELECT version FROM catalogue_version'))[0]
    ?.version;
  const known = async () => {
    const versions = await Promise.all([first, second].map(({ services }) => services.version.look()));
    return versions.every((each) => each !== undefined && each === version);
  };
  expect(await eventually(known, (isKnown) => isKnown)).toBe(true);
}

/** Fills the caches with all paths, makes a change, and returns the paths whose answers it evicted. All others must still be cached. */
async function evictedBy(paths: readonly string[], change: () => Promise<unknown>): Promise<string[]> {
  await readAll(paths);
  expect((await readAll(paths)).kept).toEqual(paths);
  await change();
  await settle();
  const { made, kept } = await readAll(paths);
  expect([...made, ...kept].sort()).toEqual([...paths].sort());
  return made;
}

const delta = (shop: string, ...rows: FeedRowFields[]) => first.importRows(shop, rows, { mode: 'delta' });

describe('a new price of a product', () => {
  beforeEach(() => {
    price += 1;
  });
  const change = () => delta('One', rowA({ price: `${price} EUR` }));

  test('evicts the answers that show this product, and keeps those of other products', async () => {
    const shown = [
      LOOKUP_A,
      '/api/v1/products/kettle',
      '/api/v1/products/kettle/offers',
      '/products/kettle',
      '/products/kettle/price-history-wide-light.svg',
    ];
    const others = [LOOKUP_B, '/api/v1/products/lamp', '/api/v1/products/lamp/offers', '/products/lamp'];
    expect(await evictedBy([...shown, ...others], change)).toEqual(shown);
  });

  test('evicts the lists that may show it, by brand, category or shop, and keeps other lists', async () => {
    const list = (filter: string) => `/api/v1/products?${filter}`;
    const possible = [
      'sort=name',
      'q=kettle',
      'brand=acme',
      'category=kitchen',
      'category=home',
      'merchant=one',
      'merchant=both',
      'brand=unknown',
      'minPrice=1',
    ].map(list);
    const impossible = ['brand=bolt', 'brand=bolt&q=lamp', 'category=light', 'category=garden', 'merchant=two'].map(
      list,
    );
    expect(await evictedBy([...possible, ...impossible], change)).toEqual(possible);
  });

  test('keeps suggestions, brands and categories, and evicts the shops, which show the time of the feed', async () => {
    const paths = [
      '/api/v1/search?q=ket',
      '/api/v1/brands',
      '/api/v1/categories',
      '/api/v1/articles',
      '/api/v1/merchants',
    ];
    expect(await evictedBy(paths, change)).toEqual(['/api/v1/merchants']);
  });
});

const TIMES = ['/api/v1/products/kettle', '/api/v1/products/lamp'];

test('a feed that only confirms its offers evicts the answers with the times of its offers', async () => {
  const row = rowA({ price: '70 EUR' });
  await first.importRows('Calm', [row]);
  await settle();
  const paths = [LOOKUP_A, '/api/v1/products?brand=acme', ...TIMES];
  expect(await evictedBy(paths, () => first.importRows('Calm', [row]))).toEqual([TIMES[0]]);
  expect(await evictedBy(paths, () => delta('Calm', row))).toEqual([TIMES[0]]);
});

test('a new product evicts suggestions, and the brands and categories that count it', async () => {
  const paths = ['/api/v1/search?q=ket', '/api/v1/brands', '/api/v1/categories', LOOKUP_A];
  const fresh = feedRow({ id: 'n', title: 'Toaster', brand: 'Corvus', google_product_category: '3' });
  expect(await evictedBy(paths, () => delta('One', fresh))).toEqual(paths.slice(0, 3));
});

test.each([
  ['whose tags nobody recorded', () => first.database.query('UPDATE catalogue_version SET version = version + 1')],
  [
    'of the category tree',
    () => importTaxonomyText(first.database, '1 - House\n2 - Garden\n3 - House > Kitchen\n4 - Garden > Light'),
  ],
  [
    `of more than ${MOST_PRODUCTS} products`,
    () => delta('Large', ...Array.from({ length: MOST_PRODUCTS + 1 }, (_, n) => feedRow({ id: `${n}` }))),
  ],
])('a change %s evicts everything', async (_what, change) => {
  const paths = [LOOKUP_A, LOOKUP_B, '/api/v1/articles', '/api/v1/products?brand=bolt', '/products/lamp'];
  expect(await evictedBy(paths, change)).toEqual(paths);
});

test('records of changes are deleted after ten minutes', async () => {
  const { database } = first;
  const count = async () => (await database.query('SELECT FROM invalidation')).length;
  await database.query("UPDATE invalidation SET recorded_at = recorded_at - INTERVAL '11 minutes'");
  expect(await count()).toBeGreaterThan(1);
  await delta('One', rowA({ price: '99 EUR' }));
  expect(await count()).toBe(1);
});
