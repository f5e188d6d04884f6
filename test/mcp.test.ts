/** The MCP endpoint: charges, keys and browsers, and conformance with HTTP and the protocol. */
import { beforeEach, describe, expect, test } from 'vitest';
import { usageOf } from '../src/access/key-admin.ts';
import { monthOf } from '../src/access/meter.ts';
import { connectAgent, textOf } from './harness/agent.ts';
import { type Answer, type Asking, feedRow, posting, startTestGateway } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';

const EAN = '4006381333931';

let key: string;
let id: string;

const gateway = await forFile(startTestGateway({ ANSWER_CACHE_MB: '16' }));
await gateway.importRows('Shop', [feedRow({ id: 'a', gtin: EAN, asin: 'B0DEMO0001' })]);
beforeEach(async () => {
  ({ id, key } = await gateway.makeKey('free'));
});

const used = async (of = gateway, keyId = id) => (await usageOf(of.database, { keyId }))[0]?.used ?? 0;
const useUp = (left: number) =>
  gateway.database.query(
    `INSERT INTO usage_counter (key_id, month, quota, used, granted)
     SELECT max(id), $1::text, 100, $2::int, 0 FROM api_key`,
    [monthOf(new Date()), 100 - left],
  );

/** Posts messages unchanged. */
const post = (messages: unknown, { headers, ...asking }: Asking = {}): Promise<Answer> =>
  gateway.get('/mcp', {
    method: 'POST',
    body: typeof messages === 'string' ? messages : JSON.stringify(messages),
    ...asking,
    headers: { 'content-type': 'application/json', ...headers },
  });
const request = (requestId: number, method: string, params?: object) => ({
  jsonrpc: '2.0',
  id: requestId,
  method,
  params,
});
const lookUp = (requestId = 1, ean = EAN) => request(requestId, 'tools/call', { name: 'look_up', arguments: { ean } });
const PING = request(1, 'ping');

describe('the quota', () => {
  test('is not charged for connecting, listing tools and pinging the server', async () => {
    const { client } = await connectAgent(gateway.address, { 'x-api-key': key });
    await client.listTools();
    await client.ping();
    await client.close();
    expect(await used()).toBe(0);
  });

  test('is charged one request per call, as over REST, including repeated and invalid calls', async () => {
    const { call } = await connectAgent(gateway.address, { 'x-api-key': key });
    await call('look_up', { ean: EAN });
    await call('look_up', { ean: EAN });
    await call('look_up', { asin: 'B000000000' });
    await call('look_up', { ean: 'x' });
    await call('list_products', { unknown: 'x' });
    expect(await used()).toBe(5);
    await expect(call('no_such_tool')).rejects.toThrow();
    expect(await used()).toBe(5);
  });

  test('is reported in the headers of each response', async () => {
    const { headers } = await post(lookUp(), { key });
    expect(headers.get('x-plan')).toBe('free');
    expect(headers.get('x-quota-limit')).toBe('100');
    expect(headers.get('x-quota-remaining')).toBe('99');
    expect(headers.get('ratelimit')).toMatch(/^"minute";r=999999;t=\d+$/);
    expect((await post(PING, { key })).headers.get('x-quota-remaining')).toBe('99');
  });

  test('is charged for each call of a batch', async () => {
    const batch = [lookUp(1), PING, lookUp(2, '1'), lookUp(3)].map((message, n) => ({ ...message, id: n }));
    const { status, headers, body } = await post(batch, { key });
    expect([status, headers.get('x-quota-remaining')]).toEqual([200, '97']);
    expect(body.map((each: { result: { isError?: boolean } }) => each.result.isError ?? false)).toEqual([
      false,
      false,
      true,
      false,
    ]);
    expect(await used()).toBe(3);
  });

  test('is answered with an array for a batch, also of one message', async () => {
    const { status, body } = await post([{ ...PING, id: 7 }], { key });
    expect([status, body]).toEqual([200, [{ jsonrpc: '2.0', id: 7, result: {} }]]);
  });

  test('is not charged for a batch that repeats an id, since only one of its answers could be read', async () => {
    const { status, body } = await post([lookUp(1), lookUp(2), lookUp(1)], { key });
    expect([status, body.code]).toEqual([400, 'invalid_parameter']);
    expect(body.detail).toBe('The batch has the id 1 twice: give each message an id of its own.');
    expect(await used()).toBe(0);
  });

  test('allows exactly as many concurrent calls as are left, and refusals say when it resets', async () => {
    await useUp(3);
    const { call } = await connectAgent(gateway.address, { 'x-api-key': key });
    const results = await Promise.all(Array.from({ length: 10 }, () => call('look_up', { ean: EAN })));
    expect(results.filter(({ isError }) => !isError)).toHaveLength(3);
    const refused = results.filter(({ isError }) => isError).map(textOf);
    for (const text of refused) {
      expect(text).toMatch(/^quota_exhausted: .* wait until \d{4}-\d\d-01T00:00:00Z.*tell the user\.$/);
      expect(text).toContain(`${gateway.address}/api/v1/plans`);
    }
    expect(await used()).toBe(100);
  });

  test('is protected by a limit of fifty messages per batch, each counted by the rate limit', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => request(n, 'ping'));
    const refused = await post(many(51), { key });
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_parameter']);
    expect(refused.body.detail).toMatch(/51 messages, but the limit is 50: send them in several requests/);
    const strict = await forTest(startTestGateway({ RATE_LIMIT_PUBLIC: '100' }));
    const own = await strict.makeKey('free');
    const say = (count: number) => strict.get('/mcp', { key: own.key, ...posting(many(count)) });
    const ask = (messages: unknown) => strict.get('/mcp', { key: own.key, ...posting(messages) });
    expect((await say(50)).status).toBe(200);
    // Calls of unknown tools, and calls without an id, which get no response, count too.
    const noTool = Array.from({ length: 25 }, (_, n) => request(n, 'tools/call', { name: 'nothing', arguments: {} }));
    expect((await ask(noTool)).status).toBe(200);
    const unanswered = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'look_up', arguments: { ean: EAN } } };
    expect((await ask(Array(25).fill(unanswered))).status).toBe(202);
    const over = await say(1);
    expect([over.status, over.body.code]).toEqual([429, 'rate_limited']);
  });

  test('is not charged for internal errors, which contain the request id', async () => {
    const broken = await forTest(startTestGateway());
    await broken.importRows('Shop', [feedRow({ id: 'a', gtin: EAN })]);
    const own = await broken.makeKey('free');
    const { call } = await connectAgent(broken.address, { 'x-api-key': own.key, 'x-request-id': 'mine-7' });
    await call('look_up', { ean: EAN });
    await broken.database.script('ALTER TABLE product RENAME TO product_away');
    const failed = await call('look_up', { ean: EAN });
    expect(failed.isError).toBe(true);
    expect(textOf(failed)).toMatch(/^internal_error: .*not charged.*mine-7/);
    expect(textOf(failed)).not.toContain('product_away');
    await broken.database.script('ALTER TABLE product_away RENAME TO product');
    expect((await call('look_up', { ean: EAN })).isError).toBeFalsy();
    expect(await used(broken, own.id)).toBe(2);
  });
});

test('a call that the rate limit refuses says how long to wait, and is not charged', async () => {
  const own = await gateway.makeKey('free', { rateLimit: 2 });
  const { call } = await connectAgent(gateway.address, { 'x-api-key': own.key });
  await call('look_up', { ean: EAN });
  expect((await gateway.get(`/api/v1/lookup?ean=${EAN}`, { key: own.key })).status).toBe(200);
  const refused = await call('look_up', { ean: EAN });
  expect(textOf(refused)).toMatch(/^rate_limited: The key may make 2 requests a minute: wait \d+ seconds/);
  expect(await used(gateway, own.id)).toBe(2);
});

describe('a key', () => {
  test('may be sent as a bearer token, but only to /mcp', async () => {
    const headers = { authorization: `Bearer ${key}` };
    const answered = await post(lookUp(), { headers });
    expect([answered.status, answered.headers.get('x-quota-remaining')]).toEqual([200, '99']);
    expect((await gateway.get(`/api/v1/lookup?ean=${EAN}`, { headers })).status).toBe(401);
    expect((await gateway.get('/graphql?query={viewer{used}}', { headers })).status).toBe(401);
  });

  test.each([
    ['no key', {}, 'missing_api_key', /x-api-key.*Authorization: Bearer/],
    ['an empty key', { 'x-api-key': '' }, 'missing_api_key', /x-api-key/],
    ['an unsupported scheme', { authorization: 'Basic eA==' }, 'missing_api_key', /Bearer/],
    ['an invalid key', { 'x-api-key': 'pda_wrong' }, 'invalid_api_key', /typos/],
    ['an invalid bearer token', { authorization: 'Bearer pda_wrong' }, 'invalid_api_key', /typos/],
  ])('is needed for every message: %s gets HTTP status 401', async (_, headers, code, detail) => {
    for (const message of [PING, request(1, 'tools/list'), lookUp()]) {
      const answer = await post(message, { headers });
      expect([answer.status, answer.body.code]).toEqual([401, code]);
      expect(answer.body.detail).toMatch(detail);
      expect(answer.headers.get('www-authenticate')).toBe('ApiKey, Bearer');
    }
  });

  test('that is invalid makes a client fail to connect, with the reason', async () => {
    await expect(connectAgent(gateway.address, { 'x-api-key': 'pda_wrong' })).rejects.toThrow(/invalid_api_key|401/);
  });
});

describe('over HTTP', () => {
  test('the server is stateless: a call needs no handshake, and no response starts a session', async () => {
    const called = await post(lookUp(), { key });
    expect(called.headers.get('content-type')).toBe('application/json');
    expect(called.body.result.structuredContent.data.identifier.ean).toBe(EAN);
    const begun = await post(
      request(1, 'initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1.0.0' },
      }),
      { key },
    );
    expect(begun.body.result.protocolVersion).toBe('2025-06-18');
    expect(begun.headers.has('mcp-session-id')).toBe(false);
    const noted = await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { key });
    expect([noted.status, noted.text]).toEqual([202, '']);
  });

  test.each<[string, string, Record<string, string>, number, RegExp]>([
    ['invalid JSON', '{', {}, 400, /-32700/],
    ['an empty batch', '[]', {}, 400, /-32600/],
    ['another media type', JSON.stringify(PING), { 'content-type': 'text/plain' }, 415, /application\/json/],
    ['an unknown revision', JSON.stringify(PING), { 'mcp-protocol-version': '1999-01-01' }, 400, /2025-11-25/],
    ['a body of more than 256 KiB', JSON.stringify(lookUp(1, '4'.repeat(300_000))), {}, 413, /body_too_large/],
  ])('%s is refused and costs nothing', async (_, body, headers, status, words) => {
    const answer = await post(body, { key, headers });
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(words);
    expect(await used()).toBe(0);
  });

  test('an unknown method gets a JSON-RPC error', async () => {
    const { status, body } = await post(request(1, 'resources/list'), { key });
    expect([status, body.error.code]).toEqual([200, -32601]);
  });

  test('a call is answered even if its batch cancels it', async () => {
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    const { status, text } = await post([lookUp(1), cancel], { key });
    expect(status).toBe(200);
    expect(text).toContain(EAN);
    expect((await post([cancel], { key })).status).toBe(202);
  });

  test('a response has the request id that the client sent, and is compressed', async () => {
    const { headers } = await post(request(1, 'tools/list'), {
      key,
      headers: { 'x-request-id': 'mine-1', 'accept-encoding': 'gzip' },
    });
    expect(headers.get('x-request-id')).toBe('mine-1');
    expect(headers.get('content-encoding')).toBe('gzip');
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('one POST', () => {
  const INITIALIZE = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1.0.0' },
  };

  test('lists the tools once, beside other messages: a batch that asks twice is refused', async () => {
    const once = [request(1, 'tools/list'), PING, lookUp(3)].map((message, n) => ({ ...message, id: n }));
    const listed = await post(once, { key });
    expect(listed.status).toBe(200);
    expect(listed.body[0].result.tools.length).toBeGreaterThan(10);
    const twice = await post([request(1, 'tools/list'), lookUp(2), request(3, 'tools/list')], { key });
    expect([twice.status, twice.body.code]).toEqual([400, 'invalid_parameter']);
    expect(twice.body.detail).toBe('The batch has `tools/list` 2 times: send it once.');
    expect(await used()).toBe(1);
  });

  test.each([
    'tools/list',
    'initialize',
    'server/discover',
    'ping',
    'resources/list',
    'resources/templates/list',
    'prompts/list',
    'completion/complete',
    'logging/setLevel',
    'tools/call',
  ])('fifty times %s gets at most 32 KiB', async (method) => {
    const params = method === 'initialize' ? INITIALIZE : { name: 'nothing', arguments: {} };
    const { text } = await post(
      Array.from({ length: 50 }, (_, n) => request(n, method, params)),
      { key },
    );
    expect(text.length).toBeLessThan(32_768);
  });

  test('has at most 500 values in each message', async () => {
    // A message has six values besides the arguments.
    const withArguments = (count: number) =>
      request(1, 'tools/call', {
        name: 'search',
        arguments: Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, n])),
      });
    const within = await post([withArguments(494), { ...withArguments(494), id: 2 }], { key });
    expect(within.status).toBe(200);
    for (const { result } of within.body) expect(textOf(result)).toMatch(/`search` has no argument `a0`/);
    for (const messages of [withArguments(495), [PING, withArguments(495)]]) {
      const { status, body } = await post(messages, { key });
      expect([status, body.code]).toEqual([400, 'invalid_parameter']);
      expect(body.detail).toBe('A message has more than 500 values: send fewer, or use several calls.');
    }
    expect(await used()).toBe(2);
  });

  test('with many values that are wrong gets a short error', async () => {
    const initialize = (icons: number) =>
      post(
        request(1, 'initialize', {
          ...INITIALIZE,
          clientInfo: { ...INITIALIZE.clientInfo, icons: Array(icons).fill(1) },
        }),
        { key },
      );
    expect((await initialize(60_000)).status).toBe(400);
    expect((await initialize(480)).text.length).toBeLessThan(131_072);
  });

  test('may look up a hundred numbers in each of fifty calls', async () => {
    const { key: own } = await gateway.makeKey('enterprise');
    const many = request(1, 'tools/call', {
      name: 'look_up_many',
      arguments: { identifiers: Array(100).fill({ code: '4012345678901' }), offers: 1 },
    });
    const { status, body } = await post(
      Array.from({ length: 50 }, (_, n) => ({ ...many, id: n })),
      { key: own },
    );
    expect(status).toBe(200);
    expect(body.every(({ result }: { result: { isError?: boolean } }) => !result.isError)).toBe(true);
  });

  test('has arguments of at most 8,192 characters', async () => {
    const { call } = await connectAgent(gateway.address, { 'x-api-key': key });
    const names = (length: number) => ({ brand: ['a'.repeat(100), 'a'.repeat(length - 101)] });
    expect(textOf(await call('list_products', names(8_192)))).toMatch(/`brand`: is too long for a slug or an id/);
    expect(textOf(await call('list_products', names(8_193)))).toMatch(
      /`brand` has 8193 characters, but the limit is 8192: send fewer/,
    );
    expect(textOf(await call('list_changes', { types: 'x,'.repeat(4_097) }))).toMatch(/has 8194 characters/);
  });
});

describe('browsers', () => {
  test('on any origin are allowed by default, with all headers that MCP needs', async () => {
    const origin = 'https://app.example';
    expect((await post(PING, { key, headers: { origin } })).status).toBe(200);
    const { headers } = await gateway.get('/mcp', { method: 'OPTIONS', headers: { origin } });
    expect(headers.get('access-control-allow-methods')).toContain('POST');
    const allowed = headers.get('access-control-allow-headers')?.toLowerCase();
    for (const name of ['authorization', 'x-api-key', 'content-type', 'mcp-protocol-version']) {
      expect(allowed).toContain(name);
    }
  });

  test('on origins that CORS_ORIGINS does not name are refused, except on the service’s own', async () => {
    const narrow = await forTest(
      startTestGateway({ CORS_ORIGINS: 'https://app.example', PUBLIC_URL: 'https://prices.test/base' }),
    );
    const own = await narrow.makeKey('free');
    const ask = (headers: Record<string, string>) =>
      narrow.get('/mcp', { key: own.key, ...posting(PING, { ...headers }) });
    for (const origin of ['https://evil.example', 'http://evil.example:4000', 'null']) {
      const { status, body } = await ask({ origin });
      expect([status, body.code]).toEqual([403, 'origin_not_allowed']);
    }
    for (const origin of ['https://app.example', 'https://prices.test']) {
      expect((await ask({ origin })).status).toBe(200);
    }
    expect((await ask({})).status).toBe(200);
  });
});
