/** Clients that send or read extremely slowly are disconnected, and do not affect others. */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { feedRow, importRows } from '../harness/gateway.ts';
import { fillHome, LOOKUP, makeHome } from '../harness/home.ts';
import { forFile } from '../harness/lifetime.ts';
import { startLoad } from '../harness/load.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { openRawClient, type RawClient, requestText } from '../harness/raw-client.ts';

const home = await forFile(makeHome());
const key = await fillHome(home);
await home.within((database) =>
  importRows(
    database,
    'Wide',
    Array.from({ length: 100 }, (_, n) =>
      feedRow({ id: `${n}`, title: `Wide thing ${n} ${'of many words '.repeat(10)}` }),
    ),
  ),
);
const server = await forFile(startServerProcess(home.environment));
const load = startLoad({ addresses: [server.address], key, paths: [LOOKUP], clients: 2, restMs: 50 });
afterAll(async () => {
  const books = await load.stop();
  // Ordinary requests were answered all the time.
  expect(books.asked.filter(({ status }) => status !== 200)).toEqual([]);
  expect(books.asked.length).toBeGreaterThan(50);
});

/** Sends a text byte by byte until the connection has ended. @returns how long that took, in milliseconds. */
async function trickle(client: RawClient, text: string): Promise<number> {
  const startedAt = performance.now();
  let isOver = false;
  void client.ended.then(() => {
    isOver = true;
  });
  for (const byte of text) {
    if (isOver) break;
    client.send(byte);
    await Promise.race([wait(500), client.ended]);
  }
  await client.ended;
  return performance.now() - startedAt;
}

const memoryOf = ({ child }: ServerProcess, what: 'VmRSS' | 'VmHWM') =>
  Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;

const ESTABLISHED = '01';

/** Whether the server's side of a connection is open, according to the kernel: a client that does not read cannot see it. */
function isOpenAtServer({ socket }: RawClient): boolean {
  const hex = (port = 0) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  return rows.some((row) => {
    const [, local, remote, state] = row.trim().split(/\s+/);
    return local?.endsWith(hex(socket.remotePort)) && remote?.endsWith(hex(socket.localPort)) && state === ESTABLISHED;
  });
}

// These tests mostly wait for timeouts, so they run at the same time.
describe.concurrent('a client', () => {
  test('that sends its headers byte by byte gets 408 after ten seconds', async ({ expect }) => {
    const clients = await Promise.all(Array.from({ length: 50 }, () => openRawClient(server.address)));
    const lasted = await Promise.all(
      clients.map((client) => trickle(client, requestText(`/healthz?${'x'.repeat(200)}`))),
    );
    for (const ms of lasted) expect(ms).toBeGreaterThan(9_000);
    for (const ms of lasted) expect(ms).toBeLessThan(16_000);
    const answer = await clients[0]?.answer();
    expect(answer?.status).toBe(408);
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ code: 'request_timeout' });
  });

  test.each([
    '/graphql',
    '/mcp',
  ])('that sends the body of a request to %s byte by byte gets 408 after twenty seconds', async (path) => {
    const client = await openRawClient(server.address);
    const head = { 'x-api-key': key, 'Content-Type': 'application/json', 'Content-Length': '10000' };
    client.send(requestText(path, head, 'POST'));
    const ms = await trickle(client, ' '.repeat(10_000));
    expect(ms).toBeGreaterThan(19_000);
    expect(ms).toBeLessThan(26_000);
    expect((await client.answer())?.status).toBe(408);
  });

  test.runIf(process.platform === 'linux')(
    'that sends a thousand requests and reads no response takes little memory, and is disconnected',
    async ({ expect }) => {
      const client = await openRawClient(server.address);
      const before = memoryOf(server, 'VmRSS');
      client.socket.pause();
      client.send(requestText('/api/v1/products?limit=100', { 'x-api-key': key }).repeat(1_000));
      for (let second = 0; second < 100 && isOpenAtServer(client); second += 1) await wait(1_000);
      expect(isOpenAtServer(client)).toBe(false);
      // All responses together exceed 50 MB, so only a few may be made for a client that does not read.
      expect(memoryOf(server, 'VmHWM') - before).toBeLessThan(100);
      client.socket.resume();
      await client.ended;
      let answered = 0;
      while (await client.answer()) answered += 1;
      expect(answered).toBeLessThan(500);
    },
  );

  test('with queued subscriptions on one connection holds none of them after it disconnects', async ({ expect }) => {
    const body = JSON.stringify({ query: 'subscription { priceChanged(productIds: ["thing-a"]) { min } }' });
    const subscribe = requestText(
      '/graphql',
      {
        'x-api-key': key,
        'Content-Type': 'application/json',
        Accept: 'text/event-stream',
        'Content-Length': String(body.length),
      },
      'POST',
    );
    for (let round = 0; round < 6; round += 1) {
      const client = await openRawClient(server.address);
      let heard = '';
      client.socket.on('data', (chunk) => (heard += chunk));
      client.send((subscribe + body).repeat(5));
      // A key may have twenty open: later rounds of five succeed only if earlier ones were closed.
      for (let turn = 0; turn < 600 && !heard.includes('\n'); turn += 1) await wait(50);
      expect(heard).toMatch(/^HTTP\/1.1 200/);
      await wait(500);
      client.socket.destroy();
      await wait(200);
    }
  });
});
