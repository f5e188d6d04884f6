/**
 * The cost of lists, search and price history over HTTP, at one connection, without repeating a request: a list read to its end by
 * cursor, where every page should cost the same, compared with the same pages by OFFSET in plain SQL; pages with filters and
 * orders; typeahead search; a history with very many changes; the category tree.
 */
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { brotliDecompressSync } from 'node:zlib';
import { digestStep, hasDueProduct } from '../src/ledger/digest/digest-step.ts';
import type { BenchCatalogue } from './catalogue.ts';
import { note } from './figures.ts';
import { analystPaths, dealPaths, facetPaths, filterPaths, searchPaths } from './list-paths.ts';
import { median, quantile } from './quantile.ts';
import { type RunningServer, startOurs } from './servers.ts';

const PAGE = 100;
const MOST_DIGESTED = 1_000;
const LONG_HISTORY = 100_000;

interface Page {
  data: { id: string }[];
  page?: { nextCursor?: string };
}

/** Sends requests one after the other over one connection. The measured time ends with the last byte, before decoding. */
export class Client {
  readonly #address: string;
  readonly #headers: Record<string, string>;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor({ address }: RunningServer, key: string) {
    this.#address = address;
    this.#headers = { 'x-api-key': key, 'accept-encoding': 'br' };
  }

  async timed(path: string): Promise<{ ms: number; body: Page }> {
    const startedAt = performance.now();
    const asked = get(this.#address + path, { agent: this.#agent, headers: this.#headers });
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    const ms = performance.now() - startedAt;
    if (response.statusCode !== 200) throw new Error(`${path} was answered ${response.statusCode}`);
    const bytes = Buffer.concat(chunks);
    const text = response.headers['content-encoding'] === 'br' ? brotliDecompressSync(bytes) : bytes;
    return { ms, body: JSON.parse(String(text)) };
  }

  /** Requests each path once, and prints the figures. */
  async measure(what: string, paths: readonly string[], targets: { p95?: number; p99?: number } = {}): Promise<void> {
    for (const path of paths.slice(0, 20)) await this.timed(path);
    const times: number[] = [];
    for (const path of paths) times.push((await this.timed(path)).ms);
    note(`${what}: median`, median(times), 'ms');
    note(`${what}: p95`, quantile(times, 0.95), 'ms', targets.p95, true);
    if (targets.p99 !== undefined) note(`${what}: p99`, quantile(times, 0.99), 'ms', targets.p99, true);
  }
}

/** Runs all measurements. @param isQuick reads only one order to its end. */
export async function measureLists(catalogue: BenchCatalogue, isQuick: boolean): Promise<void> {
  const server = await startOurs('ours', catalogue.url);
  const client = new Client(server, catalogue.keys[0] ?? '');
  for (const sort of isQuick ? ['price_asc'] : ['popularity', 'price_asc', 'name']) {
    await readToTheEnd(client, catalogue, sort);
  }
  await readByOffset(catalogue);
  await measureFilters(client, catalogue);
  await measureDigested(client, catalogue);
  await measureSearch(client, catalogue);
  await measureHistory(client, catalogue);
  await client.measure(
    'all categories',
    Array.from({ length: 50 }, () => '/api/v1/categories?depth=8'),
    { p95: 5 },
  );
  await server.stop();
}

async function readToTheEnd(client: Client, { database }: BenchCatalogue, sort: string): Promise<void> {
  const pages: number[] = [];
  const seen = new Set<string>();
  let shown = 0;
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const { ms, body } = await client.timed(
      `/api/v1/products?sort=${sort}&limit=${PAGE}${cursor && `&cursor=${cursor}`}`,
    );
    pages.push(ms);
    shown += body.data.length;
    for (const { id } of body.data) seen.add(id);
    cursor = body.page?.nextCursor;
  }
  const [row] = await database.query<{ count: number }>('SELECT count(*)::int AS count FROM product');
  if (seen.size !== shown || seen.size !== row?.count) {
    throw new Error(`${sort}: ${shown} shown, ${seen.size} of ${row?.count}`);
  }
  note(`products by ${sort}: a page of ${PAGE} by cursor, median`, median(pages), 'ms');
  note(`products by ${sort}: the last tenth of the pages relative to the first`, drift(pages), '×', 1.3, true);
}

async function readByOffset({ database, gtins }: BenchCatalogue): Promise<void> {
  const pages: number[] = [];
  for (let offset = 0; offset < gtins.length; offset += Math.floor(gtins.length / 50)) {
    const startedAt = performance.now();
    await database.query('SELECT * FROM product ORDER BY sort_name, id LIMIT $1 OFFSET $2', [PAGE, offset]);
    pages.push(performance.now() - startedAt);
  }
  note('plain SQL by OFFSET: the last tenth relative to the first', drift(pages), '×');
}

/** The median cost of the last tenth of the pages relative to the first. */
function drift(pages: readonly number[]): number {
  const tenth = Math.max(1, Math.floor(pages.length / 10));
  return median(pages.slice(-tenth)) / median(pages.slice(0, tenth));
}

async function measureFilters(client: Client, { database }: BenchCatalogue): Promise<void> {
  const { byBrand, byPrice, byMerchant, byUnitPrice, byWord } = await filterPaths(database);
  await client.measure('products by brand, price and order', byBrand, { p95: 25 });
  await client.measure('products by price and order', byPrice, { p95: 25 });
  await client.measure('products by merchant and order', byMerchant, { p95: 25 });
  await client.measure('products of one category and of 20 by unit price', byUnitPrice, { p95: 25 });
  await client.measure('products by a word', byWord, { p95: 25 });
  const facets = await facetPaths(database);
  // The first request reads the columns by which facets are counted.
  const { ms } = await client.timed('/api/v1/facets');
  note('facets, the first request', ms, 'ms');
  await client.measure('facets of filters of all sizes', facets, { p95: 50 });
}

async function measureDigested(client: Client, { database }: BenchCatalogue): Promise<void> {
  await giveEarlierPrices(database);
  while (await hasDueProduct(database)) await digestStep(database, MOST_DIGESTED);
  await database.script('VACUUM ANALYZE deal');
  await client.measure('deals by category, brand, merchant and reduction', await dealPaths(database), { p95: 25 });
  const { indices, comparisons } = await analystPaths(database);
  await client.measure('price indices, a year by day and ten years by month', indices, { p95: 100 });
  await client.measure('comparisons of merchants', comparisons, { p95: 100 });
}

/** Makes every third product a deal: it was dearer in all shops a week before their first feeds. */
export async function giveEarlierPrices(database: BenchCatalogue['database']): Promise<void> {
  await database.query(
    `INSERT INTO ledger (product_id, offer_id, observed_at, total, price, availability, condition)
     SELECT product_id, id, created_at - INTERVAL '7 days', total + total * (1 + product_id % 60) / 100, price, 'in_stock', condition
     FROM offer
     WHERE product_id % 3 = 0
     ON CONFLICT DO NOTHING`,
  );
  await database.query('INSERT INTO due_product (product_id) SELECT id FROM product ON CONFLICT DO NOTHING');
  await database.script('ANALYZE ledger');
}

async function measureSearch(client: Client, { database }: BenchCatalogue): Promise<void> {
  const paths = await searchPaths(database);
  await client.measure('search, prefixes of 1 to 12 letters, a fifth mistyped', paths, { p95: 10, p99: 30 });
}

async function measureHistory(client: Client, { database }: BenchCatalogue): Promise<void> {
  const ids = await database.query<{ id: string }>('SELECT id::text FROM product ORDER BY md5(slug) LIMIT 201');
  const path = ({ id }: { id: string }) => `/api/v1/products/prd_${BigInt(id).toString(36)}/price-history`;
  const [longest, ...others] = ids;
  await client.measure('price history of 90 days', others.map(path), { p95: 15 });
  if (!longest) return;
  await giveHistory(database, longest.id);
  const name = `price history of a product with ${LONG_HISTORY} changes`;
  await client.measure(
    `${name}, 90 days`,
    Array.from({ length: 50 }, () => path(longest)),
    { p95: 15 },
  );
  await measureStatistics(client, others.map(path), path(longest));
  const decade = Array.from({ length: 50 }, () => `${path(longest)}?days=3650&interval=month`);
  await client.measure(`${name}, 10 years by month`, decade, { p95: 60 });
}

/** @param paths of the histories of products, and of one with {@link LONG_HISTORY} changes. */
async function measureStatistics(client: Client, paths: readonly string[], longest: string): Promise<void> {
  const statisticsAt = (path: string) => path.replace('price-history', 'price-stats');
  await client.measure(
    'price statistics, all time',
    paths.map((path) => `${statisticsAt(path)}?condition=new&availability=in_stock`),
    { p95: 15 },
  );
  const name = `price statistics of a product with ${LONG_HISTORY} changes`;
  const { ms } = await client.timed(statisticsAt(longest));
  note(`${name}, the first request`, ms, 'ms');
  await client.measure(
    `${name}, the same again`,
    Array.from({ length: 50 }, () => statisticsAt(longest)),
    { p95: 15 },
  );
  const spans = Array.from({ length: 50 }, (_, n) => `${statisticsAt(longest)}?days=${100 + n}`);
  await client.measure(`${name}, each with another time span`, spans);
}

// Simulates years of imports in which each offer changes its price every few hours.
async function giveHistory(database: BenchCatalogue['database'], productId: string): Promise<void> {
  await database.script('ALTER TABLE ledger DISABLE TRIGGER USER');
  await database.query('DELETE FROM ledger WHERE product_id = $1::bigint', [productId]);
  await database.query(
    `INSERT INTO ledger (product_id, offer_id, observed_at, total)
     SELECT product_id, id, now() - step * INTERVAL '4 hours' - id % 100 * INTERVAL '1 minute', 1000 + (step * 7919 + id) % 500
     FROM offer, generate_series(1, $2::int / 5) AS step
     WHERE product_id = $1::bigint`,
    [productId, LONG_HISTORY],
  );
  await database.script('ANALYZE ledger');
}
