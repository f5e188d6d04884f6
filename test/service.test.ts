/** What the service says about itself: index, plans, health, GraphiQL (contract §2.2, §2.3 and §8.1). */
import { Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { createKey } from '../src/access/key-admin.ts';
import { readConfig } from '../src/config.ts';
import type { Database } from '../src/database/database.ts';
import { observed } from '../src/database/observed.ts';
import { startGateway } from '../src/gateway.ts';
import { openTestDatabase } from './harness/database.ts';
import { eventually } from './harness/eventually.ts';
import { ask, startTestGateway } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';
import { signal } from './harness/signal.ts';

const gateway = await forFile(startTestGateway());

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

  test('are the same over GraphQL', async () => {
    const { body } = await gateway.graphql('{ plans { id name monthlyQuota priceEur description } }');
    expect(body).toEqual({ data: { plans: withDescription } });
  });
});

describe('the service index', () => {
  test('names only endpoints that exist', async () => {
    const { key } = await gateway.makeKey('enterprise');
    const { endpoints } = (await gateway.get('/api/v1')).body;
    for (const endpoint of endpoints) {
      const [method, path] = endpoint.split(' ');
      const { body } = await gateway.get(path, { key, method });
      expect([endpoint, body?.detail ?? '']).toEqual([endpoint, expect.not.stringContaining(' here: see ')]);
    }
  });

  test('lists the endpoints, the plans and the documentation', async () => {
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
    const page = await gateway.get('/', { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('<h1>');
    for (const accept of ['*/*', 'application/json', 'text/html', 'text/html;q=0.5, application/json']) {
      const { status, headers } = await gateway.get('/', { headers: { accept } });
      expect([status, headers.get('vary')]).toEqual([200, expect.stringContaining('Accept')]);
      expect(headers.get('content-type')).toContain(accept === 'text/html' ? 'text/html' : 'application/json');
    }
  });
});

describe('health', () => {
  test('is reported while the process runs and the database answers', async () => {
    expect((await gateway.get('/healthz')).status).toBe(200);
    expect((await gateway.get('/readyz')).status).toBe(200);
  });

  test('is never cached', async () => {
    for (const path of ['/healthz', '/readyz']) {
      expect((await gateway.get(path)).headers.get('cache-control')).toBe('no-store');
    }
  });

  test('has only the two documented paths', async () => {
    for (const path of ['/health', '/ready', '/healthz/', '/readyz/x']) {
      expect([path, (await gateway.get(path)).status]).toEqual([path, 404]);
    }
  });

  test('is not served on paths that only end in /health', async () => {
    for (const [path, status] of [
      ['/api/v1/lookup?ean=4006381333931&from=/health', 401],
      ['/api/v1/nothing/health', 404],
      ['/go/health', 404],
    ] as const) {
      expect([path, (await gateway.get(path)).status]).toEqual([path, status]);
    }
  });

  test('is reported as not ready while a migration is pending', async () => {
    const behind = await forTest(startTestGateway());
    await behind.database.query('DELETE FROM _prisma_migrations');
    const { status, headers, body } = await behind.get('/readyz');
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect(body.code).toBe('unavailable');
    expect((await behind.get('/healthz')).status).toBe(200);
  });
});

test('readiness checks query the database at most once a second, however many there are', async () => {
  const database = await openTestDatabase();
  let checks = 0;
  const counting = observed(database, {
    observe({ sql }) {
      if (sql.includes('to_regclass')) checks += 1;
    },
  });
  const counted = await forTest(
    startGateway(readConfig({ PORT: '0', DRAIN_DELAY_SECONDS: '0' }), counting, pino({ level: 'silent' })),
  );
  const checksBefore = checks;
  const startedAt = performance.now();
  const statuses: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(`${counted.address}/readyz`)));
    statuses.push(...answers.map(({ status }) => status));
  }
  const seconds = Math.ceil((performance.now() - startedAt) / 1_000);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(checks - checksBefore).toBeGreaterThan(0);
  expect(checks - checksBefore).toBeLessThanOrEqual(seconds);
});

test('readiness follows the database within about a second, down and up', async () => {
  const turning = await forTest(startTestGateway());
  const ready = (status: number) =>
    eventually(
      () => turning.get('/readyz'),
      (answer) => answer.status === status,
    );
  expect((await ready(200)).status).toBe(200);
  await turning.database.query('ALTER TABLE _prisma_migrations RENAME TO away');
  expect((await ready(503)).status).toBe(503);
  await turning.database.query('ALTER TABLE away RENAME TO _prisma_migrations');
  expect((await ready(200)).status).toBe(200);
});

test('the metrics are on their own port, if the operator sets METRICS_PORT', async () => {
  const watched = await forTest(startTestGateway({ METRICS_PORT: '0' }));
  await watched.get('/api/v1/plans');
  const { status, text } = await ask(`http://127.0.0.1:${watched.metricsPort}/metrics`);
  expect(status).toBe(200);
  expect(text).toContain(
    'pda_http_requests_total{face="rest",route="/api/v1/plans",operation="",method="GET",status="200"} 1',
  );
  expect((await watched.get('/metrics')).status).toBe(404);
});

test('a server that is asked to stop waits for a database that is slow to close', async () => {
  const database = await openTestDatabase();
  const slow: Database = {
    ...database,
    async close() {
      await wait(3_000); // As if the disk stalled for a moment.
      await database.close();
    },
  };
  const stopped = await startGateway(readConfig({ PORT: '0' }), slow, pino({ level: 'silent' }));
  await stopped.stop();
});

test('a server that is asked to stop first finishes its requests, even those of clients that disconnected', async () => {
  const said: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      said.push(String(chunk));
      done();
    },
  });
  const database = await openTestDatabase();
  const reading = signal();
  const released = signal();
  let isHeld = false;
  let isClosed = false;
  const slow: Database = {
    ...database,
    async query(...asked) {
      if (isHeld) {
        reading.raise();
        await released.raised;
      }
      return database.query(...asked);
    },
    async close() {
      isClosed = true;
      await database.close();
    },
  };
  const stopped = await startGateway(readConfig({ PORT: '0' }), slow, pino({ level: 'error' }, sink));
  const { key } = await createKey(database, { name: 'test', plan: 'enterprise', rateLimit: 1_000_000 });
  isHeld = true;
  const leaving = new AbortController();
  const asking = fetch(`${stopped.address}/api/v1/products`, { headers: { 'x-api-key': key }, signal: leaving.signal });
  await reading.raised;
  leaving.abort();
  await expect(asking).rejects.toThrow();
  const stopping = stopped.stop();
  for (let turn = 0; turn < 1_000; turn += 1) await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  released.raise();
  await stopping;
  expect(isClosed).toBe(true);
  expect(said).toEqual([]);
});
