/** The search of pages for browsers: `/suggest`, `/search`, and the deals of the front page. */
import { describe, expect, test } from 'vitest';
import { eventually } from './harness/eventually.ts';
import { feedRow, startTestGateway } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';

const EAN = '4006381333931';
// The importer takes tags away, and keeps the rest. The names of shops come from operators, and are kept as they are.
const HOSTILE = 'Lamp" onmouseover="alert(1)" < \'x';

const gateway = await forFile(startTestGateway({ RATE_LIMIT_PUBLIC: '100000' }));
const shelf = (id: string) => feedRow({ id, title: `Shelf ${id}`, brand: 'Holzer', price: `${10 + Number(id)} EUR` });
const lamp = (price: string, image: string) =>
  feedRow({
    id: 'l',
    title: HOSTILE,
    brand: 'Lumo" a="<',
    gtin: EAN,
    price,
    shipping: 'DE:::0 EUR',
    image_link: image,
  });
await gateway.importRows('<i>Shop</i>', [
  lamp('80 EUR', 'http://shop.example/l.jpg'),
  ...Array.from({ length: 30 }, (_, index) => shelf(String(index))),
]);
await gateway.importRows('<i>Shop</i>', [lamp('40 EUR', 'http://shop.example/l.jpg')], { mode: 'delta' });
await gateway.importRows('Other', [
  feedRow({
    id: 'p',
    title: 'Pictured',
    price: '5 EUR',
    shipping: 'DE:::0 EUR',
    image_link: 'https://shop.example/p.jpg',
  }),
]);

const html = (path: string) => gateway.get(path, { headers: { accept: 'text/html' } });

describe('suggestions', () => {
  test('have brand, picture and price of products, and lead to lists of brands', async () => {
    const { status, headers, body } = await gateway.get('/suggest?q=pictu');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('public, max-age=30');
    expect(body.data).toEqual([
      {
        type: 'product',
        name: 'Pictured',
        url: `${gateway.address}/products/pictured`,
        image: 'https://shop.example/p.jpg',
        price: '€5.00',
      },
    ]);
    const { body: brands } = await gateway.get('/suggest?q=holz');
    expect(brands.data[0]).toEqual({ type: 'brand', name: 'Holzer', url: '/search?brand=holzer' });
    expect(brands.data.length).toBeLessThanOrEqual(8);
  });

  test('find a product by its EAN, without pictures that browsers would not load', async () => {
    const { body } = await gateway.get(`/suggest?q=${EAN}`);
    expect(body.data).toEqual([
      { type: 'product', name: HOSTILE, url: expect.any(String), brand: 'Lumo" a="<', price: '€40.00' },
    ]);
  });

  test('are empty without text, and refused for text that is too long', async () => {
    expect((await gateway.get('/suggest')).body).toEqual({ data: [] });
    expect((await gateway.get('/suggest?q=%20')).body).toEqual({ data: [] });
    const { status, body } = await gateway.get(`/suggest?q=${'a'.repeat(101)}`);
    expect([status, body.parameter]).toEqual([400, 'q']);
  });

  test('need no key and cost nothing', async () => {
    const { key } = await gateway.makeKey('free');
    await gateway.get('/suggest?q=s', { key });
    expect((await gateway.get('/api/v1/usage', { key })).body.data.quota.used).toBe(0);
  });

  test('show a new price within a second or two, although they are cached', async () => {
    const cached = await forTest(startTestGateway({ ANSWER_CACHE_MB: '8' }));
    const row = (price: string) => [feedRow({ id: 'a', title: 'Globe', price, shipping: 'DE:::0 EUR' })];
    await cached.importRows('Shop', row('9 EUR'));
    const price = async () => (await cached.get('/suggest?q=globe')).body.data[0]?.price;
    expect(await eventually(price, (seen) => seen === '€9.00', 30_000)).toBe('€9.00');
    await cached.importRows('Shop', row('8 EUR'));
    expect(await eventually(price, (seen) => seen === '€8.00', 30_000)).toBe('€8.00');
  });
});

describe('the page of results', () => {
  test('pages through all matches without repeating one', async () => {
    const names: string[] = [];
    let path: string | undefined = '/search?q=shelf';
    while (path !== undefined) {
      const { status, text } = await html(path);
      expect(status).toBe(200);
      names.push(...Array.from(text.matchAll(/>(Shelf \d+)<\/a>/g), ([, name = '']) => name));
      path = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(new Set(names).size).toBe(30);
    expect(names).toHaveLength(30);
  });

  test('lists the products of a brand, and says so if nothing matches', async () => {
    const brand = await html('/search?brand=holzer');
    expect(brand.text).toContain('30 products');
    expect(brand.headers.get('x-robots-tag')).toBe('noindex');
    expect((await html('/search?q=nothing-like-this')).text).toContain('No product matches');
    expect((await html('/search')).text).toContain('Find a product');
  });

  test('refuses a damaged cursor and a text that is too long', async () => {
    expect((await html('/search?q=shelf&cursor=damaged')).status).toBe(400);
    expect((await html(`/search?q=${'a'.repeat(101)}`)).status).toBe(400);
  });
});

test('hostile names of products, brands and shops are text on every page', async () => {
  const front = await eventually(
    () => html('/'),
    ({ text }) => text.includes('Current deals'),
    60_000,
  );
  const ownText = await html('/search?q=%22%3E%3Cimg%20src=x%3E');
  for (const { text, headers } of [front, await html(`/search?q=${EAN}`), ownText]) {
    expect(text).not.toContain('<img src=x');
    expect(text).not.toContain('" onmouseover');
    expect(text).not.toContain('" a="');
    expect(text).not.toContain('<i>Shop');
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
  }
  expect(front.text).toContain('Lamp&quot; onmouseover');
  expect(front.text).toContain('&lt;i>Shop');
});
