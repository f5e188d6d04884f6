/** Clients that disconnect before their response: admitted requests are charged like any other, and are not errors. */
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createKey, usageOf } from '../src/access/key-admin.ts';
import { readConfig } from '../src/config.ts';
import type { Database } from '../src/database/database.ts';
import { startGateway } from '../src/gateway.ts';
import { openTestDatabase } from './harness/database.ts';
import { eventually } from './harness/eventually.ts';
import { forTest } from './harness/lifetime.ts';
import { openRawClient, requestText } from './harness/raw-client.ts';
import { signal } from './harness/signal.ts';

/** A gateway whose reads of products wait until the test releases them, and whose log is collected. */
async function startSlow() {
  const database = await openTestDatabase();
  const { raise: goOn, raised: waiting } = signal();
  let isSlow = false;
  let reads = 0;
  const slow: Database = {
    ...database,
    async query(sql, parameters, options) {
      if (isSlow && sql.includes('FROM product')) {
        reads += 1;
        await waiting;
      }
      return database.query(sql, parameters, options);
    },
  };
  const lines: { level: number; status?: number; cost?: number; face?: string }[] = [];
  const log = pino(
    { level: 'info' },
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(JSON.parse(String(chunk)));
        done();
      },
    }),
  );
  const gateway = await forTest(
    startGateway(readConfig({ PORT: '0', DRAIN_DELAY_SECONDS: '0', ANSWER_CACHE_MB: '0' }), slow, log),
  );
  isSlow = true;
  const { key, id } = await createKey(database, { name: 'test', plan: 'pro', rateLimit: 1_000 });
  return { database, gateway, key, id, goOn, lines, reads: () => reads };
}

const body = JSON.stringify({ query: '{ a: product(id: "thing") { name } b: product(id: "other") { name } }' });
const message = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'get_product', arguments: { slug: 'thing' } },
});
const posted = (path: string, key: string, text: string) =>
  requestText(
    path,
    { 'x-api-key': key, 'Content-Type': 'application/json', 'Content-Length': `${text.length}` },
    'POST',
  ) + text;

describe('a client that disconnects while its request is in progress', () => {
  test.each([
    ['rest', 1, (key: string) => requestText('/api/v1/products/thing', { 'x-api-key': key })],
    ['graphql', 2, (key: string) => posted('/graphql', key, body)],
    ['mcp', 1, (key: string) => posted('/mcp', key, message)],
  ])('over %s is charged in full, and is logged as 499 without an error', async (face, cost, request) => {
    const { database, gateway, key, id, goOn, lines, reads } = await startSlow();
    const client = await openRawClient(gateway.address);
    client.send(request(key));
    await eventually(
      async () => reads(),
      (count) => count > 0,
    );
    client.socket.resetAndDestroy();
    await client.ended;
    // By the time the server has answered other requests, it has noticed that this client is gone.
    for (let turn = 0; turn < 5; turn += 1) await fetch(`${gateway.address}/healthz`);
    goOn();
    const line = await eventually(
      async () => lines.find((each) => each.face === face),
      (found) => found !== undefined,
    );
    expect(line).toMatchObject({ status: 499, cost });
    expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
    expect((await usageOf(database, { keyId: id }))[0]?.used).toBe(cost);
  });
});

test('a GraphQL client that disconnects before it is admitted is charged what the log says', async () => {
  const { database, gateway, key, id, lines } = await startSlow();
  const { rates } = gateway.services.access;
  const { raise: goOn, raised: waiting } = signal();
  let isAsked = false;
  const { take } = rates;
  rates.take = async (...asked) => {
    isAsked = true;
    await waiting;
    return take(...asked);
  };
  const client = await openRawClient(gateway.address);
  client.send(posted('/graphql', key, JSON.stringify({ query: '{ a: viewer { used } b: viewer { used } }' })));
  await eventually(
    async () => isAsked,
    (asked) => asked,
  );
  client.socket.resetAndDestroy();
  await client.ended;
  for (let turn = 0; turn < 5; turn += 1) await fetch(`${gateway.address}/healthz`);
  goOn();
  const line = await eventually(
    async () => lines.find((each) => each.face === 'graphql'),
    (found) => found !== undefined,
  );
  expect(line).toMatchObject({ status: 499, cost: 2 });
  expect((await usageOf(database, { keyId: id }))[0]?.used).toBe(2);
});

test('a client that leaves while its search waits for its turn is logged as 499 without an error', async () => {
  const { gateway, goOn, lines, reads } = await startSlow();
  const search = requestText('/search?q=lamp', { Accept: 'text/html' });
  const [first, leaving] = [await openRawClient(gateway.address), await openRawClient(gateway.address)];
  onTestFinished(() => void first.socket.destroy());
  first.send(search);
  await eventually(
    async () => reads(),
    (count) => count > 0,
  );
  leaving.send(search);
  for (let turn = 0; turn < 5; turn += 1) await fetch(`${gateway.address}/healthz`);
  expect(lines.filter(({ face }) => face === 'page')).toEqual([]);
  leaving.socket.resetAndDestroy();
  const line = await eventually(
    async () => lines.find(({ face }) => face === 'page'),
    (found) => found !== undefined,
  );
  expect(line).toMatchObject({ status: 499 });
  expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
  goOn();
});
