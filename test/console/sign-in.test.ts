/** Who gets into the console: single-use links, sessions, and everybody else (OWASP Session Management Cheat Sheet). */
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { listAudit } from '../../src/access/audit.ts';
import { makeSecret } from '../../src/access/secret.ts';
import { IDLE_MINUTES, MOST_LINKS, MOST_SESSIONS, makeLink, signEverybodyOut } from '../../src/console/sessions.ts';
import { type Asking, startTestGateway } from '../harness/gateway.ts';
import { makeHome } from '../harness/home.ts';
import { forFile, forTest } from '../harness/lifetime.ts';
import { signInTo } from '../harness/operator.ts';
import { run, startServerProcess } from '../harness/process.ts';

const SIGN_IN = '/console/sign-in';

const gateway = await forFile(startTestGateway({ CONSOLE: 'on', TRUST_PROXY: '1', RATE_LIMIT_PUBLIC: '100000' }));

const link = async () => (await makeLink(gateway.database)).token;
const open = (token: string, asking: Asking = {}, at = gateway) => at.get(`${SIGN_IN}?token=${token}`, asking);
const use = (token: string, headers: Record<string, string> = {}, at = gateway) =>
  at.get(SIGN_IN, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: `token=${encodeURIComponent(token)}`,
  });
const cookieOf = ({ headers }: { headers: Headers }) => headers.get('set-cookie')?.split(';', 1)[0] ?? '';
const statusWith = async (cookie: string, path = '/console') =>
  (await gateway.get(path, { headers: { cookie } })).status;
const randomToken = () => randomBytes(32).toString('base64url');

let clients = 0;
const newAddress = () => {
  clients += 1;
  return { 'x-forwarded-for': `198.51.100.${clients}` };
};

describe('a link', () => {
  test('is not used up by programs that open it, and opens one session with its button', async () => {
    const token = await link();
    for (const method of ['GET', 'HEAD', 'GET']) expect((await open(token, { method })).status).toBe(200);
    const page = await open(token);
    expect(page.text).toContain(`value="${token}"`);
    expect(page.headers.get('set-cookie')).toBeNull();

    const opened = await use(token);
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/console']);
    expect(await statusWith(cookieOf(opened))).toBe(200);
    for (const again of [await use(token), await open(token)]) {
      expect([again.status, again.headers.get('set-cookie')]).toEqual([403, null]);
    }
  });

  test('opens one session if it is used several times at once', async () => {
    const token = await link();
    const opened = await Promise.all([1, 2, 3, 4].map(() => use(token)));
    expect(opened.map(({ status }) => status).sort()).toEqual([303, 403, 403, 403]);
  });

  test('is not valid after ten minutes', async () => {
    const before = Date.now();
    const { token, expiresAt } = await makeLink(gateway.database);
    expect(Math.abs(expiresAt.getTime() - before - 600_000)).toBeLessThan(60_000);
    await gateway.database.query(`UPDATE console_link SET expires_at = now() - INTERVAL '1 second'`);
    expect((await open(token)).status).toBe(403);
    expect(await use(token)).toMatchObject({ status: 403, text: expect.stringContaining('pda console') });
  });

  test.each([
    ['random', randomToken()],
    ['too short', 'abc'],
    ['too long', 'a'.repeat(4_000)],
    ['a digest', 'a'.repeat(64)],
    ['empty', ''],
    ['SQL', "' OR '1'='1"],
    ['HTML', '"><script>alert(1)</script>'],
  ])('that is forged (%s) opens nothing', async (_kind, token) => {
    const headers = newAddress();
    const shown = await open(encodeURIComponent(token), { headers });
    const used = await use(token, headers);
    expect([shown.status, used.status]).toEqual([403, 403]);
    for (const { headers: sent, text } of [shown, used]) {
      expect(sent.get('set-cookie')).toBeNull();
      expect(text).not.toContain('<script>');
    }
  });

  test('cannot be found by trying: wrong ones count against their address, which then cannot use a right one', async () => {
    const [attacker, operator] = [newAddress(), newAddress()];
    const statuses: number[] = [];
    for (let turn = 0; turn < 25; turn += 1) statuses.push((await use(randomToken(), attacker)).status);
    expect(statuses).toEqual([...Array(20).fill(403), ...Array(5).fill(429)]);
    const token = await link();
    const refused = await use(token, attacker);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.text).toContain('too many wrong links');
    expect((await use(token, operator)).status).toBe(303);
  });

  test('work beside wrong API keys from the same address', async () => {
    const headers = newAddress();
    const guess = () => gateway.get('/api/v1/usage', { headers: { ...headers, 'x-api-key': makeSecret() } });
    for (let turn = 0; turn < 20; turn += 1) expect((await guess()).status).toBe(401);
    expect((await guess()).status).toBe(429);
    expect((await use(await link(), headers)).status).toBe(303);
  });

  test('and its session are stored as digests only', async () => {
    const [unused, used] = [await link(), await link()];
    const [, cookie = ''] = cookieOf(await use(used)).split('=');
    const rows = await gateway.database.query(
      'SELECT to_jsonb(console_link) AS row FROM console_link UNION ALL SELECT to_jsonb(console_session) FROM console_session',
    );
    const text = JSON.stringify(rows);
    expect(rows.length).toBeGreaterThanOrEqual(2);
    for (const secret of [unused, used, cookie]) expect(text).not.toContain(secret);
  });

  test('displaces the oldest if there are too many', async () => {
    const first = await link();
    for (let count = 1; count < MOST_LINKS; count += 1) await link();
    expect((await open(first)).status).toBe(200);
    const last = await link();
    expect([(await open(first)).status, (await open(last)).status]).toEqual([403, 200]);
  });
});

describe('a session', () => {
  test('gets a cookie that scripts and other sites cannot use', async () => {
    const opened = await use(await link());
    expect(opened.headers.get('set-cookie')).toMatch(
      /^pda-console=[\w-]{43}; Path=\/console; HttpOnly; SameSite=Strict$/,
    );
  });

  test('gets one for HTTPS only if the service has an https address', async () => {
    const secure = await forTest(startTestGateway({ CONSOLE: 'on', PUBLIC_URL: 'https://api.example' }));
    const { token } = await makeLink(secure.database);
    const opened = await use(token, { origin: 'https://api.example' }, secure);
    expect(opened.headers.get('set-cookie')).toMatch(
      /^__Secure-pda-console=[\w-]{43}; Path=\/console; HttpOnly; SameSite=Strict; Secure$/,
    );
    const [, value] = cookieOf(opened).split('=');
    const withName = async (name: string) =>
      (await secure.get('/console', { headers: { cookie: `${name}=${value}` } })).status;
    expect([await withName('__Secure-pda-console'), await withName('pda-console')]).toEqual([200, 401]);
  });

  test('cannot be fixed: each sign-in makes a new one, and ends the one that the browser had', async () => {
    const planted = `pda-console=${randomToken()}`;
    const opened = await use(await link(), { cookie: planted });
    const cookie = cookieOf(opened);
    expect(cookie).not.toBe(planted);
    expect([await statusWith(planted), await statusWith(cookie)]).toEqual([401, 200]);
    // An attacker's own session in the victim's browser does not become the victim's.
    const next = cookieOf(await use(await link(), { cookie }));
    expect([await statusWith(cookie), await statusWith(next)]).toEqual([401, 200]);
    // A second cookie from another path or subdomain is not chosen between.
    expect(await statusWith(`${next}; ${planted}`)).toBe(401);
    expect(await statusWith(`${planted}; ${next}`)).toBe(401);
  });

  test('cannot be found by trying', async () => {
    const headers = newAddress();
    const statuses: number[] = [];
    for (let turn = 0; turn < 22; turn += 1) {
      const cookie = `pda-console=${randomToken()}`;
      statuses.push((await gateway.get('/console', { headers: { ...headers, cookie } })).status);
    }
    expect(statuses).toEqual([...Array(20).fill(401), 429, 429]);
  });

  test.each([
    ['after twelve hours', `expires_at = now()`],
    ['after an hour without use', `last_seen_at = now() - make_interval(mins => ${IDLE_MINUTES})`],
  ])('ends %s', async (_when, change) => {
    const { cookie } = await signInTo(gateway);
    await gateway.database.query(`UPDATE console_session SET last_seen_at = now() - INTERVAL '50 minutes'`);
    expect(await statusWith(cookie)).toBe(200);
    await gateway.database.query(`UPDATE console_session SET ${change}`);
    expect(await statusWith(cookie)).toBe(401);
  });

  test('stays while it is used', async () => {
    const { cookie } = await signInTo(gateway);
    for (let hour = 0; hour < 3; hour += 1) {
      await gateway.database.query(
        `UPDATE console_session SET last_seen_at = last_seen_at - INTERVAL '50 minutes', created_at = created_at - INTERVAL '50 minutes'`,
      );
      expect(await statusWith(cookie)).toBe(200);
    }
  });

  test('displaces the least recently used if there are too many', async () => {
    await signEverybodyOut(gateway.database);
    const { cookie } = await signInTo(gateway);
    await gateway.database.query(
      `INSERT INTO console_session (digest, created_by, last_seen_at, expires_at)
       SELECT 'digest ' || number, 'test', now() + INTERVAL '1 minute', now() + INTERVAL '1 hour'
       FROM generate_series(1, $1::int) AS number`,
      [MOST_SESSIONS - 1],
    );
    expect(await statusWith(cookie)).toBe(200);
    await gateway.database.query(
      `UPDATE console_session SET last_seen_at = now() - INTERVAL '1 minute' WHERE id = (SELECT min(id) FROM console_session)`,
    );
    const { cookie: next } = await signInTo(gateway);
    expect([await statusWith(cookie), await statusWith(next)]).toEqual([401, 200]);
    await signEverybodyOut(gateway.database); // The others are more recent than the sessions of other tests.
  });

  test('ends with its button, and its cookie is deleted', async () => {
    const operator = await signInTo(gateway);
    const other = await signInTo(gateway);
    const ended = await operator.send('/console', '/console/sign-out');
    expect([ended.status, ended.headers.get('location')]).toEqual([303, SIGN_IN]);
    expect(ended.headers.get('set-cookie')).toMatch(/^pda-console=; Path=\/console; .*Max-Age=0$/);
    expect([await statusWith(operator.cookie), await statusWith(other.cookie)]).toEqual([401, 200]);
  });

  test('is in the audit log, with the operator who made its link', async () => {
    const operator = await signInTo(gateway);
    await operator.send('/console', '/console/sign-out');
    const [made, opened, ended] = (await listAudit(gateway.database)).slice(-3);
    expect([made?.action, opened?.action, ended?.action]).toEqual([
      'console.link',
      'console.sign-in',
      'console.sign-out',
    ]);
    expect(opened?.actor).toMatch(/^console ses_\w+ of \S/);
    expect(opened?.actor.endsWith(` of ${made?.actor}`)).toBe(true);
    expect(ended?.actor).toBe(opened?.actor);
  });
});

describe('everybody else', () => {
  test.each([
    '/console',
    '/console/audit',
    '/console?days=7',
  ])('sees at %s how to sign in, and nothing else', async (path) => {
    const { status, text, headers } = await gateway.get(path);
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('ConsoleLink');
    expect(text).toContain('<code>pda console</code>');
    expect(text).not.toContain('Sign out');
  });

  test('with a key of the API gets no further, and a session opens nothing in the API', async () => {
    const { key } = await gateway.makeKey('enterprise');
    for (const headers of [
      { 'x-api-key': key },
      { authorization: `Bearer ${key}` },
      { cookie: `pda-console=${key}` },
    ]) {
      expect((await gateway.get('/console', { headers })).status).toBe(401);
      expect((await gateway.get(`${SIGN_IN}?token=${key}`, { headers })).status).toBe(403);
    }
    const { cookie } = await signInTo(gateway);
    const [, token = ''] = cookie.split('=');
    for (const headers of [{ cookie }, { 'x-api-key': token }, { authorization: `Bearer ${token}` }]) {
      for (const path of ['/api/v1/products', '/api/v1/webhooks', '/graphql?query={viewer{used}}', '/mcp']) {
        const method = path === '/mcp' ? 'POST' : 'GET';
        const body =
          method === 'POST' ? '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"products"}}' : null;
        const asking = {
          method,
          body,
          headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
        };
        expect([path, (await gateway.get(path, asking)).status]).toEqual([path, 401]);
      }
    }
  });

  test('gets 404 for all of it while the console is off', async () => {
    const off = await forTest(startTestGateway({ CONSOLE: 'off' }));
    const { token } = await makeLink(off.database);
    for (const path of ['/console', '/console/audit', `${SIGN_IN}?token=${token}`, '/console/nothing']) {
      const { status, body } = await off.get(path, { headers: { accept: 'text/html' } });
      expect([path, status, body?.code]).toEqual([path, 404, 'not_found']);
    }
    expect((await use(token, {}, off)).status).toBe(404);
  });
});

describe('without configuration', () => {
  test('the console is open on this machine, and hidden from all others', async () => {
    const demo = await forTest(startTestGateway());
    const operator = await signInTo(demo);
    const { port } = new URL(demo.address);
    const statusFor = (headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        const asking = request({
          port,
          host: '127.0.0.1',
          path: '/console',
          headers: { cookie: operator.cookie, ...headers },
        });
        asking.on('response', (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        asking.on('error', reject);
        asking.end();
      });
    for (const host of [`localhost:${port}`, '127.0.0.1', `127.0.0.1:${port}`, '[::1]:4000']) {
      expect([host, await statusFor({ host })]).toEqual([host, 200]);
    }
    // A page of another site whose name leads to this machine, and clients behind a proxy on it.
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '203.0.113.7', '0.0.0.0']) {
      expect([host, await statusFor({ host })]).toEqual([host, 404]);
    }
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
      expect([name, await statusFor({ host: `127.0.0.1:${port}`, [name]: '203.0.113.7' })]).toEqual([name, 404]);
    }
  });

  test.each([
    { PUBLIC_URL: 'http://api.example' },
    { NODE_ENV: 'production' },
    { TRUST_PROXY: '1' },
  ])('it is off with %o', async (environment) => {
    const { readConfig } = await import('../../src/config.ts');
    expect([readConfig({}).console, readConfig(environment).console]).toEqual(['local', 'off']);
    expect(readConfig({ ...environment, CONSOLE: 'on' }).console).toBe('on');
  });
});

test('`pda console` prints a link as its last line while the server runs, and `--sign-out` ends what it opened', async () => {
  const home = await forTest(makeHome());
  const server = await forTest(startServerProcess({ ...home.environment, CONSOLE: 'on' }));
  const environment = { ...home.environment, CONSOLE: 'on', PUBLIC_URL: server.address };
  const text = await run('pda', ['console'], environment);
  const json = await run('pda', ['console', '--json'], environment);
  expect([text.status, json.status, text.stderr, json.stderr]).toEqual([0, 0, '', '']);
  const url = text.stdout.trimEnd().split('\n').at(-1) ?? '';
  const { url: other, expiresAt } = JSON.parse(json.stdout);
  expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
  expect(url.startsWith(`${server.address}${SIGN_IN}?token=`)).toBe(true);

  const post = (address: string) => {
    const { origin, pathname, searchParams } = new URL(address);
    return fetch(origin + pathname, { method: 'POST', body: searchParams, redirect: 'manual' });
  };
  const opened = await post(url);
  expect(opened.status).toBe(303);
  const page = () => fetch(`${server.address}/console`, { headers: { cookie: cookieOf(opened) } });
  expect((await page()).status).toBe(200);

  const ended = await run('pda', ['console', '--sign-out', '--json'], environment);
  expect(JSON.parse(ended.stdout)).toEqual({ sessions: 1, links: 1 });
  expect([(await page()).status, (await post(other)).status]).toEqual([401, 403]);
  const off = await run('pda', ['console'], { ...home.environment, CONSOLE: 'off' });
  expect([off.status, off.stderr]).toEqual([0, expect.stringContaining('CONSOLE=on')]);
});
