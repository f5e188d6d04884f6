/** Requests a minute (contract §8.2). */
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createKey } from '../src/access/key-admin.ts';
import { PLAN_IDS } from '../src/access/plans.ts';
import { readConfig } from '../src/config.ts';
import { type Gateway, startGateway } from '../src/gateway.ts';
import { openTestDatabase } from './harness/database.ts';
import { eventually } from './harness/eventually.ts';
import { ask, startTestGateway, type TestGateway } from './harness/gateway.ts';
import { forTest } from './harness/lifetime.ts';

const PATH = '/api/v1/lookup?ean=4006381333931';
const redisUrl = process.env.TEST_REDIS_URL;

describe('a key', () => {
  test('over its limit is refused with 429 and the number of seconds to wait', async () => {
    const gateway = await forTest(startTestGateway({ RATE_LIMIT_STARTER: '3' }));
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
  });

  test('may have its own limit, and always has its own window', async () => {
    const gateway = await forTest(startTestGateway());
    const one = await gateway.makeKey('free', { rateLimit: 1 });
    const other = await gateway.makeKey('free', { rateLimit: 2 });
    await gateway.get(PATH, { key: one.key });
    expect((await gateway.get(PATH, { key: one.key })).status).toBe(429);
    expect((await gateway.get(PATH, { key: other.key })).headers.get('ratelimit-policy')).toBe('"minute";q=2;w=60');
  });

  test('is charged one request per root field of a GraphQL operation', async () => {
    const gateway = await forTest(startTestGateway());
    const { key } = await gateway.makeKey('pro', { rateLimit: 3 });
    const { headers } = await gateway.graphql('{ a: viewer { used } b: viewer { used } }', { key });
    expect(headers.get('ratelimit')).toMatch(/^"minute";r=1;/);
    // Two no longer fit. Refused operations take nothing, so one still fits.
    for (let turn = 0; turn < 3; turn += 1) {
      const refused = await gateway.graphql('{ a: viewer { used } b: viewer { used } }', { key });
      expect([refused.status, refused.body.errors[0].extensions.code]).toEqual([429, 'rate_limited']);
      expect(refused.headers.get('ratelimit')).toMatch(/^"minute";r=1;/);
    }
    expect((await gateway.graphql('{ viewer { used } }', { key })).status).toBe(200);
  });

  test('whose operation costs more than its limit gets a 400 that says so, and is not charged', async () => {
    const gateway = await startOwn();
    const { key } = await gateway.makeKey('free', { rateLimit: null });
    const eleven = `{ ${Array.from({ length: 11 }, (_, i) => `a${i}: viewer { used }`).join(' ')} }`;
    for (let turn = 0; turn < 3; turn += 1) {
      const { status, headers, body } = await gateway.graphql(eleven, { key });
      expect([status, body.errors[0].extensions.code]).toEqual([400, 'operation_too_complex']);
      expect(body.errors[0].message).toMatch(/costs 11 requests and the key may make 10 a minute: send fewer/);
      expect([headers.get('x-quota-remaining'), headers.get('retry-after')]).toEqual(['100', null]);
    }
    for (let turn = 0; turn < 10; turn += 1) expect((await gateway.get(PATH, { key })).status).toBe(404);
    expect((await gateway.get(PATH, { key })).status).toBe(429);
  });

  test('is not charged for concurrent operations that are refused', async () => {
    const gateway = await startOwn();
    const { key } = await gateway.makeKey('pro', { rateLimit: 10 });
    const four = '{ a: viewer { used } b: viewer { used } c: viewer { used } d: viewer { used } }';
    const answers = await Promise.all(Array.from({ length: 10 }, () => gateway.graphql(four, { key })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    const rest = await Promise.all(Array.from({ length: 5 }, () => gateway.get(PATH, { key })));
    expect(rest.map(({ status }) => status).sort()).toEqual([404, 404, 429, 429, 429]);
  });

  test('has the limit of its plan: 10, 60, 600 or 6000 requests a minute', async () => {
    expect(await policies({})).toEqual([10, 60, 600, 6000]);
  });

  test('has the limit that the operator has set for its plan', async () => {
    const environment = {
      RATE_LIMIT_FREE: '1',
      RATE_LIMIT_STARTER: '22',
      RATE_LIMIT_PRO: '333',
      RATE_LIMIT_ENTERPRISE: '4444',
    };
    expect(await policies(environment)).toEqual([1, 22, 333, 4444]);
  });

  test('gets the state of its window even in a response that takes nothing from it', async () => {
    const gateway = await startOwn();
    const { key } = await gateway.makeKey('free', { rateLimit: 5 });
    await gateway.get(PATH, { key });
    expect((await gateway.get('/nothing', { key })).headers.get('ratelimit')).toMatch(/^"minute";r=4;/);
    expect((await gateway.get(PATH, { key })).headers.get('ratelimit')).toMatch(/^"minute";r=3;/);
  });

  test('that is refused is told how long to wait, and is not charged for refusals', async () => {
    const gateway = await startOwn();
    const { key } = await gateway.makeKey('free', { rateLimit: 2 });
    for (let turn = 0; turn < 2; turn += 1) await gateway.get(PATH, { key });
    for (let turn = 0; turn < 3; turn += 1) {
      const { status, headers } = await gateway.get(PATH, { key });
      expect(status).toBe(429);
      expect(headers.get('x-quota-remaining')).toBe('98');
      const seconds = Number(headers.get('retry-after'));
      expect(seconds).toBe(Number(/;t=(\d+)$/.exec(headers.get('ratelimit') ?? '')?.[1]));
    }
  });
});

describe('what a window gives back', () => {
  /** Makes 100 requests beyond the quota at once. @returns their statuses, and what the window has left before and after. */
  async function beyondQuota(gateway: TestGateway) {
    const { key } = await gateway.makeKey('free', { rateLimit: 150, monthlyQuota: 3 });
    for (let turn = 0; turn < 3; turn += 1) await gateway.get(PATH, { key });
    const left = async () =>
      /^"minute";r=(\d+);/.exec((await gateway.get('/nothing', { key })).headers.get('ratelimit') ?? '')?.[1];
    const before = await left();
    const answers = await Promise.all(Array.from({ length: 100 }, () => gateway.get(PATH, { key })));
    return { statuses: [...new Set(answers.map(({ status }) => status))], before, after: await left() };
  }
  const UNCHANGED = { statuses: [402], before: '147', after: '147' };

  test('a request that the quota refuses takes nothing from the window', async () => {
    expect(await beyondQuota(await startOwn())).toEqual(UNCHANGED);
  });

  test.skipIf(redisUrl === undefined)('nor does it in Redis', async () => {
    expect(await beyondQuota(await startOwn({ REDIS_URL: redisUrl ?? '' }))).toEqual(UNCHANGED);
  });

  test('a request that the service failed to answer takes nothing either', async () => {
    const gateway = await startOwn();
    const { key } = await gateway.makeKey('free', { rateLimit: 5 });
    await gateway.database.script('ALTER TABLE product RENAME TO product_away');
    const { status, headers } = await gateway.get(PATH, { key });
    expect([status, headers.get('ratelimit')]).toEqual([500, expect.stringMatching(/^"minute";r=5;/)]);
  });

  test('a request that the quota refuses counts as a free request of its address', async () => {
    const gateway = await startOwn({ RATE_LIMIT_PUBLIC: '4' });
    const { key } = await gateway.makeKey('free', { monthlyQuota: 1 });
    const statuses: number[] = [];
    for (let turn = 0; turn < 7; turn += 1) statuses.push((await gateway.get(PATH, { key })).status);
    expect(statuses).toEqual([404, 402, 402, 402, 402, 429, 429]);
  });
});

const hasRedisServer = spawnSync('redis-server', ['--version']).status === 0;

describe.skipIf(redisUrl === undefined)('with Redis (set TEST_REDIS_URL to run these)', () => {
  test('all instances share the limit', async () => {
    const { one, other, key } = await startTwo(redisUrl ?? '');
    const statuses = await askInTurn([one, other, one, other], key);
    expect(statuses).toEqual([404, 404, 404, 429]);
  });

  test('an operation that does not fit takes nothing from the limit on any instance', async () => {
    const { one, other, key } = await startTwo(redisUrl ?? '');
    expect(await askInTurn([other, other], key)).toEqual([404, 404]);
    const two = '{ a: viewer { used } b: viewer { used } }';
    const answers = await Promise.all(Array.from({ length: 5 }, () => one.graphql(two, { key })));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(429));
    for (const { headers } of answers) expect(headers.get('ratelimit')).toMatch(/^"minute";r=1;/);
    expect(await askInTurn([other, one], key)).toEqual([404, 429]);
  });

  test('two installations on one Redis do not share limits', async () => {
    const number = 1 + Math.floor(Math.random() * 1e15);
    const open = async () => {
      const database = await openTestDatabase();
      await database.query('UPDATE deployment SET name = $1', [randomUUID()]); // All test databases are copies of one, with its name.
      await database.script(`ALTER SEQUENCE api_key_id_seq RESTART WITH ${number}`);
      const config = readConfig({ PORT: '0', LOG_LEVEL: 'silent', REDIS_URL: redisUrl ?? '' });
      const gateway = await forTest(startGateway(config, database));
      expect(await eventually(() => redisUp(gateway), isUp, 20_000)).toBe('1');
      return { gateway, key: (await createKey(database, { name: 'x', plan: 'pro', rateLimit: 2 })).key };
    };
    const [one, other] = [await open(), await open()];
    expect(await askInTurn([one.gateway, one.gateway, one.gateway], one.key)).toEqual([404, 404, 429]);
    expect(await askInTurn([other.gateway, other.gateway, other.gateway], other.key)).toEqual([404, 404, 429]);
  });
});

describe.skipIf(!hasRedisServer)('with a Redis that fails (install redis-server to run these)', () => {
  test('while Redis is down, each process limits by itself and a metric says so; afterwards they share limits again', async () => {
    const port = await freePort();
    let redis = startRedis(port);
    onTestFinished(() => void redis.kill('SIGKILL'));
    const { one, other, key } = await startTwo(`redis://127.0.0.1:${port}`);
    redis.kill('SIGKILL');
    await once(redis, 'exit');
    for (const gateway of [one, other]) {
      expect(await eventually(() => redisUp(gateway), isDown)).toBe('0');
      expect(await askInTurn([gateway, gateway, gateway, gateway], key)).toEqual([404, 404, 404, 429]);
    }
    const elsewhere = await ask(`${one.address}/nothing`, { key });
    expect(elsewhere.status).toBe(404);
    expect(elsewhere.headers.get('ratelimit-policy')).toBe('"minute";q=3;w=60');

    redis = startRedis(port);
    for (const gateway of [one, other]) {
      expect(await eventually(() => redisUp(gateway), isUp, 20_000)).toBe('1');
    }
    expect(await askInTurn([one, other, one, other], key)).toEqual([404, 404, 404, 429]);
  });

  test('a gateway starts and answers requests even without Redis', async () => {
    const gateway = await startOwn({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
    const { key } = await gateway.makeKey('pro', { rateLimit: 1 });
    expect((await gateway.get(PATH, { key })).status).toBe(404);
    expect((await gateway.get(PATH, { key })).status).toBe(429);
    expect(await eventually(() => redisUp(gateway), isDown)).toBe('0');
  });
});

async function startOwn(environment: Record<string, string> = {}): Promise<TestGateway> {
  const gateway = await forTest(startTestGateway(environment));
  return gateway;
}

/** Two servers on one database and one Redis, and a key with a limit of three requests a minute. */
async function startTwo(url: string): Promise<{ one: TestGateway; other: Gateway; key: string }> {
  const one = await startOwn({ REDIS_URL: url });
  // The second server shares the database, which is closed with the first server.
  const shared = { ...one.database, close: async () => {} };
  const second = await forTest(startGateway(readConfig({ PORT: '0', LOG_LEVEL: 'silent', REDIS_URL: url }), shared));
  // A random id, so that no other run has used it with this Redis in this minute.
  await one.database.script(`ALTER SEQUENCE api_key_id_seq RESTART WITH ${1 + Math.floor(Math.random() * 1e15)}`);
  const { key } = await one.makeKey('pro', { rateLimit: 3 });
  for (const gateway of [one, second]) expect(await eventually(() => redisUp(gateway), isUp, 20_000)).toBe('1');
  return { one, other: second, key };
}

async function askInTurn(gateways: readonly Gateway[], key: string): Promise<number[]> {
  const statuses: number[] = [];
  for (const { address } of gateways) statuses.push((await ask(address + PATH, { key })).status);
  return statuses;
}

const startRedis = (port: number) =>
  spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no'], { stdio: 'ignore' });

/** The metric that operators watch, as Prometheus reads it. */
async function redisUp({ services }: Gateway): Promise<string | undefined> {
  const text = await services.metrics.registry.getSingleMetricAsString('pda_redis_up');
  return /^pda_redis_up (\d)$/m.exec(text)?.[1];
}
const isUp = (figure: string | undefined) => figure === '1';
const isDown = (figure: string | undefined) => figure === '0';

/** The limit per minute that a key of each plan is told. */
async function policies(environment: Record<string, string>): Promise<number[]> {
  const gateway = await startOwn(environment);
  const limits: number[] = [];
  for (const plan of PLAN_IDS) {
    const { key } = await gateway.makeKey(plan, { rateLimit: null });
    const policy = (await gateway.get(PATH, { key })).headers.get('ratelimit-policy') ?? '';
    limits.push(Number(/^"minute";q=(\d+);w=60$/.exec(policy)?.[1]));
  }
  return limits;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
