/** The quota: which requests are deducted, which are not, and what the headers say (contract §5 and §8.1). */
import { beforeEach, describe, expect, test } from 'vitest';
import { createKey, usageOf } from '../src/access/key-admin.ts';
import { monthOf } from '../src/access/meter.ts';
import { eventually } from './harness/eventually.ts';
import { type Answer, feedRow, posting, startTestGateway } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';

const EAN = '4006381333931';
const FOUND = `/api/v1/lookup?ean=${EAN}`;
const UNLIMITED = 9007199254740991;

let key: string;
let id: string;

const gateway = await forFile(startTestGateway());
await gateway.importRows('Shop', [feedRow({ id: 'a', gtin: EAN })]);
beforeEach(async () => {
  ({ id, key } = await gateway.makeKey('free'));
});

const used = async () => (await usageOf(gateway.database, { keyId: id }))[0]?.used;
const remaining = ({ headers }: Answer) => Number(headers.get('x-quota-remaining'));
const useUp = (left: number) =>
  gateway.database.query(
    `INSERT INTO usage_counter (key_id, month, quota, used, granted)
     SELECT max(id), $1::text, 100, $2::int, 0 FROM api_key`,
    [monthOf(new Date()), 100 - left],
  );

/** A GraphQL operation with the given cost. */
const operationOf = (cost: number) =>
  `{ ${Array.from({ length: cost }, (_, n) => `f${n}: viewer { used }`).join(' ')} }`;
const lastMonth = () => {
  const now = new Date();
  return monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)));
};
function expectAllHeaders({ headers }: Answer) {
  expect(headers.get('x-plan')).toBe('free');
  expect(headers.get('x-quota-limit')).toBe('100');
  expect(headers.get('x-quota-remaining')).toMatch(/^(0|99|100)$/);
  expect(headers.get('ratelimit-policy')).toMatch(/^"minute";q=\d+;w=60$/);
  expect(headers.get('ratelimit')).toMatch(/^"minute";r=\d+;t=([1-9]|[1-5]\d|60)$/);
}

test('a key may have a quota of its own, which its answers report', async () => {
  const own = await createKey(gateway.database, { name: 'own quota', plan: 'free', monthlyQuota: 2 });
  const answers: Answer[] = [];
  for (let request = 0; request < 3; request += 1) answers.push(await gateway.get(FOUND, { key: own.key }));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 402]);
  expect(answers.map(({ headers }) => headers.get('x-quota-limit'))).toEqual(['2', '2', '2']);
  expect(answers.map(remaining)).toEqual([1, 0, 0]);
  expect(answers[2]?.body.detail).toMatch(/^The key has used all 2 requests a month: /);
});

describe('a request is deducted', () => {
  test.each([
    ['200', FOUND, {}],
    ['404', '/api/v1/lookup?ean=4012345678901', {}],
    ['400', '/api/v1/lookup?ean=1', {}],
    ['200', FOUND, { method: 'HEAD' }],
  ])('when it is answered %s (%s %o)', async (status, path, init) => {
    const answer = await gateway.get(path, { key, ...init });
    expect(String(answer.status)).toBe(status);
    expect(remaining(answer)).toBe(99);
    expect(await used()).toBe(1);
  });
});

describe('a request is not deducted', () => {
  test('when its key is not valid', async () => {
    await gateway.get(FOUND, { key: `${key}x` });
    expect(await used()).toBe(0);
  });

  test('when the quota refuses it', async () => {
    await useUp(0);
    const refused = await gateway.get(FOUND, { key });
    expect(refused.status).toBe(402);
    expect(remaining(refused)).toBe(0);
    expect(await used()).toBe(100);
  });

  test.each([
    ['an unknown route', '/api/v1/nothing', 'GET', 404],
    ['a method that the route does not have', FOUND, 'DELETE', 405],
  ])('for %s, and the headers say how much is left', async (_what, path, method, status) => {
    const answer = await gateway.get(path, { key, method });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-plan')).toBe('free');
    expect(remaining(answer)).toBe(100);
    expect(await used()).toBe(0);
  });

  test.each([
    '/api/v1',
    '/api/v1/plans',
    '/healthz',
    '/readyz',
    '/docs',
  ])('on the public page %s, with or without a key', async (path) => {
    expect((await gateway.get(path)).status).toBe(200);
    expect((await gateway.get(path, { key })).status).toBe(200);
    expect(await used()).toBe(0);
  });

  test('when the quota refuses it, and further ones then start no work', async () => {
    await useUp(0);
    expect((await gateway.get('/api/v1/brands', { key })).status).toBe(402);
    const reads = async () => {
      const { registry } = gateway.services.metrics;
      const lines = (await registry.getSingleMetricAsString('pda_statement_seconds')).split('\n');
      return lines.filter((line) => /_count\{.*products_by_identifier/.test(line));
    };
    const before = await reads();
    for (const ean of ['4006381333948', '4006381333955', '4006381333962']) {
      expect((await gateway.get(`/api/v1/lookup?ean=${ean}`, { key })).status).toBe(402);
      expect(
        (await gateway.get('/graphql', { key, ...posting({ query: `{ lookup(ean: "${ean}") { product { id } } }` }) }))
          .status,
      ).toBe(402);
    }
    expect(await reads()).toEqual(before);
  });

  test('when it follows an offer, opens GraphiQL or is a preflight', async () => {
    const { body } = await gateway.get(FOUND, { key });
    for (const [path, init] of [
      [body.data.offers[0].url, {}],
      ['/graphql', { headers: { accept: 'text/html' } }],
      [FOUND, { method: 'OPTIONS' }],
    ]) {
      const answer = await gateway.get(path, { key, ...init });
      expect(answer.status).toBeLessThan(400);
      expect(answer.headers.has('x-quota-remaining')).toBe(false);
    }
    expect(await used()).toBe(1);
  });

  test('when the service fails, and the next response does not count it either', async () => {
    const broken = await forTest(startTestGateway());
    const own = await broken.makeKey('free');
    await broken.database.script('ALTER TABLE product RENAME TO product_away');
    const failed = await broken.get(FOUND, { key: own.key });
    expect([failed.status, remaining(failed)]).toEqual([500, 100]);
    expectAllHeaders(failed);
    expect(remaining(await broken.get('/api/v1/nothing', { key: own.key }))).toBe(100);
  });

  test('when the service fails, because its charge is refunded', async () => {
    const broken = await forTest(startTestGateway());
    const own = await broken.makeKey('free');
    await broken.get(FOUND, { key: own.key });
    await broken.database.script('ALTER TABLE product RENAME TO product_away');
    const failed = await broken.get(FOUND, { key: own.key });
    const failedGraphql = await broken.graphql(`{ viewer { used } lookup(ean: "${EAN}") { product { name } } }`, {
      key: own.key,
    });
    expect([failed.status, failedGraphql.status]).toEqual([500, 500]);
    // What is refunded is not delivered: otherwise one failing field would make all others free.
    expect(failedGraphql.body.data).toBeNull();
    expect(remaining(failed)).toBe(99);
    await broken.database.script('ALTER TABLE product_away RENAME TO product');
    // The answer does not wait for its refund to be written, so the next charge could come first.
    const usedByOwn = async () => (await usageOf(broken.database, { keyId: own.id }))[0]?.used;
    expect(await eventually(usedByOwn, (count) => count === 1)).toBe(1);
    const next = await broken.get(FOUND, { key: own.key });
    expect(remaining(next)).toBe(98);
    expect(await usedByOwn()).toBe(2);
  });
});

describe('the headers', () => {
  test.each<[string, number, (own: string) => Promise<Answer>]>([
    ['a found product', 200, (own) => gateway.get(FOUND, { key: own })],
    ['a HEAD', 200, (own) => gateway.get(FOUND, { key: own, method: 'HEAD' })],
    ['a conditional request', 304, (own) => gateway.get(FOUND, { key: own, headers: { 'if-none-match': '*' } })],
    ['a malformed parameter', 400, (own) => gateway.get('/api/v1/lookup?ean=1', { key: own })],
    ['an unknown product', 404, (own) => gateway.get('/api/v1/lookup?asin=B000000000', { key: own })],
    ['an unknown route', 404, (own) => gateway.get('/api/v1/nothing', { key: own })],
    ['a wrong method', 405, (own) => gateway.get(FOUND, { key: own, method: 'PATCH' })],
    ['a GraphQL operation', 200, (own) => gateway.graphql('{ viewer { used } }', { key: own })],
    ['a refused GraphQL operation', 402, (own) => gateway.graphql(operationOf(101), { key: own })],
  ])('are all in the response to %s (%i)', async (_what, status, request) => {
    const answer = await request(key);
    expect(answer.status).toBe(status);
    expectAllHeaders(answer);
  });

  test('are all in a refusal by the quota', async () => {
    await useUp(0);
    const refused = await gateway.get(FOUND, { key });
    expect(refused.status).toBe(402);
    expectAllHeaders(refused);
  });

  test('are all in a refusal by the rate limit', async () => {
    const own = await gateway.makeKey('free', { rateLimit: 1 });
    await gateway.get(FOUND, { key: own.key });
    const refused = await gateway.get(FOUND, { key: own.key });
    expect(refused.status).toBe(429);
    expectAllHeaders(refused);
    const refusedGraphql = await gateway.graphql('{ viewer { used } }', { key: own.key });
    expect(refusedGraphql.status).toBe(429);
    expectAllHeaders(refusedGraphql);
  });

  test('are not in the response to an unknown key', async () => {
    const { headers } = await gateway.get(FOUND, { key: `${key}x` });
    for (const name of ['x-plan', 'x-quota-limit', 'x-quota-remaining', 'ratelimit', 'ratelimit-policy']) {
      expect(headers.has(name)).toBe(false);
    }
  });

  test('of an unlimited plan have limit 0 and the largest safe integer as remaining', async () => {
    const own = await gateway.makeKey('enterprise');
    const answer = await gateway.get(FOUND, { key: own.key });
    expect(answer.headers.get('x-quota-limit')).toBe('0');
    expect(remaining(answer)).toBe(UNLIMITED);
  });

  test('are not in public responses, which caches share', async () => {
    expect((await gateway.get('/api/v1/plans', { key })).headers.has('x-plan')).toBe(false);
  });
});

describe('the checks come in order', () => {
  test('an unknown route before an invalid key', async () => {
    expect((await gateway.get('/api/v1/nothing', { key: 'x' })).status).toBe(404);
  });

  test('a wrong method before a missing key, and the key before the parameters', async () => {
    expect((await gateway.get('/api/v1/lookup', { method: 'POST' })).status).toBe(405);
    expect((await gateway.get('/api/v1/lookup')).status).toBe(401);
  });

  test('the rate limit before the quota, and the quota before the parameters', async () => {
    const spent = await gateway.makeKey('free');
    await useUp(0);
    expect((await gateway.get('/api/v1/lookup', { key: spent.key })).status).toBe(402);
    const own = await gateway.makeKey('free', { rateLimit: 1, monthlyQuota: 1 });
    expect((await gateway.get(FOUND, { key: own.key })).status).toBe(200);
    expect((await gateway.get('/api/v1/lookup', { key: own.key })).status).toBe(429);
  });
});

describe('an unlimited plan', () => {
  test('is never refused, however much it has used', async () => {
    const own = await gateway.makeKey('enterprise');
    await gateway.database.query(
      `INSERT INTO usage_counter (key_id, month, quota, used, granted) SELECT max(id), $1::text, 0, 50000000, 0 FROM api_key`,
      [monthOf(new Date())],
    );
    const answer = await gateway.get(FOUND, { key: own.key });
    expect(answer.status).toBe(200);
    expect(remaining(answer)).toBe(UNLIMITED);
    expect((await usageOf(gateway.database, { keyId: own.id }))[0]?.used).toBe(50_000_001);
  });
});

describe('the month', () => {
  test('is the calendar month in UTC, and earlier usage does not count', async () => {
    await gateway.database.query(
      `INSERT INTO usage_counter (key_id, month, quota, used, granted) SELECT max(id), $1::text, 100, 100, 0 FROM api_key`,
      [lastMonth()],
    );
    expect(remaining(await gateway.get(FOUND, { key }))).toBe(99);
    expect(monthOf(new Date('2026-01-31T23:59:59.999Z'))).toBe('2026-01');
    expect(monthOf(new Date('2026-02-01T00:00:00.000Z'))).toBe('2026-02');
  });

  test('ends at a time that the refusal names, with a link to the plans', async () => {
    await useUp(0);
    const { body } = await gateway.get(FOUND, { key });
    expect(body.code).toBe('quota_exhausted');
    expect(body.detail).toMatch(/\d{4}-\d\d-01T00:00:00Z.*\/api\/v1\/plans/);
  });
});

describe('a GraphQL operation costs as many requests as it has root fields', () => {
  const product = '{ product { name } }';
  test.each([
    [1, `{ lookup(ean: "${EAN}") ${product} }`],
    [2, `{ a: lookup(ean: "${EAN}") ${product} b: lookup(ean: "${EAN}") ${product} }`],
    [2, `{ ...F } fragment F on Query { lookup(ean: "${EAN}") ${product} viewer { used } }`],
    [2, `{ ... on Query { lookup(ean: "${EAN}") ${product} ... on Query { viewer { used } } } }`],
    [1, `{ lookup(ean: "${EAN}") ${product} lookup(ean: "${EAN}") { identifier { ean } } }`],
    [1, `{ lookup(ean: "${EAN}") ${product} plans { id } __typename }`],
    [1, `{ viewer @skip(if: true) { used } }`],
    [2, '{ ...F ...F } fragment F on Query { ...G } fragment G on Query { a: viewer { used } b: viewer { used } }'],
    [1, '{ plans: viewer { used } }'],
    [3, '{ a: viewer { used } b: viewer { used } c: viewer { plan { id } name used remaining } }'],
    [1, '{ nothing }'],
    [1, '{ lookup('],
  ])('%i: %s', async (cost, query) => {
    const answer = await gateway.graphql(query, { key });
    expect(remaining(answer)).toBe(100 - cost);
    expect(await used()).toBe(cost);
  });

  test('of the selected operation, if a document has several', async () => {
    const query = 'query One { viewer { used } } query Two { a: viewer { used } b: viewer { used } }';
    const answer = await gateway.get('/graphql', { key, ...posting({ query, operationName: 'Two' }) });
    expect(answer.body.data.b.used).toBe(2);
    expect(remaining(answer)).toBe(98);
  });

  test.each([
    '{ plans { id } }',
    '{ p: plans { id } more: plans { name } }',
    '{ __typename }',
    '{ __schema { queryType { name } } }',
    '{ __type(name: "Plan") { name } }',
  ])('or nothing, with or without a key, if all fields are public: %s', async (query) => {
    expect((await gateway.graphql(query)).body.errors).toBeUndefined();
    expect((await gateway.graphql(query, { key })).body.errors).toBeUndefined();
    expect(await used()).toBe(0);
  });

  test('and is refused as a whole with 402 if it costs more than is left', async () => {
    await useUp(1);
    const query = `{ a: lookup(ean: "${EAN}") ${product} b: lookup(ean: "${EAN}") ${product} }`;
    const refused = await gateway.graphql(query, { key });
    expect(refused.status).toBe(402);
    expect(refused.body.errors[0].extensions.code).toBe('quota_exhausted');
    expect(refused.body.data).toBeUndefined();
    expect(await used()).toBe(99);
    expect((await gateway.get(FOUND, { key })).status).toBe(200);
  });
});

describe('of many concurrent requests', () => {
  test('with different costs, the answered ones together cost exactly what the quota has left', async () => {
    await useUp(10);
    const costs = Array.from({ length: 40 }, (_, index) => 1 + (index % 4));
    const answers = await Promise.all(
      costs.map((cost) =>
        gateway.graphql(`{ ${Array.from({ length: cost }, (_, n) => `f${n}: viewer { used }`).join(' ')} }`, { key }),
      ),
    );
    const answered = answers.reduce((sum, { status }, index) => sum + (status === 200 ? (costs[index] ?? 0) : 0), 0);
    expect(answered).toBe(10);
    expect(await used()).toBe(100);
  });
});
