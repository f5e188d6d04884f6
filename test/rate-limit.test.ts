/** Requests a minute (contract §8.2, decisions §4). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { openRateLimits } from '../src/access/rate-limit.ts';
import { eventually } from './harness/eventually.ts';
import { startTestGateway } from './harness/gateway.ts';

const PATH = '/api/v1/lookup?ean=4006381333931';
const redisUrl = process.env.TEST_REDIS_URL;

describe('a key', () => {
  test('that asks too often is refused with 429 and whole seconds to wait', async () => {
    const gateway = await startTestGateway({ RATE_LIMIT_STARTER: '3' });
    try {
      const { key } = await gateway.makeKey('starter', { rateLimit: null });
      for (const left of [2, 1, 0]) {
        const { status, headers } = await gateway.get(PATH, { key });
        expect(status).toBe(404);
        expect(headers.get('ratelimit-policy')).toBe('"minute";q=3;w=60');
        expect(headers.get('ratelimit')).toMatch(new RegExp(`^"minute";r=${left};t=([1-9]|[1-5]\\d|60)$`));
      }
      const { status, headers, body } = await gateway.get(PATH, { key });
      expect(status).toBe(429);
      expect(headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
      expect(body.code).toBe('rate_limited');
      expect(headers.get('ratelimit')).toMatch(/^"minute";r=0;/);
    } finally {
      await gateway.stop();
    }
  });

  test('has its own limit where it was given one, and each key its own window', async () => {
    const gateway = await startTestGateway();
    try {
      const one = await gateway.makeKey('free', { rateLimit: 1 });
      const other = await gateway.makeKey('free', { rateLimit: 2 });
      await gateway.get(PATH, { key: one.key });
      expect((await gateway.get(PATH, { key: one.key })).status).toBe(429);
      expect((await gateway.get(PATH, { key: other.key })).headers.get('ratelimit-policy')).toBe('"minute";q=2;w=60');
    } finally {
      await gateway.stop();
    }
  });

  test('pays for a GraphQL operation by its root fields', async () => {
    const gateway = await startTestGateway();
    try {
      const { key } = await gateway.makeKey('pro', { rateLimit: 3 });
      const { headers } = await gateway.graphql('{ a: viewer { used } b: viewer { used } }', { key });
      expect(headers.get('ratelimit')).toMatch(/^"minute";r=1;/);
      const refused = await gateway.graphql(
        '{ a: viewer { used } b: viewer { used } c: viewer { used } d: viewer { used } }',
        { key },
      );
      expect(refused.status).toBe(429);
      expect(refused.body.errors[0].message).toContain('fewer root fields');
    } finally {
      await gateway.stop();
    }
  });

  test.each([
    ['free', 10],
    ['starter', 60],
    ['pro', 600],
    ['enterprise', 6000],
  ] as const)('of the plan %s may ask %i times a minute by default', async (plan, limit) => {
    const gateway = await startTestGateway();
    try {
      const { key } = await gateway.makeKey(plan, { rateLimit: null });
      expect((await gateway.get(PATH, { key })).headers.get('ratelimit-policy')).toBe(`"minute";q=${limit};w=60`);
    } finally {
      await gateway.stop();
    }
  });
});

describe.skipIf(redisUrl === undefined)('with Redis (set TEST_REDIS_URL to run these)', () => {
  test('the limit is common to all instances', async () => {
    const connections = [new Redis(redisUrl ?? ''), new Redis(redisUrl ?? '')];
    await Promise.all(connections.map((connection) => once(connection, 'ready')));
    const instances = connections.map((connection) => openRateLimits(connection));
    // A key's number that no other run has used in this minute.
    const keyId = BigInt(1_000_000_000 + Math.floor(Math.random() * 1_000_000_000));
    const taken: boolean[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      for (const instance of instances) taken.push((await instance.take(keyId, 5, 1)).isAllowed);
    }
    expect(taken).toEqual([true, true, true, true, true, false, false, false]);
    for (const connection of connections) connection.disconnect();
  });

  test('limits go on in process when Redis is lost, and a metric says so', async () => {
    const port = await freePort();
    const redis = spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no'], {
      stdio: 'ignore',
    });
    const gateway = await startTestGateway({ REDIS_URL: `redis://127.0.0.1:${port}` });
    const isUp = async () => (await gateway.services.metrics.redisUp.get()).values[0]?.value;
    try {
      expect(await eventually(isUp, (value) => value === 1, 20_000)).toBe(1);
      const { key } = await gateway.makeKey('pro', { rateLimit: 2 });
      await gateway.get(PATH, { key });
      redis.kill('SIGKILL');
      await once(redis, 'exit');
      expect(await eventually(isUp, (value) => value === 0)).toBe(0);
      const statuses = [];
      for (let turn = 0; turn < 3; turn += 1) statuses.push((await gateway.get(PATH, { key })).status);
      expect(statuses).toEqual([404, 404, 429]);
    } finally {
      redis.kill('SIGKILL');
      await gateway.stop();
    }
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
