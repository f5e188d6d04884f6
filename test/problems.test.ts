/** Errors as clients see them (contract §7, decisions §2). */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from './harness/gateway.ts';

const PATH = '/api/v1/lookup?ean=4006381333931';

let gateway: TestGateway;
let key: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  ({ key } = await gateway.makeKey('pro'));
});
afterAll(() => gateway.stop());

/** Sends bytes that no HTTP client would. */
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
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toEqual({
      type: `${gateway.address}/docs/errors#${code}`,
      title: expect.stringMatching(/^[A-Z]/),
      status,
      detail: expect.stringMatching(/^\S.{10,}/),
      code,
    });
  });

  test('that one parameter is at fault for names it', async () => {
    const { body } = await gateway.get('/api/v1/lookup?asin=1', { key });
    expect(body).toMatchObject({ code: 'invalid_parameter', status: 400, parameter: 'asin' });
  });

  test('has a type that leads to its explanation', async () => {
    const { body } = await gateway.get(PATH);
    const { status, text } = await gateway.get(new URL(body.type).pathname);
    expect(status).toBe(200);
    expect(text).toContain(`id="${body.code}"`);
  });
});

test('a 405 names the methods that are allowed', async () => {
  expect((await gateway.get(PATH, { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  expect((await gateway.get('/graphql', { method: 'PUT' })).headers.get('allow')).toBe('GET, POST, OPTIONS');
});

test('headers that are too large are answered 431', async () => {
  const answer = await sendRaw(`GET / HTTP/1.1\r\nHost: x\r\nx-long: ${'y'.repeat(40_000)}\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  expect(answer).toContain('"code":"headers_too_large"');
});

test('what is not HTTP is answered 400', async () => {
  const answer = await sendRaw('HELLO\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('application/problem+json');
});

describe('the request id', () => {
  test.each(['abc-123', '0af7651916cd43dd8448eb211c80319c'])("is the client's own when it is sane: %s", async (id) => {
    const { headers } = await gateway.get('/api/v1', { headers: { 'x-request-id': id } });
    expect(headers.get('x-request-id')).toBe(id);
  });

  test.each(['has blanks in it', '<script>', 'x'.repeat(200)])('is one of ours when it is not: %s', async (id) => {
    const { headers } = await gateway.get('/api/v1', { headers: { 'x-request-id': id } });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    '/nothing',
    '/graphql',
    '/go/x',
    '/healthz',
    '/api/v1/plans',
  ])('stands on the answer of %s', async (path) => {
    expect((await gateway.get(path)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('a failure of ours', () => {
  test('is a 500 that shows nothing of the insides', async () => {
    const broken = await startTestGateway();
    try {
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
    } finally {
      await broken.stop();
    }
  });

  test('to reach the database is a 503 that says when to try again', async () => {
    const cutOff = await startTestGateway({ DATABASE_URL: 'postgresql://127.0.0.1:1/nothing' }).catch(() => undefined);
    expect(cutOff).toBeDefined();
    await cutOff?.stop();
  });
});
