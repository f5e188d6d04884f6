/** Malformed HTTP, written directly to the socket: the server refuses it or closes the connection, and keeps serving others. */
import { connect } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../harness/fuzz.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

const gateway = await forFile(startTestGateway());

const LONGEST_WAIT_MS = 10_000;

/** Writes pieces to a connection and ends it. @returns everything that the server sends until it closes. */
function exchange(pieces: readonly Buffer[]): Promise<string> {
  const { hostname, port } = new URL(gateway.address);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => {
      for (const piece of pieces) socket.write(piece);
      socket.end();
    });
    const answered = () => resolve(Buffer.concat(chunks).toString('latin1'));
    socket.setTimeout(LONGEST_WAIT_MS, () =>
      socket.destroy(new Error(`Still open after ${LONGEST_WAIT_MS / 1_000} s.`)),
    );
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', answered);
    // A server that refuses may close before all has been sent.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? answered() : reject(error),
    );
  });
}

const word = fc.constantFrom(
  ...'GET HEAD POST OPTIONS CONNECT PRI get'.split(' '),
  'G\0T',
  '',
  'QUERY',
  'SOURCE',
  'A'.repeat(300),
);
const target = fc.constantFrom(
  '/',
  '/api/v1/plans',
  '/api/v1/lookup?ean=4006381333931',
  '*',
  '',
  '//',
  '///x',
  'http://a/api/v1',
  'http://[',
  '/%',
  '/\0',
  '/é',
  '?',
  '#',
  '/a b',
  '/..',
  `/${'a'.repeat(40_000)}`,
  'localhost:80',
  '\\',
  '/graphql',
  '/mcp',
);
const version = fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', 'HTTP', '', 'ICY');
const header = fc.constantFrom(
  'Host: localhost',
  'Host: localhost',
  'Host: a\r\nHost: b',
  'Host: ',
  'Host: [',
  'Host: a b',
  'Host: é',
  'Connection: close',
  'Connection: upgrade\r\nUpgrade: websocket',
  'Connection: upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 5\r\nContent-Length: 6',
  'Content-Length: 99999999999999999999',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nContent-Length: 3',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: xchunked',
  'Expect: 100-continue',
  'Expect: something',
  ' folded: header',
  'No colon',
  ': empty',
  'A\0: b',
  'x-api-key: a\0b',
  'X: \x7f',
  'X-Api-Key: a\r\nX-Api-Key: b',
  `X: ${'a'.repeat(40_000)}`,
  'Content-Type: application/json',
  'Accept-Encoding: br',
  'X-Request-Id: a\tb',
  'TE: trailers',
  'Trailer: X',
  'Range: bytes=0-',
);
const ending = fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r', '');
const body = fc.constantFrom(
  '',
  '{}',
  '{"query":"{plans{id}}"}',
  '5\r\nhello\r\n0\r\n\r\n',
  'zz\r\n',
  'ffffffffffffffff\r\n',
  '0\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n',
  '-1\r\n\r\n',
  '\0\0\0',
);

const almostHttp = fc
  .tuple(word, target, version, fc.array(header, { maxLength: 5 }), ending, body)
  .map(([method, path, protocol, headers, end, rest]) =>
    Buffer.from([`${method} ${path} ${protocol}`, ...headers, '', rest].join(end), 'latin1'),
  );

const bytes = fc.oneof(
  { weight: 3, arbitrary: almostHttp },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 2_000 }).map((each) => Buffer.from(each)) },
  { weight: 1, arbitrary: fc.tuple(almostHttp, almostHttp).map((all) => Buffer.concat(all)) },
  {
    weight: 1,
    arbitrary: fc.tuple(almostHttp, fc.nat(), fc.nat(255)).map(([each, place, put]) => {
      each[place % Math.max(each.length, 1)] = put;
      return each;
    }),
  },
  // A TLS handshake, and the preface of HTTP/2; the port supports neither.
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]),
      Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    ),
  },
);

test('any bytes are answered without a server error or the connection is closed, and the next request succeeds', async () => {
  let turn = 0;
  await fc.assert(
    fc.asyncProperty(bytes, fc.array(fc.nat(100), { maxLength: 4 }), async (sent, cuts) => {
      const places = cuts.map((cut) => Math.floor((cut / 100) * sent.length)).sort((one, other) => one - other);
      const pieces = [...places, sent.length].map((end, index) => sent.subarray(places[index - 1] ?? 0, end));
      const answered = await exchange(pieces);
      const shown = sent.toString('latin1').slice(0, 300);
      expect([shown, answered.slice(0, 200)]).toEqual([
        shown,
        expect.stringMatching(/^$|^HTTP\/1\.1 [1-4]\d\d |^HTTP\/1\.1 501 /),
      ]);
      // Several responses may follow each other; none of them may be a server error.
      expect([shown, /HTTP\/1\.1 50[023]/.test(answered)]).toEqual([shown, false]);
      if (turn++ % 10 === 0) expect((await gateway.get('/api/v1/plans')).status).toBe(200);
    }),
    tries(250),
  );
  expect((await gateway.get('/api/v1/plans')).status).toBe(200);
});
