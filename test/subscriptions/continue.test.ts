/** Subscriptions that continue after an earlier event: after a restart, on another instance, while imports run. */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { randomOf } from '../../demo/generator/random.ts';
import { createKey } from '../../src/access/key-admin.ts';
import { encodeChangesCursor } from '../../src/ledger/changes/changes-cursor.ts';
import { forgetChanges } from '../../src/ledger/changes/forget-changes.ts';
import { readExtent, readHead, readRows } from '../../src/ledger/changes/read-changes.ts';
import { openTestDatabase } from '../harness/database.ts';
import { ask, importRows } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';
import { inShort, problemOf, startInstance, subscribe, take, thing } from './instances.ts';

const PRODUCTS = 6;
const numbers = Array.from({ length: PRODUCTS }, (_each, index) => index + 1);

const database = await forFile(openTestDatabase());
const gateways = [await startInstance(database), await startInstance(database)] as const;
const { key } = await createKey(database, { name: 'subscriber', plan: 'pro', rateLimit: 1_000_000 });
await importRows(
  database,
  'Shop',
  numbers.map((number) => thing(number, '100 EUR')),
);
afterAll(async () => {
  for (const gateway of gateways) await gateway.stop();
});

const change = (number: number, price: number) =>
  importRows(database, 'Shop', [thing(number, `${price} EUR`)], { mode: 'delta' });
const head = async () => encodeChangesCursor(await readHead(database));

test('an event has the cursor of its change as its id, and both times', async () => {
  const stream = await subscribe(gateways[0], 'productIds: ["thing-1"]', key);
  await change(1, 90);
  const { id, data } = await stream.next();
  const event = data.data.priceChanged;
  expect(event).toMatchObject({ cursor: await head(), types: ['price'] });
  expect(id).toBe(event.cursor);
  expect(Date.parse(event.committedAt)).toBeGreaterThanOrEqual(Date.parse(event.at));
});

test('a subscription continues after its last event, on any instance and after a restart', async () => {
  const first = await startInstance(database);
  const before = await subscribe(first, 'productIds: ["thing-2", "thing-3"]', key);
  await change(2, 90);
  const { id } = await before.next();
  await first.stop();
  await change(3, 80);
  await change(1, 70);
  await change(2, 60);
  const restarted = await startInstance(database);
  onTestFinished(() => restarted.stop());
  for (const gateway of [restarted, gateways[1]]) {
    const stream = await subscribe(gateway, `productIds: ["thing-2", "thing-3"], after: "${id}"`, key);
    expect(await take(stream, 2)).toEqual(['thing-3: 100 to 80', 'thing-2: 90 to 60']);
  }
});

test('what was missed is followed by what comes', async () => {
  const after = await head();
  await change(4, 90);
  const stream = await subscribe(gateways[0], `productIds: ["thing-4"], after: "${after}"`, key);
  expect(await take(stream, 1)).toEqual(['thing-4: 100 to 90']);
  await change(4, 80);
  expect(await take(stream, 1)).toEqual(['thing-4: 90 to 80']);
});

test('continuing costs one request for up to a hundred missed events', async () => {
  const { key: own } = await createKey(database, { name: 'thrifty', plan: 'starter' });
  const after = await head();
  for (const price of [50, 51, 52]) await change(5, price);
  const stream = await subscribe(gateways[0], `productIds: ["thing-5"], after: "${after}"`, own);
  await take(stream, 3);
  const { body } = await ask(`${gateways[0].address}/graphql?query={viewer{used}}`, { key: own });
  expect(body.data.viewer.used).toBe(2);
});

test('continuing costs one request for each hundred missed events begun, and ends where the quota does', async () => {
  const many = Array.from({ length: 201 }, (_, index) => index + 1_000);
  const price = (amount: number) =>
    importRows(
      database,
      'Many',
      many.map((number) => thing(number, `${amount} EUR`)),
    );
  await price(100);
  const after = await head();
  await price(90);
  const given = `merchant: "many", after: "${after}"`;
  const usedBy = async (own: string) =>
    (await ask(`${gateways[0].address}/graphql?query={viewer{used}}`, { key: own })).body.data.viewer.used;
  const { key: rich } = await createKey(database, { name: 'rich', plan: 'starter' });
  const stream = await subscribe(gateways[0], given, rich);
  for (const _ of many) await stream.next();
  await price(80);
  for (const _ of many) await stream.next();
  expect(await usedBy(rich)).toBe(4);
  const { key: poor } = await createKey(database, { name: 'poor', plan: 'starter', monthlyQuota: 2 });
  const cut = await subscribe(gateways[0], given, poor);
  for (let count = 0; count < 200; count += 1) expect((await cut.next()).data.data.priceChanged.cursor).toBeTruthy();
  expect((await cut.next()).data.errors[0].extensions).toMatchObject({ code: 'quota_exhausted' });
});

describe('the header Last-Event-ID', () => {
  test('continues like `after`, and overrides it, as a reconnecting EventSource keeps its URL', async () => {
    const old = await head();
    await change(6, 90);
    const id = await head();
    await change(6, 80);
    const given = `productIds: ["thing-6"], after: "${old}"`;
    const stream = await subscribe(gateways[0], given, key, { 'last-event-id': id });
    expect(await take(stream, 1)).toEqual(['thing-6: 90 to 80']);
    expect(await take(await subscribe(gateways[0], given, key), 1)).toEqual(['thing-6: 100 to 90']);
  });

  test('is read with GET too, and the stream has the form of server-sent events', async () => {
    const id = await head();
    await change(6, 70);
    const leaving = new AbortController();
    const query = encodeURIComponent('subscription { priceChanged(productIds: ["thing-6"]) { min } }');
    const { body } = await fetch(`${gateways[0].address}/graphql?query=${query}`, {
      headers: { 'x-api-key': key, accept: 'text/event-stream', 'last-event-id': id },
      signal: leaving.signal,
    });
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      if (text.includes('data:')) break;
    }
    leaving.abort();
    const event = `id: ${await head()}\nevent: next\ndata: {"data":{"priceChanged":{"min":70}}}\n\n`;
    expect(text).toMatch(/^(:\n\n)+id: /);
    expect(text.replace(/^(:\n\n)+/, '')).toBe(event);
  });

  test('may be sent by pages of other origins', async () => {
    const { headers } = await ask(`${gateways[0].address}/graphql`, {
      method: 'OPTIONS',
      headers: { origin: 'https://page.example', 'access-control-request-method': 'POST' },
    });
    expect(headers.get('access-control-allow-headers')).toContain('Last-Event-ID');
  });
});

describe('a cursor', () => {
  const open = (after: string) => subscribe(gateways[0], `productIds: ["thing-1"], after: "${after}"`, key);

  test('that is damaged is refused', async () => {
    expect(await problemOf(await open('abc'))).toMatchObject({ code: 'invalid_parameter', parameter: 'after' });
    const header = await subscribe(gateways[0], 'productIds: ["thing-1"]', key, { 'last-event-id': 'abc' });
    expect(await problemOf(header)).toMatchObject({ code: 'invalid_parameter', parameter: 'Last-Event-ID' });
  });

  test('beyond the end of the stream is refused', async () => {
    const after = encodeChangesCursor((await readHead(database)) + 1n);
    expect(await problemOf(await open(after))).toMatchObject({ code: 'cursor_expired', status: 410 });
  });
});

test('clients that come and go during imports miss nothing and get nothing twice', async () => {
  const random = randomOf('come and go');
  const start = await readHead(database);
  const wanted = numbers.slice(0, 4);
  const filters = [`productIds: ${JSON.stringify(wanted.map((number) => `thing-${number}`))}`, 'merchant: "shop"'];
  const change = (prices: Map<number, number>) =>
    importRows(
      database,
      'Shop',
      [...prices].map(([number, price]) => thing(number, `${price} EUR`)),
      { mode: 'delta' },
    );
  const importing = (async () => {
    for (let count = 0; count < 20; count += 1) {
      const some = numbers.filter(() => random.chance(0.5));
      await change(new Map(some.map((number) => [number, random.between(10, 89)])));
    }
    await change(new Map(numbers.map((number) => [number, 999])));
  })();

  const follow = async (filter: string, last: string): Promise<string[]> => {
    const seen: string[] = [];
    let after = encodeChangesCursor(start);
    for (;;) {
      const byHeader = random.chance(0.5);
      const given = byHeader ? filter : `${filter}, after: "${after}"`;
      const headers: Record<string, string> = byHeader ? { 'last-event-id': after } : {};
      const stream = await subscribe(random.pick(gateways), given, key, headers);
      for (let count = random.between(1, 20); count > 0; count -= 1) {
        const message = await stream.next();
        if (!message.data) throw new Error(`Status ${stream.response.status}, ${JSON.stringify(message)}`);
        after = message.id ?? '';
        seen.push(after);
        if (inShort(message).startsWith(`${last}: `) && inShort(message).endsWith(' to 999')) return seen;
      }
      stream.leave();
    }
  };
  const all = async (isWanted: (slug: string) => boolean) => {
    const rows = await readRows(database, start, ['figures'], 1_000);
    const slugs = await database.query<{ id: bigint; slug: string }>('SELECT id, slug FROM product');
    const slugOf = new Map(slugs.map(({ id, slug }) => [id, slug]));
    return rows
      .filter(({ productId, types }) => isWanted(slugOf.get(productId) ?? '') && types.includes('price'))
      .map(({ seq }) => encodeChangesCursor(seq));
  };
  const [products = '', shop = ''] = filters;
  const followed = await Promise.all([
    ...[products, products].map((filter) => follow(filter, 'thing-4')),
    ...[shop, shop].map((filter) => follow(filter, 'thing-6')),
  ]);
  await importing;
  const ofProducts = await all((slug) => wanted.some((number) => slug === `thing-${number}`));
  const ofShop = await all(() => true);
  expect(ofProducts.length).toBeGreaterThan(20);
  expect(followed).toEqual([ofProducts, ofProducts, ofShop, ofShop]);
});

test('a cursor whose changes are no longer kept is refused, with the way to go on', async () => {
  const old = await head();
  await change(1, 44);
  const kept = await readHead(database);
  await database.query("UPDATE change SET at = at - INTERVAL '2 days' WHERE seq <= $1", [kept - 1n]);
  while ((await forgetChanges(database, 1)) > 0);
  expect((await readExtent(database)).forgotten).toBe(kept - 1n);
  const refused = await subscribe(gateways[0], `productIds: ["thing-1"], after: "${old}"`, key);
  const { data } = await refused.next();
  expect(data.errors[0]).toMatchObject({
    message: expect.stringMatching(/subscribe without `after`.* query the products once/),
    extensions: { code: 'cursor_expired', status: 410, parameter: 'after' },
  });
  const oldest = await subscribe(
    gateways[0],
    `productIds: ["thing-1"], after: "${encodeChangesCursor(kept - 1n)}"`,
    key,
  );
  expect(inShort(await oldest.next())).toMatch(/^thing-1: .* to 44$/);
});
