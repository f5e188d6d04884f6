/** A gateway is killed while it delivers messages of webhooks: another one takes over, and none is lost. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createKey } from '../../src/access/key-admin.ts';
import type { Database } from '../../src/database/database.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { decodeId, encodeId } from '../../src/values/id.ts';
import { enqueueMessages } from '../../src/webhooks/delivery-queue.ts';
import { examplePayload } from '../../src/webhooks/payload.ts';
import { openWebhooks } from '../../src/webhooks/webhooks.ts';
import { makePostgresDatabase } from '../harness/database.ts';
import { eventually } from '../harness/eventually.ts';
import { feedRow, importRows } from '../harness/gateway.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';

const MARKET = { publicUrl: 'https://prices.test', currency: 'EUR', country: 'DE' };
const MESSAGES = 40;
const ANSWERED = 16;

let home: Awaited<ReturnType<typeof makePostgresDatabase>>;
let database: Database;
let receiver: Receiver;
let gateways: ServerProcess[] = [];
const startGateway = () => startServerProcess({ DATABASE_URL: home.url, WEBHOOKS_ALLOW_PRIVATE: 'true' });

beforeEach(async () => {
  home = await makePostgresDatabase();
  database = openPostgres({ url: home.url, purpose: 'bulk' });
  receiver = await startReceiver();
});
afterEach(async () => {
  await Promise.all(gateways.map((gateway) => gateway.kill()));
  await receiver.stop();
  await database.close();
  await home.drop();
});

test('all messages arrive within 30 seconds of a SIGKILL, each with the id that it had before', {
  timeout: 90_000,
}, async () => {
  await importRows(database, 'Shop', [feedRow({ id: 'a', brand: 'Acme' })]);
  const { id, plan } = await createKey(database, { name: 'client', plan: 'pro' });
  const administration = openWebhooks(database, MARKET, { isPrivateAllowed: true });
  const webhook = await administration.create(
    { id: decodeId('key', id) ?? 0n, plan },
    { url: receiver.url, kinds: ['new_low'], filter: { brand: 'acme' } },
  );
  await administration.confirm(encodeId('webhook', webhook.id));
  const payload = examplePayload('new_low', MARKET, { webhookId: 'whk_1', at: '2026-01-31T08:00:00Z' });
  const message = { webhookId: webhook.id, kind: 'new_low' as const, productId: 1n, seq: 1n, payload };
  await enqueueMessages(database, Array(MESSAGES).fill(message));
  // The first gateway gets answers at first, so that it sends several at a time, and is killed with all others on their way.
  receiver.answerWith((response) => {
    if (receiver.received.length <= ANSWERED) response.writeHead(204).end();
  });
  const killed = await startGateway();
  gateways = [killed];
  const lost = [...(await receiver.messages(ANSWERED + 4))].slice(ANSWERED);
  const survivor = await startGateway();
  gateways = [killed, survivor];
  await killed.kill();
  receiver.answerWith((response) => response.writeHead(204).end());
  const delivered = async () => {
    const [row] = await database.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM webhook_delivery WHERE delivered_at IS NOT NULL',
    );
    return row?.count;
  };
  expect(await eventually(delivered, (count) => count === MESSAGES, 35_000)).toBe(MESSAGES);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(MESSAGES);
  for (const { headers } of lost)
    expect(ids.filter((each) => each === headers['webhook-id']).length).toBeGreaterThan(1);
});
