/** Clients that guess keys are refused without a database read, and others at the same address are not (OWASP API4:2023). */
import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openFreeRequests } from '../../src/access/free-requests.ts';
import { createKey } from '../../src/access/key-admin.ts';
import { digestOf, makeSecret } from '../../src/access/secret.ts';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/database.ts';
import { startGateway } from '../../src/gateway.ts';
import { openTestDatabase } from '../harness/database.ts';
import { openEvents } from '../harness/events.ts';
import { eventually } from '../harness/eventually.ts';
import { ask, feedRow, importRows } from '../harness/gateway.ts';
import { forTest } from '../harness/lifetime.ts';

const PATH = '/api/v1/lookup?ean=4006381333931';
const redisUrl = process.env.TEST_REDIS_URL;

/** A gateway behind one proxy, which counts its reads of keys. */
async function startCounted(environment: Record<string, string> = {}, shared?: Database) {
  const database = shared ?? (await openTestDatabase());
  const asked: number[] = [];
  const counting: Database = {
    ...database,
    query(sql, parameters, options) {
      if (sql.includes('FROM api_key_secret')) asked.push((parameters?.[0] as string[]).length);
      return database.query(sql, parameters, options);
    },
    ...(shared && { close: async () => {} }),
  };
  const config = readConfig({ PORT: '0', LOG_LEVEL: 'silent', TRUST_PROXY: '1', ...environment });
  const gateway = await forTest(startGateway(config, counting));
  const get = (key: string, address = '203.0.113.7', path = PATH) =>
    ask(gateway.address + path, { key, headers: { 'x-forwarded-for': address } });
  return {
    database,
    gateway,
    get,
    makeKey: async () => (await createKey(database, { name: 'test', plan: 'pro', rateLimit: 1_000_000 })).key,
    /** How many requests were refused for these reasons, according to the metrics. */
    async refusals(...reasons: string[]) {
      const { values } = await gateway.services.metrics.refusals.get();
      return reasons.map((reason) => values.find(({ labels }) => labels.reason === reason)?.value);
    },
    /** How many keys were read from the database. */
    reads: () => asked.reduce((sum, count) => sum + count, 0),
  };
}

const statusesOf = async (answers: Promise<{ status: number }>[]) =>
  (await Promise.all(answers)).map(({ status }) => status).sort();

describe('a flood of wrong keys', () => {
  test('causes at most as many database reads as an address may guess', async () => {
    const { get, reads } = await startCounted();
    const statuses = await statusesOf(Array.from({ length: 300 }, () => get(makeSecret())));
    expect(statuses).toEqual([...Array(20).fill(401), ...Array(280).fill(429)]);
    expect(reads()).toBe(20);
    for (let turn = 0; turn < 20; turn += 1) {
      const { status, headers, body } = await get(makeSecret());
      expect([status, body.code]).toEqual([429, 'rate_limited']);
      expect(headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
      expect(body.detail).toContain('x-api-key');
    }
    expect(reads()).toBe(20);
  });

  test('in the wrong format causes no reads and uses up no guesses', async () => {
    const { get, reads, makeKey } = await startCounted();
    const good = await makeKey();
    const mistyped = `${good.slice(0, -1)}${good.endsWith('a') ? 'b' : 'a'}`;
    for (const wrong of ['x', 'pda_', mistyped, 'a'.repeat(5_000)]) {
      for (let turn = 0; turn < 10; turn += 1) expect((await get(wrong)).status).toBe(401);
    }
    expect(reads()).toBe(0);
    expect((await get(good)).status).toBe(404);
  });

  test('is in the metrics, each request once', async () => {
    const { get, refusals } = await startCounted();
    await statusesOf(Array.from({ length: 50 }, () => get(makeSecret())));
    expect(await refusals('unknown_key', 'guesses', 'rate')).toEqual([20, 30, 0]);
  });

  test('over GraphQL and MCP is refused in the same way', async () => {
    const { gateway, get, refusals } = await startCounted({ RATE_LIMIT_WRONG_KEYS: '1' });
    expect((await get(makeSecret())).status).toBe(401);
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.7' };
    const graphql = await ask(`${gateway.address}/graphql`, {
      method: 'POST',
      key: makeSecret(),
      headers,
      body: '{"query": "{ viewer { used } }"}',
    });
    expect([graphql.status, graphql.body.errors[0].extensions.code]).toEqual([429, 'rate_limited']);
    const agent = await ask(`${gateway.address}/mcp`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${makeSecret()}` },
      body: '{"jsonrpc": "2.0", "id": 1, "method": "ping"}',
    });
    expect([agent.status, agent.body.code]).toEqual([429, 'rate_limited']);
    expect(await refusals('unknown_key', 'guesses')).toEqual([1, 2]);
  });
});

describe('a valid key from the address of a flood', () => {
  test('still works if it was used before', async () => {
    const { get, makeKey, database } = await startCounted({ RATE_LIMIT_WRONG_KEYS: '3' });
    const good = await makeKey();
    expect((await get(good)).status).toBe(404);
    await statusesOf(Array.from({ length: 10 }, () => get(makeSecret())));
    expect((await get(makeSecret())).status).toBe(429);
    expect((await get(good)).status).toBe(404);
    // Even when its cached state has expired and it must be read again.
    await database.query(`UPDATE api_key SET plan = 'starter'`);
    const again = await eventually(
      () => get(good),
      ({ headers }) => headers.get('x-plan') === 'starter',
    );
    expect([again.status, again.headers.get('x-plan')]).toEqual([404, 'starter']);
  });

  test('is not counted as a guess: many new ones at once are all accepted, even after a start', async () => {
    const { get, makeKey } = await startCounted({ RATE_LIMIT_WRONG_KEYS: '3' });
    const keys: string[] = [];
    for (let turn = 0; turn < 30; turn += 1) keys.push(await makeKey());
    expect(await statusesOf(keys.map((key) => get(key)))).toEqual(Array(30).fill(404));
  });

  test('is accepted from another address even if it is new', async () => {
    const { get, makeKey } = await startCounted({ RATE_LIMIT_WRONG_KEYS: '1' });
    await get(makeSecret());
    expect((await get(await makeKey())).status).toBe(429);
    expect((await get(await makeKey(), '203.0.113.8')).status).toBe(404);
  });
});

test('a client that keeps using one revoked key gets 401, and uses up only one guess', async () => {
  const { get, makeKey } = await startCounted({ RATE_LIMIT_WRONG_KEYS: '2', RATE_LIMIT_PUBLIC: '0' });
  const stale = makeSecret();
  const deadline = Date.now() + 4_500; // More than twice the lifetime of a cached key.
  await eventually(
    () => get(stale),
    ({ status }) => status !== 401 || Date.now() > deadline,
    5_000,
  );
  expect((await get(stale)).status).toBe(401);
  expect((await get(await makeKey())).status).toBe(404);
});

describe('a request refused for its key', () => {
  test('counts as a free request of its address, and known keys still work', async () => {
    const { gateway, get, makeKey } = await startCounted({ RATE_LIMIT_PUBLIC: '4' });
    const good = await makeKey();
    expect((await get(good)).status).toBe(404);
    const missing = () => ask(gateway.address + PATH, { headers: { 'x-forwarded-for': '203.0.113.7' } });
    expect((await missing()).status).toBe(401);
    expect((await get('junk')).status).toBe(401);
    expect((await get(makeSecret())).status).toBe(401);
    expect((await get('/docs/errors')).status).toBe(401);
    const { status, headers, body } = await missing();
    expect([status, body.code]).toEqual([429, 'rate_limited']);
    expect(headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect((await get('junk', '203.0.113.7', '/docs/errors')).status).toBe(429);
    expect((await get(good)).status).toBe(404);
    expect((await get('junk', '203.0.113.8')).status).toBe(401);
  });
});

describe('the memory of valid keys', () => {
  const limits = { requests: 0, guesses: 1 };
  const never = async (): Promise<string | undefined> => undefined;

  test('lasts an hour from the last use of a key', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { look } = openFreeRequests(limits);
    const use = () => look('good', 'address', async () => 'key');
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await use()).toBe('key');
      vi.advanceTimersByTime(40 * 60_000);
    }
    await look('guess', 'address', never);
    await expect(look('other', 'address', never)).rejects.toThrow('too many unknown keys');
    expect(await use()).toBe('key');
  });

  test('does not contain expired keys', async () => {
    const { gateway, get, makeKey, database } = await startCounted();
    const { keys } = gateway.services.access;
    const key = await makeKey();
    await database.query("UPDATE api_key SET expires_at = now() - INTERVAL '1 minute'");
    expect((await get(key)).status).toBe(401);
    expect(keys.knownDigest(key)).toBeUndefined();
  });

  test('does not contain the tokens of reports and sessions, which give no precedence over other clients', async () => {
    const { gateway, makeKey, get } = await startCounted();
    const { free, access } = gateway.services;
    const token = 'T0ken_of-a-report'.repeat(3);
    expect(await free.look(digestOf(token), 'address', async () => 'a report')).toBe('a report');
    const key = await makeKey();
    await get(key);
    expect([access.keys.knownDigest(token), access.keys.knownDigest(key)]).toEqual([undefined, digestOf(key)]);
  });

  test('does not keep a subscription open after its key is revoked, even during a flood', async () => {
    const { gateway, database, get, makeKey } = await startCounted({ RATE_LIMIT_WRONG_KEYS: '1' });
    await importRows(database, 'Shop', [feedRow({ id: 'a' })]);
    const stream = await openEvents(gateway.address, {
      query: 'subscription { priceChanged(productIds: ["thing-a"]) { min } }',
      headers: { 'x-api-key': await makeKey(), 'x-forwarded-for': '203.0.113.7' },
    });
    await get(makeSecret());
    expect((await get(makeSecret())).status).toBe(429);
    await database.query('UPDATE api_key SET revoked_at = now()');
    expect((await stream.next()).data.errors[0].extensions.code).toBe('invalid_api_key');
  });
});

test('RATE_LIMIT_WRONG_KEYS=0 limits nothing', async () => {
  const { get, reads } = await startCounted({ RATE_LIMIT_WRONG_KEYS: '0' });
  expect(await statusesOf(Array.from({ length: 50 }, () => get(makeSecret())))).toEqual(Array(50).fill(401));
  expect(reads()).toBe(50);
});

describe('a client that guesses', () => {
  test('cannot change its address with a forged X-Forwarded-For', async () => {
    const direct = await startCounted({ RATE_LIMIT_WRONG_KEYS: '2', TRUST_PROXY: '' });
    const statuses = await statusesOf(Array.from({ length: 10 }, (_, i) => direct.get(makeSecret(), `203.0.113.${i}`)));
    expect(statuses).toEqual([...Array(2).fill(401), ...Array(8).fill(429)]);
    const behind = await startCounted({ RATE_LIMIT_WRONG_KEYS: '2' });
    const invented = await statusesOf(
      Array.from({ length: 10 }, (_, i) => behind.get(makeSecret(), `203.0.113.${i}, 198.51.100.1`)),
    );
    expect(invented).toEqual([...Array(2).fill(401), ...Array(8).fill(429)]);
  });

  test('is the same client at all addresses of its IPv6 network', async () => {
    const { get } = await startCounted({ RATE_LIMIT_WRONG_KEYS: '2' });
    const statuses = await statusesOf(
      Array.from({ length: 10 }, () => get(makeSecret(), `2001:db8:1:2:${randomBytes(2).toString('hex')}::1`)),
    );
    expect(statuses).toEqual([...Array(2).fill(401), ...Array(8).fill(429)]);
    expect((await get(makeSecret(), '2001:db8:1:3::1')).status).toBe(401);
  });
});

describe.skipIf(redisUrl === undefined)('with Redis (set TEST_REDIS_URL to run these)', () => {
  test('guesses are counted across all gateways, and limited on each', async () => {
    const environment = { RATE_LIMIT_WRONG_KEYS: '3', REDIS_URL: redisUrl ?? '' };
    const one = await startCounted(environment);
    const other = await startCounted(environment, one.database);
    for (const { gateway } of [one, other]) {
      const ready = async () =>
        (await gateway.services.metrics.registry.getSingleMetricAsString('pda_redis_up')).includes('pda_redis_up 1');
      expect(await eventually(ready, (isReady) => isReady)).toBe(true);
    }
    // A network that no other test run uses.
    const address = `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`;
    const statuses: number[] = [];
    for (const { get } of [one, other, one, other, one]) statuses.push((await get(makeSecret(), address)).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect(one.reads() + other.reads()).toBe(3);
  });
});
