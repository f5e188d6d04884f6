/** Keys: their format, and which requests are refused. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { revokeKey } from '../src/access/key-admin.ts';
import { setPlan } from '../src/access/key-limits.ts';
import { isWellFormedSecret, makeSecret, maskSecrets } from '../src/access/secret.ts';
import { readConfig } from '../src/config.ts';
import { startGateway } from '../src/gateway.ts';
import { eventually, expectEventually } from './harness/eventually.ts';
import { ask, startTestGateway } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';

const PATH = '/api/v1/lookup?ean=4006381333931';

const gateway = await forFile(startTestGateway());

const statusOf = async (key: string) => (await gateway.get(PATH, { key })).status;

describe('the text of a key', () => {
  test('is pda_, 32 random base62 characters and a checksum of 6', () => {
    const keys = Array.from({ length: 100 }, makeSecret);
    for (const key of keys) expect(key).toMatch(/^pda_[0-9A-Za-z]{38}$/);
    expect(new Set(keys).size).toBe(100);
    expect(keys.every(isWellFormedSecret)).toBe(true);
  });

  test('is invalid if any one character is mistyped', () => {
    const key = makeSecret();
    for (let place = 0; place < key.length; place += 1) {
      const typo = key[place] === 'x' ? 'y' : 'x';
      expect(isWellFormedSecret(key.slice(0, place) + typo + key.slice(place + 1))).toBe(false);
    }
  });

  test('is not in the database: only its SHA-256 digest and first eight characters are', async () => {
    const { key } = await gateway.makeKey('free');
    const [row] = await gateway.database.query('SELECT * FROM api_key_secret ORDER BY id DESC LIMIT 1');
    expect(row).toMatchObject({ digest: createHash('sha256').update(key).digest('hex'), prefix: key.slice(0, 8) });
    const stored = await gateway.database.query<{ text: string }>(
      `SELECT row_to_json(api_key)::text AS text FROM api_key
       UNION ALL
       SELECT row_to_json(api_key_secret)::text FROM api_key_secret`,
    );
    for (const { text } of stored) expect(text).not.toContain(key.slice(8, 20));
  });

  test('is refused without a database query if it is mistyped', async () => {
    const broken = await forTest(startTestGateway());
    await broken.database.script('ALTER TABLE api_key_secret RENAME TO api_key_secret_away');
    const key = makeSecret();
    const mistyped = key.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'));
    expect((await broken.get(PATH, { key: mistyped })).status).toBe(401);
    expect((await broken.get(PATH, { key })).status).toBe(500);
  });
});

describe('text for logs and responses', () => {
  const key = makeSecret();
  const encode = (text: string) => text.replace(/./g, (character) => `%${character.charCodeAt(0).toString(16)}`);

  test.each([
    ['unencoded', key],
    ['with its underscore encoded', key.replace('_', '%5F')],
    ['with its underscore encoded in lower case', key.replace('_', '%5f')],
    ['with its first letter encoded', key.replace('p', '%70')],
    ['with its end encoded', key.slice(0, 30) + encode(key.slice(30))],
    ['fully encoded', encode(key)],
    ['encoded twice', encode(key).replaceAll('%', '%25')],
    ['encoded four times', encode(key).replaceAll('%', '%252525')],
    ['with every character of its encoding encoded', encode(encode(key))],
  ])('contains only the first eight characters of a key: %s', (_what, sent) => {
    expect(maskSecrets(`/api/v1/products/${sent}/offers`)).toBe(`/api/v1/products/${key.slice(0, 8)}…/offers`);
    const line = JSON.stringify({ path: `/foo/${sent}%22%0a`, text: '"\\' });
    expect(JSON.parse(maskSecrets(line))).toEqual({ path: `/foo/${key.slice(0, 8)}…%22%0a`, text: '"\\' });
  });

  test.each([
    '/a%20b',
    '/100%25',
    '/%E0%A4%A',
    '/pda%5Fshort',
    '/%2570da',
    '/%25%25%25',
  ])('is unchanged if it contains no key: %s', (path) => expect(maskSecrets(path)).toBe(path));
});

describe('a request', () => {
  test('without a key is refused with 401 missing_api_key and the challenge ApiKey', async () => {
    const { status, headers, body } = await gateway.get(PATH);
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('ApiKey');
    expect(body.code).toBe('missing_api_key');
  });

  test.each([
    'hello',
    makeSecret(),
    `${makeSecret()}x`,
  ])('with the unknown key %s is refused with 401 invalid_api_key', async (key) => {
    const { status, headers, body } = await gateway.get(PATH, { key });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('ApiKey');
    expect(body.code).toBe('invalid_api_key');
    expect(headers.has('x-plan')).toBe(false);
  });

  test.each([
    ['an empty x-api-key', '', { 'x-api-key': '' }],
    ['the key in Authorization', '', { authorization: 'Bearer KEY' }],
    ['the key in the query string', '&x-api-key=KEY&api_key=KEY', {}],
  ])('with %s counts as having no key', async (_what, query, headers) => {
    const { key } = await gateway.makeKey('free');
    const filled = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('KEY', key)]),
    );
    const { status, body } = await gateway.get(PATH + query.replaceAll('KEY', key), { headers: filled });
    expect(status).toBe(401);
    expect(body.code).toBe('missing_api_key');
  });

  test('with an expired key is refused', async () => {
    const { key } = await gateway.makeKey('free', { expiresAt: new Date(Date.now() - 1) });
    const { status, headers, body } = await gateway.get(PATH, { key });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('ApiKey');
    expect(body.code).toBe('invalid_api_key');
    expect(headers.has('x-plan')).toBe(false);
  });

  test('with a cached key is refused as soon as the key expires', async () => {
    const { key } = await gateway.makeKey('free', { expiresAt: new Date(Date.now() + 400) });
    expect(await statusOf(key)).toBe(404);
    await expectEventually(() => statusOf(key), 401);
  });
});

describe('after an operator', () => {
  test('revokes a key, every instance refuses it within five seconds', async () => {
    // The second server shares the database, which is closed with the first server.
    const shared = { ...gateway.database, close: async () => {} };
    const second = await forTest(startGateway(readConfig({ PORT: '0', LOG_LEVEL: 'silent' }), shared));
    const { id, key } = await gateway.makeKey('enterprise');
    const answers = () =>
      Promise.all([gateway.get(PATH, { key }), ask(second.address + PATH, { key })]).then((both) =>
        both.map(({ status, body }) => `${status} ${body.code}`),
      );
    expect(await answers()).toEqual(['404 not_found', '404 not_found']);
    await revokeKey(gateway.database, id);
    const refused = ['401 invalid_api_key', '401 invalid_api_key'];
    expect(await eventually(answers, (both) => both.every((one) => one.startsWith('401')))).toEqual(refused);
  });

  test('moves a key to a smaller plan, its usage counts against the new quota', async () => {
    const { id, key } = await gateway.makeKey('starter');
    await gateway.get(PATH, { key });
    await setPlan(gateway.database, id, 'free');
    // An unknown route costs nothing, so waiting for the new plan does not change the counter.
    const onPlan = async () => (await gateway.get('/nothing', { key })).headers.get('x-plan');
    expect(await eventually(onPlan, (plan) => plan === 'free')).toBe('free');
    const { headers } = await gateway.get(PATH, { key });
    expect(headers.get('x-quota-limit')).toBe('100');
    expect(headers.get('x-quota-remaining')).toBe('98');
  });
});
