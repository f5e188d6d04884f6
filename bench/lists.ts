/**
 * What lists and search cost over HTTP, at one connection, on PostgreSQL: `npm run bench:lists`, with BENCH_DATABASE_URL naming a
 * server on which a database may be made.
 *
 * A list read to its end by cursor, where every page should cost the same, against the same pages by OFFSET in plain SQL; pages
 * with filters and orders; search while somebody types. Options: `--products 100000`, `--json FILE`.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createKey } from '../src/access/key-admin.ts';
import { wordsOf } from '../src/catalogue/words.ts';
import { readConfig } from '../src/config.ts';
import type { Database } from '../src/database/database.ts';
import { migrate } from '../src/database/migrate.ts';
import { openPostgres } from '../src/database/postgres.ts';
import { startGateway } from '../src/gateway.ts';
import { importFeed } from '../src/import/import-feed.ts';
import { introduce, keepFigures, note } from './figures.ts';
import { goods } from './goods.ts';

const { values: options } = parseArgs({
  options: { products: { type: 'string', default: '100000' }, json: { type: 'string' } },
});
const PRODUCTS = Number(options.products);
const PAGE = 100;

const server = process.env.BENCH_DATABASE_URL;
if (server === undefined) {
  process.stderr.write('Set BENCH_DATABASE_URL to a PostgreSQL server on which a database may be made.\n');
  process.exit(2);
}

/** The shares of a sorted sample, such as 0.95. */
function quantile(sample: readonly number[], share: number): number {
  const sorted = [...sample].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

async function fill(database: Database): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pda-bench-'));
  const feed = join(folder, 'feed.tsv');
  const rows = ['id\ttitle\tlink\tprice\tavailability\tbrand\tgtin'];
  const names: string[] = [];
  for await (const { gtin, name, brand } of goods(PRODUCTS)) {
    const cents = 100 + ((names.length * 7919) % 99_900);
    const price = `${(cents / 100).toFixed(2)} EUR`;
    rows.push([`s${names.length}`, name, 'https://shop.example/p', price, 'in stock', brand, gtin].join('\t'));
    names.push(name);
  }
  writeFileSync(feed, `${rows.join('\n')}\n`);
  await importFeed(
    database,
    { currency: 'EUR', country: 'DE' },
    { feed, merchant: 'Shop', mode: 'full', observedAt: new Date() },
  );
  rmSync(folder, { recursive: true });
  return names;
}

introduce();
const name = `pda_bench_${randomBytes(4).toString('hex')}`;
const admin = openPostgres({ url: server, purpose: 'bulk' });
await admin.script(`CREATE DATABASE ${name}`);
const url = new URL(server);
url.pathname = `/${name}`;
const bulk = openPostgres({ url: url.href, purpose: 'bulk' });
await migrate(bulk);
const names = await fill(bulk);
await bulk.script('VACUUM ANALYZE');
const gateway = await startGateway(readConfig({ PORT: '0', LOG_LEVEL: 'error' }), openPostgres({ url: url.href }));
const { key } = await createKey(bulk, { name: 'bench', plan: 'enterprise', rateLimit: 1_000_000 });

async function timed(
  path: string,
): Promise<{ ms: number; body: { data: { id: string }[]; page?: { nextCursor?: string } } }> {
  const startedAt = performance.now();
  const response = await fetch(gateway.address + path, { headers: { 'x-api-key': key } });
  const body = await response.json();
  if (response.status !== 200) throw new Error(`${path} was answered ${response.status}`);
  return { ms: performance.now() - startedAt, body };
}

/** How much dearer the last tenth of the pages is than the first. */
const drift = (pages: readonly number[]) => {
  const tenth = Math.max(1, Math.floor(pages.length / 10));
  return quantile(pages.slice(-tenth), 0.5) / quantile(pages.slice(0, tenth), 0.5);
};

for (const sort of ['popularity', 'price_asc', 'name']) {
  const pages: number[] = [];
  const seen = new Set<string>();
  let shown = 0;
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const { ms, body } = await timed(`/api/v1/products?sort=${sort}&limit=${PAGE}${cursor && `&cursor=${cursor}`}`);
    pages.push(ms);
    shown += body.data.length;
    for (const { id } of body.data) seen.add(id);
    cursor = body.page?.nextCursor;
  }
  const [count] = await bulk.query<{ count: number }>('SELECT count(*)::int AS count FROM product');
  if (seen.size !== shown || seen.size !== count?.count)
    throw new Error(`${sort}: ${shown} shown, ${seen.size} of ${count?.count}`);
  note(`${sort}: a page of ${PAGE} by cursor, median`, quantile(pages, 0.5), 'ms');
  note(`${sort}: the last tenth of the pages to the first`, drift(pages), '×', 1.3, true);
}

const offsets: number[] = [];
for (let offset = 0; offset < PRODUCTS; offset += PAGE * 10) {
  const startedAt = performance.now();
  await bulk.query('SELECT * FROM product ORDER BY sort_name, id LIMIT $1 OFFSET $2', [PAGE, offset]);
  offsets.push(performance.now() - startedAt);
}
note('plain SQL by OFFSET: the last tenth to the first', drift(offsets), '×');

const some = (count: number) => Array.from({ length: count }, (_, n) => names[(n * 7_919) % names.length] ?? '');
const wordOf = (text: string) => wordsOf(text).find((word) => word.length > 3) ?? 'a';
const mistype = (text: string) => (text.length < 4 ? text : `${text.slice(0, 2)}${text[3]}${text[2]}${text.slice(4)}`);

async function measure(what: string, paths: readonly string[], p95: number, p99?: number): Promise<void> {
  for (const path of paths.slice(0, 20)) await timed(path);
  const times: number[] = [];
  for (const path of paths) times.push((await timed(path)).ms);
  note(`${what}: median`, quantile(times, 0.5), 'ms');
  note(`${what}: p95`, quantile(times, 0.95), 'ms', p95, true);
  if (p99 !== undefined) note(`${what}: p99`, quantile(times, 0.99), 'ms', p99, true);
}

const sorts = ['popularity', 'price_asc', 'price_desc', 'name', 'newest', 'discount'];
const brands = await bulk.query<{ slug: string }>('SELECT slug FROM brand ORDER BY product_count DESC LIMIT 100');
await measure(
  'products by brand, price and order',
  some(300).map(
    (_, n) => `/api/v1/products?brand=${brands[n % brands.length]?.slug}&minPrice=${n}&sort=${sorts[n % sorts.length]}`,
  ),
  25,
);
await measure(
  'products by price and order',
  some(300).map((_, n) => `/api/v1/products?minPrice=${n}&maxPrice=${n + 50}&sort=${sorts[n % sorts.length]}`),
  25,
);
await measure(
  'products by a word',
  some(300).map((each) => `/api/v1/products?q=${encodeURIComponent(wordOf(each))}`),
  25,
);
await measure(
  'search, prefixes of 1 to 12 letters, a fifth mistyped',
  some(600).map((each, n) => {
    const prefix = wordsOf(each)
      .join(' ')
      .slice(0, 1 + (n % 12));
    return `/api/v1/search?q=${encodeURIComponent(n % 5 === 0 ? mistype(prefix) : prefix || 'a')}`;
  }),
  10,
  30,
);
await measure(
  'price history of 90 days',
  some(200).map((_, n) => `/api/v1/products/prd_${(n + 1).toString(36)}/price-history`),
  15,
);

await gateway.stop();
await bulk.close();
await admin.script(`DROP DATABASE ${name} WITH (FORCE)`);
await admin.close();
keepFigures(options.json);
