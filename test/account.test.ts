/** The account of a key holder at `/account`: sessions, usage, rotation, webhooks, and what attackers may try. */
import { beforeEach, describe, expect, test } from 'vitest';
import { createDemoKey, readDemoKey } from '../src/access/demo-key.ts';
import { createKey, revokeKey, rotateKey } from '../src/access/key-admin.ts';
import { makeSecret } from '../src/access/secret.ts';
import { expectEventually } from './harness/eventually.ts';
import { type Answer, feedRow, posting, startTestGateway } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';
import { confirmAll } from './harness/receiver.ts';

const EAN = '4006381333931';

let key: string;
let id: string;
const gateway = await forFile(startTestGateway({ TRUST_PROXY: '1', RATE_LIMIT_PUBLIC: '100000' }));
await gateway.importRows('Shop', [feedRow({ id: 'a', gtin: EAN })]);
beforeEach(async () => {
  ({ key, id } = await gateway.makeKey('starter', { rateLimit: null }));
  address += 1;
});

let address = 0;

/** Sends a form as a browser does, from a page of the service. */
const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  gateway.get(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: gateway.address,
      'x-forwarded-for': `203.0.113.${address}`,
      ...headers,
    },
    body: new URLSearchParams(fields).toString(),
  });
const open = (path: string, cookie?: string) =>
  gateway.get(path, {
    headers: { 'x-forwarded-for': `203.0.113.${address}`, ...(cookie !== undefined && { cookie }) },
  });

const cookieOf = ({ headers }: Answer) => headers.get('set-cookie')?.split(';')[0] ?? '';
const signIn = async (secret = key, headers: Record<string, string> = {}) =>
  cookieOf(await post('/account', { key: secret }, headers));
/** The token that the forms of a session contain. */
const tokenOf = async (cookie: string) =>
  /name="csrf" value="([^"]+)"/.exec((await open('/account', cookie)).text)?.[1] ?? '';
const rotate = async (cookie: string, graceHours = '24') =>
  post('/account/rotate', { graceHours, csrf: await tokenOf(cookie) }, { cookie });
const newKeyOf = ({ text }: Answer) => /pda_\w{38}/.exec(text)?.[0] ?? '';
const isSignedIn = async (cookie: string) => (await open('/account', cookie)).text.includes('Sign out');

describe('signing in', () => {
  test('asks for the key by POST, and opens a session that scripts and other sites cannot use', async () => {
    const form = await open('/account');
    expect([form.status, form.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(form.text).toMatch(/<form[^>]* method="post" action="\/account"/);
    const answer = await post('/account', { key });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/account']);
    const setCookie = answer.headers.get('set-cookie') ?? '';
    expect(setCookie).toMatch(/^pda-account=[\w-]{43}; Path=\/account; HttpOnly; SameSite=Strict$/);
    expect(setCookie).not.toContain(key);
    const page = await open('/account', cookieOf(answer));
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(page.text).not.toContain(key);
  });

  test('stores neither the key nor the token of the session', async () => {
    const cookie = await signIn();
    const rows = await gateway.database.query('SELECT row_to_json(account_session)::text AS text FROM account_session');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(cookie.split('=')[1]);
    expect(JSON.stringify(rows)).not.toContain(key);
  });

  test('refuses wrong, missing and revoked keys with the form again', async () => {
    const { key: revoked, id: revokedId } = await gateway.makeKey('free');
    await revokeKey(gateway.database, revokedId);
    for (const wrong of [makeSecret(), 'pda_mistyped', '', revoked, '<script>']) {
      const { status, text, headers } = await post('/account', { key: wrong });
      expect([wrong, status]).toEqual([wrong, 401]);
      expect(text).toContain('role="alert"');
      expect(headers.get('set-cookie')).toBeNull();
      if (wrong !== '') expect(text).not.toContain(wrong);
    }
  });

  test('counts unknown keys against the address, together with those of the API', async () => {
    for (let count = 0; count < 10; count += 1) await post('/account', { key: makeSecret() });
    for (let count = 0; count < 10; count += 1) {
      const headers = { 'x-forwarded-for': `203.0.113.${address}` };
      await gateway.get(`/api/v1/lookup?ean=${EAN}`, { key: makeSecret(), headers });
    }
    const { status, headers, text } = await post('/account', { key: makeSecret() });
    expect(status).toBe(429);
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect(text).toContain('too many unknown keys');
  });

  test('refuses the demo key, and says what to do', async () => {
    await createDemoKey(gateway.database);
    const { status, text, headers } = await post('/account', { key: (await readDemoKey(gateway.database)) ?? '' });
    expect(status).toBe(403);
    expect(text).toContain('pda keys create');
    expect(headers.get('set-cookie')).toBeNull();
  });

  test('takes the key from a form only, never from a URL', async () => {
    expect((await open(`/account?key=${key}`)).text).not.toContain('Sign out');
    expect((await post('/account', {}, { 'content-type': 'application/json' })).status).toBe(415);
  });

  test('gives each sign-in a new token, and ends the session that the browser had', async () => {
    const planted = `pda-account=${'A'.repeat(43)}`;
    const fixed = await signIn(key, { cookie: planted });
    expect(fixed).not.toBe(planted);
    expect(await isSignedIn(planted)).toBe(false);
    const next = await signIn(key, { cookie: fixed });
    expect([await isSignedIn(fixed), await isSignedIn(next)]).toEqual([false, true]);
  });

  test('keeps the twenty newest sessions of a key', async () => {
    const cookies: string[] = [];
    for (let count = 0; count < 21; count += 1) cookies.push(await signIn());
    expect(await isSignedIn(cookies[0] ?? '')).toBe(false);
    expect(await isSignedIn(cookies[1] ?? '')).toBe(true);
    expect(await isSignedIn(cookies[20] ?? '')).toBe(true);
  });

  test('sends the cookie over HTTPS only where the site has HTTPS', async () => {
    const secure = await forTest(startTestGateway({ PUBLIC_URL: 'https://api.example.com' }));
    const { key: own } = await secure.makeKey('free');
    const { headers } = await secure.get('/account', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://api.example.com' },
      body: new URLSearchParams({ key: own }).toString(),
    });
    expect(headers.get('set-cookie')).toMatch(/^__Secure-pda-account=.*; Secure$/);
  });
});

describe('a key holder who is signed in', () => {
  test('sees plan, remaining quota and the requests of each day', async () => {
    await gateway.get(`/api/v1/lookup?ean=${EAN}`, { key });
    const { text } = await open('/account', await signIn());
    for (const shown of ['test starter', 'Starter', '9,999 of 10,000', 'Requests per day', '<svg']) {
      expect(text).toContain(shown);
    }
    // Looking at the page costs nothing.
    expect((await gateway.get('/api/v1/usage', { key })).body.data.quota.used).toBe(1);
  });

  test('rotates the key, sees the new one once, and stays signed in', async () => {
    const cookie = await signIn();
    const answer = await rotate(cookie, '0');
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const newKey = newKeyOf(answer);
    expect((await gateway.get('/api/v1/usage', { key: newKey })).status).toBe(200);
    const page = await open('/account', cookie);
    expect(page.text).toContain('Sign out');
    expect(page.text).not.toContain(newKey);
    await expectEventually(async () => (await gateway.get('/api/v1/usage', { key })).status, 401, 30_000);
  });

  test('is told when the key was rotated too often', async () => {
    const cookie = await signIn();
    for (let count = 1; count < 5; count += 1) expect((await rotate(cookie)).status).toBe(200);
    const { status, text } = await rotate(cookie);
    expect(status).toBe(409);
    expect(text).toContain('texts of this key work');
    for (const wrong of ['-1', '9000', 'x', '']) expect((await rotate(cookie, wrong)).status).toBe(400);
  });

  test('sees webhooks with their deliveries, and none of other keys', async () => {
    const created = await gateway.get('/api/v1/webhooks', {
      key,
      ...posting({ url: 'https://[2d00::1]/<b>', kinds: ['product_found'], filter: { codes: [EAN] } }),
    });
    const webhook = created.body.data.id;
    const cookie = await signIn();
    expect((await open('/account', cookie)).text).toContain('Not confirmed');
    await confirmAll(gateway.database);
    await gateway.get(`/api/v1/webhooks/${webhook}/test`, { method: 'POST', key });
    const page = await open('/account', cookie);
    expect(page.text).toContain('https://[2d00::1]/');
    expect(page.text).not.toContain('<b>');
    const deliveries = await open(`/account/webhooks/${webhook}`, cookie);
    expect(deliveries.status).toBe(200);
    expect(deliveries.text).toContain('product_found');
    const { key: other } = await gateway.makeKey('starter');
    const stranger = await signIn(other);
    expect((await open(`/account/webhooks/${webhook}`, stranger)).status).toBe(404);
    expect((await open('/account', stranger)).text).toContain('has no webhooks');
    expect((await open(`/account/webhooks/${webhook}?after=damaged`, cookie)).status).toBe(400);
    expect((await open('/account/webhooks/whk_zzz', cookie)).status).toBe(404);
  });

  test('signs out', async () => {
    const cookie = await signIn();
    const answer = await post('/account/sign-out', { csrf: await tokenOf(cookie) }, { cookie });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('set-cookie')).toMatch(/^pda-account=; .*Max-Age=0$/);
    expect(await isSignedIn(cookie)).toBe(false);
  });

  test('is limited to sixty free requests a minute, together with the API', async () => {
    const cookie = await signIn();
    for (let count = 0; count < 30; count += 1) await gateway.get('/api/v1/usage', { key });
    const statuses: number[] = [];
    for (let count = 0; count < 31; count += 1) statuses.push((await open('/account', cookie)).status);
    expect(statuses.slice(0, 30)).toEqual(Array(30).fill(200));
    expect(statuses[30]).toBe(429);
  });
});

describe('a former key in its grace period', () => {
  test('opens no session, and so ends none of its owner', async () => {
    const { key: newest } = await rotateKey(gateway.database, id, 24);
    const cookie = await signIn(newest);
    const answer = await post('/account', { key });
    expect([answer.status, cookieOf(answer)]).toEqual([403, '']);
    expect(answer.text).toContain('send the newest one');
    expect(await isSignedIn(cookie)).toBe(true);
  });

  test('opens no session while the process still takes it for the newest one', async () => {
    await signIn();
    await rotateKey(gateway.database, id, 24);
    for (let count = 0; count < 20; count += 1) expect(await signIn()).toBe('');
  });

  test('keeps its sessions, which only read', async () => {
    const cookie = await signIn();
    const csrf = await tokenOf(cookie);
    const { key: newest } = await rotateKey(gateway.database, id, 24);
    const page = await open('/account', cookie);
    expect([page.status, page.text.includes('action="/account/rotate"')]).toEqual([200, false]);
    expect(page.text).toContain('sign in with the newest one');
    const refused = await post('/account/rotate', { graceHours: '0', csrf }, { cookie });
    expect([refused.status, newKeyOf(refused)]).toEqual([403, '']);
    expect(refused.text).toContain('send the newest one');
    expect((await gateway.get('/api/v1/usage', { key: newest })).status).toBe(200);
  });
});

test('a form without a session leads to the sign-in', async () => {
  for (const path of ['/account/rotate', '/account/sign-out']) {
    const { status, headers } = await post(path, {});
    expect([path, status, headers.get('location')]).toEqual([path, 303, '/account']);
  }
});

describe('a session ends', () => {
  test('at once when its key is revoked', async () => {
    const cookie = await signIn();
    await revokeKey(gateway.database, id);
    const { status, text, headers } = await open('/account', cookie);
    expect([status, headers.get('set-cookie')]).toEqual([401, expect.stringContaining('Max-Age=0')]);
    expect(text).toContain('session has ended');
  });

  test('when its key expires', async () => {
    const { key: short } = await createKey(gateway.database, { name: 'short', plan: 'free' });
    const cookie = await signIn(short);
    await gateway.database.query("UPDATE api_key SET expires_at = now() WHERE name = 'short'");
    expect(await isSignedIn(cookie)).toBe(false);
  });

  test('when its secret was rotated out by others, but not before', async () => {
    const cookie = await signIn();
    await rotateKey(gateway.database, id, 1);
    expect(await isSignedIn(cookie)).toBe(true);
    await rotateKey(gateway.database, id, 0);
    expect(await isSignedIn(cookie)).toBe(false);
  });

  test('after twelve hours', async () => {
    const cookie = await signIn();
    await gateway.database.query("UPDATE account_session SET expires_at = expires_at - INTERVAL '12 hours'");
    expect(await isSignedIn(cookie)).toBe(false);
    // The next sign-in of anybody deletes it.
    await signIn();
    const rows = await gateway.database.query('SELECT 1 FROM account_session WHERE expires_at <= now()');
    expect(rows).toEqual([]);
  });
});

describe('a form of another site', () => {
  const rotateFrom = async (headers: Record<string, string>, csrf?: string) => {
    const cookie = await signIn();
    const fields = { graceHours: '0', csrf: csrf ?? (await tokenOf(cookie)) };
    return post('/account/rotate', fields, { cookie, ...headers });
  };

  test('neither rotates a key nor signs anybody in', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      expect((await rotateFrom(headers)).status).toBe(403);
      const answer = await post('/account', { key }, headers);
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
    }
    expect((await gateway.get('/api/v1/usage', { key })).status).toBe(200);
  });

  test('is refused without the token of the session, or with that of another one', async () => {
    const foreign = await tokenOf(await signIn());
    for (const token of ['', 'x', foreign]) expect((await rotateFrom({}, token)).status).toBe(403);
    const cookie = await signIn();
    expect((await post('/account/sign-out', {}, { cookie })).status).toBe(403);
    expect(await isSignedIn(cookie)).toBe(true);
  });
});

test('guessed tokens of sessions open nothing and count as wrong keys', async () => {
  for (let count = 0; count < 20; count += 1) {
    const guess = `${makeSecret().slice(0, 42)}A`;
    expect(await isSignedIn(`pda-account=${guess}`)).toBe(false);
  }
  expect((await open('/account', `pda-account=${makeSecret().slice(0, 42)}B`)).status).toBe(429);
  expect((await open('/account')).status).toBe(200);
});

test('a session of the account opens nothing in the API, and a key in a header opens no account', async () => {
  const cookie = await signIn();
  const answer = await gateway.get(`/api/v1/lookup?ean=${EAN}`, { headers: { cookie } });
  expect(answer.status).toBe(401);
  expect((await gateway.get('/account', { key })).text).not.toContain('Sign out');
});
