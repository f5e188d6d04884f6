/** Errors as clients see them (contract §7). */

import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createKey } from '../src/access/key-admin.ts';
import { makeSecret } from '../src/access/secret.ts';
import { readConfig } from '../src/config.ts';
import { startGateway } from '../src/gateway.ts';
import { answerClientError } from '../src/http/unreadable.ts';
import { openTestDatabase } from './harness/database.ts';
import { type Asking, ask as askAddress, feedRow, posting, startTestGateway } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';

const PATH = '/api/v1/lookup?ean=4006381333931';

let key: string;
const gateway = await forFile(startTestGateway());
({ key } = await gateway.makeKey('pro'));

/** Sends bytes that no HTTP client would send. */
function sendRaw(text: string): Promise<string> {
  const { hostname, port } = new URL(gateway.address);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

type Answer = Awaited<ReturnType<typeof gateway.get>>;

function expectProblem({ status: answered, headers, body }: Answer, code: string, status: number, more = {}): void {
  expect([answered, headers.get('content-type')]).toEqual([status, 'application/problem+json']);
  expect(body).toEqual({
    type: `${gateway.address}/docs/errors#${code}`,
    title: expect.stringMatching(/^[A-Z]/),
    status,
    detail: expect.stringMatching(/^\S.{10,}/),
    code,
    ...more,
  });
}

describe('every problem', () => {
  test.each([
    ['missing_api_key', 401, PATH, {}],
    ['invalid_api_key', 401, PATH, { key: 'x' }],
    ['not_found', 404, '/nothing', {}],
    ['not_found', 404, '/api/v1/lookup/', {}],
    ['method_not_allowed', 405, PATH, { method: 'POST' }],
    ['method_not_allowed', 405, '/graphql', { method: 'PUT' }],
    ['method_not_allowed', 405, '/go/off_1', { method: 'POST' }],
    ['uri_too_long', 414, `/api/v1/lookup?ean=${'1'.repeat(9_000)}`, {}],
  ])('%s is a problem document with status %i (%s)', async (code, status, path, asking) => {
    const answer = await gateway.get(path, asking);
    expectProblem(answer, code, status);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    ['invalid_parameter', 400, '/api/v1/lookup?ean=1', { parameter: 'ean' }],
    ['exactly_one_identifier', 400, '/api/v1/lookup', {}],
    ['not_found', 404, PATH, {}],
  ])('%s is a problem document with status %i for a known client (%s)', async (code, status, path, more) => {
    expectProblem(await gateway.get(path, { key }), code, status, more);
  });

  test('rate_limited, quota_exhausted and gone are problem documents too', async () => {
    const own = await gateway.makeKey('free', { rateLimit: 1 });
    const spent = await gateway.makeKey('free');
    await gateway.get(PATH, { key: spent.key });
    await gateway.importRows('Shop', [feedRow({ id: 'a', gtin: '5901234123457' })]);
    const found = await gateway.get('/api/v1/lookup?ean=5901234123457', { key: own.key });
    await gateway.importRows('Shop', [], { isForced: true });
    await gateway.database.query('UPDATE usage_counter SET used = 100');
    for (const [code, status, path, key] of [
      ['quota_exhausted', 402, PATH, spent.key],
      ['rate_limited', 429, PATH, own.key],
      ['gone', 410, found.body.data.offers[0].url, own.key],
    ]) {
      expectProblem(await gateway.get(path, { key }), code, status);
    }
  });

  test('has a type that links to its explanation', async () => {
    const { body } = await gateway.get(PATH);
    const { status, text } = await gateway.get(new URL(body.type).pathname);
    expect(status).toBe(200);
    expect(text).toContain(`id="${body.code}"`);
  });
});

test('headers that are too large are answered 431', async () => {
  const answer = await sendRaw(`GET / HTTP/1.1\r\nHost: x\r\nx-long: ${'y'.repeat(40_000)}\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  expect(answer).toContain('"code":"headers_too_large"');
});

test('an unknown Expect header is answered 417', async () => {
  const answer = await sendRaw('GET /api/v1/plans HTTP/1.1\r\nHost: x\r\nExpect: foo\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 417 /);
  expect(answer).toContain('"code":"expectation_failed"');
  expect(answer).toMatch(/^connection: close/im);
});

describe('a malformed HTTP request', () => {
  test.each([
    ['no request line', 'HELLO\r\n\r\n'],
    ['no Host', 'GET /api/v1/plans HTTP/1.1\r\n\r\n'],
    ['an invalid Host', 'GET /api/v1/plans HTTP/1.1\r\nHost: [\r\nConnection: close\r\n\r\n'],
    ['a Host with an invalid port', 'GET /api/v1/plans HTTP/1.1\r\nHost: x:99999\r\nConnection: close\r\n\r\n'],
  ])('is answered 400 with a problem document: %s', async (_what, request) => {
    const answer = await sendRaw(request);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/^content-type: application\/problem\+json/im);
    expect(answer).not.toMatch(/node_modules|node:internal/);
  });

  test('gets a request id like every other request', async () => {
    expect(await sendRaw('HELLO\r\n\r\n')).toMatch(/^x-request-id: [0-9a-f-]{36}\r$/im);
  });
});

test('a path with invalid percent-encoding is answered 404', async () => {
  const answer = await sendRaw('GET /%E0%A4%A HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 404 /);
});

describe('the request id', () => {
  test.each([
    'abc-123',
    '0af7651916cd43dd8448eb211c80319c',
  ])('is taken from the client if it is valid: %s', async (id) => {
    const { headers } = await gateway.get('/api/v1', { headers: { 'x-request-id': id } });
    expect(headers.get('x-request-id')).toBe(id);
  });

  test.each(['has blanks in it', '<script>', 'x'.repeat(200)])('is generated if it is invalid: %s', async (id) => {
    const { headers } = await gateway.get('/api/v1', { headers: { 'x-request-id': id } });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    '/nothing',
    '/graphql',
    '/go/x',
    '/healthz',
    '/api/v1/plans',
  ])('is in the response to %s', async (path) => {
    expect((await gateway.get(path)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('an internal failure', () => {
  test('is a 500 without internal details', async () => {
    const broken = await forTest(startTestGateway());
    const own = await broken.makeKey('pro');
    await broken.database.script('ALTER TABLE offer RENAME TO offer_away');
    await broken.database.query(`INSERT INTO product (slug, name) VALUES ('p', 'P')`);
    await broken.database.query(
      `INSERT INTO product_identifier (kind, value, product_id) VALUES ('gtin', '04006381333931', 1)`,
    );
    const { status, body, text } = await broken.get(PATH, { key: own.key });
    expect(status).toBe(500);
    expect(body.code).toBe('internal_error');
    expect(text).not.toMatch(/offer|SELECT|relation|node_modules/);
    const graphql = await broken.graphql('{ lookup(ean: "4006381333931") { offers { id } } }', { key: own.key });
    expect(graphql.status).toBe(500);
    expect(graphql.body.errors[0].extensions).toMatchObject({ code: 'internal_error', status: 500 });
    expect(graphql.text).not.toMatch(/relation|SELECT|node_modules/);
  });

  test('to reach the database is a 503 with Retry-After, over REST, over GraphQL and in the readiness check', async () => {
    const cutOff = await startTestGateway();
    // The database is already closed, so closing it again fails, after everything else has been released.
    onTestFinished(() => cutOff.stop().catch(() => {}));
    const own = await cutOff.makeKey('pro');
    await cutOff.get(PATH, { key: own.key });
    await cutOff.database.close();
    const unseen = makeSecret();
    for (const [path, asking] of [
      [PATH, { key: own.key }],
      [PATH, { key: unseen }],
      ['/go/off_1', {}],
      ['/readyz', {}],
    ] as const) {
      const { status, headers, body } = await cutOff.get(path, asking);
      expect([path, status]).toEqual([path, 503]);
      expect(headers.get('content-type')).toBe('application/problem+json');
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
      expect(body.code).toBe('unavailable');
    }
    const graphql = await cutOff.graphql('{ viewer { used } }', { key: own.key });
    expect(graphql.status).toBe(503);
    expect(graphql.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(graphql.body.errors[0].extensions).toEqual({ code: 'unavailable', status: 503 });
    for (const path of ['/healthz', '/api/v1', '/api/v1/plans']) {
      expect((await cutOff.get(path)).status).toBe(200);
    }
  });
});

describe('the log', () => {
  /** A gateway that collects its log, at the default level. */
  const startLogged = async () => {
    const lines: string[] = [];
    const database = await openTestDatabase();
    const log = pino({ level: 'info' }, { write: (line) => lines.push(line) });
    const logged = await forTest(startGateway(readConfig({ PORT: '0' }), database, log));
    const { key: ownKey } = await createKey(database, { name: 'logged', plan: 'pro' });
    const get = (path: string, asking: Asking = {}) => askAddress(logged.address + path, asking);
    return {
      database,
      get,
      key: ownKey,
      entries: () => lines.map((line) => JSON.parse(line)),
      text: () => lines.join(''),
    };
  };

  test('has one line for each request, and does not change the response', async () => {
    const { get, entries } = await startLogged();
    const asked: [string, RequestInit, number][] = [
      [PATH, {}, 401],
      ['/nothing', {}, 404],
      ['/api/v1/plans', {}, 200],
      ['/graphql', { headers: { accept: 'text/html' } }, 200],
      [PATH, { method: 'OPTIONS' }, 204],
    ];
    for (const [index, [path, init, status]] of asked.entries()) {
      const requestId = `my-own-${index}`;
      const answer = await get(path, { ...init, headers: { 'x-request-id': requestId, ...init.headers } });
      expect([path, answer.status, answer.headers.get('x-request-id')]).toEqual([path, status, requestId]);
      expect(entries().filter((entry) => entry.requestId === requestId)).toMatchObject([{ status }]);
    }
  });

  test('has the details of a failure under the request id that the client got, over REST and GraphQL', async () => {
    const { database, get, key: ownKey, entries } = await startLogged();
    await database.script('ALTER TABLE product RENAME TO product_away');
    const failures = [
      await get(PATH, { key: ownKey }),
      await get('/graphql', {
        key: ownKey,
        ...posting({ query: '{ lookup(ean: "4006381333931") { offers { id } } }' }),
      }),
    ];
    for (const { status, headers } of failures) {
      expect(status).toBe(500);
      const errors = entries().filter(
        ({ level, requestId }) => level >= 50 && requestId === headers.get('x-request-id'),
      );
      expect(errors).toHaveLength(1);
      expect(JSON.stringify(errors)).toContain('product');
    }
  });

  test('never contains a key, wherever the client put it', async () => {
    const { get, key: ownKey, text } = await startLogged();
    await get(`${PATH}&key=${ownKey}`, { key: ownKey });
    await get(PATH, { key: `${ownKey}x` });
    expect(text()).toContain('/api/v1/lookup');
    expect(text()).not.toContain(ownKey.slice(8, 20));
  });
});

test('a request in HTTP/1.0, which has no Host, is answered like any other', async () => {
  expect(await sendRaw('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
});

test('a request that is not complete in time is answered 408', async () => {
  const socket = new PassThrough();
  answerClientError(
    gateway.services.market,
    Object.assign(new Error('timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
    socket,
  );
  const answer = String(await socket.toArray().then((chunks) => Buffer.concat(chunks)));
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(answer).toContain('"code":"request_timeout"');
});
