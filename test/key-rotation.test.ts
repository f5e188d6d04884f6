/** The rotation of a key by its holder, over REST and GraphQL, and what its former texts may do. */
import { beforeEach, describe, expect, test } from 'vitest';
import { listAudit } from '../src/access/audit.ts';
import { createKey, listKeys, rotateKey } from '../src/access/key-admin.ts';
import { isWellFormedSecret } from '../src/access/secret.ts';
import { schema } from '../src/graphql/schema.ts';
import { ROUTES } from '../src/rest/routes.ts';
import { eventually } from './harness/eventually.ts';
import { expectInvalid, feedRow, startTestGateway } from './harness/gateway.ts';
import { forFile } from './harness/lifetime.ts';
import { confirmAll } from './harness/receiver.ts';

const PATH = '/api/v1/key/rotate';
const LOOKUP = '/api/v1/lookup?ean=4006381333931';

let key: string;
let id: string;
const gateway = await forFile(startTestGateway());
await gateway.importRows('Shop', [feedRow({ id: 'a', gtin: '4006381333931' })]);
beforeEach(async () => {
  ({ key, id } = await gateway.makeKey('starter'));
});

const rotate = (secret = key, body: unknown = undefined) =>
  gateway.get(PATH, {
    method: 'POST',
    key: secret,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
const statusOf = async (secret: string) => (await gateway.get(LOOKUP, { key: secret })).status;
const HOUR_MS = 3_600_000;

describe('a key that its holder rotates', () => {
  test('gets a new text, which is shown once and never cached; both work until the grace period ends', async () => {
    await gateway.get(LOOKUP, { key });
    const { status, headers, body } = await rotate();
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('etag')).toBeNull();
    expect(body.data).toEqual({
      id,
      name: 'test starter',
      plan: 'starter',
      key: expect.stringMatching(/^pda_/),
      formerKeysEnd: expect.any(String),
    });
    expect(isWellFormedSecret(body.data.key)).toBe(true);
    expect(Date.parse(body.data.formerKeysEnd)).toBeGreaterThan(Date.now() + 23.9 * HOUR_MS);
    expect(Date.parse(body.data.formerKeysEnd)).toBeLessThan(Date.now() + 24.1 * HOUR_MS);
    expect([await statusOf(key), await statusOf(body.data.key)]).toEqual([200, 200]);
    // Plan and usage stay.
    const usage = await gateway.get('/api/v1/usage?days=1', { key: body.data.key });
    expect(usage.body.data).toMatchObject({ plan: 'starter', quota: { used: 3 } });
    const [stored] = await gateway.database.query('SELECT * FROM api_key_secret ORDER BY id DESC LIMIT 1');
    expect(JSON.stringify(stored, (_, value) => String(value))).not.toContain(body.data.key.slice(8));
  });

  test('loses its former text at once without a grace period', async () => {
    const { body } = await rotate(key, { graceHours: 0 });
    const former = await eventually(
      () => statusOf(key),
      (status) => status === 401,
      30_000,
    );
    expect([former, await statusOf(body.data.key)]).toEqual([401, 200]);
  });

  test('is in the audit log with the key holder as actor, like a rotation by an operator', async () => {
    const { body } = await rotate(key, { graceHours: 48 });
    await rotateKey(gateway.database, id, 1);
    const [, own, operator] = await listAudit(gateway.database, { keyId: id });
    expect(own).toMatchObject({
      action: 'key.rotate',
      actor: 'key holder',
      before: { prefixes: [key.slice(0, 8)] },
      after: { prefix: body.data.key.slice(0, 8), graceHours: 48 },
    });
    expect(operator).toMatchObject({ action: 'key.rotate', after: { graceHours: 1 } });
    expect(operator?.actor).not.toBe('key holder');
  });

  test('does not extend the grace period of texts that end earlier', async () => {
    const { body } = await rotate(key, { graceHours: 1 });
    await rotate(body.data.key, { graceHours: 8_760 });
    const [row] = await gateway.database.query<{ hours: number }>(
      `SELECT extract(epoch FROM expires_at - now())::float8 / 3600 AS hours FROM api_key_secret WHERE prefix = $1::text ORDER BY id DESC`,
      [key.slice(0, 8)],
    );
    expect(row?.hours).toBeLessThan(1.01);
  });

  test('has at most five texts that work; ending the former ones is still possible', async () => {
    let newest = key;
    for (let count = 1; count < 5; count += 1) newest = (await rotate(newest)).body.data.key;
    const { status, body } = await rotate(newest);
    expect([status, body.code]).toEqual([409, 'too_many_rotations']);
    expect(body.detail).toContain('graceHours');
    const ended = await rotate(newest, { graceHours: 0 });
    expect(ended.status).toBe(200);
    const record = (await listKeys(gateway.database)).find((each) => each.id === id);
    expect(record?.prefixes).toEqual([ended.body.data.key.slice(0, 8)]);
  });

  test('can be rotated nine times a day, but by operators as often as they want', async () => {
    let newest = key;
    const statuses: number[] = [];
    for (let count = 0; count < 9; count += 1) {
      const { status, body } = await rotate(newest, { graceHours: 0 });
      statuses.push(status);
      newest = body.data.key;
    }
    expect(statuses).toEqual(Array(9).fill(200));
    const tenth = await rotate(newest, { graceHours: 1 });
    expect([tenth.status, tenth.body.detail]).toEqual([409, expect.stringContaining('tomorrow')]);
    expect((await rotateKey(gateway.database, id, 0)).key).toMatch(/^pda_/);
  });

  test.each([0, 24])('is rotated once by requests at once with the same text (graceHours %d)', async (graceHours) => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => rotate(key, { graceHours })));
    const issued = answers.filter(({ status }) => status === 200);
    expect(issued).toHaveLength(1);
    for (const { status, body } of answers.filter((each) => !issued.includes(each)))
      expect(['401 invalid_api_key', '403 former_key_refused']).toContain(`${status} ${body.code}`);
    expect(await statusOf(issued[0]?.body.data.key)).toBe(200);
    const actions = (await listAudit(gateway.database, { keyId: id })).map(({ action }) => action);
    expect(actions).toEqual(['key.create', 'key.rotate']);
  });

  test('answers invalid bodies and hours with what is wrong', async () => {
    for (const graceHours of [-1, 8_761, '24', null]) {
      expectInvalid(await rotate(key, { graceHours }), 'graceHours');
    }
    expect((await rotate(key, { hours: 1 })).body.parameter).toBe('hours');
    expect((await gateway.get(PATH, { method: 'POST' })).body.code).toBe('missing_api_key');
    expect((await gateway.get(PATH, { key })).status).toBe(405);
    expect((await listAudit(gateway.database, { keyId: id })).map(({ action }) => action)).toEqual(['key.create']);
  });

  test('can be rotated over GraphQL, by a mutation only', async () => {
    const { body } = await gateway.graphql(
      'mutation { __typename rotateKey(graceHours: 0.5) { id plan key formerKeysEnd } }',
      { key },
    );
    expect(body.data.rotateKey).toMatchObject({ id, plan: 'starter' });
    expect(await statusOf(body.data.rotateKey.key)).toBe(200);
    const many = await gateway.graphql('mutation { rotateKey(graceHours: 9000) { key } }', { key });
    expect(many.body.errors[0].extensions).toMatchObject({ code: 'invalid_parameter', parameter: 'graceHours' });
    const byGet = await gateway.get(`/graphql?query=${encodeURIComponent('mutation { rotateKey { key } }')}`, { key });
    expect(byGet.status).toBe(405);
  });

  test.each([
    'mutation { first: rotateKey(graceHours: 0) { key } second: rotateKey(graceHours: 0) { key } }',
    'mutation { rotateKey(graceHours: 0) { key } deleteWebhook(id: "wh_1") }',
    'mutation { ...Twice } fragment Twice on Mutation { a: rotateKey { key } b: rotateKey { key } }',
  ])('is not rotated beside other fields, whose errors would take away the new key: %s', async (query) => {
    const { body } = await gateway.graphql(query, { key });
    expect(body.errors[0]).toMatchObject({
      message: '`rotateKey` must be the only field of its mutation: send the other fields in another request.',
      extensions: { code: 'invalid_parameter', parameter: 'query' },
    });
    expect(await statusOf(key)).toBe(200);
    expect((await listAudit(gateway.database, { keyId: id })).map(({ action }) => action)).toEqual(['key.create']);
  });

  test('cannot be taken back with a text that a rotation has just ended', async () => {
    await statusOf(key);
    const { body } = await rotate(key, { graceHours: 0 });
    // Within the two seconds in which the gateway still knows the former text.
    const again = await rotate(key, { graceHours: 0 });
    expect([again.status, again.body.code]).toEqual([401, 'invalid_api_key']);
    expect(await statusOf(body.data.key)).toBe(200);
    const actions = (await listAudit(gateway.database, { keyId: id })).map(({ action }) => action);
    expect(actions).toEqual(['key.create', 'key.rotate']);
  });

  test('is refused when it expires or is revoked before its rotation', async () => {
    const short = await createKey(gateway.database, { name: 'short', plan: 'free' });
    expect(await statusOf(short.key)).toBe(200);
    // Within the two seconds in which the gateway still knows the key.
    await gateway.database.query("UPDATE api_key SET revoked_at = now() WHERE name = 'short'");
    const { status, body } = await rotate(short.key);
    expect([status, body.code]).toEqual([401, 'invalid_api_key']);
  });
});

describe('a former key in its grace period', () => {
  const json = (method: string, secret: string, body: unknown) => ({
    method,
    key: secret,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const WEBHOOK = { url: 'https://[2d00::1]/', kinds: ['product_found'], filter: { codes: ['4006381333931'] } };

  let newest: string;
  let webhook: string;
  let delivery: string;
  beforeEach(async () => {
    // The gateway has not seen the former one before, so it does not take it for the newest one.
    newest = (await rotateKey(gateway.database, id, 24)).key;
    webhook = (await gateway.get('/api/v1/webhooks', json('POST', newest, WEBHOOK))).body.data.id;
    await confirmAll(gateway.database);
    delivery = (await gateway.get(`/api/v1/webhooks/${webhook}/test`, json('POST', newest, {}))).body.data.id;
  });

  /** All that a client could change. */
  const state = async () => ({
    webhooks: await gateway.database.query('SELECT id, url, disabled_at FROM webhook ORDER BY id'),
    deliveries: await gateway.database.query('SELECT id, due_since FROM webhook_delivery ORDER BY id'),
    secrets: await gateway.database.query('SELECT id, expires_at FROM api_key_secret ORDER BY id'),
    sessions: await gateway.database.query('SELECT digest, secret_id FROM account_session ORDER BY digest'),
    audit: await gateway.database.query('SELECT id FROM audit_event ORDER BY id'),
  });

  test('reads what the newest one reads', async () => {
    const paths = [
      LOOKUP,
      '/api/v1/usage',
      '/api/v1/webhooks',
      `/api/v1/webhooks/${webhook}`,
      `/api/v1/webhooks/${webhook}/deliveries`,
      '/api/v1/changes',
      '/api/v1/exports/offers',
    ];
    for (const path of paths) expect([path, (await gateway.get(path, { key })).status]).toEqual([path, 200]);
    const lookups = json('POST', key, { identifiers: [{ ean: '4006381333931' }] });
    expect((await gateway.get('/api/v1/lookups', lookups)).status).toBe(200);
    const { body } = await gateway.graphql('{ webhooks { nodes { id } } usage { plan } viewer { remaining } }', {
      key,
    });
    expect([body.errors, body.data.webhooks.nodes]).toEqual([undefined, [{ id: webhook }]]);
  });

  test('rotates nothing, not even while a process still takes it for the newest one', async () => {
    key = newest;
    newest = (await rotate()).body.data.key;
    const before = await state();
    for (const graceHours of [0, 24]) {
      const { status, body } = await rotate(key, { graceHours });
      expect([status, body.code, body.detail]).toEqual([
        403,
        'former_key_refused',
        expect.stringContaining('send the newest one'),
      ]);
    }
    const { body } = await gateway.graphql('mutation { rotateKey(graceHours: 0) { key } }', { key });
    expect(body.errors[0].extensions).toMatchObject({ code: 'former_key_refused', status: 403 });
    expect(await state()).toEqual(before);
    expect([await statusOf(newest), await statusOf(key)]).toEqual([200, 200]);
  });

  test('changes nothing over REST', async () => {
    const path = `/api/v1/webhooks/${webhook}`;
    const before = await state();
    const attempts: [path: string, init: Parameters<typeof gateway.get>[1]][] = [
      [PATH, json('POST', key, {})],
      ['/api/v1/webhooks', json('POST', key, WEBHOOK)],
      [path, json('PATCH', key, { enabled: false })],
      [path, { method: 'DELETE', key }],
      [`${path}/test`, json('POST', key, {})],
      [`${path}/replay`, json('POST', key, { deliveries: [delivery] })],
    ];
    const changing = ROUTES.filter(({ access, method = 'GET' }) => access === 'keyed' && method !== 'GET');
    expect(attempts).toHaveLength(changing.length);
    for (const [to, init] of attempts) {
      const { status, body } = await gateway.get(to, init);
      expect([to, status, body.code]).toEqual([to, 403, 'former_key_refused']);
    }
    expect(await state()).toEqual(before);
    expect((await gateway.get(path, json('PATCH', newest, { enabled: false }))).status).toBe(200);
  });

  test('changes nothing over GraphQL', async () => {
    const before = await state();
    const mutations: Record<string, string> = {
      createWebhook: '(input: { url: "https://[2d00::1]/", kinds: [new_low], filter: { brand: "x" } }) { id }',
      updateWebhook: `(id: "${webhook}", input: { enabled: false }) { id }`,
      deleteWebhook: `(id: "${webhook}")`,
      testWebhook: `(id: "${webhook}") { id }`,
      replayWebhook: `(id: "${webhook}", deliveries: ["${delivery}"]) { count }`,
      rotateKey: '{ key }',
    };
    expect(Object.keys(mutations).sort()).toEqual(Object.keys(schema().getMutationType()?.getFields() ?? {}).sort());
    for (const [name, rest] of Object.entries(mutations)) {
      const { body } = await gateway.graphql(`mutation { ${name}${rest} }`, { key });
      expect([name, body.errors?.[0].extensions]).toEqual([
        name,
        expect.objectContaining({ code: 'former_key_refused', status: 403 }),
      ]);
    }
    expect(await state()).toEqual(before);
  });

  test('is replaced by its operator, who names the key by its id', async () => {
    const { key: issued } = await rotateKey(gateway.database, id, 1);
    expect(await statusOf(issued)).toBe(200);
    expect((await rotate(newest)).body.code).toBe('former_key_refused');
    expect((await rotate(issued)).status).toBe(200);
  });
});
