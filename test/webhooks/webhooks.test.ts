/** The administration of webhooks, over REST and GraphQL. */
import { beforeEach, describe, expect, test } from 'vitest';
import { KIND_NAMES } from '../../src/webhooks/kinds.ts';
import { PAYLOADS } from '../../src/webhooks/payload.ts';
import { feedRow, startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';
import { allConfirmed, confirmAll, startReceiver, verify } from '../harness/receiver.ts';

/** Waits for a state, as long as a busy machine may need. */
const poll = <State>(ask: () => State) => expect.poll(ask, { timeout: 30_000 });

const EAN = '4006381333931';
const PATH = '/api/v1/webhooks';
const NEW = { url: 'https://[2d00::1]/hooks', kinds: ['new_low'], filter: { brand: 'acme' } };

const receiver = await forFile(startReceiver());
const gateway = await forFile(startTestGateway());
const open = await forFile(startTestGateway({ WEBHOOKS_ALLOW_PRIVATE: 'true' }));
for (const each of [gateway, open]) {
  await each.importRows('Shop', [feedRow({ id: 'a', title: 'Marker', gtin: EAN, brand: 'Acme' })]);
}
let key: string;
beforeEach(async () => {
  ({ key } = await gateway.makeKey('pro'));
});

const send = (method: string, path: string, body?: unknown, secret = key, at = gateway) =>
  at.get(path, {
    method,
    key: secret,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  });

describe('a new webhook', () => {
  test('is returned with its secret, which is never shown again', async () => {
    const { status, headers, body } = await send('POST', PATH, NEW);
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${PATH}/${body.data.id}`);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body.data).toEqual({
      id: expect.stringMatching(/^whk_/),
      ...NEW,
      enabled: false,
      confirmed: false,
      disabledAt: expect.any(String),
      disabledReason: expect.stringContaining('must answer `webhook.verify`'),
      createdAt: expect.any(String),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const { secret, disabledReason, ...shown } = body.data;
    expect((await send('GET', `${PATH}/${shown.id}`)).body.data).toEqual({
      ...shown,
      disabledReason: expect.any(String),
    });
    expect((await send('GET', PATH)).body).toMatchObject({ data: [shown], page: { limit: 20 } });
  });

  test('costs nothing, and shows the plan and what is left of it', async () => {
    const { key: free } = await gateway.makeKey('free');
    const { headers } = await send('POST', PATH, NEW, free);
    expect([headers.get('x-plan'), headers.get('x-quota-remaining')]).toEqual(['free', '100']);
  });

  test('has the filter that was sent, with slugs, codes and amounts in their usual form', async () => {
    const { body } = await send('POST', PATH, {
      url: 'https://[2d00::1]:8443/a?b=c#fragment',
      kinds: ['price_below', 'product_found', 'price_changed', 'price_below'],
      filter: { product: EAN, minPercent: 2.5, below: 19.99, codes: ['b00005n5pf', '4006381333948'] },
    });
    expect(body.data.url).toBe('https://[2d00::1]:8443/a?b=c');
    expect(body.data.kinds).toEqual(['price_below', 'product_found', 'price_changed']);
    const filter = { product: 'marker', minPercent: 2.5, below: 19.99, codes: ['B00005N5PF', '4006381333948'] };
    expect(body.data.filter).toEqual(filter);
  });

  test('counts against the limit of the plan, also when many are created at once', async () => {
    const { key: free } = await gateway.makeKey('free');
    const created = await Promise.all([1, 2, 3].map(() => send('POST', PATH, NEW, free)));
    expect(created.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(created.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'too_many_webhooks',
      detail: expect.stringContaining('has 1 webhook, as many as the Free plan allows: delete one'),
    });
  });

  test.each([
    ['no URL', { kinds: NEW.kinds, filter: NEW.filter }, 'url'],
    ['a URL without a scheme', { ...NEW, url: 'example.com/hooks' }, 'url'],
    ['plain http', { ...NEW, url: 'http://[2d00::1]/' }, 'url'],
    ['another port', { ...NEW, url: 'https://[2d00::1]:22/' }, 'url'],
    ['credentials', { ...NEW, url: 'https://me:secret@[2d00::1]/' }, 'url'],
    ['a long URL', { ...NEW, url: `https://[2d00::1]/${'a'.repeat(2_048)}` }, 'url'],
    ['a loopback address', { ...NEW, url: 'https://127.0.0.1/' }, 'url'],
    ['a private address', { ...NEW, url: 'https://10.1.2.3/' }, 'url'],
    ['the metadata service', { ...NEW, url: 'https://169.254.169.254/' }, 'url'],
    ['a mapped address', { ...NEW, url: 'https://[::ffff:192.168.0.1]/' }, 'url'],
    ['a number for an address', { ...NEW, url: 'https://2130706433/' }, 'url'],
    ['this machine', { ...NEW, url: 'https://localhost/' }, 'url'],
    ['no kinds', { ...NEW, kinds: [] }, 'kinds'],
    ['an unknown kind', { ...NEW, kinds: ['price_risen'] }, 'kinds[0]'],
    ['no filter', { url: NEW.url, kinds: NEW.kinds }, 'filter'],
    ['an unknown brand', { ...NEW, filter: { brand: 'nobody' } }, 'filter.brand'],
    ['an unknown product', { ...NEW, filter: { product: 'nothing' } }, 'filter.product'],
    ['an unknown member', { ...NEW, filter: { brand: 'acme', colour: 'red' } }, 'filter.colour'],
    ['no threshold', { ...NEW, kinds: ['price_below'] }, 'filter.below'],
    ['a threshold without a use', { ...NEW, filter: { brand: 'acme', below: 5 } }, 'filter.below'],
    ['half a cent', { ...NEW, kinds: ['price_below'], filter: { brand: 'acme', below: 0.005 } }, 'filter.below'],
    [
      'a percentage of 0',
      { ...NEW, kinds: ['price_changed'], filter: { brand: 'acme', minPercent: 0 } },
      'filter.minPercent',
    ],
    ['no codes', { url: NEW.url, kinds: ['product_found'] }, 'filter.codes'],
    [
      'a wrong check digit',
      { url: NEW.url, kinds: ['product_found'], filter: { codes: ['4006381333932'] } },
      'filter.codes[0]',
    ],
    [
      'a scope without a use',
      { url: NEW.url, kinds: ['product_found'], filter: { brand: 'acme', codes: [EAN] } },
      'filter.brand',
    ],
    ['a list', [], undefined],
  ])('is refused with %s', async (_what, body, parameter) => {
    const refused = await send('POST', PATH, body);
    expect(refused.body).toMatchObject({ status: 400, code: 'invalid_parameter' });
    expect([refused.body.parameter, refused.status]).toEqual([parameter, 400]);
  });
});

describe('a request with a body', () => {
  test.each([
    'url',
    'kinds',
  ])('that lacks %s is told that it is missing, not that its type is wrong', async (member) => {
    const { body: problem } = await send('POST', PATH, { ...NEW, [member]: undefined });
    expect([problem.detail, problem.parameter]).toEqual([`\`${member}\` is missing: send it.`, member]);
    const wrong = await send('POST', PATH, { ...NEW, [member]: 5 });
    expect(wrong.body.detail).toMatch(/must be a/);
  });

  test.each([
    ['{"url": "https://x.example",\n  "kinds": [new_low]}', 'line 2, column 14'],
    ['{"url": "https://x.example"', 'line 1, column 28'],
    ['{"a":}', 'line 1, column 6'],
    ['{"a":1,}', 'line 1, column 8'],
    ['nothing', 'line 1, column 2'],
  ])('that is not JSON is refused with the place of the mistake: %j', async (body, place) => {
    const { status, body: problem } = await send('POST', PATH, body);
    expect([status, problem.detail]).toEqual([400, `The body is not JSON: see ${place}.`]);
  });

  test('of another media type, or too large, is refused', async () => {
    const form = await gateway.get(PATH, {
      method: 'POST',
      key,
      body: 'url=x',
      headers: { 'content-type': 'text/plain' },
    });
    expect([form.status, form.body.code]).toEqual([415, 'unsupported_media_type']);
    const large = await send('POST', PATH, { ...NEW, padding: 'a'.repeat(70_000) });
    expect([large.status, large.body.code]).toEqual([413, 'body_too_large']);
  });
});

describe('a webhook', () => {
  test('can be changed, disabled and enabled', async () => {
    const { id } = (await send('POST', PATH, NEW)).body.data;
    await confirmAll(gateway.database);
    const change = { kinds: ['product_found'], filter: { codes: [EAN] } };
    const changed = await send('PATCH', `${PATH}/${id}`, change);
    expect([changed.status, changed.body.data]).toEqual([200, expect.objectContaining({ ...change, url: NEW.url })]);
    const disabled = await send('PATCH', `${PATH}/${id}`, { enabled: false });
    expect(disabled.body.data).toMatchObject({ enabled: false, disabledReason: 'Disabled by its owner.' });
    const tested = await send('POST', `${PATH}/${id}/test`);
    expect([tested.status, tested.body.code]).toEqual([409, 'webhook_disabled']);
    const enabled = (await send('PATCH', `${PATH}/${id}`, { enabled: true })).body.data;
    expect(enabled).toMatchObject({ enabled: true, ...change });
    expect(enabled).not.toHaveProperty('disabledReason');
  });

  test('keeps a filter that fits when only its kinds change, and refuses kinds that it does not fit', async () => {
    const { id } = (await send('POST', PATH, NEW)).body.data;
    expect((await send('PATCH', `${PATH}/${id}`, { kinds: ['back_in_stock'] })).body.data.filter).toEqual(NEW.filter);
    const refused = await send('PATCH', `${PATH}/${id}`, { kinds: ['price_below'] });
    expect([refused.status, refused.body.parameter]).toEqual([400, 'filter.below']);
  });

  test('can be deleted, and is gone then', async () => {
    const { id } = (await send('POST', PATH, NEW)).body.data;
    const deleted = await send('DELETE', `${PATH}/${id}`);
    expect([deleted.status, deleted.text, deleted.headers.get('content-type')]).toEqual([204, '', null]);
    expect((await send('DELETE', `${PATH}/${id}`)).status).toBe(404);
  });

  test('belongs to its key: others do not find it, and a rotated key does', async () => {
    const { id } = (await send('POST', PATH, NEW)).body.data;
    const { key: other } = await gateway.makeKey('pro');
    const asked: [string, string, unknown?][] = [
      ['GET', ''],
      ['PATCH', '', { enabled: false }],
      ['DELETE', ''],
      ['GET', '/deliveries'],
      ['POST', '/test'],
      ['POST', '/replay', { from: '2026-01-01' }],
    ];
    for (const [method, path, body] of asked) {
      const { status, body: problem } = await send(method, `${PATH}/${id}${path}`, body, other);
      expect([method, path, status, problem.code]).toEqual([method, path, 404, 'not_found']);
    }
    expect((await send('GET', PATH, undefined, other)).body.data).toEqual([]);
    expect((await send('GET', `${PATH}/${id}`)).body.data.disabledReason).not.toContain('owner');
  });

  test('is listed in pages', async () => {
    const ids = [];
    for (let count = 0; count < 3; count += 1) ids.push((await send('POST', PATH, NEW)).body.data.id);
    const first = await send('GET', `${PATH}?limit=2`);
    const second = await gateway.get(`${PATH}?limit=2&cursor=${first.body.page.nextCursor}`, { key });
    const listed = [...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id);
    expect([listed, second.body.page.nextCursor]).toEqual([ids, undefined]);
  });
});

describe('access to webhooks', () => {
  test('needs a key', async () => {
    const missing = await gateway.get(PATH, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect([missing.status, missing.body.code]).toEqual([401, 'missing_api_key']);
    const { status, body } = await gateway.graphql('{ webhooks { nodes { id } } }');
    expect([status, body.errors[0].extensions.code]).toEqual([401, 'missing_api_key']);
  });

  test('is limited to 60 requests a minute of a key, over all interfaces', async () => {
    const query = `{ ${Array.from({ length: 20 }, (_, n) => `a${n}: webhook(id: "whk_${n}") { id }`).join(' ')} }`;
    for (let turn = 0; turn < 2; turn += 1) expect((await gateway.graphql(query, { key })).status).toBe(200);
    const statuses = [];
    for (let turn = 0; turn < 21; turn += 1) statuses.push((await send('GET', PATH)).status);
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
    const refused = await gateway.graphql('{ webhooks { nodes { id } } }', { key });
    expect([refused.status, refused.body.errors[0].extensions.code]).toEqual([429, 'rate_limited']);
    expect((await gateway.get(`/api/v1/lookup?ean=${EAN}`, { key })).status).toBe(200);
  });
});

test('GraphQL offers the same, at no cost', async () => {
  const create = `mutation ($input: NewWebhookInput!) { createWebhook(input: $input) { id secret filter { brand } } }`;
  const created = await gateway.graphql(create, { key, variables: { input: NEW } });
  const { id, secret, filter } = created.body.data.createWebhook;
  expect([secret.slice(0, 6), filter, created.headers.get('x-quota-remaining')]).toEqual([
    'whsec_',
    { brand: 'acme' },
    '100000',
  ]);
  const list = await gateway.graphql('{ webhooks { nodes { id secret deliveries { nodes { id } } } } }', { key });
  expect(list.body.data.webhooks.nodes).toEqual([{ id, secret: null, deliveries: { nodes: [] } }]);
  const change = `mutation ($id: ID!) { updateWebhook(id: $id, input: { enabled: false }) { enabled } deleteWebhook(id: $id) }`;
  expect((await gateway.graphql(change, { key, variables: { id } })).body.data).toEqual({
    updateWebhook: { enabled: false },
    deleteWebhook: id,
  });
});

test('the secret of a new webhook is returned although other fields of the same mutation fail', async () => {
  const { key: free } = await gateway.makeKey('free');
  const made = '(input: $input) { secret deliveries(first: -1) { nodes { id } } }';
  const query = `mutation ($input: NewWebhookInput!) { one: createWebhook${made} two: createWebhook${made} }`;
  const { body } = await gateway.graphql(query, { key: free, variables: { input: NEW } });
  expect(body.data).toEqual({ one: { secret: expect.stringMatching(/^whsec_/), deliveries: null }, two: null });
  expect(body.errors.map(({ path }: { path: string[] }) => path)).toEqual([['one', 'deliveries'], ['two']]);
});

describe('with WEBHOOKS_ALLOW_PRIVATE', () => {
  test.each(KIND_NAMES)('a test of %s arrives signed, in the described form, and is listed', async (kind) => {
    const { key: own } = await open.makeKey('pro');
    const filter = {
      ...(kind === 'product_found' ? { codes: ['4006381333948'] } : { product: 'marker' }),
      ...(kind === 'price_below' && { below: 5 }),
    };
    const created = await send('POST', PATH, { url: receiver.url, kinds: [kind], filter }, own, open);
    const { id, secret } = created.body.data;
    await allConfirmed(open.database);
    const before = receiver.received.length;
    const tested = await send('POST', `${PATH}/${id}/test`, undefined, own, open);
    expect([tested.status, tested.body.data]).toEqual([
      202,
      expect.objectContaining({ kind, state: 'waiting', attempts: expect.any(Number) }),
    ]);
    const message = (await receiver.messages(before + 1)).at(-1);
    if (!message) throw new Error('No message arrived.');
    expect(verify(secret, message)).toEqual(PAYLOADS[kind].parse(message.body));
    expect(message.body).toMatchObject({ type: kind, data: { test: true, webhookId: id } });
    expect(message.headers['webhook-id']).toBe(tested.body.data.messageId);
    const deliveries = async () => (await send('GET', `${PATH}/${id}/deliveries`, undefined, own, open)).body.data;
    await expect
      .poll(deliveries)
      .toEqual([
        expect.objectContaining({ id: tested.body.data.id, state: 'delivered', attempts: 1, lastStatus: 204 }),
      ]);
  });

  test('a replay sends the same message again, chosen by its time or its id', async () => {
    const { key: own } = await open.makeKey('pro');
    const { id } = (await send('POST', PATH, { ...NEW, url: receiver.url }, own, open)).body.data;
    await allConfirmed(open.database);
    const before = receiver.received.length;
    const { data: delivery } = (await send('POST', `${PATH}/${id}/test`, undefined, own, open)).body;
    const state = async () => (await send('GET', `${PATH}/${id}/deliveries`, undefined, own, open)).body.data[0].state;
    // Only a message about a change is replayed by its time, so the test becomes one.
    await open.database.query('UPDATE webhook_delivery SET seq = 1');
    for (const [index, body] of [{ deliveries: [delivery.id] }, { from: delivery.createdAt }].entries()) {
      await poll(state).toBe('delivered');
      const replayed = await send('POST', `${PATH}/${id}/replay`, body, own, open);
      expect([replayed.status, replayed.body]).toEqual([202, { data: { count: 1 } }]);
      await receiver.messages(before + index + 2);
    }
    const ids = receiver.received.slice(before).map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual(Array(3).fill(delivery.messageId));
  });

  test('a replay needs a time or ids, and one by time counts as ten requests', async () => {
    const { key: own } = await open.makeKey('pro');
    const { id } = (await send('POST', PATH, { ...NEW, url: receiver.url }, own, open)).body.data;
    await allConfirmed(open.database);
    const replay = (body: unknown) => send('POST', `${PATH}/${id}/replay`, body, own, open);
    const statuses = [];
    for (let turn = 0; turn < 6; turn += 1) statuses.push((await replay({ from: '2126-01-01T00:00:00Z' })).status);
    expect(statuses).toEqual([...Array(5).fill(202), 429]);
    const { key: another } = await open.makeKey('pro');
    for (const from of ['0000-01-01', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00']) {
      const never = await send('POST', `${PATH}/${id}/replay`, { from }, another, open);
      expect([from, never.status, never.body.parameter]).toEqual([from, 400, 'from']);
    }
    const neither = await send('POST', `${PATH}/${id}/replay`, {}, another, open);
    expect([neither.status, neither.body.parameter]).toEqual([400, 'from']);
  });
});
