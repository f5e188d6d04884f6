/** Common to all pages: assets, security headers, and the escaping of text from outside. */
import { h } from 'preact';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../src/http/exchange.ts';
import { respond } from '../src/rest/kept-answers.ts';
import { writePage } from '../src/web/answer-page.tsx';
import { assetUrl } from '../src/web/assets.ts';
import { DataBlock } from '../src/web/layout.tsx';
import { startTestGateway } from './harness/gateway.ts';
import { forFile } from './harness/lifetime.ts';

const gateway = await forFile(startTestGateway());

describe('an asset', () => {
  test.each([
    ['page.css', 'text/css; charset=utf-8'],
    ['copy.js', 'text/javascript; charset=utf-8'],
    ['icon.svg', 'image/svg+xml'],
  ])('%s may be cached forever, because its name contains a hash of its content', async (name, type) => {
    const url = assetUrl(name);
    expect(url).toMatch(/^\/assets\/[a-z-]+-[A-Z0-9]{8}\.[a-z]+$/);
    const { status, headers, text } = await gateway.get(url);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(text.length).toBeGreaterThan(0);
  });

  test('is compressed for clients that accept it, each time the same', async () => {
    const asking = { headers: { 'accept-encoding': 'br' } };
    const first = await gateway.get(assetUrl('page.css'), asking);
    const second = await gateway.get(assetUrl('page.css'), asking);
    expect(first.headers.get('content-encoding')).toBe('br');
    expect(second.text).toBe(first.text);
  });

  test.each([
    '/assets/',
    '/assets/none.css',
    '/assets/assets.json',
    '/assets/..%2Fmain.js',
    '/assets/%2e%2e/main.js',
  ])('does not exist at %s', async (path) => {
    expect((await gateway.get(path)).status).toBe(404);
  });

  test('is read-only', async () => {
    expect((await gateway.get(assetUrl('page.css'), { method: 'POST' })).status).toBe(405);
  });
});

describe('a page', () => {
  const asked = (headers: Exchange['headers']) => ({ headers }) as Exchange;
  const page = {
    title: '<b>"Title"</b>',
    description: '"><script>alert(1)</script>',
    path: '/',
    content: h('p', null, '<img src=x onerror=alert(1)>'),
    head: h(DataBlock, { type: 'application/ld+json', data: { name: '</script><script>alert(2)</script>' } }),
  };

  test('shows text from outside as text, never as markup', () => {
    const { body } = writePage(page, { hasGraphiql: true });
    expect(body).toContain('&lt;img src=x');
    expect(body).not.toContain('<img src=x');
    expect(body).not.toContain('<b>');
    expect(body).not.toMatch(/<script[^>]*>alert/);
    expect(String(body).match(/<\/script>/g)).toHaveLength(1);
  });

  test('allows only resources from this server, and no inline code', () => {
    const { headers } = writePage(page, { hasGraphiql: true });
    const policy = headers['Content-Security-Policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe');
  });

  test('is not sent again to a client that has it', () => {
    const written = writePage(page, { hasGraphiql: true });
    const again = respond(asked({ 'if-none-match': written.etag }), written);
    expect([again.status, again.body]).toEqual([304, null]);
  });
});
