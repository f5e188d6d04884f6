/** HTTP as caches and browsers expect it. */

import { get as httpGet } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { feedRow, startTestGateway } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';

const EAN = '4006381333931';
const BIG = `/api/v1/lookup?ean=${EAN}`;
const SMALL = '/api/v1/plans';

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
// One shop may offer the same product several times; this many offers make the response larger than 1 KiB.
await gateway.importRows(
  'Shop',
  Array.from({ length: 20 }, (_, n) => feedRow({ id: `offer-${n}`, gtin: EAN })),
);

/** The raw bytes of a response, which fetch would decompress. */
function raw(
  path: string,
  headers: Record<string, string>,
): Promise<{ headers: NodeJS.Dict<string | string[]>; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    httpGet(gateway.address + path, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(chunks) }));
    }).on('error', reject);
  });
}

describe('an entity tag', () => {
  test('that does not match gets the full response', async () => {
    const { status, body } = await gateway.get(BIG, { key, headers: { 'if-none-match': 'W/"other", "one"' } });
    expect(status).toBe(200);
    expect(body.data.offers.length).toBeGreaterThan(10);
  });

  test('saves the body of public responses and for HEAD too, and a 304 has Cache-Control', async () => {
    const etag = (await gateway.get(SMALL)).headers.get('etag') ?? '';
    for (const method of ['GET', 'HEAD']) {
      const again = await gateway.get(SMALL, { method, headers: { 'if-none-match': etag } });
      expect(again.status).toBe(304);
      expect(again.headers.get('cache-control')).toBe('public, max-age=3600');
      expect(again.headers.get('vary')).toContain('Accept-Encoding');
    }
  });

  test('is the same for every encoding', async () => {
    const tags = [];
    for (const accepted of ['identity', 'gzip', 'br']) {
      tags.push((await gateway.get(BIG, { key, headers: { 'accept-encoding': accepted } })).headers.get('etag'));
    }
    expect(new Set(tags).size).toBe(1);
  });

  test('saves the body of a response that the client has', async () => {
    const first = await gateway.get(BIG, { key });
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[^"]+"$/);
    for (const sent of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
      const again = await gateway.get(BIG, { key, headers: { 'if-none-match': sent } });
      expect(again.status).toBe(304);
      expect(again.text).toBe('');
      expect(again.headers.get('etag')).toBe(etag);
    }
  });

  test('changes with the response', async () => {
    const etag = (await gateway.get(BIG, { key })).headers.get('etag') ?? '';
    await gateway.importRows('Other', [feedRow({ id: 'a', gtin: EAN, price: '1.00 EUR' })]);
    const again = await gateway.get(BIG, { key, headers: { 'if-none-match': etag } });
    expect(again.status).toBe(200);
    expect(again.body.data.priceStats.min).toBe(1);
  });
});

test('Vary names the headers that the response depends on', async () => {
  expect((await gateway.get(BIG, { key })).headers.get('vary')).toBe('x-api-key, Accept-Encoding');
  expect((await gateway.get(SMALL)).headers.get('vary')).toBe('Accept, Accept-Encoding');
});

test.each([
  ['GET', '/graphql?query={viewer{used}}', 200],
  ['GET', '/graphql?query={plans{id}}', 200],
  ['GET', '/graphql?query={nothing}', 200],
  ['HEAD', '/graphql?query={viewer{used}}', 200],
])('%s %s must not be cached, and varies by key', async (method, path, status) => {
  const { status: answered, headers } = await gateway.get(path, { method, key });
  expect(answered).toBe(status);
  expect(headers.get('cache-control')).toBe('private, no-store');
  expect(headers.get('vary')).toBe('x-api-key, Accept, Accept-Encoding');
  const refused = await gateway.get(path, { method, key: 'junk' });
  expect([refused.status, refused.headers.get('cache-control')]).toEqual([401, 'private, no-store']);
});

describe('compression', () => {
  const plain = async () => (await raw(BIG, { 'x-api-key': key })).bytes;

  test.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['gzip, br', 'br', brotliDecompressSync],
    ['br;q=0.1, gzip', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip;q=0.5, br;q=0.8', 'br', brotliDecompressSync],
  ])('of a large response for "%s" is %s', async (accepted, encoding, unpack) => {
    const { headers, bytes } = await raw(BIG, { 'x-api-key': key, 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(encoding);
    expect(Number(headers['content-length'])).toBe(bytes.length);
    expect(unpack(bytes).equals(await plain())).toBe(true);
  });

  test.each(['identity', 'br;q=0, gzip;q=0', 'deflate'])('is not used for "%s"', async (accepted) => {
    expect(
      (await raw(BIG, { 'x-api-key': key, 'accept-encoding': accepted })).headers['content-encoding'],
    ).toBeUndefined();
  });

  test('is not used without Accept-Encoding', async () => {
    const { headers, bytes } = await raw(BIG, { 'x-api-key': key });
    expect(headers['content-encoding']).toBeUndefined();
    expect(bytes.toString()).toMatch(/^\{"data":/);
  });

  test('sets the same headers for HEAD as for GET', async () => {
    const asking = { key, headers: { 'accept-encoding': 'br' } };
    const [get, head] = [await gateway.get(BIG, asking), await gateway.get(BIG, { ...asking, method: 'HEAD' })];
    expect(head.status).toBe(200);
    for (const name of ['content-encoding', 'content-type', 'etag', 'vary', 'cache-control', 'link', 'x-plan']) {
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    }
  });

  test('is used for the GraphiQL page', async () => {
    const { headers, bytes } = await raw('/graphql', { accept: 'text/html', 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(bytes).toString()).toContain('Product Data API');
  });

  test('is used for GraphQL too', async () => {
    const answer = await gateway.graphql(`{ lookup(ean: "${EAN}") { offers { id url merchantName } } }`, { key });
    expect(answer.headers.get('content-encoding')).toMatch(/^(br|gzip)$/);
    expect(answer.body.data.lookup.offers.length).toBeGreaterThan(10);
  });
});

test('HEAD is answered like GET without a body', async () => {
  for (const path of [BIG, SMALL, '/api/v1', '/healthz', '/docs', '/nothing']) {
    const get = await gateway.get(path, { key, headers: { 'accept-encoding': 'identity' } });
    const head = await gateway.get(path, { key, method: 'HEAD', headers: { 'accept-encoding': 'identity' } });
    expect(head.status).toBe(get.status);
    expect(head.text).toBe('');
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
  }
});

test.each([
  ['fields', `${'{a'.repeat(8_000)}${'}'.repeat(8_000)}`],
  ['existing fields', `{node(id:"x"){${'...on Node{'.repeat(4_000)}id${'}'.repeat(4_000)}}}`],
  ['lists', `{lookup(ean:${'['.repeat(3_999)}`],
])('a GraphQL document with %s nested too deeply is a client error', async (_, query) => {
  const { status, body } = await gateway.graphql(query, { key });
  // The token limit or GraphQL itself refuses it. GraphQL answers 200 to clients that do not accept its own media type.
  expect([200, 400]).toContain(status);
  expect(body.errors[0].message).toMatch(/nested too deeply|Syntax Error|tokens/);
});

test('a form is refused as a GraphQL operation, with or without a boundary', async () => {
  for (const type of ['multipart/form-data', 'multipart/form-data; boundary=a']) {
    const asked = { method: 'POST', key, headers: { 'content-type': type }, body: '--a--' };
    expect((await gateway.get('/graphql', asked)).status).toBe(415);
  }
});

test('a multipart response, which GraphQL clients may request, has a length or chunks, never both (RFC 9112 §6.3)', async () => {
  const asked = { method: 'POST', headers: { 'content-type': 'application/json', accept: 'multipart/mixed' } };
  const { status, text } = await gateway.get('/graphql', { ...asked, body: '{"query":"{ plans { id } }"}' });
  expect([status, text]).toEqual([200, expect.stringContaining('"enterprise"')]);
});

test('HEAD of the GraphiQL page is answered like GET without a body', async () => {
  const { status, headers, text } = await gateway.get('/graphql', { method: 'HEAD', headers: { accept: 'text/html' } });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toContain('text/html');
  expect(text).toBe('');
});

describe('a browser on another origin', () => {
  const preflight = (origin: string, on = gateway) =>
    on.get(BIG, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-api-key' },
    });

  test('may read neither the console nor the account', async () => {
    for (const path of ['/console', '/console/keys', '/account']) {
      const { headers } = await gateway.get(path, { headers: { origin: 'https://shop.example' } });
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, null]);
    }
  });

  test('may use GraphQL', async () => {
    const asked = await gateway.get('/graphql', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type, x-api-key',
      },
    });
    expect(asked.headers.get('access-control-allow-methods')).toContain('POST');
    expect(asked.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('content-type');
    const answer = await gateway.graphql('{ plans { id } }', { headers: { origin: 'https://shop.example' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('may read errors as well', async () => {
    const { status, headers } = await gateway.get(BIG, { headers: { origin: 'https://shop.example' } });
    expect(status).toBe(401);
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  test('may read nothing when CORS_ORIGINS does not name it', async () => {
    const narrow = await forTest(startTestGateway({ CORS_ORIGINS: 'https://shop.example, https://app.example' }));
    expect((await preflight('https://app.example', narrow)).headers.get('access-control-allow-origin')).toBe(
      'https://app.example',
    );
    expect((await preflight('https://evil.example', narrow)).headers.get('access-control-allow-origin')).not.toBe(
      'https://evil.example',
    );
    expect((await preflight('https://evil.example', narrow)).headers.get('access-control-allow-origin')).not.toBe('*');
    const { headers } = await narrow.get(SMALL, { headers: { origin: 'https://app.example' } });
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(headers.get('vary')).toBe('Accept, Accept-Encoding, Origin');
    const evil = await narrow.get(SMALL, { headers: { origin: 'https://evil.example' } });
    expect(evil.headers.has('access-control-allow-origin')).toBe(false);
    expect(evil.headers.get('vary')).toContain('Origin');
    const plain = await narrow.get(SMALL);
    expect([plain.status, plain.headers.get('vary')]).toEqual([200, 'Accept, Accept-Encoding, Origin']);
  });
});
