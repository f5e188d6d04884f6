/** The public key of a demo: what it may do, how often, and where it exists. */
import { describe, expect, test } from 'vitest';
import { createDemoKey, readDemoKey } from '../src/access/demo-key.ts';
import { listKeys, revokeKey, rotateKey } from '../src/access/key-admin.ts';
import { isWellFormedSecret } from '../src/access/secret.ts';
import { eventually, expectEventually } from './harness/eventually.ts';
import { type Asking, feedRow, posting, startTestGateway } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';

const EAN = '4006381333931';
const LOOKUP = `/api/v1/lookup?ean=${EAN}`;
const PER_MINUTE = 30;

const gateway = await forFile(startTestGateway({ TRUST_PROXY: '1', RATE_LIMIT_PUBLIC: '100000' }));
await gateway.importRows('Shop', [feedRow({ id: 'a', gtin: EAN })]);
expect(await readDemoKey(gateway.database)).toBeUndefined();
await createDemoKey(gateway.database);
const key = (await readDemoKey(gateway.database)) ?? '';

let visitors = 0;
/** Sends requests as a new visitor, whose address nobody has used before. */
function newVisitor() {
  visitors += 1;
  const address = `203.0.113.${visitors}`;
  return (path: string, asking: Asking = {}) =>
    gateway.get(path, { key, ...asking, headers: { ...asking.headers, 'x-forwarded-for': address } });
}
const json = (body: unknown): Asking => ({ ...posting(body, { accept: 'application/json, text/event-stream' }) });

describe('the demo key', () => {
  test('looks products up without a quota, and says so in the headers', async () => {
    expect(isWellFormedSecret(key)).toBe(true);
    const { status, headers } = await newVisitor()(LOOKUP);
    expect(status).toBe(200);
    expect([headers.get('x-quota-limit'), headers.get('x-quota-remaining')]).toEqual(['0', '9007199254740991']);
    expect([headers.get('ratelimit-policy'), headers.get('ratelimit')]).toEqual([
      '"minute";q=30;w=60',
      expect.stringMatching(/^"minute";r=29;t=\d+$/),
    ]);
  });

  test('allows each address thirty requests a minute, on all interfaces together, and no address uses up those of another', async () => {
    const [one, other] = [newVisitor(), newVisitor()];
    await one('/graphql', json({ query: '{ a: plans { id } b: brands { nodes { id } } c: brands { nodes { id } } }' }));
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'look_up', arguments: { ean: EAN } } };
    await one('/mcp', json(call));
    const statuses: number[] = [];
    for (let count = 3; count < PER_MINUTE; count += 1) statuses.push((await one(LOOKUP)).status);
    expect(statuses).toEqual(Array(PER_MINUTE - 3).fill(200));
    const { status, headers, body } = await one(LOOKUP);
    expect([status, body.code]).toEqual([429, 'rate_limited']);
    expect(body.detail).toMatch(
      /Your address may make 30 requests a minute with the public demo key: .*pda keys create/,
    );
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await other(LOOKUP)).status).toBe(200);
  });

  test('does not change the limit of other keys at the address', async () => {
    const visitor = newVisitor();
    for (let count = 0; count <= PER_MINUTE; count += 1) await visitor(LOOKUP);
    const { key: own } = await gateway.makeKey('starter');
    expect((await visitor(LOOKUP, { key: own })).status).toBe(200);
  });

  test.each<[string, string, Asking?]>([
    ['list webhooks', '/api/v1/webhooks'],
    ['create a webhook', '/api/v1/webhooks', json({ url: 'https://[2d00::1]/hooks', kinds: ['new_low'] })],
    ['export', '/api/v1/exports/products'],
    ['read usage', '/api/v1/usage'],
    ['rotate', '/api/v1/key/rotate', { method: 'POST' }],
  ])('may not %s, and the refusal says how to get a key of one’s own', async (_what, path, asking) => {
    const { status, body, headers } = await newVisitor()(path, asking);
    expect([status, body.code]).toEqual([403, 'demo_key_refused']);
    expect(body.detail).toContain('pda keys create');
    // Nothing was taken from the minute.
    expect(headers.get('ratelimit')).toContain('r=30');
  });

  test('may not use the same over GraphQL and MCP', async () => {
    const visitor = newVisitor();
    for (const query of ['{ usage { plan } }', '{ webhooks { nodes { id } } }', 'mutation { rotateKey { key } }']) {
      const { status, body } = await visitor('/graphql', json({ query }));
      expect([query, status, body.errors[0].extensions.code]).toEqual([query, 403, 'demo_key_refused']);
    }
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_usage', arguments: {} } };
    const { body } = await visitor('/mcp', json(call));
    expect(body.result).toMatchObject({ isError: true, _meta: { problem: { code: 'demo_key_refused' } } });
    expect((await listKeys(gateway.database)).filter(({ name }) => name === 'public demo key')).toHaveLength(1);
  });

  test('is in the front page, with a hint', async () => {
    const { text } = await newVisitor()('/', { headers: { accept: 'text/html' } });
    expect(text).toContain(`value="${key}"`);
    expect(text).toContain('public demo key');
  });

  test('is made only once, and operators may not rotate it', async () => {
    await createDemoKey(gateway.database);
    expect(await readDemoKey(gateway.database)).toBe(key);
    const record = (await listKeys(gateway.database)).find(({ name }) => name === 'public demo key');
    await expect(rotateKey(gateway.database, record?.id ?? '', 0)).rejects.toThrow(/public demo key.*DEMO_KEY=off/);
  });

  test('ends when an operator revokes it, also on the page, and is not replaced', async () => {
    const record = (await listKeys(gateway.database)).find(({ name }) => name === 'public demo key');
    await revokeKey(gateway.database, record?.id ?? '');
    const visitor = newVisitor();
    await expectEventually(async () => (await visitor(LOOKUP)).status, 401, 30_000);
    await createDemoKey(gateway.database);
    const page = await eventually(
      async () => (await visitor('/', { headers: { accept: 'text/html' } })).text,
      (text) => !text.includes(key),
      30_000,
    );
    expect(page).not.toContain('pda_0');
    expect(page).not.toContain(key);
  });
});

test('DEMO_KEY=off refuses the key, and the front page asks for one', async () => {
  const off = await forTest(startTestGateway({ DEMO_KEY: 'off' }));
  await createDemoKey(off.database);
  const stored = (await readDemoKey(off.database)) ?? '';
  expect((await off.get(LOOKUP, { key: stored })).body.code).toBe('invalid_api_key');
  const { text } = await off.get('/', { headers: { accept: 'text/html' } });
  expect(text).not.toContain(stored);
  expect(text).toContain('The operator of this service issues keys');
});
