/** The client address of a request, and the limit on free requests from one address. */
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MOST_ADDRESSES } from '../../src/access/address-ledger.ts';
import { openFreeRequests } from '../../src/access/free-requests.ts';
import { openWindows } from '../../src/access/windows.ts';
import { readConfig } from '../../src/config.ts';
import { openClientAddresses, type TrustedProxies } from '../../src/http/client-address.ts';
import { startTestGateway, type TestGateway } from '../harness/gateway.ts';
import { forTest } from '../harness/lifetime.ts';

/** The client of a request from the address `connected` with the X-Forwarded-For header `forwarded`. */
function clientOf(trusted: TrustedProxies, connected: string, forwarded?: string): string {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: connected });
  const incoming = new IncomingMessage(socket);
  if (forwarded !== undefined) incoming.headers['x-forwarded-for'] = forwarded;
  return openClientAddresses(trusted)(incoming);
}

describe('the client', () => {
  test.each<[what: string, trusted: TrustedProxies, connected: string, forwarded: string | undefined, client: string]>([
    ['is the connecting address', 0, '203.0.113.7', undefined, '203.0.113.7'],
    [
      'is the connecting address if no proxy is trusted, whatever the header',
      0,
      '203.0.113.7',
      '198.51.100.1',
      '203.0.113.7',
    ],
    ['is the address that one proxy names', 1, '10.0.0.1', '203.0.113.7', '203.0.113.7'],
    [
      'is the last address that the proxy names, not one made up by the client',
      1,
      '10.0.0.1',
      '1.1.1.1, 203.0.113.7',
      '203.0.113.7',
    ],
    ['is the address before the second of two proxies', 2, '10.0.0.1', '1.1.1.1, 203.0.113.7, 10.0.0.2', '203.0.113.7'],
    ['is the connecting address if the proxy names none', 1, '203.0.113.7', undefined, '203.0.113.7'],
    ['is the address that a trusted network names', ['10.0.0.0/8'], '10.9.9.9', '203.0.113.7', '203.0.113.7'],
    [
      'is the connecting address outside of the trusted networks',
      ['10.0.0.0/8'],
      '203.0.113.9',
      '198.51.100.1',
      '203.0.113.9',
    ],
    ['is the address that loopback names', ['loopback'], '::ffff:127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['is the proxy itself if it names no valid address', 1, '10.0.0.1', 'unknown', '10.0.0.1'],
    ['is an address without its port', 1, '10.0.0.1', '203.0.113.7:4711', '203.0.113.7'],
    ['is an IPv6 network without its port', 1, '10.0.0.1', '[2001:db8:1:2::7]:4711', '2001:db8:1:2::/64'],
    ['is an IPv6 network', 0, '2001:db8:1:2:aaaa::1', undefined, '2001:db8:1:2::/64'],
    ['is an IPv4 address even if it is written as IPv6', 0, '::ffff:203.0.113.7', undefined, '203.0.113.7'],
  ])('%s', (_what, trusted, connected, forwarded, client) => {
    expect(clientOf(trusted, connected, forwarded)).toBe(client);
  });
});

describe('TRUST_PROXY', () => {
  test.each([
    ['', 0],
    ['1', 1],
    ['10.0.0.0/8, loopback', ['10.0.0.0/8', 'loopback']],
    ['2001:db8::/32', ['2001:db8::/32']],
  ])('"%s" is accepted', (text, trusted) => {
    expect(readConfig({ TRUST_PROXY: text }).trustedProxies).toEqual(trusted);
  });

  test.each([
    'true',
    'all',
    '-1',
    '11',
    '10.0.0.0/99',
    'balancer.example',
  ])('%s stops the start with a message that lists valid values', (text) => {
    expect(() => readConfig({ TRUST_PROXY: text })).toThrow(/TRUST_PROXY: must be the number of proxies/);
  });
});

describe('a free request', () => {
  let gateway: TestGateway;
  let key: string;
  beforeAll(async () => {
    gateway = await startTestGateway({ RATE_LIMIT_PUBLIC: '3', TRUST_PROXY: '1' });
    ({ key } = await gateway.makeKey('pro'));
  });
  afterAll(() => gateway.stop());
  // Each test uses another client address.
  let clients = 0;
  const newClient = () => ({ 'x-forwarded-for': `203.0.113.${++clients}` });

  test.each([
    ['/products/nothing', {}, 404, 1],
    ['/suggest?q=a', {}, 200, 1],
    ['/go/off_1', {}, 404],
    ['/docs/errors', {}, 200],
    ['/docs/api', { accept: 'text/html' }, 200],
    ['/docs', { accept: 'text/html' }, 200],
    ['/', { accept: 'text/html' }, 200],
    ['/graphql', { accept: 'text/html' }, 200],
    ['/api/v1/openapi.json', {}, 200],
    ['/graphql?query={__typename}', {}, 200],
  ])('is limited per address and minute: %s', async (path, accepting, status, most = 3) => {
    // The first introspection of a process takes long enough to cost several requests.
    await gateway.get(path, { headers: { ...newClient(), ...accepting } });
    const headers = { ...newClient(), ...accepting };
    for (let turn = 0; turn < most; turn += 1) expect((await gateway.get(path, { headers })).status).toBe(status);
    const refused = await gateway.get(path, { headers });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect(refused.text).toMatch(/Your address may make 3 free requests a minute/);
    // Metered requests, health checks and preflights are not counted.
    expect((await gateway.get('/api/v1/brands', { key, headers })).status).toBe(200);
    expect((await gateway.get('/healthz', { headers })).status).toBe(200);
    expect((await gateway.get(path, { method: 'OPTIONS', headers })).status).toBe(204);
    expect((await gateway.get(path, { headers: { ...headers, ...newClient() } })).status).toBe(status);
  });

  test('is also every MCP message except a tool call', async () => {
    const headers = { ...newClient(), 'content-type': 'application/json' };
    const say = (method: string, params: unknown = {}) =>
      gateway.get('/mcp', {
        method: 'POST',
        key,
        headers,
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
    for (let turn = 0; turn < 5; turn += 1) {
      const { body } = await say('tools/call', { name: 'list_brands', arguments: {} });
      expect(body.result.isError).not.toBe(true);
    }
    for (let turn = 0; turn < 3; turn += 1) expect((await say('tools/list')).status).toBe(200);
    const refused = await say('tools/list');
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect((await say('tools/call', { name: 'list_brands', arguments: {} })).status).toBe(200);
  });

  test('is unlimited with RATE_LIMIT_PUBLIC=0', async () => {
    const open = await forTest(startTestGateway({ RATE_LIMIT_PUBLIC: '0' }));
    for (let turn = 0; turn < 50; turn += 1) expect((await open.get('/docs/errors')).status).toBe(200);
  });
});

test('a flood of addresses does not fill the memory: the least recently used windows are evicted', () => {
  const windowOf = openWindows(MOST_ADDRESSES);
  const first = windowOf('first');
  for (let address = 0; address < MOST_ADDRESSES; address += 1) windowOf(String(address));
  expect(windowOf(String(MOST_ADDRESSES - 1))).toBe(windowOf(String(MOST_ADDRESSES - 1)));
  expect(windowOf('first')).not.toBe(first);
});

test('the count of an address starts again after its minute', () => {
  const windowOf = openWindows(MOST_ADDRESSES);
  const window = windowOf('a');
  window.count = 7;
  window.resetAt = Date.now() - 1;
  expect(windowOf('a').count).toBe(0);
  const { count: limit } = openFreeRequests({ requests: 1, guesses: 0 });
  limit('b');
  expect(() => limit('b')).toThrow(/1 free requests a minute/);
  limit('c');
});
