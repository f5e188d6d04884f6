/** Answers requests that cannot be read, before they reach the gate. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Market } from '../catalogue/market.ts';
import { Problem } from '../problem.ts';
import { problemAnswer } from './problem.ts';

const unreadable = (detail: string) => new Problem('invalid_parameter', detail);

const REASONS = {
  address: unreadable('The `Host` header and the path do not form a valid URL: check what the client sends.'),
  hosts: unreadable('The request has more than one `Host` header: send one.'),
  expectation: new Problem(
    'expectation_failed',
    'The `Expect` header may only be `100-continue`: send the request without that header.',
  ),
};

/** Refuses a request without a valid address (RFC 9112 §3.2) or with an unknown expectation (RFC 9110 §10.1.1). */
export function answerUnreadable(market: Market, response: ServerResponse, reason: keyof typeof REASONS): void {
  const { status, headers, body } = refusal(REASONS[reason], market);
  response.writeHead(status, headers).end(body);
}

/** Answers on the bare socket if the data is not valid HTTP, has too large headers, or arrives too slowly. */
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
    return new Problem('headers_too_large', 'The headers are larger than 32 KiB: send smaller ones.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('request_timeout', 'The request was not complete in time: send it again.');
  return unreadable('The data is not a valid HTTP request: check what the client sends.');
}

function refusal(problem: Problem, { publicUrl }: Market) {
  const { status, headers, body } = problemAnswer(problem, publicUrl);
  return {
    status,
    headers: {
      ...headers,
      'X-Request-Id': randomUUID(),
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      Connection: 'close',
    },
    body,
  };
}
