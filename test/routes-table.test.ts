/** Every row of the server's route table, as clients see it: who may use it, how often, and by which methods. */
import { describe, expect, test } from 'vitest';
import { openAdmission } from '../src/http/admission.ts';
import type { Handler } from '../src/http/exchange.ts';
import { openFreeWork } from '../src/http/free-work.ts';
import type { ServerRoute } from '../src/http/route-table.ts';
import { openTraffic } from '../src/http/traffic.ts';
import { UNMATCHED } from '../src/operations/endpoint.ts';
import { keepAnswers } from '../src/rest/kept-answers.ts';
import { openLongPolls } from '../src/rest/long-polls.ts';
import { serverRoutes } from '../src/server-routes.ts';
import { assetUrl } from '../src/web/assets.ts';
import { type Asking, startTestGateway } from './harness/gateway.ts';
import { forFile } from './harness/lifetime.ts';

const MOST_FREE = 3;

const gateway = await forFile(startTestGateway({ RATE_LIMIT_PUBLIC: String(MOST_FREE), TRUST_PROXY: '1' }));
const { version, streamHead } = gateway.services;
const rows = serverRoutes(gateway.services, {
  answers: keepAnswers(0, version.changes),
  polls: openLongPolls(streamHead),
  traffic: openTraffic(),
  freeWork: openFreeWork(openAdmission({ targetMs: 0, most: 1_000 })),
  isDraining: () => false,
});
const { key: known } = await gateway.makeKey('pro');

/** Example paths for routes with a wildcard. A path that names nothing has the same access class. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  '/assets/{file...}': [assetUrl('page.css')],
  '/docs/{page...}': ['/docs/errors', '/docs/errors.md', '/docs/nothing'],
  '/go/{offer...}': ['/go/ofr_1'],
  '/products/{page...}': ['/products/some-product', '/products/some-product/price-history-wide-light.svg'],
};
const pathsOf = ({ path }: ServerRoute) => PATHS[path] ?? [path.replace(/\{\w+\}/g, 'something')];

/** The methods of paths that take others than GET and HEAD. */
const METHODS: Readonly<Record<string, string>> = {
  '/account': 'GET, HEAD, POST, OPTIONS',
  '/account/rotate': 'POST, OPTIONS',
  '/account/sign-out': 'POST, OPTIONS',
  '/api/v1/key/rotate': 'POST, OPTIONS',
  '/api/v1/webhooks': 'GET, HEAD, POST, OPTIONS',
  '/api/v1/webhooks/something': 'GET, HEAD, PATCH, DELETE, OPTIONS',
  '/api/v1/webhooks/something/test': 'POST, OPTIONS',
  '/api/v1/webhooks/something/replay': 'POST, OPTIONS',
};

/** Routes that are requested by a POST with a body. All others are requested by GET, or by their only method. */
const POSTS: Readonly<Record<string, { body: string; methods: string }>> = {
  '/graphql': { body: '{"query":"{ brands(first: 1) { nodes { name } } }"}', methods: 'GET, HEAD, POST, OPTIONS' },
  '/api/v1/lookups': { body: '{"identifiers":[{"ean":"4006381333931"}]}', methods: 'POST, OPTIONS' },
  '/mcp': { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', methods: 'POST, OPTIONS' },
};

/** Paths whose answers cost three free requests when they are not in memory. */
const WORK = /^\/(search|suggest|products\/.*|feeds\/.*)$/;

/** Paths that answer 404 to other methods than GET and HEAD. */
const HIDDEN: ReadonlySet<string> = new Set(['/products', '/go', '/feeds', '/docs/nothing']);

const FORMS = { page: { accept: 'text/html' }, other: { accept: 'application/graphql-response+json, */*;q=0.1' } };

let clients = 0;
/** A client address that these tests have not used before. */
const newAddress = () => {
  clients += 1;
  return `203.0.113.${clients}`;
};

/** Requests a path of a row several times as a client at a new address. */
async function statusesOf(row: ServerRoute, path: string, times: number): Promise<number[]> {
  const post = row.endpoint.face === 'page' ? undefined : POSTS[path];
  const headers = { ...FORMS[row.endpoint.face === 'page' ? 'page' : 'other'], 'x-forwarded-for': newAddress() };
  const asking: Asking = post
    ? { method: 'POST', body: post.body, headers: { ...headers, 'content-type': 'application/json' } }
    : { headers, method: row.methods?.[0] ?? 'GET' };
  const statuses: number[] = [];
  while (statuses.length < times) statuses.push((await gateway.get(path, asking)).status);
  return statuses;
}

const rowsOf = (access: ServerRoute['access']) =>
  rows.filter((row) => row.access === access).flatMap((row) => pathsOf(row).map((path) => ({ row, path })));

describe('a row', () => {
  test('that is public answers without a key, however often', async () => {
    const asked = rowsOf('public');
    expect(new Set(asked.map(({ path }) => path))).toEqual(new Set([assetUrl('page.css'), '/healthz', '/readyz']));
    for (const { row, path } of asked) {
      expect([path, await statusesOf(row, path, MOST_FREE + 2)]).toEqual([path, Array(MOST_FREE + 2).fill(200)]);
    }
  });

  test('that is limited answers without a key, up to the limit of free requests per address', async () => {
    for (const { row, path } of rowsOf('limited')) {
      const admitted = WORK.test(path) ? MOST_FREE / 3 : MOST_FREE;
      const statuses = await statusesOf(row, path, admitted + 1);
      const isRefused = (status: number) => status === 401 || status === 429;
      expect([path, statuses.slice(0, -1).filter(isRefused), statuses.at(-1)]).toEqual([path, [], 429]);
    }
  });

  test('that is metered needs a key, and refusals for a missing one count as free requests', async () => {
    const asked = rowsOf('metered');
    expect(asked.length).toBeGreaterThan(10);
    for (const { row, path } of asked) {
      expect([path, await statusesOf(row, path, MOST_FREE + 1)]).toEqual([path, [401, 401, 401, 429]]);
    }
  });

  test('that is keyed needs a key too, and counts against both limits when the client has one', async () => {
    const asked = rowsOf('keyed');
    expect(asked.length).toBeGreaterThan(5);
    for (const { row, path } of asked) {
      expect([path, await statusesOf(row, path, MOST_FREE + 1)]).toEqual([path, [401, 401, 401, 429]]);
    }
    const headers = { 'x-forwarded-for': newAddress() };
    const statuses = [];
    for (let turn = 0; turn < MOST_FREE + 1; turn += 1) {
      statuses.push((await gateway.get('/api/v1/webhooks', { key: known, headers })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  test('that is metered does not count against the limit per address when the client has a key', async () => {
    for (const { row, path } of rowsOf('metered')) {
      if (row.access !== 'metered' || row.price !== 'one request') continue;
      const headers = { 'x-forwarded-for': newAddress() };
      for (let turn = 0; turn < MOST_FREE + 1; turn += 1) {
        expect([401, 429]).not.toContain((await gateway.get(path, { key: known, headers })).status);
      }
    }
  });
});

test('every path lists its methods, also when it refuses another one', async () => {
  for (const path of new Set(rows.flatMap(pathsOf))) {
    const methods = POSTS[path]?.methods ?? METHODS[path] ?? 'GET, HEAD, OPTIONS';
    const asked = await gateway.get(path, { method: 'OPTIONS' });
    expect([path, asked.status, asked.headers.get('allow')]).toEqual([path, 204, methods]);
    const refused = await gateway.get(path, { method: 'PUT' });
    if (HIDDEN.has(path)) expect([path, refused.status]).toEqual([path, 404]);
    else expect([path, refused.status, refused.headers.get('allow')]).toEqual([path, 405, methods]);
  }
});

test('a row without an access class does not compile', () => {
  const handle: Handler = () => ({ status: 200, headers: {}, body: '' });
  const row = { path: '/new', endpoint: UNMATCHED, handle };
  // @ts-expect-error: the access class is missing.
  const unclassified: ServerRoute = row;
  // @ts-expect-error: a metered row must state its price.
  const unpriced: ServerRoute = { ...row, access: 'metered' };
  const complete: ServerRoute = { ...row, access: 'public' };
  expect([unclassified, unpriced, complete]).toHaveLength(3);
});
