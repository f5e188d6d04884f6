/** The gate before both faces, where what stands behind it fails in ways that no handler should. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Handler } from '../src/http/exchange.ts';
import { openGate } from '../src/http/gate.ts';
import { ask, startTestGateway, type TestGateway } from './harness/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** A server whose only handler is this one. */
async function serve(handler: Handler): Promise<string> {
  const { listener } = openGate({ ...gateway.services, corsOrigins: ['*'] }, [handler], () => 'GET');
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('an answer that cannot be sent becomes a problem with an id, and what it cost is given back', async () => {
  const { key } = await gateway.makeKey('starter');
  const address = await serve(async ({ access }) => {
    await (await access.admit(1)).settled;
    return { status: 200, headers: { Location: 'https://shop.example/č' }, body: 'never seen' };
  });
  const { status, headers, body } = await ask(address, { key });
  expect([status, body.code]).toEqual([500, 'internal_error']);
  expect(headers.get('x-request-id')).toBeTruthy();
  expect(headers.get('x-quota-remaining')).toBe('10000');
});

test('a stream is sent as it comes', async () => {
  const address = await serve(() => ({
    status: 200,
    headers: { 'Content-Type': 'text/event-stream' },
    body: Readable.from(['data: 1\n\n', 'data: 2\n\n']),
  }));
  expect((await ask(address)).text).toBe('data: 1\n\ndata: 2\n\n');
});
