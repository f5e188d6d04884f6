/** Reading a list to its end returns each item once, whatever changes meanwhile. */
import { describe, expect, test } from 'vitest';
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

async function readToTheEnd(query: string, meanwhile?: (page: number) => Promise<unknown>): Promise<string[]> {
  const ids: string[] = [];
  let path: string | undefined = `/api/v1/products?${query}`;
  for (let page = 0; path !== undefined; page += 1) {
    const { status, body, headers } = await gateway.get(path, { key });
    expect(status).toBe(200);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    await meanwhile?.(page);
  }
  return ids;
}

describe.each(PRODUCT_SORTS)('in the order %s', (sort) => {
  test('every product appears once', async () => {
    const ids = await readToTheEnd(`sort=${sort}&limit=40&q=still&${WHOLE}`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(PRODUCTS);
  });

  test('unchanged products are neither repeated nor missed while imports run', async () => {
    const still = new Set(await readToTheEnd(`sort=${sort}&limit=100&q=still&${WHOLE}`));
    let running = Promise.resolve<unknown>(undefined);
    const ids = await readToTheEnd(`sort=${sort}&limit=40&${WHOLE}`, async (page) => {
      // New products, changed prices and withdrawn offers before, after and at the position of the reader.
      running = running.then(() =>
        gateway.importRows(
          `Moving ${sort}`,
          rows(`Moving${page % 3}`, 40 + page, (n) => 5 + ((n * 7 + page) % 60)),
          { isForced: true, observedAt: new Date(Date.now() + page) },
        ),
      );
      if (page % 2 === 0) await running;
    });
    await running;
    const seen = ids.filter((id) => still.has(id));
    expect(seen).toHaveLength(still.size);
    expect(new Set(seen).size).toBe(still.size);
  });
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
