/** Hostile feeds: they cannot redirect people to other sites or run scripts in a browser (OWASP: Unvalidated Redirects, XSS). */
import { beforeAll, describe, expect, test } from 'vitest';
import { feedRow, startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('pro');

const ASTRAY = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'ftp://shop.example/a',
  '//evil.example/a',
  '/relative',
  'https:evil.example',
  'https://shop.example@evil.example/',
  'https://shop.example:secret@evil.example/',
  'https://@evil.example/',
  'http://\\evil.example/',
  'https://[::1',
  'https://shop.example:99999/',
];

describe('a link', () => {
  test.each(ASTRAY)('that could lead to another site is rejected at import: %j', async (link) => {
    const {
      read,
      new: added,
      rejected,
    } = await gateway.importRows('Evil Links', [feedRow({ id: 'a', link })], { mode: 'delta' });
    // An empty user name is no user name: this link leads where it seems to.
    if (link === 'https://@evil.example/') return expect([read, added + rejected]).toEqual([1, 1]);
    expect([read, added, rejected]).toEqual([1, 0, 1]);
  });

  test('with a line break adds no header', async () => {
    const link = 'https://shop.example/a\r\nSet-Cookie: a=b';
    await gateway.importRows('Evil Lines', [feedRow({ id: 'a', title: 'Evil line', gtin: '4006381333955', link })]);
    const { body } = await gateway.get('/api/v1/lookup?ean=4006381333955', { key });
    const { headers } = await gateway.get(body.data.offers[0].url);
    expect(headers.get('location')).toBe('https://shop.example/aSet-Cookie:%20a=b');
    expect(headers.get('set-cookie')).toBeNull();
  });

  test.each([
    ...ASTRAY.filter((link) => link !== 'https://@evil.example/'),
    'https://shop.example/a\r\nSet-Cookie: a=b',
  ])('that reached the database in another way is not followed: %j', async (link) => {
    await gateway.importRows('Shop', [feedRow({ id: 'a' })]);
    const [offer] = await gateway.database.query<{ id: bigint }>(
      `UPDATE offer SET link = $1 WHERE sku = 'a' AND withdrawn_at IS NULL RETURNING id`,
      [link],
    );
    const { status, headers } = await gateway.get(`/go/off_${offer?.id.toString(36)}`);
    const location = headers.get('location');
    expect(headers.get('set-cookie')).toBeNull();
    if (location === null) return expect(status).toBe(404);
    expect(location).toMatch(/^https?:\/\/[^@\s]+$/);
  });

  test.each([
    '/go/off_1?url=https://evil.example',
    '/go/off_1?to=//evil.example',
    '/go/https://evil.example',
    '/go//evil.example',
    '/go/%2f%2fevil.example',
    '/go/..%2f..%2fevil.example',
    '//evil.example',
    '/\\evil.example',
    '/go/off_1%0d%0aLocation:%20https://evil.example',
  ])('never comes from the request: %s', async (path) => {
    const { headers } = await gateway.get(path);
    expect(headers.get('location') ?? '').not.toContain('evil');
  });
});

const XSS = `"'><img src=x onerror=alert(1)></script><script>alert(1)</script><!--{{7*7}}\${7*7}`;

describe('the product page of a hostile feed', () => {
  let page: string;
  let path: string;
  beforeAll(async () => {
    const imported = await gateway.importRows(`Shop ${XSS}`, [
      feedRow({
        id: `x${XSS}`,
        link: `https://shop.example/"><script>alert(1)</script>`,
        title: `Hostile ${XSS}`,
        brand: `Brand ${XSS}`,
        description: `[link](javascript:alert(1)) ${XSS}`,
        color: XSS,
        mpn: 'M-1',
        product_type: XSS,
        gtin: '4006381333931',
        image_link: `https://images.example/a.jpg?"onerror="alert(1)`,
      }),
    ]);
    expect(imported).toMatchObject({ new: 1, rejected: 0 });
    const { body } = await gateway.get('/api/v1/lookup?ean=4006381333931', { key });
    path = new URL(body.data.product.url).pathname;
    // The importer removes tags from texts, but the page must be safe without that.
    await gateway.database.query(`UPDATE product SET name = $1, description = $1 WHERE slug = $2`, [
      `Hostile ${XSS}`,
      path.split('/').at(-1),
    ]);
    await gateway.database.query(`UPDATE merchant SET name = $1 WHERE name LIKE 'Shop %'`, [`Shop ${XSS}`]);
    page = (await gateway.get(path, { headers: { accept: 'text/html' } })).text;
  });

  test('shows markup as text', () => {
    expect(page).toContain('Hostile');
    expect(page).not.toContain('<img src=x');
    expect(page).not.toMatch(/<script>/);
    expect(page).not.toMatch(/<[^>]*\son\w+\s*=/i);
    expect(page).not.toMatch(/(href|src)=["']?\s*(javascript|data|vbscript):/i);
  });

  test('has only its own scripts, and structured data that cannot break out', () => {
    const scripts = [...page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
    for (const [, attributes = '', content = ''] of scripts) {
      if (attributes.includes('ld+json')) {
        expect(JSON.parse(content).name).toContain('<script>alert(1)</script>');
      } else {
        expect(attributes).toMatch(/src="\/assets\/[\w.-]+"/);
        expect(content).toBe('');
      }
    }
    expect(page.match(/<\/script>/g)).toHaveLength(scripts.length);
  });

  test('has charts that show markup as text', async () => {
    const { text, headers } = await gateway.get(`${path}/price-history-wide-light.svg`);
    expect(headers.get('content-type')).toBe('image/svg+xml');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).not.toMatch(/<script|<img|<foreignObject|<[^>]*\son\w+\s*=/i);
  });

  test.each([
    'javascript:alert(1)',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'https://a:b@evil.example/a.jpg',
    '/\\evil.example/a.jpg',
  ])('shows no image from %s', async (image) => {
    await gateway.importRows('Pictures', [
      feedRow({ id: 'p', title: 'Pictured', gtin: '4006381333948', image_link: image }),
    ]);
    const { body } = await gateway.get('/api/v1/products?q=4006381333948', { key });
    expect(body.data[0].image).toBeUndefined();
  });

  test('has JSON that no browser renders as a page', async () => {
    const { headers } = await gateway.get('/api/v1/lookup?ean=4006381333931', {
      key,
      headers: { accept: 'text/html' },
    });
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});
