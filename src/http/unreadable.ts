/** What reaches the server and is no request that can be read: answered here, before any plugin could see it. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Market } from '../catalogue/market.ts';
import { Problem } from '../problem.ts';
import { problemBody } from './problem.ts';

const REASONS = {
  address: new Problem(
    'invalid_parameter',
    'The `Host` header and the path do not make an address: check what the client sends.',
  ),
  hosts: new Problem('invalid_parameter', 'There is more than one `Host` header: send one.'),
  expectation: new Problem(
    'expectation_failed',
    'Of what `Expect` may hold, only `100-continue` is known here: send the request without that header.',
  ),
};

/** Refuses a request that does not say where it goes (RFC 9112 §3.2), or expects what nobody knows (RFC 9110 §10.1.1). */
export function answerUnreadable(market: Market, response: ServerResponse, reason: keyof typeof REASONS): void {
  const { status, headers, body } = refusal(REASONS[reason], market);
  response.writeHead(status, headers).end(body);
}

/** Answers on the bare connection when what came in is not HTTP, or has headers that are too large. */
export function answerClientError(market: Market, error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const problem = problemOf(error.code);
  const { status, headers, body } = refusal(problem, market);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${problem.title}\r\n${lines.join('')}\r\n${body}`);
}

function problemOf(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem('headers_too_large', 'The headers are larger than 32 KiB: send less.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Problem('request_timeout', 'The request did not arrive whole in time: send it again.');
  }
  return new Problem('invalid_parameter', 'This is not an HTTP request that can be read: check what the client sends.');
}

function refusal(
  problem: Problem,
  { publicUrl }: Market,
): { status: number; headers: Record<string, string>; body: string } {
  const body = JSON.stringify(problemBody(problem, publicUrl));
  return {
    status: problem.status,
    headers: {
      'Content-Type': 'application/problem+json',
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
      'X-Request-Id': randomUUID(),
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      Connection: 'close',
    },
    body,
  };
}
