/** Security headers for browsers in every response (OWASP REST Security Cheat Sheet, OWASP Secure Headers Project). */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { startTestGateway } from '../harness/gateway.ts';
import { forFile, forTest } from '../harness/lifetime.ts';

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('pro');

const html = { accept: 'text/html' };
const ANSWERS: [what: string, path: string, init: RequestInit][] = [
  ['JSON', '/api/v1/brands', {}],
  ['CSV', '/api/v1/brands', { headers: { accept: 'text/csv' } }],
  ['a problem', '/api/v1/lookup', {}],
  ['an unknown route', '/nothing', {}],
  ['a wrong method', '/api/v1/plans', { method: 'DELETE' }],
  ['GraphQL', '/graphql?query={plans{id}}', {}],
  ['a GraphQL error', '/graphql?query={', {}],
  ['a preflight', '/api/v1/plans', { method: 'OPTIONS' }],
  ['an MCP message', '/mcp', { method: 'POST', body: '{}' }],
  ['an unknown click link', '/go/off_1', {}],
  ['health', '/healthz', {}],
  ['Markdown', '/docs/api.md', {}],
  ['llms.txt', '/llms.txt', {}],
];
const PAGES = ['/', '/docs', '/docs/api', '/graphql', '/products/nothing'];

describe('a response for programs', () => {
  test.each(ANSWERS)('cannot run, load or frame anything in a browser: %s', async (_what, path, init) => {
    const { headers } = await gateway.get(path, { key, ...init });
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(headers.has('strict-transport-security')).toBe(false);
  });
});

describe('a page', () => {
  test.each(PAGES)('has exactly one policy of its own: %s', async (path) => {
    const { headers } = await gateway.get(path, { headers: html });
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.match(/default-src/g)).toHaveLength(1);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*'unsafe-/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
  });
});

test('no response reveals the server software', async () => {
  for (const [, path, init] of ANSWERS) {
    const { headers } = await gateway.get(path, { key, ...init });
    for (const name of ['server', 'x-powered-by', 'via'])
      expect([path, name, headers.get(name)]).toEqual([path, name, null]);
  }
});

test('a malformed request gets the headers too', async () => {
  const { hostname, port } = new URL(gateway.address);
  const socket = connect(Number(port), hostname, () => socket.write('HELLO\r\n\r\n'));
  const answer = await text(socket);
  expect(answer).toMatch(/^X-Content-Type-Options: nosniff\r$/m);
  expect(answer).toMatch(/^Content-Security-Policy: default-src 'none'/m);
});

test('HTTPS adds HSTS, and sites that CORS excludes may not embed responses either', async () => {
  const secure = await forTest(
    startTestGateway({ PUBLIC_URL: 'https://api.example.com', CORS_ORIGINS: 'https://shop.example' }),
  );
  for (const [path, headers] of [
    ['/api/v1/plans', {}],
    ['/nothing', {}],
    ['/', html],
  ] as const) {
    const answer = await secure.get(path, { headers });
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  }
});
