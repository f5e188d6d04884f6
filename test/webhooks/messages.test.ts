/** The messages of webhooks: which changes of the catalogue cause them, and what they say. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PAYLOADS } from '../../src/webhooks/payload.ts';
import { eventually } from '../harness/eventually.ts';
import { feedRow, startTestGateway, type TestGateway } from '../harness/gateway.ts';
import { confirmAll, type Receiver, startReceiver } from '../harness/receiver.ts';

interface Message {
  type: keyof typeof PAYLOADS;
  data: Record<string, unknown> & { webhookId: string; merchant?: { name: string }; offer?: { totalPrice: number } };
}

// All changes are matched, and the queue is empty.
const IS_DONE = `
  SELECT (SELECT seq FROM webhook_position) = (SELECT change_seq FROM catalogue_version)
         AND NOT EXISTS (SELECT FROM webhook_delivery WHERE delivered_at IS NULL) AS "isDone"`;

describe('a webhook', () => {
  let gateway: TestGateway;
  let receiver: Receiver;
  let key: string;
  let next = 0;
  let thing: number;
  beforeAll(async () => {
    gateway = await startTestGateway({ WEBHOOKS_ALLOW_PRIVATE: 'true' });
    receiver = await startReceiver();
    ({ key } = await gateway.makeKey('enterprise'));
  });
  afterAll(async () => {
    await gateway.stop();
    await receiver.stop();
  });

  const row = (fields: Record<string, unknown> = {}) =>
    feedRow({ id: 'one', title: `Sonde ${thing}`, asin: `B0HOOK${String(thing).padStart(4, '0')}`, ...fields });
  const slug = () => `sonde-${thing}`;
  /** A second offer keeps a full feed from being refused for withdrawing everything. */
  const others = [feedRow({ id: 'other' }), feedRow({ id: 'another' })];
  const tell = (fields: Record<string, unknown>, shop = `Alpha ${thing}`) =>
    gateway.importRows(shop, [row(fields)], { mode: 'delta', observedAt: new Date() });

  const watch = async (kinds: string[], filter: Record<string, unknown> = { product: slug() }) => {
    const body = JSON.stringify({ url: receiver.url, kinds, filter });
    const headers = { 'content-type': 'application/json' };
    const made = await gateway.get('/api/v1/webhooks', { method: 'POST', key, body, headers });
    expect(made.status, made.text).toBe(201);
    await confirmAll(gateway.database);
    return made.body.data.id as string;
  };
  /** All messages, once the last change has been matched and the queue is empty. */
  const told = async (): Promise<Message[]> => {
    const isDone = await eventually(
      async () => {
        const [row] = await gateway.database.query<{ isDone: boolean }>(IS_DONE);
        return row?.isDone === true;
      },
      (is) => is,
    );
    expect(isDone).toBe(true);
    return receiver.received.map(({ body }) => body);
  };
  const types = async () => (await told()).map(({ type }) => type);

  beforeEach(async () => {
    next += 1;
    thing = next;
    await gateway.importRows(`Alpha ${thing}`, [row({ price: '100 EUR', brand: `Brand ${thing}` }), ...others]);
    await told();
    receiver.received.length = 0;
  });

  test('is told of prices that rise and that fall, with the product, both prices and a cursor', async () => {
    const id = await watch(['price_changed']);
    await tell({ price: '90 EUR' });
    const [message] = await told();
    expect(PAYLOADS.price_changed.safeParse(message).error).toBeUndefined();
    expect(message).toMatchObject({
      type: 'price_changed',
      data: {
        webhookId: id,
        product: { slug: slug(), url: `${gateway.address}/products/${slug()}` },
        previousMin: 100,
        min: 90,
        currency: 'EUR',
        merchant: { name: `Alpha ${thing}` },
        cursor: expect.stringMatching(/./),
      },
    });
  });

  test('is silent for ten minutes after a message about the same product and kind', async () => {
    await watch(['price_below', 'price_changed'], { product: slug(), below: 95 });
    for (const price of ['90 EUR', '100 EUR', '80 EUR', '100 EUR', '70 EUR']) await tell({ price });
    expect((await types()).sort()).toEqual(['price_below', 'price_changed']);
    await gateway.database.query("UPDATE webhook_delivery SET created_at = created_at - INTERVAL '11 minutes'");
    await tell({ price: '99 EUR' });
    expect((await types()).sort()).toEqual(['price_below', 'price_changed', 'price_changed']);
  });

  test('with minPercent is only told of larger changes', async () => {
    await watch(['price_changed'], { product: slug(), minPercent: 10 });
    await tell({ price: '90.01 EUR' });
    expect(await types()).toEqual([]);
    await tell({ price: '80 EUR' });
    expect(await types()).toEqual(['price_changed']);
  });

  test('is told of a price at or below its threshold only when the price crosses it', async () => {
    await watch(['price_below'], { product: slug(), below: 90 });
    await tell({ price: '90.01 EUR' });
    expect(await types()).toEqual([]);
    await tell({ price: '90 EUR' });
    await tell({ price: '89 EUR' });
    expect((await told()).map(({ data }) => [data.min, data.below])).toEqual([[90, 90]]);
  });

  test('is told of a new low, and of a low that is reached again', async () => {
    await watch(['new_low', 'low_equalled']);
    await tell({ price: '95 EUR' });
    await tell({ price: '99 EUR' });
    await tell({ price: '95 EUR' });
    expect((await told()).map(({ type, data }) => `${type} ${data.lowestEver}`)).toEqual([
      'new_low 95',
      'low_equalled 95',
    ]);
  });

  test('is told when an offer is back in stock, and when it is withdrawn', async () => {
    await watch(['back_in_stock', 'offer_withdrawn']);
    await tell({ price: '100 EUR', availability: 'out_of_stock' });
    await tell({ price: '100 EUR', availability: 'in_stock' });
    await gateway.importRows(`Alpha ${thing}`, others);
    const all = await told();
    for (const message of all) expect(PAYLOADS[message.type].safeParse(message).error).toBeUndefined();
    expect(all.map(({ type }) => type)).toEqual(['back_in_stock', 'offer_withdrawn']);
    expect(all[1]?.data).toMatchObject({ merchant: { name: `Alpha ${thing}` }, offer: { totalPrice: 100 } });
  });

  test('is told that an offer which had been withdrawn is back, but not of a new one', async () => {
    await watch(['back_in_stock']);
    await gateway.importRows(`Alpha ${thing}`, others);
    await tell({}, `Beta ${thing}`);
    expect(await types()).toEqual([]);
    await tell({});
    expect((await told()).map(({ data }) => data.merchant?.name)).toEqual([`Alpha ${thing}`]);
  });

  test('is told once that a code is known, and by which product', async () => {
    const codes = [`B0FOUND${String(thing).padStart(3, '0')}`, '4006381333931'];
    await watch(['product_found'], { codes });
    await tell({ gtin: '4006381333931' });
    await gateway.importRows(`Gamma ${thing}`, [feedRow({ id: 'new', title: `Neu ${thing}`, asin: codes[0] })]);
    const all = await told();
    for (const message of all) expect(PAYLOADS.product_found.safeParse(message).error).toBeUndefined();
    expect(all.map(({ data }) => data.code).sort()).toEqual([...codes].sort());
  });

  test.each([
    ['brand', () => ({ brand: `brand-${thing}` })],
    ['merchant', () => ({ merchant: `alpha-${thing}` })],
  ])('of a %s hears of its products and of no others', async (_name, filterOf) => {
    await watch(['price_changed'], filterOf());
    await tell(
      { id: 'else', title: `Anderes ${thing}`, asin: `B0ELSE${String(thing).padStart(4, '0')}`, price: '5 EUR' },
      'Delta',
    );
    await tell(
      { id: 'else', title: `Anderes ${thing}`, asin: `B0ELSE${String(thing).padStart(4, '0')}`, price: '4 EUR' },
      'Delta',
    );
    await tell({ price: '90 EUR' });
    expect((await told()).map(({ data }) => data.min)).toEqual([90]);
  });

  test('is told nothing of changes before it was made', async () => {
    await tell({ price: '90 EUR' });
    await watch(['price_changed']);
    await tell({ price: '80 EUR' });
    expect((await told()).map(({ data }) => data.previousMin)).toEqual([90]);
  });
});
