/** What the console accepts as a form, and from whom (OWASP Cross-Site Request Forgery Prevention Cheat Sheet). */
import { describe, expect, test } from 'vitest';
import { startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';
import { fieldsOf, type Operator, signInTo } from '../harness/operator.ts';

const SIGN_OUT = '/console/sign-out';
const FORM = 'application/x-www-form-urlencoded';

let operator: Operator;
const gateway = await forFile(startTestGateway({ CONSOLE: 'on', RATE_LIMIT_PUBLIC: '100000' }));
operator = await signInTo(gateway);

const tokenOf = async (of: Operator) => fieldsOf((await of.get('/console')).text, SIGN_OUT).csrf ?? '';
const post = (body: string, headers: Record<string, string> = {}, path = SIGN_OUT) =>
  gateway.get(path, { method: 'POST', body, headers: { cookie: operator.cookie, 'content-type': FORM, ...headers } });
const isSignedIn = async () => (await operator.get('/console')).status === 200;

describe('a form', () => {
  test.each([
    ['names another origin', { origin: 'https://evil.example' }],
    ['names no origin (a sandboxed page)', { origin: 'null' }],
    ['comes from another site, as the browser says', { 'sec-fetch-site': 'cross-site' }],
    ['comes from a subdomain, as the browser says', { 'sec-fetch-site': 'same-site' }],
    ['names an origin on another port', { origin: 'http://127.0.0.1:1' }],
    ['names an origin that only looks like this one', { origin: 'http://127.0.0.1.evil.example' }],
  ])('that %s changes nothing, even with the right token', async (_what, headers) => {
    const refused = await post(`csrf=${await tokenOf(operator)}`, headers);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('nothing was changed');
    expect(await isSignedIn()).toBe(true);
  });

  test('without the token of its session changes nothing', async () => {
    const token = await tokenOf(operator);
    const other = await tokenOf(await signInTo(gateway));
    const cookie = operator.cookie.split('=')[1] ?? '';
    for (const forged of ['', 'x', other, cookie, token.slice(0, -1), `${token}A`, token.toUpperCase()]) {
      const { status } = await post(`csrf=${encodeURIComponent(forged)}`, { origin: gateway.address });
      expect([forged, status]).toEqual([forged, 403]);
    }
    expect((await post('', { origin: gateway.address })).status).toBe(403);
    expect(await isSignedIn()).toBe(true);
  });

  test('to sign in is refused from another site, so that nobody is signed in unawares', async () => {
    const { makeLink } = await import('../../src/console/sessions.ts');
    const { token } = await makeLink(gateway.database);
    const body = `token=${token}`;
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const refused = await post(body, headers, '/console/sign-in');
      expect([refused.status, refused.headers.get('set-cookie')]).toEqual([403, null]);
    }
    expect((await post(body, { 'sec-fetch-site': 'same-origin' }, '/console/sign-in')).status).toBe(303);
    operator = await signInTo(gateway);
  });

  test('is never sent by GET', async () => {
    const { status } = await gateway.get(`${SIGN_OUT}?csrf=${await tokenOf(operator)}`, {
      headers: { cookie: operator.cookie },
    });
    expect(status).toBe(405);
    expect(await isSignedIn()).toBe(true);
  });

  test.each([
    ['broken UTF-8', 'a=%ff', FORM, 400],
    ['half a character', 'a=%c3', FORM, 400],
    ['a stray percent sign', 'a=100%', FORM, 400],
    ['a NUL', 'a=%00', FORM, 400],
    ['a NUL in a name', '%00=a', FORM, 400],
    ['raw control characters', 'a=\u0001', FORM, 400],
    ['a repeated field', 'csrf=a&csrf=b', FORM, 400],
    ['too many fields', Array.from({ length: 101 }, (_, place) => `f${place}=1`).join('&'), FORM, 400],
    ['too much text', `a=${'x'.repeat(17_000)}`, FORM, 413],
    ['JSON', '{"csrf":"a"}', 'application/json', 415],
    ['plain text, which other sites may send', 'csrf=a', 'text/plain', 415],
    ['parts', '--x', 'multipart/form-data; boundary=x', 415],
  ])('with %s is refused as a page', async (_what, body, type, expected) => {
    const { status, headers } = await post(body, { 'content-type': type });
    expect([status, headers.get('content-type')]).toEqual([expected, 'text/html; charset=utf-8']);
    expect(await isSignedIn()).toBe(true);
  });
});

describe('a query', () => {
  test.each([
    '/console?days=%00',
    '/console?days=%ff',
    '/console?days=8',
    '/console?days=7&days=30',
    '/console/audit?action=%00',
    '/console/audit?action=nothing',
    '/console/audit?after=nothing',
    '/console/audit?after=%ed%a0%80',
  ])('%s is refused as a page', async (path) => {
    const { status, headers, text } = await operator.get(path);
    expect([status, headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(text).toContain('role="alert"');
  });
});

describe('every answer', () => {
  test.each([
    ['/console', 200],
    ['/console/audit', 200],
    ['/console/sign-in', 200],
    ['/console/sign-in?token=x', 403],
    ['/console?days=x', 400],
    ['/console/nothing/here', 404],
  ])('at %s is stored nowhere, runs nothing of its own, and names itself to no other site', async (path, expected) => {
    const asking = { headers: { cookie: operator.cookie, accept: 'text/html' } };
    const { status, headers, text } = await gateway.get(path, asking);
    expect(status).toBe(expected);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('etag')).toBeNull();
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(text).not.toMatch(/<script|<style| style=| on\w+=/);
  });

  test('to an unknown path is a page for browsers and a problem for programs', async () => {
    const page = await gateway.get('/console/nothing', { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    const problem = await gateway.get('/console/nothing');
    expect([problem.status, problem.body.code]).toEqual([404, 'not_found']);
    expect((await post('csrf=x', {}, '/console/nothing')).status).toBe(404);
  });
});
