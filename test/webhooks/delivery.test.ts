/** The delivery of messages to real receivers: retries, failures, and what must never be sent. */
import { lookup as lookUpByDns } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createKey, revokeKey } from '../../src/access/key-admin.ts';
import { Problem } from '../../src/problem.ts';
import { decodeId, encodeId } from '../../src/values/id.ts';
import {
  type DeliveryObserver,
  type DeliveryOptions,
  MOST_OF_KEY,
  startDeliveries,
} from '../../src/webhooks/deliver.ts';
import { claimMessages, enqueueMessages, recordOutcomes } from '../../src/webhooks/delivery-queue.ts';
import { MOST_OF_WEBHOOK } from '../../src/webhooks/pace.ts';
import { examplePayload } from '../../src/webhooks/payload.ts';
import { tidyDeliveries } from '../../src/webhooks/tidy.ts';
import {
  type NewWebhook,
  type Owner,
  openWebhooks,
  type WebhookRow,
  type WebhooksOptions,
} from '../../src/webhooks/webhooks.ts';
import { openTestDatabase } from '../harness/database.ts';
import { feedRow, importRows } from '../harness/gateway.ts';
import { forFile, forTest } from '../harness/lifetime.ts';
import { type Receiver, startReceiver, verify } from '../harness/receiver.ts';

/** Waits for a state, as long as a busy machine may need. */
const poll = <State>(ask: () => State) => expect.poll(ask, { timeout: 30_000 });

const MARKET = { publicUrl: 'https://prices.test', currency: 'EUR', country: 'DE' };
const HOUR_MS = 3_600_000;
// Retries follow at once, and the queue is looked at all the time.
const QUICKLY = {
  delaysMs: [0, 0, 0],
  pauses: { idleMs: 5, withoutWebhooksMs: 5, failedMs: 5, existsMs: 0, graceMs: 100 },
};

let receiver: Receiver;
let owner: Owner & { keyId: string };
const database = await forFile(openTestDatabase());
await importRows(database, 'Shop', [feedRow({ id: 'a', title: 'Marker', brand: 'Acme' })]);
beforeEach(async () => {
  await database.query('DELETE FROM webhook');
  receiver = await startReceiver();
  const { id, plan } = await createKey(database, { name: 'client', plan: 'pro' });
  owner = { id: decodeId('key', id) ?? 0n, plan, keyId: id };
});
afterEach(() => receiver.stop());

/** Starts a gateway's delivery, which ends with the test. */
function deliver(options: Partial<DeliveryOptions> = {}) {
  const seen = { results: [] as string[], disabled: [] as string[] };
  const observer: DeliveryObserver = {
    onAttempt: (result) => void seen.results.push(result),
    onQueue: () => {},
    onDisabled: (_id, reason) => void seen.disabled.push(reason),
    onFailure: (error) => {
      throw error;
    },
  };
  const deliveries = startDeliveries(database, { isPrivateAllowed: true, observer, ...QUICKLY, ...options });
  onTestFinished(() => deliveries.stop());
  return { ...deliveries, ...seen };
}

/** Creates a webhook whose address is confirmed. */
const create = (url = receiver.url) => makeWebhook({ url, kinds: ['new_low'], filter: { brand: 'acme' } });

async function makeWebhook(asked: NewWebhook, options: WebhooksOptions = { isPrivateAllowed: true }) {
  const administration = openWebhooks(database, MARKET, options);
  const webhook = await administration.create(owner, asked);
  await administration.confirm(encodeId('webhook', webhook.id));
  return webhook;
}

const claim = () => claimMessages(database, { after: 0n, room: new Map(), fullKeys: [], most: 8 });

/** Adds messages to the queue. */
function enqueue({ id: webhookId }: WebhookRow, count = 1) {
  const payload = examplePayload('new_low', MARKET, { webhookId: 'whk_1', at: '2026-01-31T08:00:00Z' });
  const message = { webhookId, kind: 'new_low' as const, productId: 1n, seq: 1n, payload };
  return enqueueMessages(database, Array(count).fill(message));
}

const rows = () =>
  database.query<{ delivered: boolean; given_up: boolean; attempts: number; last_status: number; last_error: string }>(
    `SELECT delivered_at IS NOT NULL AS delivered, given_up_at IS NOT NULL AS given_up, attempts, last_status, last_error
     FROM webhook_delivery ORDER BY id`,
  );
const theRow = async () => (await rows())[0];
const webhookState = async () =>
  (
    await database.query<{ disabled_reason: string | null; failing_since: Date | null }>(
      'SELECT disabled_reason, failing_since FROM webhook ORDER BY id LIMIT 1',
    )
  )[0];

/** Answers `name` with public addresses for checks, and connects to this machine instead: the receiver of these tests. */
const resolveTo = (...answers: string[]): LookupFunction => {
  let asked = 0;
  return (_hostname, _options, done) => {
    const address = answers[Math.min(asked, answers.length - 1)] ?? '';
    asked += 1;
    done(null, [{ address, family: 4 }]);
  };
};

describe('a message', () => {
  test('that is refused is sent again with the same id and a valid signature, until it is accepted', async () => {
    let count = 0;
    receiver.answerWith((response) => {
      count += 1;
      response.writeHead(count < 3 ? 503 : 200).end('thanks');
    });
    const webhook = await create();
    await enqueue(webhook);
    const { results } = deliver();
    const messages = await receiver.messages(3);
    await poll(theRow).toMatchObject({ delivered: true, attempts: 3, last_status: 200, last_error: null });
    expect(new Set(messages.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(messages.map(({ text }) => text)).size).toBe(1);
    for (const message of messages) expect(verify(webhook.secret, message)).toEqual(message.body);
    expect(results).toEqual(['failed', 'failed', 'delivered']);
    expect((await webhookState())?.failing_since).toBeNull();
  });

  test('that is never accepted is given up after the last attempt, and its webhook is failing', async () => {
    receiver.answerWith((response) => response.writeHead(500).end());
    await enqueue(await create());
    const { results } = deliver();
    await poll(theRow).toMatchObject({
      given_up: true,
      attempts: 4,
      last_status: 500,
      last_error: 'The receiver answered 500 instead of a status from 200 to 299.',
    });
    expect(results.at(-1)).toBe('given_up');
    expect((await webhookState())?.failing_since).toBeInstanceOf(Date);
  });

  test('waits as long as Retry-After asks for', async () => {
    receiver.answerWith((response) => response.writeHead(429, { 'retry-after': '7200' }).end());
    await enqueue(await create());
    deliver();
    await poll(theRow).toMatchObject({ last_status: 429 });
    const [row] = await database.query<{ ms: number }>(
      'SELECT (EXTRACT(EPOCH FROM next_attempt_at - last_attempt_at) * 1000)::float8 AS ms FROM webhook_delivery',
    );
    expect(row?.ms).toBeGreaterThanOrEqual(2 * HOUR_MS);
    expect(row?.ms).toBeLessThan(2.1 * HOUR_MS);
  });

  test('is not sent to where a redirect leads', async () => {
    const elsewhere = await forTest(startReceiver());
    receiver.answerWith((response) => response.writeHead(308, { location: elsewhere.url }).end());
    await enqueue(await create());
    deliver({ delaysMs: [] });
    await poll(theRow).toMatchObject({
      given_up: true,
      last_status: 308,
      last_error: expect.stringContaining('redirects are not followed'),
    });
    expect(elsewhere.received).toEqual([]);
  });

  test('fails if the receiver does not answer in time, or is not there', async () => {
    receiver.answerWith(() => {});
    await enqueue(await create());
    const hurried = deliver({ delaysMs: [], responseMs: 50 });
    await poll(theRow).toMatchObject({ last_error: 'The receiver did not answer within 0.05 seconds.' });
    await hurried.stop();
    const gone = await startReceiver();
    await gone.stop();
    await enqueue(await create(gone.url));
    deliver({ delaysMs: [] });
    await poll(async () => (await rows())[1]?.last_error).toBe('The connection failed (ECONNREFUSED).');
  });

  test('is accepted whatever the response contains, of which little is read', async () => {
    receiver.answerWith((response) => {
      response.writeHead(200);
      const fill = () => {
        while (response.write('x'.repeat(10_000))) if (response.destroyed) return;
        response.once('drain', fill);
      };
      fill();
    });
    await enqueue(await create());
    deliver();
    await poll(theRow).toMatchObject({ delivered: true, attempts: 1 });
  });

  test('is sent once by two gateways', async () => {
    const webhook = await create();
    await enqueue(webhook, 60);
    const gateways = [deliver(), deliver()];
    await poll(async () => (await rows()).every(({ delivered }) => delivered)).toBe(true);
    expect(receiver.received).toHaveLength(60);
    expect(gateways.flatMap(({ results }) => results)).toHaveLength(60);
  });

  test('of a gateway that died is taken over when its lease ends, and its late outcome changes nothing', async () => {
    const webhook = await create();
    await enqueue(webhook);
    const [claimed] = await claim();
    expect(await claim()).toEqual([]);
    await database.query("UPDATE webhook_delivery SET next_attempt_at = next_attempt_at - INTERVAL '30 seconds'");
    deliver();
    await receiver.messages(1);
    await poll(theRow).toMatchObject({ delivered: true, attempts: 2 });
    const outcome = {
      id: claimed?.id ?? 0n,
      attempt: 1,
      isDelivered: false,
      delayMs: 0,
      isGone: false,
      status: 500,
      error: 'Late.',
    };
    await recordOutcomes(database, [outcome]);
    expect(await theRow()).toMatchObject({ delivered: true, last_status: 204 });
  });

  test('that is cut off by a stop is due at once, and not counted as an attempt', async () => {
    receiver.answerWith(() => {});
    await enqueue(await create());
    const { stop } = deliver();
    await receiver.messages(1);
    await stop();
    expect(await theRow()).toMatchObject({ delivered: false, given_up: false, attempts: 0, last_error: null });
    expect(await claim()).toHaveLength(1);
  });
});

test('a receiver that gets slow holds a few messages at a time', async () => {
  const slow = await forTest(startReceiver());
  const webhook = await create(slow.url);
  const quick = 100;
  await enqueue(webhook, quick);
  deliver();
  await poll(async () => (await rows()).every(({ delivered }) => delivered)).toBe(true);
  slow.answerWith(() => {});
  await enqueue(webhook, 200);
  await slow.messages(quick + MOST_OF_WEBHOOK);
  await enqueue(await create(), 20);
  await receiver.messages(20);
  expect(slow.received).toHaveLength(quick + MOST_OF_WEBHOOK);
});

test('silent receivers hold one message each, and others get theirs meanwhile', async () => {
  const silent = await forTest(startReceiver(() => {}));
  for (let keys = 0; keys < 4; keys += 1) {
    const { id, plan } = await createKey(database, { name: 'silent', plan: 'pro' });
    owner = { id: decodeId('key', id) ?? 0n, plan, keyId: id };
    for (let made = 0; made < 2; made += 1) await enqueue(await create(silent.url), MOST_OF_WEBHOOK);
  }
  await enqueue(await create(), 20);
  deliver();
  await receiver.messages(20);
  expect(silent.received).toHaveLength(8);
});

test('a key with many slow receivers leaves room for the messages of other keys, and Node sees no leak', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error) => void warnings.push(name);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const slow = await forTest(startReceiver(() => {}));
  for (let made = 0; made < MOST_OF_KEY + 2; made += 1) await enqueue(await create(slow.url));
  const { id, plan } = await createKey(database, { name: 'another client', plan: 'free' });
  owner = { id: decodeId('key', id) ?? 0n, plan, keyId: id };
  await enqueue(await create(), 20);
  deliver();
  await receiver.messages(20);
  await slow.messages(MOST_OF_KEY);
  expect(slow.received).toHaveLength(MOST_OF_KEY);
  expect(warnings).not.toContain('MaxListenersExceededWarning');
});

test('a webhook that is deleted takes its many deliveries along, and does not stop the messages of others', async () => {
  const webhook = await create();
  const other = await create();
  await enqueue(webhook, 5_001);
  const administration = openWebhooks(database, MARKET, { isPrivateAllowed: true });
  await administration.remove(owner, encodeId('webhook', webhook.id));
  expect(await rows()).toEqual([]);
  const payload = examplePayload('new_low', MARKET, { webhookId: 'whk_1', at: '2026-01-31T08:00:00Z' });
  const messages = [webhook, other].map(({ id: webhookId }) => ({
    webhookId,
    kind: 'new_low' as const,
    productId: 1n,
    seq: 1n,
    payload,
  }));
  expect(await enqueueMessages(database, messages)).toHaveLength(1);
  expect(await rows()).toHaveLength(1);
});

describe('a webhook is disabled', () => {
  test('at once when its receiver answers 410, and its owner is told why', async () => {
    receiver.answerWith((response) => response.writeHead(410).end());
    const webhook = await create();
    await enqueue(webhook);
    const { disabled } = deliver();
    await poll(webhookState).toMatchObject({ disabled_reason: expect.stringContaining('410 Gone') });
    await poll(() => disabled).toEqual([expect.stringContaining('410 Gone')]);
    await enqueue(webhook);
    expect(await claim()).toEqual([]);
  });

  test('after ten days without a success, but not sooner', async () => {
    receiver.answerWith((response) => response.writeHead(500).end());
    const webhook = await create();
    const failSince = async (days: number) => {
      await database.query(`UPDATE webhook SET failing_since = now() - ${days} * INTERVAL '1 day'`);
      await enqueue(webhook);
    };
    await failSince(9.9);
    const { results } = deliver({ delaysMs: [] });
    await poll(() => results).toHaveLength(1);
    expect((await webhookState())?.disabled_reason).toBeNull();
    await failSince(10.1);
    await poll(webhookState).toMatchObject({ disabled_reason: expect.stringContaining('failed for 10 days') });
  });
});

test('a revoked key gets no more messages', async () => {
  const webhook = await create();
  await revokeKey(database, owner.keyId);
  await enqueue(webhook);
  expect(await claim()).toEqual([]);
});

test.each([
  'http://receiver.example/',
  'https://receiver.example:9000/',
])('a URL that was allowed once is refused at delivery: %s', async (url) => {
  await enqueue(await create(url));
  deliver({ isPrivateAllowed: false, lookup: resolveTo('93.184.215.14'), delaysMs: [] });
  const last_error = expect.stringContaining('https on port 443 or 8443');
  await poll(theRow).toMatchObject({ given_up: true, last_error });
});

describe('a private address', () => {
  const strict = { isPrivateAllowed: false, lookup: resolveTo('10.0.0.7') };
  const asked = { url: 'https://receiver.example/', kinds: ['new_low'], filter: { brand: 'acme' } } as const;

  test('is refused at creation and delivery like an unknown name, and only operators are told which it is', async () => {
    const unknown: LookupFunction = (_hostname, _options, done) => done(new Error('ENOTFOUND'), []);
    const refusalOf = async (lookup: LookupFunction, tellsReason?: boolean) => {
      const rules = { isPrivateAllowed: false, lookup, tellsReason };
      const error = await openWebhooks(database, MARKET, rules)
        .create(owner, asked)
        .catch((problem) => problem);
      expect(error).toBeInstanceOf(Problem);
      expect(error).toMatchObject({ code: 'invalid_parameter', parameter: 'url' });
      return error.message;
    };
    expect(await refusalOf(strict.lookup)).toContain('unknown, or has no address on the public internet');
    expect(await refusalOf(unknown)).toBe(await refusalOf(strict.lookup));
    expect(await refusalOf(unknown, true)).toContain('cannot be resolved');
    expect(await refusalOf(strict.lookup, true)).toContain('` has no address on the public internet');
    const address = openWebhooks(database, MARKET, { isPrivateAllowed: false, tellsReason: true });
    await expect(address.create(owner, { ...asked, url: 'https://192.168.0.1/hooks' })).rejects.toThrow(
      '` has no address on the public internet: use one that has.',
    );

    const lookups = [strict.lookup, unknown];
    for (const lookup of lookups) {
      await enqueue(await create('https://receiver.example/'));
      const { stop } = deliver({ isPrivateAllowed: false, lookup, delaysMs: [] });
      await poll(async () => (await rows()).every(({ given_up }) => given_up)).toBe(true);
      await stop();
    }
    expect(new Set((await rows()).map(({ last_error }) => last_error)).size).toBe(1);
  });

  test('is refused at delivery, also if the name was public when it was checked', async () => {
    const lookup = resolveTo('93.184.215.14', '127.0.0.1');
    const options = { isPrivateAllowed: false, lookup };
    await enqueue(await makeWebhook(asked, options));
    // A row from a time when private addresses were allowed.
    await enqueue(await create());
    deliver({ ...options, delaysMs: [] });
    const refused = { given_up: true, last_error: expect.stringContaining('no address on the public internet') };
    await poll(rows).toEqual([expect.objectContaining(refused), expect.objectContaining(refused)]);
    expect(receiver.received).toEqual([]);
  });

  test('is allowed if the operator says so', async () => {
    const url = `http://localhost:${receiver.port}/`;
    const lookup: LookupFunction = (hostname, options, done) => lookUpByDns(hostname, { ...options, family: 4 }, done);
    await enqueue(await create(url));
    deliver({ lookup });
    await poll(theRow).toMatchObject({ delivered: true });
  });
});

test('old deliveries are deleted, those of tests sooner, and what nobody sends is given up', async () => {
  const webhook = await create();
  const [old = 0n, young = 0n, waiting = 0n] = await enqueue(webhook, 3);
  const administration = openWebhooks(database, MARKET, { isPrivateAllowed: true });
  const tried = await administration.test(owner, encodeId('webhook', webhook.id));
  const age = (id: bigint | undefined, days: number) =>
    database.query(
      `UPDATE webhook_delivery SET created_at = now() - $2 * INTERVAL '1 day', due_since = now() - $2 * INTERVAL '1 day' WHERE id = $1`,
      [id, days],
    );
  await age(old, 30.1);
  await age(young, 29.9);
  await age(tried?.id, 1.1);
  expect(await tidyDeliveries(database)).toBe(false);
  const left = await database.query('SELECT id, given_up_at IS NOT NULL AS over FROM webhook_delivery ORDER BY id');
  expect(left).toEqual([
    { id: young, over: true },
    { id: waiting, over: false },
  ]);
});
