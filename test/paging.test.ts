/** Reading a list to its end returns each item once, whatever changes meanwhile. */
import { expect, test } from 'vitest';
import { PRODUCT_SORTS } from '../src/catalogue/product/product-list.ts';
import { importTaxonomyText, TAXONOMY } from './harness/catalogue.ts';
import { type FeedRowFields, feedRow, startTestGateway } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';

const PRODUCTS = 450;

const rows = (prefix: string, count: number, price = (n: number) => 10 + (n % 50)): FeedRowFields[] =>
  Array.from({ length: count }, (_, n) =>
    feedRow({
      id: `${prefix}${n}`,
      title: `${prefix} Gadget ${n % 90}`,
      price: `${price(n)}.00 EUR`,
      google_product_category: '988',
      ...(n % 3 > 0 && { unit_pricing_measure: `${1 + (n % 7)} ${n % 3 === 1 ? 'kg' : 'l'}` }),
    }),
  );
/** The filter that the order by unit price needs. */
const WHOLE = 'category=sporting-goods';

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await importTaxonomyText(gateway.database, TAXONOMY);
await gateway.importRows('Still', rows('Still', PRODUCTS));

/** Reads a list page by page; each call reads one. @returns the ids of a page, and whether it is the last. */
function openReader(query: string) {
  let path: string | undefined = `/api/v1/products?${query}`;
  return async (): Promise<{ ids: string[]; isLast: boolean }> => {
    if (path === undefined) return { ids: [], isLast: true };
    const { status, body, headers } = await gateway.get(path, { key });
    expect(status).toBe(200);
    path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    return { ids: body.data.map(({ id }: { id: string }) => id), isLast: path === undefined };
  };
}

/** Reads lists in step. @param meanwhile runs beside each round of pages. @returns the ids of each. */
async function readToTheEnd(queries: readonly string[], meanwhile?: (page: number) => unknown): Promise<string[][]> {
  const readers = queries.map(openReader);
  const read: string[][] = queries.map(() => []);
  for (let page = 0, isOver = false; !isOver; page += 1) {
    await meanwhile?.(page);
    const pages = await Promise.all(readers.map((next) => next()));
    for (const [index, { ids }] of pages.entries()) read[index]?.push(...ids);
    isOver = pages.every(({ isLast }) => isLast);
  }
  return read;
}

const inEachOrder = (filter: string) => PRODUCT_SORTS.map((sort) => `sort=${sort}&${filter}&${WHOLE}`);

test('in each order, every product appears once', async () => {
  for (const ids of await readToTheEnd(inEachOrder('limit=40&q=still'))) {
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(PRODUCTS);
  }
});

test('in each order, unchanged products are neither repeated nor missed while imports run', async () => {
  const [all = []] = await readToTheEnd([`limit=100&q=still&${WHOLE}`]);
  const still = new Set(all);
  let running = Promise.resolve<unknown>(undefined);
  const read = await readToTheEnd(inEachOrder('limit=40'), (page) => {
    // New products, changed prices and withdrawn offers before, after and at the position of the readers.
    const before = running;
    const rowsOfPage = rows(`Moving${page % 3}`, 40 + page, (n) => 5 + ((n * 7 + page) % 60));
    const options = { isForced: true, observedAt: new Date(Date.now() + page) };
    running = before.then(() => gateway.importRows('Moving', rowsOfPage, options));
    return page % 2 === 0 ? running : before;
  });
  await running;
  for (const [index, ids] of read.entries()) {
    const seen = ids.filter((id) => still.has(id));
    expect([PRODUCT_SORTS[index], seen.length, new Set(seen).size]).toEqual([
      PRODUCT_SORTS[index],
      still.size,
      still.size,
    ]);
  }
});

test('totals are exact up to 10,000, and larger ones are marked as inexact', async () => {
  const other = await forTest(startTestGateway());
  const own = await other.makeKey('enterprise');
  await other.database.query(
    `INSERT INTO product (slug, name, sort_name) SELECT 'p' || n, 'P' || n, 'p' || n FROM generate_series(1, 10000) AS n`,
  );
  const page = async () => (await other.get('/api/v1/products?limit=1', { key: own.key })).body.page;
  expect(await page()).toEqual({ limit: 1, nextCursor: expect.any(String), total: 10_000 });
  await other.database.query("INSERT INTO product (slug, name, sort_name) VALUES ('last', 'Last', 'last')");
  expect(await page()).toEqual({ limit: 1, nextCursor: expect.any(String), total: 10_000, totalIsExact: false });
});
