/** What the service says of itself: index, plans, health, docs, GraphiQL (contract §2.2, §2.3 and §8.1). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from './harness/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const PLANS = [
  { id: 'free', name: 'Free', monthlyQuota: 100, priceEur: 0 },
  { id: 'starter', name: 'Starter', monthlyQuota: 10_000, priceEur: 29 },
  { id: 'pro', name: 'Pro', monthlyQuota: 100_000, priceEur: 99 },
  { id: 'enterprise', name: 'Enterprise', monthlyQuota: 0, priceEur: null },
];
const withDescription = PLANS.map((plan) => ({ ...plan, description: expect.stringMatching(/\w/) }));

describe('the plans', () => {
  test('are those of the contract, over REST', async () => {
    expect((await gateway.get('/api/v1/plans')).body).toEqual({ data: withDescription });
  });

  test('and over GraphQL', async () => {
    const { body } = await gateway.graphql('{ plans { id name monthlyQuota priceEur description } }');
    expect(body).toEqual({ data: { plans: withDescription } });
  });
});

describe('the service index', () => {
  test('says what there is and where', async () => {
    const { status, body } = await gateway.get('/api/v1');
    expect(status).toBe(200);
    expect(body).toEqual({
      name: expect.any(String),
      version: 'v1',
      docs: `${gateway.address}/docs`,
      auth: expect.stringContaining('x-api-key'),
      endpoints: expect.arrayContaining(['GET /api/v1/lookup', 'GET /api/v1/plans']),
      plans: withDescription,
      openapi: `${gateway.address}/api/v1/openapi.json`,
    });
    for (const endpoint of body.endpoints) expect(endpoint).toMatch(/^[A-Z]+ \/\S+$/);
  });

  test('is also at / for clients that do not ask for HTML', async () => {
    expect((await gateway.get('/')).body).toEqual((await gateway.get('/api/v1')).body);
    const { status, headers } = await gateway.get('/', { headers: { accept: 'text/html' } });
    expect([status, headers.get('location')]).toEqual([302, '/docs']);
  });
});

describe('health', () => {
  test('is well while the process lives and the database answers', async () => {
    expect((await gateway.get('/healthz')).status).toBe(200);
    expect((await gateway.get('/readyz')).status).toBe(200);
  });

  test('says that it is not ready while a migration is missing', async () => {
    const behind = await startTestGateway();
    try {
      await behind.database.query('DELETE FROM _prisma_migrations');
      const { status, headers, body } = await behind.get('/readyz');
      expect(status).toBe(503);
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
      expect(body.code).toBe('unavailable');
      expect((await behind.get('/healthz')).status).toBe(200);
    } finally {
      await behind.stop();
    }
  });
});

describe('GraphiQL', () => {
  test('is served to browsers without a key, and loads nothing from elsewhere', async () => {
    const { status, headers, text } = await gateway.get('/graphql', { headers: { accept: 'text/html' } });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/html');
    expect(text).not.toMatch(/<(script|link|img|iframe)[^>]+(src|href)="?(https?:)?\/\//i);
  });
});

test.each(['/docs', '/docs/errors'])('%s is there to read', async (path) => {
  const { status, text } = await gateway.get(path);
  expect(status).toBe(200);
  expect(text).toMatch(/^# /);
});
