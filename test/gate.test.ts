/** The gate before both faces, where what stands behind it fails in ways that no handler should. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openAdmission } from '../src/http/admission.ts';
import type { Handler } from '../src/http/exchange.ts';
import { openGate } from '../src/http/gate.ts';
import { eventually } from './harness/eventually.ts';
import { type Answer, ask, startTestGateway, type TestGateway } from './harness/gateway.ts';
import { openRawClient, requestText } from './harness/raw-client.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** A server whose only handler is this one. */
async function serve(
  handler: Handler,
  { most = 2_000, longestMs = 15_000, access = gateway.services.access } = {},
): Promise<string> {
  const admission = openAdmission({ targetMs: 100, most });
  const services = { ...gateway.services, access, corsOrigins: ['*'], admission, longestMs };
  const { listener } = openGate(
    services,
    [handler],
    () => 'GET',
    (path) => path === '/healthz',
  );
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

test('a request that hangs is answered 503 in the end, and is not charged, whenever its charge comes through', async () => {
  const { key } = await gateway.makeKey('starter');
  let goOn = () => {};
  const hanging = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const address = await serve(
    async ({ access }) => {
      await hanging;
      await (await access.admit(1)).settled;
      return { status: 200, headers: {}, body: 'too late' };
    },
    { longestMs: 50 },
  );
  const { status, headers, body } = await ask(address, { key });
  expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
  expect(headers.get('x-request-id')).toBeTruthy();
  goOn();
  const id = (await gateway.services.access.keys.find(key, () => '127.0.0.1'))?.id ?? 0n;
  // It is charged when it goes on, and given back at once.
  const counters = () =>
    gateway.database.query<{ used: bigint; granted: bigint }>(
      'SELECT used, granted FROM usage_counter WHERE key_id = $1',
      [id],
    );
  const [counter] = await eventually(counters, ([row]) => row?.used === 0n);
  expect(counter).toEqual({ used: 0n, granted: 1n });
});

test('an answer whose headers hang is answered 503 in the end', async () => {
  const { key } = await gateway.makeKey('starter');
  const { access } = gateway.services;
  const address = await serve(
    async (exchange) => {
      await exchange.access.recognise();
      return { status: 200, headers: {}, body: 'never seen' };
    },
    { longestMs: 50, access: { ...access, rates: { ...access.rates, look: () => new Promise(() => {}) } } },
  );
  expect((await ask(address, { key })).status).toBe(503);
});

describe('with more requests than there may be at once', () => {
  /** A server that is full: so many requests are being answered, until they are told to go on. */
  async function serveFull(count: number): Promise<{ address: string; goOn(): void; answers: Promise<Answer[]> }> {
    let goOn = () => {};
    const waiting = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let inside = 0;
    const address = await serve(
      async ({ pathname }) => {
        if (pathname === '/') {
          inside += 1;
          await waiting;
        }
        return { status: 200, headers: {}, body: 'ok' };
      },
      { most: count },
    );
    const asking = Promise.all(Array.from({ length: count }, () => ask(address, { key: 'some key' })));
    await eventually(
      async () => inside,
      (reached) => reached === count,
    );
    return { address, goOn, answers: asking };
  }

  test('what comes on top is refused at once, with when to come again, and those inside are answered', async () => {
    const { address, goOn, answers } = await serveFull(4);
    const { status, headers, body } = await ask(address, { key: 'some key' });
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
    expect(body.detail).toMatch(/try again/);
    expect(headers.get('x-request-id')).toBeTruthy();
    expect(headers.get('access-control-allow-origin')).toBe('*');
    goOn();
    expect((await answers).map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    expect((await ask(address, { key: 'some key' })).status).toBe(200);
  });

  test('health is answered all the same', async () => {
    const { address, goOn, answers } = await serveFull(2);
    expect((await ask(`${address}healthz`)).status).toBe(200);
    goOn();
    await answers;
  });

  /** Asks over one connection, each time as soon as the last answer is there. @returns the milliseconds that all took. */
  async function askInARow(address: string, times: number, headers: Record<string, string> = {}): Promise<number> {
    const client = await openRawClient(address);
    onTestFinished(() => void client.socket.destroy());
    const startedAt = performance.now();
    for (let turn = 0; turn < times; turn += 1) {
      client.send(requestText('/', { 'x-api-key': 'some key', ...headers }));
      expect((await client.answer())?.status).toBe(503);
    }
    return performance.now() - startedAt;
  }

  test('who asks again at once whenever refused is heard ever more rarely', async () => {
    const { address, goOn, answers } = await serveFull(2);
    expect(await askInARow(address, 5)).toBeGreaterThan(600); // Rests of 100, 200 and 400 ms, before the third and later ones.
    goOn();
    await answers;
  });

  test('a proxy that asks for many clients is heard at once', async () => {
    const { address, goOn, answers } = await serveFull(2);
    await askInARow(address, 100, { 'X-Forwarded-For': '203.0.113.7' }); // With rests it would take more than a minute.
    goOn();
    await answers;
  }, 30_000);
});
