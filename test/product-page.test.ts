/** The page of a product: public, for people, search engines and previews. */
import { describe, expect, test } from 'vitest';
import { fillCatalogue } from './harness/catalogue.ts';
import { feedRow, startTestGateway } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';

const PATH = '/products/echo-headphones-black';
const CHART = `${PATH}/price-history-wide-light.svg`;

const gateway = await forFile(startTestGateway());
await fillCatalogue(gateway);

const lamp = (price: string, more: { availability?: string; condition?: string }) =>
  feedRow({
    id: 'l',
    title: 'Lamp',
    gtin: '4006381333931',
    price: `${price} EUR`,
    shipping: 'DE:::0 EUR',
    ...more,
  });

/** The structured data for search engines. */
function structured(html: string) {
  return JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? '');
}

describe('the page of a product', () => {
  test('is public HTML that may be cached for a minute', async () => {
    const { status, headers } = await gateway.get(PATH);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('public, max-age=60');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-plan')).toBeNull();
  });

  test('is not charged to a key', async () => {
    const { key } = await gateway.makeKey('free');
    const left = async () => Number((await gateway.get('/api/v1/merchants', { key })).headers.get('x-quota-remaining'));
    const before = await left();
    expect((await gateway.get(PATH, { key })).status).toBe(200);
    expect((await gateway.get(CHART, { key })).status).toBe(200);
    expect(await left()).toBe(before - 1);
  });

  test('shows name, brand, category, identifiers, description and attributes', async () => {
    const { text } = await gateway.get(PATH);
    expect(text).toMatch(/<h1>Écho Headphones Black<\/h1>/);
    const parts = [
      'Aurelio',
      '4006381333931',
      'B0DEMO0001',
      'EC-1',
      'Quiet where you want it.',
      '<dt>Color</dt><dd>Black</dd>',
    ];
    for (const part of [
      ...parts,
      '<li>Electronics</li><li>Audio</li><li>Headphones</li>',
      'https://images.example/echo.jpg',
    ]) {
      expect(text).toContain(part);
    }
  });

  test('lists the offers, cheapest first, with links that search engines do not follow', async () => {
    const { text } = await gateway.get(PATH);
    const rows = [
      ...text.matchAll(/<tr><th scope="row"><a href="(\/go\/\w+)" rel="nofollow sponsored">(\w+)<\/a>(.*?)<\/tr>/g),
    ];
    expect(rows.map(([, , shop]) => shop)).toEqual(['Beta', 'Alpha']);
    const [beta, alpha] = rows.map(([, , , cells]) =>
      (cells ?? '')
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    );
    expect(beta).toBe('€50.00 €45.00 €5.00 In stock New');
    expect(alpha).toBe('€80.00 €80.00 not stated In stock New');
    const { status, headers } = await gateway.get(rows[0]?.[1] ?? '');
    expect([status, headers.get('location')]).toEqual([302, 'https://shop.example/echo']);
  });

  test('leads with goods in stock, and lists sold-out offers last', async () => {
    const other = await forTest(startTestGateway());
    const day = (date: string) => ({ observedAt: new Date(`2020-${date}T00:00:00Z`) });
    await other.importRows('Dear', [lamp('82.99', { availability: 'in_stock' })], day('09-23'));
    await other.importRows('Dear', [lamp('95.00', { availability: 'in_stock' })], day('10-01'));
    await other.importRows('Cheap', [lamp('89.49', { availability: 'out_of_stock' })], day('10-02'));
    const { text } = await other.get('/products/lamp');
    expect(text).not.toContain('Lowest now');
    expect(text).toContain('<dt>Lowest in stock</dt><dd>€95.00</dd>');
    expect(text).toContain('<dt>Lowest ever</dt><dd>€82.99 on 23 Sept 2020</dd>');
    expect(text).toContain('<dt>Offers</dt><dd>2, 1 sold out</dd>');
    expect(text).toContain('Lamp from €95.00');
    const shops = [...text.matchAll(/<tr( class="sold-out")?><th scope="row"><a [^>]+>(\w+)</g)];
    expect(shops.map(([, isSoldOut, shop]) => [shop, Boolean(isSoldOut)])).toEqual([
      ['Dear', false],
      ['Cheap', true],
    ]);
    await other.importRows('Dear', [lamp('79.00', { availability: 'out_of_stock' })], day('10-03'));
    const soldOut = (await other.get('/products/lamp')).text;
    expect(soldOut).toContain('<dt>Lowest in stock</dt><dd>Not in stock</dd>');
    expect(soldOut).toContain('<dt>Lowest ever in stock</dt><dd>€82.99 on 23 Sept 2020</dd>');
    expect(soldOut).toContain('<dt>Lowest ever</dt><dd>€79.00 on 3 Oct 2020</dd>');
  });

  test('says if the lowest price in stock is not of new goods', async () => {
    const other = await forTest(startTestGateway());
    await other.importRows('Second', [lamp('40.00', { condition: 'used' })]);
    await other.importRows('First', [lamp('55.00', { condition: 'new' })]);
    expect((await other.get('/products/lamp')).text).toContain('<dt>Lowest in stock</dt><dd>€40.00, used</dd>');
    await other.importRows('First', [lamp('40.00', { condition: 'new' })]);
    expect((await other.get('/products/lamp')).text).toContain('<dt>Lowest in stock</dt><dd>€40.00</dd>');
  });

  test('shows the price history as charts from this server, and as a table', async () => {
    const { text } = await gateway.get(PATH);
    const pictures = [...text.matchAll(/(?:src|srcset)="(\/products\/[^"]+)"/g)].map(([, address]) => address ?? '');
    expect(pictures).toHaveLength(4);
    for (const address of pictures) {
      const { status, headers, text: picture } = await gateway.get(address);
      expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
      expect(headers.get('cache-control')).toBe('public, max-age=60');
      expect(picture).toContain('Price history of Écho Headphones Black');
    }
    const table = text.slice(text.indexOf('<details>'), text.indexOf('</details>'));
    const lowest = [
      ...table.matchAll(/<td class="number">(€[\d.]+)<\/td><td class="number">€[\d.]+<\/td><td class="number">/g),
    ];
    expect(lowest[0]?.[1]).toBe('€50.00');
    expect(lowest.at(-1)?.[1]).toBe('€80.00');
  });

  test('and its charts read the product once', async () => {
    const gateway = await forTest(startTestGateway({ ANSWER_CACHE_MB: '1' }));
    await gateway.importRows('A Shop', [feedRow({ id: '1', title: 'Kettle Blue' })]);
    const statements = async () => {
      const counted = await gateway.services.metrics.registry.getSingleMetricAsString('pda_statement_seconds');
      return counted.split('\n').filter((line) => /_count\{.*"(price_changes|offers)\w*"/.test(line));
    };
    const page = await gateway.get('/products/kettle-blue');
    const before = await statements();
    for (const chart of ['wide-light', 'wide-dark', 'narrow-light', 'narrow-dark']) {
      const { text } = await gateway.get(`/products/kettle-blue/price-history-${chart}.svg`);
      expect(text).toContain('<svg');
    }
    expect(page.status).toBe(200);
    expect(before.length).toBeGreaterThan(0);
    expect(await statements()).toEqual(before);
  });

  test('has structured data with all offers', async () => {
    const { url, ...data } = structured((await gateway.get(PATH)).text);
    expect(url).toBe(gateway.address + PATH);
    expect(data).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: 'Écho Headphones Black',
      brand: { '@type': 'Brand', name: 'Aurelio' },
      gtin: '4006381333931',
      mpn: 'EC-1',
      category: 'Electronics > Audio > Headphones',
      offers: { '@type': 'AggregateOffer', priceCurrency: 'EUR', lowPrice: 45, highPrice: 80, offerCount: 2 },
    });
    expect(data.offers.offers[0]).toMatchObject({
      price: 45,
      availability: 'https://schema.org/InStock',
      itemCondition: 'https://schema.org/NewCondition',
      seller: { name: 'Beta' },
      shippingDetails: { shippingRate: { value: 5, currency: 'EUR' } },
    });
    expect((await gateway.get(new URL(data.offers.offers[0].url).pathname)).status).toBe(302);
  });

  test('has tags for previews, and a canonical URL', async () => {
    const { text } = await gateway.get(PATH);
    expect(text).toContain(`<link rel="canonical" href="${gateway.address}${PATH}"`);
    for (const [property, content] of [
      ['og:type', 'product'],
      ['og:title', 'Écho Headphones Black'],
      ['og:url', gateway.address + PATH],
      ['og:image', 'https://images.example/echo.jpg'],
      ['product:price:amount', '50'],
    ]) {
      expect(text).toContain(`<meta property="${property}" content="${content}"`);
    }
    expect(text).toContain('Écho Headphones Black from €50.00, 2 offers compared.');
  });

  test('of a product without offers says so', async () => {
    const { status, text } = await gateway.get('/products/sold-out-thing');
    expect(status).toBe(200);
    expect(text).toContain('No shop offers it now.');
    expect(structured(text).offers).toBeUndefined();
  });

  test('is answered 304 to a client that has it, and without a body to HEAD', async () => {
    for (const path of [PATH, CHART]) {
      const etag = (await gateway.get(path)).headers.get('etag') ?? '';
      expect((await gateway.get(path, { headers: { 'if-none-match': etag } })).status).toBe(304);
      expect(await gateway.get(path, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    }
    expect((await gateway.get(PATH, { method: 'POST' })).status).toBe(405);
  });

  test.each([
    '/products/nothing',
    '/products/prd_1',
    '/products/',
    '/products/Echo-Headphones-Black',
    '/products/nothing/price-history-wide-light.svg',
    `${PATH}/price-history-huge-light.svg`,
    '/products/%3Cscript%3E',
  ])('does not exist at %s, and a page in the same design says so', async (path) => {
    const { status, headers, text } = await gateway.get(path);
    expect(status).toBe(404);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toContain('Product not found');
    expect(text).not.toContain('script&gt;');
  });

  test('shows a price that an import has changed, even when responses are cached', async () => {
    const other = await forTest(startTestGateway({ ANSWER_CACHE_MB: '4' }));
    const row = (price: string) => [feedRow({ id: 'a', title: 'Kettle', price })];
    await other.importRows('Alpha', row('10.00 EUR'));
    const first = await other.get('/products/kettle');
    expect(first.text).toContain('€10.00');
    expect((await other.get('/products/kettle')).headers.get('etag')).toBe(first.headers.get('etag'));
    await other.importRows('Alpha', row('8.00 EUR'));
    await expect.poll(async () => (await other.get('/products/kettle')).text, { timeout: 5_000 }).toContain('€8.00');
  });
});

describe('with PRODUCT_URL_TEMPLATE', () => {
  test('all URLs of a product follow the template, including the canonical URL of its page', async () => {
    const other = await forTest(startTestGateway({ PRODUCT_URL_TEMPLATE: 'https://shop.example/p/{slug}?id={id}' }));
    await other.importRows('Alpha', [feedRow({ id: 'a', title: 'Kettle', gtin: '4006381333931' })]);
    const { key } = await other.makeKey('pro');
    const lookup = (await other.get('/api/v1/lookup?ean=4006381333931', { key })).body.data;
    const detail = (await other.get('/api/v1/products/kettle', { key })).body.data;
    const address = `https://shop.example/p/kettle?id=${detail.id}`;
    expect([lookup.product.url, detail.url]).toEqual([address, address]);
    const [found] = (await other.get('/api/v1/search?q=kett', { key })).body.data;
    expect(found.url).toBe(address);
    expect((await other.get('/products/kettle')).text).toContain(`<link rel="canonical" href="${address}"`);
  });
});
