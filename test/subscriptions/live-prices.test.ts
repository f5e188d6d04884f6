import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createKey, revokeKey } from '../../src/access/key-admin.ts';
import { monthOf } from '../../src/access/meter.ts';
import { readConfig } from '../../src/config.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { startGateway } from '../../src/gateway.ts';
import { makePostgresDatabase } from '../harness/database.ts';
import { type EventStream, openEvents } from '../harness/events.ts';
import { eventually } from '../harness/eventually.ts';
import { ask, feedRow, importRows, startTestGateway, type TestGateway } from '../harness/gateway.ts';

const SUBSCRIPTION = `subscription Prices($ids: [ID!]!) {
  priceChanged(productIds: $ids) {
    previousMin min currency at
    product { slug priceStats { min max offerCount } offers { merchantName totalPrice } }
  }
}`;

async function listen(address: string, ids: readonly string[], key: string): Promise<EventStream> {
  const stream = await openEvents(address, { query: SUBSCRIPTION, variables: { ids }, headers: { 'x-api-key': key } });
  onTestFinished(() => stream.leave());
  return stream;
}

const row = (id: string, price: string) => feedRow({ id, title: `Thing ${id}`, asin: `B0LIVE000${id}`, price });
const changeOf = ({ data }: { data?: { data: { priceChanged: { previousMin: number; min: number } } } }) => {
  const { previousMin, min } = data?.data.priceChanged ?? {};
  return [previousMin, min];
};

describe('a subscription to prices', () => {
  let gateway: TestGateway;
  let key: string;
  let keyId: string;
  beforeAll(async () => {
    gateway = await startTestGateway({ METRICS_PORT: '0' });
  });
  beforeEach(async () => {
    ({ key, id: keyId } = await gateway.makeKey('starter'));
    await gateway.importRows('Alpha', [row('1', '10 EUR'), row('2', '20 EUR'), row('3', '30 EUR')]);
    await gateway.importRows('Beta', [row('1', '15 EUR')]);
  });
  afterAll(() => gateway.stop());
  const openCount = async () => {
    const { text } = await ask(`http://127.0.0.1:${gateway.metricsPort}/metrics`);
    return Number(/^pda_subscriptions (\d+)$/m.exec(text)?.[1]);
  };

  test('reports a price change with the current product', async () => {
    const stream = await listen(gateway.address, ['thing-1'], key);
    const observedAt = new Date();
    await gateway.importRows('Alpha', [row('1', '8.50 EUR')], { mode: 'delta', observedAt });
    expect(await stream.next()).toEqual({
      event: 'next',
      id: expect.any(String),
      data: {
        data: {
          priceChanged: {
            previousMin: 10,
            min: 8.5,
            currency: 'EUR',
            at: observedAt.toISOString().replace('.000', ''),
            product: {
              slug: 'thing-1',
              priceStats: { min: 8.5, max: 15, offerCount: 2 },
              offers: [
                { merchantName: 'Alpha', totalPrice: 8.5 },
                { merchantName: 'Beta', totalPrice: 15 },
              ],
            },
          },
        },
      },
    });
  });

  test('reports every import in order, even if several complete between two polls', async () => {
    const stream = await listen(gateway.address, ['thing-1', 'thing-2'], key);
    for (const price of ['9', '8', '7', '10']) {
      await gateway.importRows('Alpha', [row('1', `${price} EUR`)], { mode: 'delta' });
    }
    const changes = [];
    for (let count = 0; count < 4; count += 1) changes.push(changeOf(await stream.next()));
    expect(changes).toEqual([
      [10, 9],
      [9, 8],
      [8, 7],
      [7, 10],
    ]);
  });

  test('does not report other products, unchanged prices or past prices', async () => {
    const stream = await listen(gateway.address, ['thing-2'], key);
    const yesterday = new Date(Date.now() - 86_400_000);
    await gateway.importRows('Alpha', [row('2', '19 EUR')], { mode: 'delta', observedAt: yesterday });
    await gateway.importRows('Alpha', [row('1', '1 EUR'), row('2', '20 EUR'), row('3', '3 EUR')]);
    await gateway.importRows('Alpha', [{ ...row('2', '20 EUR'), availability: 'preorder' }], { mode: 'delta' });
    await gateway.importRows('Alpha', [row('2', '21 EUR')], { mode: 'delta' });
    expect(changeOf(await stream.next())).toEqual([20, 21]);
  });

  test('reports a dearer offer, a new offer, and the withdrawal of the last one', async () => {
    const stream = await listen(gateway.address, ['thing-1'], key);
    await gateway.importRows('Beta', [row('1', '16 EUR')]);
    expect(changeOf(await stream.next())).toEqual([10, 10]);
    await gateway.importRows('Gamma', [row('1', '9 EUR')]);
    expect(changeOf(await stream.next())).toEqual([10, 9]);
    for (const shop of ['Gamma', 'Beta', 'Alpha']) await gateway.importRows(shop, [], { isForced: true });
    expect(changeOf(await stream.next())).toEqual([9, 10]);
    expect(changeOf(await stream.next())).toEqual([10, 10]);
    expect(changeOf(await stream.next())).toEqual([10, null]);
    await gateway.importRows('Alpha', [row('1', '10 EUR')]);
    expect(changeOf(await stream.next())).toEqual([null, 10]);
  });

  test('reports an import whose time is earlier than that of the previous one', async () => {
    const stream = await listen(gateway.address, ['thing-1'], key);
    await gateway.importRows('Alpha', [row('1', '9 EUR')], { mode: 'delta' });
    expect(changeOf(await stream.next())).toEqual([10, 9]);
    const earlier = new Date(Date.now() - 3_600_000);
    await gateway.importRows('Delta', [row('1', '5 EUR')], { observedAt: earlier });
    const { data } = await stream.next();
    expect(data.data.priceChanged).toMatchObject({ previousMin: 9, min: 5, at: earlier.toISOString() });
    await gateway.importRows('Delta', [], { isForced: true });
  });

  test('does not report imports from before it was opened', async () => {
    const first = await listen(gateway.address, ['thing-3'], key);
    await gateway.importRows('Alpha', [row('3', '29 EUR')], { mode: 'delta' });
    const second = await listen(gateway.address, ['thing-3'], key);
    await gateway.importRows('Alpha', [row('3', '28 EUR')], { mode: 'delta' });
    expect(changeOf(await second.next())).toEqual([29, 28]);
    expect(changeOf(await first.next())).toEqual([30, 29]);
    expect(changeOf(await first.next())).toEqual([29, 28]);
  });

  test('costs one request, however much it reports, and says how much quota remains', async () => {
    const stream = await listen(gateway.address, ['thing-1', 'thing-2', 'thing-3'], key);
    expect(stream.response.headers.get('x-quota-remaining')).toBe('9999');
    await gateway.importRows('Alpha', [row('1', '9 EUR'), row('2', '19 EUR')], { mode: 'delta' });
    await stream.next();
    await stream.next();
    const { body } = await gateway.graphql('{ viewer { used } }', { key });
    expect(body.data.viewer.used).toBe(2);
  });

  test('is a stream that no cache or proxy may buffer, kept open by comments', async () => {
    const stream = await listen(gateway.address, ['thing-1'], key);
    const { status, headers } = stream.response;
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(headers.get('cache-control')).toBe('private, no-store, no-transform');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(headers.get('content-encoding')).toBeNull();
    expect([await stream.nextOfAll(), await stream.nextOfAll()]).toEqual([{ event: 'comment' }, { event: 'comment' }]);
  });

  test('ends with an error when its key is revoked', async () => {
    const stream = await listen(gateway.address, ['thing-1'], key);
    await revokeKey(gateway.database, keyId);
    const { data } = await stream.next();
    expect(data.errors[0].extensions).toEqual({ code: 'invalid_api_key', status: 401 });
    expect(await stream.next()).toEqual({ event: 'complete' });
    expect(await stream.next()).toEqual({ event: 'end' });
  });

  test('is closed when its client disconnects', async () => {
    const before = await openCount();
    const streams = await Promise.all(['thing-1', 'thing-2'].map((id) => listen(gateway.address, [id], key)));
    expect(await openCount()).toBe(before + 2);
    for (const stream of streams) stream.leave();
    expect(await eventually(openCount, (count) => count <= before)).toBeLessThanOrEqual(before);
  });

  test('is not opened for HEAD, or for a client that does not accept event streams', async () => {
    const before = await eventually(openCount, (count) => count === 0);
    const refused = await gateway.graphql(SUBSCRIPTION, {
      key,
      variables: { ids: ['thing-1'] },
      headers: { accept: 'application/json' },
    });
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].extensions).toMatchObject({ code: 'invalid_parameter', parameter: 'Accept' });
    const query = encodeURIComponent('subscription { priceChanged(productIds: ["thing-1"]) { min } }');
    const head = await gateway.get(`/graphql?query=${query}`, { key, method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(await eventually(openCount, (count) => count === before)).toBe(before);
  });

  test('can be opened by GET too', async () => {
    const query = encodeURIComponent('subscription { priceChanged(productIds: ["thing-1"]) { min } }');
    const leaving = new AbortController();
    const { status, body } = await fetch(`${gateway.address}/graphql?query=${query}`, {
      headers: { 'x-api-key': key },
      signal: leaving.signal,
    });
    expect(status).toBe(200);
    expect(new TextDecoder().decode((await body?.getReader().read())?.value)).toMatch(/^:/);
    leaving.abort();
  });

  test.each([
    ['no product', [], 'invalid_parameter', 'productIds'],
    ['more than 100 products', Array(101).fill('thing-1'), 'invalid_parameter', 'productIds'],
    ['an unknown product', ['thing-1', 'nothing'], 'not_found', 'productIds'],
  ])('to %s ends with an error that names the cause', async (_what, ids, code, parameter) => {
    const stream = await listen(gateway.address, ids, key);
    const { data } = await stream.next();
    expect(data.errors[0].extensions).toMatchObject({ code, parameter });
    expect(await stream.next()).toEqual({ event: 'complete' });
  });

  test.each([
    ['without a key', undefined, 'missing_api_key'],
    ['with an invalid key', 'pda_mistyped', 'invalid_api_key'],
  ])('%s is refused', async (_how, wrong, code) => {
    const stream = await openEvents(gateway.address, {
      query: SUBSCRIPTION,
      variables: { ids: ['thing-1'] },
      headers: wrong === undefined ? {} : { 'x-api-key': wrong },
    });
    expect([stream.response.status, stream.response.headers.get('www-authenticate')]).toEqual([401, 'ApiKey']);
    expect((await stream.next()).data.errors[0].extensions.code).toBe(code);
  });

  test('is not opened when the quota is used up', async () => {
    const { key: spent } = await gateway.makeKey('free');
    await gateway.database.query(
      `INSERT INTO usage_counter (key_id, month, quota, used, granted) SELECT max(id), $1::text, 100, 100, 0 FROM api_key`,
      [monthOf(new Date())],
    );
    const before = await openCount();
    const refused = await listen(gateway.address, ['thing-1'], spent);
    expect(refused.response.status).toBe(402);
    expect(await openCount()).toBe(before);
  });

  test('is refused without charge while its key has twenty open', async () => {
    const streams = await Promise.all(Array.from({ length: 20 }, () => listen(gateway.address, ['thing-1'], key)));
    const refused = await listen(gateway.address, ['thing-1'], key);
    expect(refused.response.status).toBe(429);
    expect((await refused.next()).data.errors[0].extensions.code).toBe('too_many_subscriptions');
    expect(refused.response.headers.get('x-quota-remaining')).toBe(String(10_000 - 20));
    const other = await gateway.makeKey('starter');
    expect((await listen(gateway.address, ['thing-1'], other.key)).response.status).toBe(200);
    streams[0]?.leave();
    const reopened = () => listen(gateway.address, ['thing-1'], key);
    expect((await eventually(reopened, ({ response }) => response.status === 200)).response.status).toBe(200);
  });
});

test('a server that is asked to stop ends its subscriptions cleanly, and does not wait for them', async () => {
  const gateway = await startTestGateway();
  const { key } = await gateway.makeKey('starter');
  await gateway.importRows('Alpha', [row('1', '10 EUR')]);
  const stream = await listen(gateway.address, ['thing-1'], key);
  const ended = stream.next();
  await gateway.stop();
  // Without `complete`, so that a client of GraphQL over SSE reconnects. A cut-off after ten seconds would be an error.
  expect(await ended).toEqual({ event: 'end' });
});

test('every instance reports the imports of any process, even concurrent ones', async () => {
  const { url, drop } = await makePostgresDatabase();
  const importer = openPostgres({ url, purpose: 'bulk' });
  const start = () => startGateway(readConfig({ PORT: '0', LOG_LEVEL: 'fatal' }), openPostgres({ url }));
  const gateways = await Promise.all([start(), start()]);
  try {
    await importRows(importer, 'Shop', [row('1', '10 EUR')]);
    const { key } = await createKey(importer, { name: 'live', plan: 'pro' });
    const streams = await Promise.all(gateways.map(({ address }) => listen(address, ['thing-1'], key)));
    const shops = Array.from({ length: 8 }, (_each, index) => `Shop ${index}`);
    const hour = 3_600_000;
    await Promise.all(
      shops.map((shop, index) =>
        importRows(importer, shop, [row('1', `${9 - index} EUR`)], { observedAt: new Date(Date.now() - index * hour) }),
      ),
    );
    for (const stream of streams) {
      const seen: (number | null | undefined)[] = [10];
      for (const _shop of shops) {
        const [previousMin, min] = changeOf(await stream.next());
        expect(previousMin).toBe(seen.at(-1));
        seen.push(min);
      }
      expect(seen.at(-1)).toBe(2);
    }
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await importer.close();
    await drop();
  }
});
