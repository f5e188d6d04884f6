/** The gate in front of all handlers, when they fail or hang and when there are too many requests. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { usageOf } from '../src/access/key-admin.ts';
import { openAdmission } from '../src/http/admission.ts';
import { openTrustedPeers, type TrustedProxies } from '../src/http/client-address.ts';
import type { Handler } from '../src/http/exchange.ts';
import { openFreeWork } from '../src/http/free-work.ts';
import { openGate } from '../src/http/gate.ts';
import { openRouteTable, type ServerRoute } from '../src/http/route-table.ts';
import { MCP_METHODS, mcpBodyRule, serveMcp } from '../src/mcp/serve-mcp.ts';
import { endpointOf } from '../src/operations/endpoint.ts';
import { eventually, expectEventually } from './harness/eventually.ts';
import { type Answer, ask, posting, startTestGateway } from './harness/gateway.ts';
import { forFile } from './harness/lifetime.ts';
import { openRawClient, requestText } from './harness/raw-client.ts';
import { signal } from './harness/signal.ts';

const gateway = await forFile(startTestGateway());

/** A server with only this handler. */
async function serve(
  handler: Handler,
  {
    most = 2_000,
    longestMs = 15_000,
    access = gateway.services.access,
    trusted = 0 as TrustedProxies,
    methods = ['GET'],
    bodyRule = undefined as ServerRoute['bodyRule'],
  } = {},
): Promise<string> {
  const admission = openAdmission({ targetMs: 100, most });
  const services = { ...gateway.services, access, isProxy: openTrustedPeers(trusted) };
  const row: ServerRoute = {
    path: '/{anything...}',
    endpoint: endpointOf('other', '/{anything}'),
    methods,
    access: 'public',
    ...(bodyRule && { bodyRule }),
    handle: handler,
  };
  const routes = openRouteTable([{ ...row, path: '/healthz', isVital: true }, row]);
  const { listener } = openGate(services, routes, { admission, corsOrigins: ['*'], longestMs });
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('a response that cannot be sent becomes a problem with a request id, and its charge is refunded', async () => {
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

test('a stream is passed on unchanged', async () => {
  const address = await serve(() => ({
    status: 200,
    headers: { 'Content-Type': 'text/event-stream' },
    body: Readable.from(['data: 1\n\n', 'data: 2\n\n']),
  }));
  expect((await ask(address)).text).toBe('data: 1\n\ndata: 2\n\n');
});

test('a request that hangs is answered 503, and a charge that comes later is refunded', async () => {
  const { key } = await gateway.makeKey('starter');
  const { raise: goOn, raised: hanging } = signal();
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
  // When the handler resumes, the request is charged and refunded at once.
  const counters = () =>
    gateway.database.query<{ used: bigint; granted: bigint }>(
      'SELECT used, granted FROM usage_counter WHERE key_id = $1',
      [id],
    );
  const [counter] = await eventually(counters, ([row]) => row?.used === 0n);
  expect(counter).toEqual({ used: 0n, granted: 1n });
});

test('an agent whose calls hang is told that they are not charged, and they are not', async () => {
  const { id, key } = await gateway.makeKey('starter');
  const { raise: goOn, raised: hanging } = signal();
  let calls = 0;
  const agents = { ...gateway.services, corsOrigins: ['*'] };
  const address = await serve(
    serveMcp(
      agents,
      {
        async answer() {
          calls += 1;
          await hanging;
          throw new Error('Nobody waits for this answer any more.');
        },
      },
      openFreeWork(openAdmission({ targetMs: 0, most: 100 })),
    ),
    { longestMs: 50, methods: MCP_METHODS, bodyRule: mcpBodyRule(agents) },
  );
  const call = (n: number) => ({
    jsonrpc: '2.0',
    id: n,
    method: 'tools/call',
    params: { name: 'look_up', arguments: { ean: '4006381333931' } },
  });
  const { status, body } = await ask(`${address}mcp`, { key, ...posting([call(1), call(2)]) });
  expect([status, body.code]).toEqual([503, 'unavailable']);
  expect(body.detail).toMatch(/not charged/);
  await expectEventually(async () => calls, 2);
  goOn();
  const used = async () => (await usageOf(gateway.database, { keyId: id }))[0]?.used;
  expect(await eventually(used, (count) => count === 0)).toBe(0);
});

test('a request whose response headers hang is answered 503', async () => {
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

describe('with more concurrent requests than the limit', () => {
  /** A key that the gateway knows to be valid, because it was used before. */
  let known: string;
  beforeAll(async () => {
    ({ key: known } = await gateway.makeKey('pro'));
    await gateway.get('/api/v1/brands', { key: known });
  });

  /** A server at its limit: `count` requests are in progress until the test releases them. */
  async function serveFull(
    count: number,
    trusted: TrustedProxies = 0,
  ): Promise<{ address: string; goOn(): void; answers: Promise<Answer[]> }> {
    const { raise: goOn, raised: waiting } = signal();
    let inside = 0;
    const address = await serve(
      async ({ pathname }) => {
        if (pathname === '/') {
          inside += 1;
          await waiting;
        }
        return { status: 200, headers: {}, body: 'ok' };
      },
      { most: count, trusted },
    );
    const asking = Promise.all(Array.from({ length: count }, () => ask(address, { key: known })));
    await eventually(
      async () => inside,
      (reached) => reached === count,
    );
    return { address, goOn, answers: asking };
  }

  test('further requests are refused at once with Retry-After, and those in progress are answered', async () => {
    const { address, goOn, answers } = await serveFull(4);
    const { status, headers, body } = await ask(address, { key: known });
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
    expect(body.detail).toMatch(/try again/);
    expect(headers.get('x-request-id')).toBeTruthy();
    expect(headers.get('access-control-allow-origin')).toBe('*');
    goOn();
    expect((await answers).map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    expect((await ask(address, { key: known })).status).toBe(200);
  });

  test('half of the places are reserved for keys that are known to be valid, whatever other clients send', async () => {
    const { raise: goOn, raised: waiting } = signal();
    let inside = 0;
    const address = await serve(
      async () => {
        inside += 1;
        await waiting;
        return { status: 200, headers: {}, body: 'ok' };
      },
      { most: 4 },
    );
    const answers: Promise<Answer>[] = [];
    const enter = async (key: string) => {
      const before = inside;
      answers.push(ask(address, { key }));
      await eventually(
        async () => inside,
        (reached) => reached > before,
      );
    };
    const { key: fresh } = await gateway.makeKey('pro');
    await enter('junk');
    await enter(fresh);
    for (const other of ['junk', fresh]) expect((await ask(address, { key: other })).status).toBe(503);
    await enter(known);
    await enter(known);
    expect((await ask(address, { key: known })).status).toBe(503);
    goOn();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  test('health checks are still answered', async () => {
    const { address, goOn, answers } = await serveFull(2);
    expect((await ask(`${address}healthz`)).status).toBe(200);
    goOn();
    await answers;
  });

  /** Sends requests over one connection, each as soon as the last response is there. @returns the total time in milliseconds. */
  async function askInARow(address: string, times: number, headers: Record<string, string> = {}): Promise<number> {
    const client = await openRawClient(address);
    onTestFinished(() => void client.socket.destroy());
    const startedAt = performance.now();
    for (let turn = 0; turn < times; turn += 1) {
      client.send(requestText('/', { 'x-api-key': known, ...headers }));
      expect((await client.answer())?.status).toBe(503);
    }
    return performance.now() - startedAt;
  }

  test.each([
    ['', {}],
    [
      ', whatever proxy headers it sends',
      { Via: '1.1 proxy', Forwarded: 'for=203.0.113.7', 'X-Forwarded-For': '203.0.113.7' },
    ],
  ])('a client that retries immediately after each refusal has to wait longer and longer%s', async (_, headers) => {
    const { address, goOn, answers } = await serveFull(2);
    expect(await askInARow(address, 5, headers)).toBeGreaterThan(600); // Pauses of 100, 200 and 400 ms before the third and later requests.
    goOn();
    await answers;
  });

  test.each([
    ['by its address', ['loopback'], {}],
    ['by the number of proxies', 1, { 'X-Forwarded-For': '203.0.113.7' }],
  ])(
    'a proxy that is trusted %s never has to wait',
    async (_, trusted, headers) => {
      const { address, goOn, answers } = await serveFull(2, trusted);
      await askInARow(address, 100, headers as Record<string, string>); // With pauses it would take more than a minute.
      goOn();
      await answers;
    },
    30_000,
  );
});
