/** Signals that live as long as the process keep nothing of the work that followed them and has ended. */
import { getEventListeners } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { awaitRun } from '../src/feeds/await-run.ts';
import { addFeed, runFeedSoon } from '../src/feeds/feeds.ts';
import { openWebSource } from '../src/import/readers/web-source.ts';
import { openSender } from '../src/webhooks/send.ts';
import { eventually } from './harness/eventually.ts';
import { posting, startTestGateway, type TestGateway } from './harness/gateway.ts';
import { allConfirmed, type Receiver, startReceiver } from './harness/receiver.ts';
import { answerFeed, type ShopServer, someRows, startShopServer } from './harness/shop-server.ts';

let gateway: TestGateway;
let receiver: Receiver;
let shop: ShopServer;
/** The signals that were made while the gateway started. */
const lasting: AbortSignal[] = [];
beforeAll(async () => {
  vi.stubGlobal(
    'AbortController',
    class extends AbortController {
      constructor() {
        super();
        lasting.push(this.signal);
      }
    },
  );
  gateway = await startTestGateway({ FEEDS: 'on', WEBHOOKS_ALLOW_PRIVATE: 'true' });
  vi.unstubAllGlobals();
  [receiver, shop] = await Promise.all([startReceiver(), startShopServer()]);
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([receiver.stop(), shop.stop()]);
});

/** How much follows a signal: its listeners, and what Node keeps of signals that `AbortSignal.any` has derived from it, even collected ones. */
function followersOf(signal: AbortSignal): number {
  const kept = Object.getOwnPropertySymbols(signal).find(({ description }) => description === 'kDependantSignals');
  const derived = kept && (signal as unknown as Record<symbol, Set<unknown> | undefined>)[kept];
  return getEventListeners(signal, 'abort').length + (derived?.size ?? 0);
}

const LETTER = { secret: () => 'whsec_AAAA', messageId: 'msg_1', body: '{}' };

// Later versions of Node keep less of derived signals.
test.runIf(process.version.startsWith('v20.'))('what this test counts are listeners and derived signals', () => {
  const { signal } = new AbortController();
  signal.addEventListener('abort', () => {});
  const derived = AbortSignal.any([signal]);
  expect([followersOf(signal), derived.aborted]).toEqual([2, false]);
});

test('a gateway keeps nothing of messages that were sent and feeds that were pulled', async () => {
  const { key } = await gateway.makeKey('starter');
  const send = (path: string, body: unknown) => gateway.get(`/api/v1/webhooks${path}`, { key, ...posting(body) });
  const filter = { codes: ['4006381333931'] };
  const { id } = (await send('', { url: receiver.url, kinds: ['product_found'], filter })).body.data;
  await allConfirmed(gateway.database);
  for (let count = 0; count < 20; count += 1) expect((await send(`/${id}/test`, {})).status).toBe(202);

  shop.serve('/feed', answerFeed(someRows(2)));
  const feed = { url: shop.url('/feed'), merchant: 'Pulled', every: '1h', allowPrivate: true };
  const added = await addFeed(gateway.database, feed, { secretKey: undefined });
  for (let count = 0; count < 5; count += 1)
    await awaitRun(gateway.database, added.id, () => runFeedSoon(gateway.database, added.id));
  const sent = await eventually(
    async () => receiver.received.length,
    (count) => count === 20,
    60_000,
  );
  expect(sent).toBe(20);

  expect(lasting.length).toBeGreaterThan(0);
  // The puller rests, and the stop would wake it.
  const most = await eventually(
    async () => Math.max(...lasting.map(followersOf)),
    (count) => count <= 1,
  );
  expect(most).toBeLessThanOrEqual(1);
});

test('an attempt follows the signal that cuts it off, and lets go of it at its end, however that comes', async () => {
  const stop = new AbortController();
  const sender = openSender({ isPrivateAllowed: true, idleConnections: 1, responseMs: 60_000 });
  const silent = await startReceiver(() => {});
  const send = (url: string) => sender.send({ url, ...LETTER }, stop.signal);
  for (let count = 0; count < 10; count += 1) expect((await send(receiver.url)).isDelivered).toBe(true);
  expect((await send('http://127.0.0.1:1/')).isDelivered).toBe(false);
  expect(followersOf(stop.signal)).toBe(0);

  const cut = send(silent.url);
  expect(followersOf(stop.signal)).toBe(1);
  stop.abort();
  expect(await cut).toMatchObject({ isDelivered: false, status: null });
  expect(await send(receiver.url)).toMatchObject({ isDelivered: false, status: null });
  expect(followersOf(stop.signal)).toBe(0);
  sender.close();
  await silent.stop();
});

test('a fetch follows the signal that ends it, and lets go of it at its end, however that comes', async () => {
  const stop = new AbortController();
  shop.serve('/whole', answerFeed(someRows(3), '"v1"'));
  shop.serve('/moved', (response) => response.writeHead(302, { location: shop.url('/whole') }).end());
  shop.serve('/silent', () => {});
  const limits = { timeoutMs: 60_000, totalMs: 60_000, maxBytes: 1_000_000, isPrivateAllowed: true };
  const open = (path: string, etag?: string) =>
    openWebSource(shop.url(path), { ...limits, known: { etag }, signal: stop.signal });
  const isFree = () => expect.poll(() => followersOf(stop.signal), { timeout: 30_000 }).toBe(0);
  for (const path of ['/whole', '/moved']) {
    const fetched = await open(path);
    expect(followersOf(stop.signal)).toBe(1);
    if (!fetched.isUnchanged) for await (const chunk of fetched.bytes) expect(chunk.length).toBeGreaterThan(0);
    await isFree();
  }
  expect(await open('/whole', '"v1"')).toEqual({ isUnchanged: true });
  await expect(open('/missing')).rejects.toThrow('404');
  await isFree();
  const ended = expect(open('/silent')).rejects.toThrow('stopped');
  await shop.requested('/silent', 1);
  stop.abort(new Error('stopped'));
  await ended;
  await isFree();
});

test('no other code derives signals or listens to them', () => {
  const source = join(import.meta.dirname, '..', 'src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/^(generated|web\/client)/.test(file))
    .filter((file) => /AbortSignal\.any|addEventListener\(\s*'abort'/.test(readFileSync(join(source, file), 'utf8')));
  expect(files).toEqual(['follow-signal.ts']);
});
