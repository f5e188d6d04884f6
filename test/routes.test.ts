/** What holds for every route of the table: keys, caching, methods, browsers, compression. */
import { describe, expect, test } from 'vitest';
import { exampleUrl } from '../src/rest/llms.ts';
import { ROUTES } from '../src/rest/routes.ts';
import { fillCatalogue } from './harness/catalogue.ts';
import { startTestGateway } from './harness/gateway.ts';
import { forFile } from './harness/lifetime.ts';

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('pro');
await fillCatalogue(gateway);

/** The example requests by GET, with products of the test catalogue. test/webhooks and test/codes have the others. */
const REQUESTS = ROUTES.filter(({ access, method }) => access !== 'keyed' && method === undefined).map((route) => {
  const path = exampleUrl({
    ...route,
    example: {
      ...route.example,
      ...('slug' in route.example && { slug: 'echo-mini' }),
      ...('id' in route.example && { id: 'echo-mini' }),
    },
  });
  return [path, route] as const;
});
/** Headers that pages on other origins may read. */
const EXPOSED =
  'X-Plan X-Quota-Limit X-Quota-Remaining RateLimit RateLimit-Policy Retry-After Link ETag X-Request-Id'.split(' ');
const keyed = REQUESTS.filter(([, { access }]) => access === 'metered');
const open = REQUESTS.filter(([, { access }]) => access === 'limited');

describe.each(keyed)('%s', (path) => {
  test('is charged as one request, including HEAD and 304', async () => {
    const own = await gateway.makeKey('free');
    const first = await gateway.get(path, { key: own.key });
    expect(first.status).toBe(200);
    expect(first.headers.get('x-plan')).toBe('free');
    expect(first.headers.get('x-quota-limit')).toBe('100');
    expect(first.headers.get('x-quota-remaining')).toBe('99');
    expect(first.headers.get('ratelimit')).toMatch(/^"minute";r=\d+;t=\d+$/);
    const head = await gateway.get(path, { key: own.key, method: 'HEAD' });
    expect([head.status, head.text, head.headers.get('x-quota-remaining')]).toEqual([200, '', '98']);
    const again = await gateway.get(path, {
      key: own.key,
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    });
    expect([again.status, again.text, again.headers.get('x-quota-remaining')]).toEqual([304, '', '97']);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
  });

  // Clients ask for the next changes with the same URL until there are some.
  test.skipIf(path.includes('/changes'))('may be cached only by the client, for 30 seconds', async () => {
    const { headers } = await gateway.get(path, { key });
    expect(headers.get('cache-control')).toBe('private, max-age=30');
    expect(headers.get('vary')).toContain('x-api-key');
  });

  test('is refused when the quota is used up, before parameters are checked', async () => {
    const own = await gateway.makeKey('free');
    await gateway.database.query(
      `INSERT INTO usage_counter (key_id, month, quota, used, granted)
       SELECT key_id, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM'), 100, 100, 0 FROM api_key_secret WHERE prefix = $1
       ON CONFLICT (key_id, month) DO UPDATE SET used = 100`,
      [own.key.slice(0, 8)],
    );
    const { status, body } = await gateway.get(`${path}${path.includes('?') ? '&' : '?'}limit=x`, { key: own.key });
    expect([status, body.code]).toEqual([402, 'quota_exhausted']);
  });
});

describe.each(open)('%s', (path) => {
  test('is public and free, and any cache may keep it for an hour', async () => {
    const own = await gateway.makeKey('free');
    const { status, headers } = await gateway.get(path, { key: own.key });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('public, max-age=3600');
    expect((await gateway.get(path)).status).toBe(200);
    const lookup = await gateway.get('/api/v1/lookup?ean=4006381333931', { key: own.key });
    expect(lookup.headers.get('x-quota-remaining')).toBe('99');
  });

  test('is not sent again to a client that has it', async () => {
    const etag = (await gateway.get(path)).headers.get('etag') ?? '';
    expect((await gateway.get(path, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });
});

describe.each(REQUESTS)('%s', (path, { access }) => {
  const asking = access === 'metered' ? () => ({ key }) : () => ({});

  test('answers OPTIONS and CORS preflights without a key', async () => {
    const { status, headers } = await gateway.get(path, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-api-key',
      },
    });
    expect([200, 204]).toContain(status);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-headers')?.toLowerCase()).toContain('x-api-key');
    expect(headers.get('access-control-allow-methods')).toContain('GET');
  });

  test('can be read by browsers on any origin, including the quota headers', async () => {
    const { headers } = await gateway.get(path, { ...asking(), headers: { origin: 'https://shop.example' } });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    for (const name of EXPOSED) {
      expect(headers.get('access-control-expose-headers')?.toLowerCase()).toContain(name.toLowerCase());
    }
  });

  test('contains no null, except the price of a plan and what was before a new offer', async () => {
    const { text } = await gateway.get(path, asking());
    expect(text.replaceAll(/"(priceEur|before)":null/g, '').match(/:null\b/g) ?? []).toEqual(
      path.endsWith('openapi.json') ? expect.any(Array) : [],
    );
  });

  test('is compressed above 1 KiB if the client accepts it', async () => {
    const { headers, text } = await gateway.get(path, { ...asking(), headers: { 'accept-encoding': 'gzip' } });
    const isLarge = Buffer.byteLength(text) > 1_024;
    expect(headers.get('content-encoding')).toBe(isLarge ? 'gzip' : null);
    expect(headers.get('vary')).toContain('Accept-Encoding');
  });
});

test('llms.txt follows the convention: a title, a summary and sections of links', async () => {
  const { headers, text } = await gateway.get('/llms.txt');
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(text).toMatch(/^# .+\n\n> .+\n/);
  expect([...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual([
    'Routes',
    'GraphQL',
    'Tools for agents',
    'Errors',
    'Plans',
    'Documentation',
  ]);
  const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): /gm)].map(([, address = '']) => address);
  expect(links.length).toBeGreaterThan(ROUTES.length + 10);
  for (const address of new Set(links.map((each) => each.replace(/#.*/, '')))) {
    expect(address.startsWith(gateway.address)).toBe(true);
    const { status } = await gateway.get(address.slice(gateway.address.length), { key });
    // The example products are from the demo, so they may be unknown here, and the key has no webhooks. All other links work.
    expect([address, [200, 404, 400, 405]]).toEqual([address, expect.arrayContaining([status])]);
    if (!/\/products\/[^/]|lookup|webhooks|key\/rotate|\/graphql$/.test(address))
      expect([address, status]).toEqual([address, 200]);
  }
});
