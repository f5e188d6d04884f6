/** Requests that are too large, malformed or ambiguous (RFC 9112 §11.2; OWASP REST Security Cheat Sheet). */
import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('pro');

const MOST_BYTES = 262_144;
const ASKED = '{"query": "{ plans { id } }"}';

/** Sends arbitrary bytes. @returns everything that the server sends until it closes the connection. */
async function sendRaw(...parts: string[]): Promise<string> {
  const { hostname, port } = new URL(gateway.address);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', () => {}); // The server may close before all is sent.
  await once(socket, 'connect');
  for (const part of parts) socket.write(part);
  await once(socket, 'close');
  return answer;
}

const chunked = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n0\r\n\r\n`;
const head = (line: string, ...headers: string[]) =>
  [line, 'Host: x', `x-api-key: ${key}`, ...headers, '', ''].join('\r\n');

describe('a body to /graphql', () => {
  const post = (body: BodyInit, headers: Record<string, string> = {}) =>
    gateway.get('/graphql', { method: 'POST', key, headers: { 'content-type': 'application/json', ...headers }, body });

  test('of 256 KiB is read; one byte more is refused with the limit and the remaining quota', async () => {
    const fitting = ASKED.padEnd(MOST_BYTES, ' ');
    expect((await post(fitting)).status).toBe(200);
    const { status, headers, body } = await post(`${fitting} `);
    expect([status, body.code]).toEqual([413, 'body_too_large']);
    expect(body.detail).toContain('256 KiB');
    expect(headers.get('connection')).toBe('close');
    expect(headers.get('x-quota-remaining')).toMatch(/^\d+$/);
  });

  test('without a length is refused as soon as it is too long', async () => {
    const answer = await sendRaw(
      head('POST /graphql HTTP/1.1', 'Content-Type: application/json', 'Transfer-Encoding: chunked'),
      `${(MOST_BYTES + 1).toString(16)}\r\n${'{'.repeat(MOST_BYTES + 1)}`, // Its end never comes.
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"code":"body_too_large"');
  });

  test('in chunks is read like any other', async () => {
    const answer = await sendRaw(
      head(
        'POST /graphql HTTP/1.1',
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
        'Connection: close',
      ),
      chunked(ASKED),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each([
    'gzip',
    'br',
    'deflate',
    'gzip, identity',
  ])('that is compressed (%s) is refused, because it could expand to any size', async (encoding) => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
    const { status, body } = await post(bomb, { 'content-encoding': encoding });
    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
  });

  test.each([
    'multipart/form-data; boundary=x',
    'text/plain',
    'application/xml',
  ])('of the type %s is refused', async (type) => {
    const { status, body } = await post(ASKED, { 'content-type': type });
    expect([status, body.errors[0].extensions.code]).toEqual([415, 'unsupported_media_type']);
  });

  test.each([
    '',
    '{',
    'null',
    '"text"',
    '[',
    '{"query": {}}',
    '{"query": "{a}", "operationName": {}}',
    '{"query": 1}',
    '{"query": "{ plans { id } }", "variables": "x"}',
  ])('without an operation is answered 400, without internal details: %s', async (body) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.text).not.toMatch(/node_modules|\.ts:|at \w+ \(/);
  });
});

describe('an address', () => {
  test.each([
    '/graphql?query=',
    '/products/',
    '/go/',
    '/docs/',
    '/api/v1/plans?x=',
  ])('of more than 8,192 characters is refused: %s…', async (path) => {
    const { status, body } = await gateway.get(path + 'a'.repeat(9_000), { key });
    expect([status, body.code]).toEqual([414, 'uri_too_long']);
  });
});

describe('headers', () => {
  test('of a hundred lines are read, and more are refused', async () => {
    const withHeaders = (count: number) =>
      sendRaw(
        [
          'GET /api/v1/plans HTTP/1.1',
          'Host: x',
          'Connection: close',
          ...Array.from({ length: count }, (_, i) => `x-${i}: y`),
          '',
          '',
        ].join('\r\n'),
      );
    expect(await withHeaders(98)).toMatch(/^HTTP\/1\.1 200 /);
    for (const count of [99, 300, 2_500]) {
      const answer = await withHeaders(count);
      expect(answer).toMatch(/^HTTP\/1\.1 431 /);
      expect(answer).toContain('"code":"headers_too_large"');
    }
  });
});

describe('an ambiguous or unusual request', () => {
  const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
  test.each([
    ['a length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`],
    ['two lengths', ['Content-Length: 5', 'Content-Length: 6'], 'aaaaa'],
    ['an invalid length', ['Content-Length: +5'], 'aaaaa'],
    ['chunked not as the last coding', ['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${smuggled}`],
    ['an unknown coding', ['Transfer-Encoding: xchunked'], `0\r\n\r\n${smuggled}`],
    ['a space before the colon', ['Transfer-Encoding : chunked'], `0\r\n\r\n${smuggled}`],
    ['a folded header', ['X-Folded: a', ' Transfer-Encoding: chunked'], ''],
  ])('is refused, and the connection is closed: %s', async (_what, headers, body) => {
    const answer = await sendRaw(head('POST /graphql HTTP/1.1', 'Content-Type: application/json', ...headers), body);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(answer).not.toContain('smuggled');
  });

  test.each([
    ['two hosts', 'GET /api/v1/plans HTTP/1.1', ['Host: y']],
    ['the same host twice', 'GET /api/v1/plans HTTP/1.1', ['hOsT: x']],
    ['two hosts and an absolute URL', 'GET http://x/api/v1/plans HTTP/1.1', ['Host: y']],
    ['two hosts in HTTP/1.0', 'GET /api/v1/plans HTTP/1.0', ['Host: y']],
    ['two hosts of which one is empty', 'GET /api/v1/plans HTTP/1.1', ['Host:']],
  ])('is refused with a remedy for %s', async (_what, line, headers) => {
    const answer = await sendRaw(head(line, ...headers, 'Connection: close'));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('more than one `Host` header: send one');
  });

  test.each([
    'GET',
    'HEAD',
    'DELETE',
    'OPTIONS',
  ])('with the method %s and a body is the last one on its connection', async (method) => {
    const answer = await sendRaw(
      head(`${method} /api/v1/plans HTTP/1.1`, `Content-Length: ${smuggled.length}`),
      smuggled,
      smuggled,
    );
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(answer).toMatch(/^connection: close/im);
  });

  test.each([
    'TRACE',
    'PROPFIND',
    'DELETE',
    'PUT',
    'PATCH',
  ])('with the unsupported method %s is answered 405', async (method) => {
    const answer = await sendRaw(head(`${method} /api/v1/plans HTTP/1.1`, 'Connection: close'));
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).toContain('"code":"method_not_allowed"');
    expect(answer).not.toContain(key);
  });

  test.each(['CONNECT shop.example:443', 'NONSENSE /', 'get /'])('%s opens no tunnel', async (line) => {
    expect(await sendRaw(head(`${line} HTTP/1.1`, 'Connection: close'))).not.toMatch(/^HTTP\/1\.1 2/);
  });

  test('with the absolute URL of another server is answered by this one', async () => {
    const answer = await sendRaw(head('GET http://elsewhere.example/api/v1/plans HTTP/1.1', 'Connection: close'));
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('"monthlyQuota"');
  });

  test.each([
    ['GET //x/api/v1/plans', '//x/api/v1/plans'],
    ['GET //x@y/api/v1/plans', '//x@y/api/v1/plans'],
    ['GET //x:1/api/v1/plans?a=b', '//x:1/api/v1/plans'],
    ['GET ///api/v1/plans', '///api/v1/plans'],
    ['GET /\\x/api/v1/plans', '//x/api/v1/plans'],
    ['GET //[/api/v1/plans', '//[/api/v1/plans'],
    ['POST //x/mcp', '//x/mcp'],
    ['GET http://elsewhere.example//x/api/v1/plans', '//x/api/v1/plans'],
  ])('with a path that starts like a host is not read as another path: %s', async (line, path) => {
    const answer = await sendRaw(head(`${line} HTTP/1.1`, 'Connection: close'));
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain(`No route matches ${path}:`);
  });

  test('with a line break in a value puts none into the response headers', async () => {
    const { status, headers } = await gateway.get('/nothing%0d%0aSet-Cookie:%20a=b', { key });
    expect([status, headers.get('set-cookie')]).toEqual([404, null]);
  });
});
