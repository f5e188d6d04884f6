/** Addresses of webhooks are confirmed by their receivers, and what a key's webhooks send is limited: nobody can flood a stranger. */
import { once } from 'node:events';
import type { LookupFunction } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import { planOf } from '../../src/access/plans.ts';
import { encodeId } from '../../src/values/id.ts';
import { MOST_ATTEMPTS_AT_HOST, MOST_ATTEMPTS_OF_KEY } from '../../src/webhooks/verify.ts';
import { openWebhooks } from '../../src/webhooks/webhooks.ts';
import { expectEventually } from '../harness/eventually.ts';
import { feedRow, posting, startTestGateway } from '../harness/gateway.ts';
import { forFile, forTest } from '../harness/lifetime.ts';
import { allConfirmed, confirmAll, startReceiver, verify } from '../harness/receiver.ts';

const PATH = '/api/v1/webhooks';
const FILTER = { kinds: ['product_found'], filter: { codes: ['4006381333931'] } };

let key: string;
const gateway = await forFile(startTestGateway({ WEBHOOKS_ALLOW_PRIVATE: 'true' }));
beforeEach(async () => {
  await gateway.database.query('DELETE FROM webhook');
  ({ key } = await gateway.makeKey('pro'));
});

const send = (method: string, path: string, body?: unknown, as = key) =>
  gateway.get(PATH + path, { key: as, ...posting(body ?? {}), method, ...(method === 'GET' && { body: null }) });
const create = async (url: string, as = key) => (await send('POST', '', { url, ...FILTER }, as)).body.data;
const reasonOf = async (id: string) => (await send('GET', `/${id}`)).body.data.disabledReason;

describe('a webhook', () => {
  test('gets nothing before its receiver repeats the text of a signed message, which a bare 2xx does not do', async () => {
    const receiver = await forTest(startReceiver(undefined, (response) => response.writeHead(204).end()));
    const { id, secret } = await create(receiver.url);
    await expect.poll(() => reasonOf(id), { timeout: 30_000 }).toContain('answered 204 with no body');
    const refused = (await send('POST', `/${id}/test`)).body;
    expect(refused.code).toBe('webhook_disabled');
    expect(refused.detail).toContain('enabled once its receiver has confirmed the address: see /docs/webhooks#confirm');
    expect(refused.detail).not.toContain('Enable it first');
    const [asked] = receiver.verifications;
    expect(asked && verify(secret, asked)).toMatchObject({ type: 'webhook.verify', data: { webhookId: id } });
    await gateway.importRows('Found', [feedRow({ id: 'f', gtin: '4006381333931' })]);
    const isPast = 'SELECT (SELECT seq FROM webhook_position) = change_seq AS "isPast" FROM catalogue_version';
    await expectEventually(() => gateway.database.query(isPast), [{ isPast: true }]);

    receiver.verifyWith((response, { body }) => response.end(`${body.data.challenge}\n`));
    expect((await send('PATCH', `/${id}`, { enabled: true })).body.data.confirmed).toBe(false);
    await allConfirmed(gateway.database);
    expect((await send('GET', `/${id}`)).body.data).toMatchObject({ enabled: true, confirmed: true });
    expect((await send('POST', `/${id}/test`)).status).toBe(202);
    expect((await receiver.messages(1)).map(({ body }) => body.data.test)).toEqual([true]);
  });

  test.each([
    ['another text', 200, '{"challenge": "text"}'],
    ['the whole message, as an echo does', 200, undefined],
    ['a failure with the text', 500, ''],
  ])('is not confirmed by %s', async (_what, status, answer) => {
    const receiver = await forTest(
      startReceiver(undefined, (response, { text, body }) =>
        response.writeHead(status).end(answer === '' ? body.data.challenge : (answer ?? text)),
      ),
    );
    const { id } = await create(receiver.url);
    await expect.poll(() => reasonOf(id), { timeout: 30_000 }).toContain('Another attempt follows');
    if (status === 200)
      expect(await reasonOf(id)).toContain('`data.challenge` alone as the body. It answered 200 with another');
    expect((await send('GET', `/${id}`)).body.data).toMatchObject({ enabled: false, confirmed: false });
  });

  test('is confirmed again after a change of its address, but not after other changes', async () => {
    const [old, next] = [await forTest(startReceiver()), await forTest(startReceiver())];
    const { id } = await create(old.url);
    await allConfirmed(gateway.database);
    expect((await send('PATCH', `/${id}`, { ...FILTER, url: old.url })).body.data.confirmed).toBe(true);
    next.verifyWith((response) => response.writeHead(500).end());
    expect((await send('PATCH', `/${id}`, { url: next.url })).body.data).toMatchObject({
      confirmed: false,
      enabled: false,
    });
    await expect.poll(() => reasonOf(id), { timeout: 30_000 }).toContain('answered 500');
    // Its owner's wish to get nothing outlasts the change and the confirmation.
    await send('PATCH', `/${id}`, { enabled: false });
    const moved = await send('PATCH', `/${id}`, { url: old.url });
    expect(moved.body.data).toMatchObject({ confirmed: false, disabledReason: 'Disabled by its owner.' });
  });

  test('is not confirmed at an address whose check outlasted a change to another one, which was confirmed', async () => {
    const stranger = 'https://stranger.invalid/';
    const receiver = await forTest(startReceiver());
    const { id } = await create(receiver.url);
    await allConfirmed(gateway.database);
    await gateway.database.query('UPDATE webhook SET url = $1', [stranger]);
    const checks = new EventTarget();
    const lookup: LookupFunction = (_host, _options, done) => {
      checks.addEventListener('answer', () => done(null, [{ address: '93.184.215.14', family: 4 }]));
      checks.dispatchEvent(new Event('asked'));
    };
    const asked = once(checks, 'asked');
    const market = { publicUrl: 'https://prices.test', currency: 'EUR', country: 'DE' };
    const change = openWebhooks(gateway.database, market, { isPrivateAllowed: false, lookup });
    const slow = change.update(undefined, id, { url: stranger });
    await asked;
    await send('PATCH', `/${id}`, { url: receiver.url });
    await allConfirmed(gateway.database);
    checks.dispatchEvent(new Event('answer'));
    await slow;
    const { data } = (await send('GET', `/${id}`)).body;
    expect(data).toMatchObject({ url: stranger, enabled: false, confirmed: false });
  });
});

test('attempts to confirm addresses are limited to ten a minute of a key, and thirty at a host', async () => {
  const receiver = await forTest(startReceiver(undefined, (response) => response.writeHead(204).end()));
  const url = receiver.url.replace('127.0.0.1', 'localhost');
  const waiting = () =>
    gateway.database.query(
      "SELECT id FROM webhook WHERE verify_attempts = 0 AND verify_at <= now() + INTERVAL '1 second'",
    );
  for (let made = 0; made < MOST_ATTEMPTS_OF_KEY + 2; made += 1) await create(url);
  await expectEventually(waiting, []);
  expect(receiver.verifications).toHaveLength(MOST_ATTEMPTS_OF_KEY);
  for (let keys = 0; keys < 3; keys += 1) {
    const other = (await gateway.makeKey('pro')).key;
    for (let made = 0; made < MOST_ATTEMPTS_OF_KEY; made += 1) await create(url, other);
  }
  await expectEventually(waiting, []);
  expect(receiver.verifications).toHaveLength(MOST_ATTEMPTS_AT_HOST);
});

/** Adds messages that were given up. @returns their ids. */
async function addPast(count: number): Promise<string[]> {
  const rows = await gateway.database.query<{ id: bigint }>(
    `INSERT INTO webhook_delivery (webhook_id, message_id, kind, seq, payload, given_up_at)
     SELECT webhook.id, 'msg_' || n, 'product_found', 1, '{}', now() FROM webhook, generate_series(1, $1::int) AS n
     RETURNING id`,
    [count],
  );
  return rows.map(({ id }) => encodeId('delivery', id));
}

test('a replay by ids of more messages than the plan has left says which ids remain, and no time to go on from', async () => {
  const receiver = await forTest(startReceiver());
  const free = await gateway.makeKey('free');
  const { messagesPerMinute } = planOf('free');
  const { id } = await create(receiver.url, free.key);
  await allConfirmed(gateway.database);
  const deliveries = await addPast(messagesPerMinute + 5);
  const replayed = await send('POST', `/${id}/replay`, { deliveries }, free.key);
  const remaining = deliveries.slice(messagesPerMinute);
  expect(replayed.body.data).toEqual({ count: messagesPerMinute, remaining });
  await receiver.messages(messagesPerMinute);
});

test('a free key sends no more messages a minute than its plan allows, and neither do replays and tests', async () => {
  const receiver = await forTest(startReceiver());
  const free = await gateway.makeKey('free');
  const { messagesPerMinute } = planOf('free');
  const { id } = await create(receiver.url, free.key);
  await allConfirmed(gateway.database);
  await addPast(messagesPerMinute + 5);
  const replay = () => send('POST', `/${id}/replay`, { from: '2020-01-01T00:00:00Z' }, free.key);
  const replayed = await replay();
  expect(replayed.body.data).toEqual({ count: messagesPerMinute, nextFrom: expect.any(String) });
  await receiver.messages(messagesPerMinute);
  for (const refused of [await replay(), await send('POST', `/${id}/test`, {}, free.key)]) {
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  }
  // Messages of changes wait for the next minute, without an attempt.
  await gateway.database.query(
    'UPDATE webhook_delivery SET given_up_at = NULL, due_since = now() WHERE given_up_at IS NOT NULL',
  );
  const other = await create(receiver.url);
  await confirmAll(gateway.database);
  await send('POST', `/${other.id}/test`);
  await receiver.messages(messagesPerMinute + 1);
  expect(receiver.received).toHaveLength(messagesPerMinute + 1);
  const left = 'SELECT attempts FROM webhook_delivery WHERE delivered_at IS NULL';
  await expectEventually(() => gateway.database.query(left), Array(5).fill({ attempts: 0 }));
});
