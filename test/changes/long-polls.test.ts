/** `wait` of `GET /api/v1/changes`: requests that wait for the next change. */
import { expect, onTestFinished, test } from 'vitest';
import { usageOf } from '../../src/access/key-admin.ts';
import { openStreamHead } from '../../src/ledger/changes/stream-head.ts';
import { eventually, expectEventually } from '../harness/eventually.ts';
import { type Answer, feedRow, startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

let next = 0;

/** Imports a product with one offer: two changes. */
const importOne = (shop = 'Shop') => {
  next += 1;
  return gateway.importRows(shop, [feedRow({ id: `row-${next}` })], { mode: 'delta' });
};
const poll = (query = '', asked = key, init: RequestInit = {}): Promise<Answer> =>
  gateway.get(`/api/v1/changes?cursor=now&wait=30${query}`, { key: asked, ...init });
const waiting = async (count: number, of = gateway) => {
  await expectEventually(async () => of.services.streamHead.waiting, count);
};
const open = async () => (await gateway.services.metrics.longPolls.get()).values[0]?.value;

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('pro');
await importOne();

test('a request that waits is answered with the first change, and is counted as one request', async () => {
  const own = await gateway.makeKey('pro');
  const polling = poll('', own.key);
  await waiting(1);
  expect(await open()).toBe(1);
  await importOne();
  const { status, body } = await polling;
  expect(status).toBe(200);
  expect(body.data.map(({ types }: { types: string[] }) => types)).toEqual([['product'], ['offer_created']]);
  expect(body.page).toMatchObject({ limit: 100, hasMore: false });
  expect((await usageOf(gateway.database, { keyId: own.id }))[0]?.used).toBe(1);
  expect(await open()).toBe(0);
});

test('a request does not wait if there are changes', async () => {
  const { body } = await gateway.get('/api/v1/changes?wait=30&limit=1', { key });
  expect(body.data).toHaveLength(1);
});

test('a request goes on waiting after changes that its filter does not match', async () => {
  await importOne('Other');
  const polling = poll('&merchant=other');
  await waiting(1);
  await importOne();
  await importOne('Other');
  const { body } = await polling;
  expect(body.data).toMatchObject([{ types: ['offer_created'], after: { merchant: { slug: 'other' } } }]);
});

test('a request is answered with an empty page when its time is over', async () => {
  const { status, body } = await gateway.get('/api/v1/changes?cursor=now&wait=1', { key });
  expect([status, body.data, body.page.hasMore]).toEqual([200, [], false]);
});

test('five requests of a key wait at a time, others are refused without being counted, and other keys may wait', async () => {
  const own = await gateway.makeKey('pro');
  const leaving = new AbortController();
  const polls = Array.from({ length: 5 }, () => poll('', own.key, { signal: leaving.signal }).catch(() => undefined));
  await waiting(5);
  const refused = await poll('', own.key);
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_polls']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.headers.get('x-quota-remaining')).toBe('99995');
  // Without `wait`, the key is served as always.
  expect((await gateway.get('/api/v1/changes?cursor=now', { key: own.key })).status).toBe(200);
  const other = poll('', key, { signal: leaving.signal }).catch(() => undefined);
  await waiting(6);
  // Clients that leave end their polls at once.
  leaving.abort();
  await waiting(0);
  await Promise.all([...polls, other]);
  expect(await eventually(open, (count) => count === 0)).toBe(0);
});

test('requests that wait take no place among those in progress, and a refused one does not wait', async () => {
  const before = await gateway.services.metrics.registry.getSingleMetric('pda_requests_in_flight')?.get();
  const leaving = new AbortController();
  const polling = poll('', key, { signal: leaving.signal }).catch(() => undefined);
  await waiting(1);
  expect(await gateway.services.metrics.registry.getSingleMetric('pda_requests_in_flight')?.get()).toEqual(before);
  leaving.abort();
  await polling;

  const empty = await gateway.makeKey('free');
  await gateway.database.query(
    `INSERT INTO usage_counter (key_id, month, quota, used, granted)
     SELECT max(id), to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM'), 100, 100, 0 FROM api_key`,
  );
  expect((await poll('', empty.key)).status).toBe(402);
  await waiting(0);
});

test('requests that wait are answered at once when the server drains, and their connections close', async () => {
  const stopping = await startTestGateway();
  const own = await stopping.makeKey('pro');
  const polling = stopping.get('/api/v1/changes?cursor=now&wait=30', { key: own.key });
  await waiting(1, stopping);
  let isStopped = false;
  onTestFinished(async () => {
    if (!isStopped) await stopping.stop({ isAtOnce: true });
  });
  const [{ status, body, headers }] = await Promise.all([polling, stopping.stop()]);
  isStopped = true;
  expect([status, body.data]).toEqual([200, []]);
  expect(headers.get('connection')).toBe('close');
});

test('the head of the stream is read only while somebody waits, whatever fails meanwhile', async () => {
  let reads = 0;
  let mayRead = false;
  const head = openStreamHead(
    {
      ...gateway.database,
      async query(sql, parameters, options) {
        reads += 1;
        if (!mayRead && reads > 1) throw new Error('The database is away.');
        return gateway.database.query(sql, parameters, options);
      },
    },
    1,
  );
  const [row] = await gateway.database.query<{ head: bigint }>('SELECT change_seq AS head FROM catalogue_version');
  const at = row?.head ?? 0n;
  expect(reads).toBe(0);
  const { signal } = new AbortController();
  const seen = head.waitBeyond(at, signal);
  const none = head.waitBeyond(at + 1_000n, AbortSignal.timeout(50));
  await importOne();
  mayRead = true;
  expect(await seen).toBeGreaterThan(at);
  expect(await none).toBeUndefined();
  const before = await eventually(
    async () => reads,
    () => head.waiting === 0,
  );
  expect(await head.waitBeyond(at, signal)).toBeGreaterThan(at);
  expect(reads - before).toBeLessThanOrEqual(2);
});
