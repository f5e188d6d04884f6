/** `/go/<offer_id>`: on to the shop (contract §2.1, decisions §6). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from './harness/eventually.ts';
import { feedRow, startTestGateway, type TestGateway } from './harness/gateway.ts';

const EAN = '4006381333931';

let gateway: TestGateway;
let path: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  const { key } = await gateway.makeKey('free');
  await gateway.importRows('Shop', [feedRow({ id: 'a', gtin: EAN, link: 'https://shop.example/a?from=feed&x=1' })]);
  path = (await gateway.get(`/api/v1/lookup?ean=${EAN}`, { key })).body.data.offers[0].url;
});
afterAll(() => gateway.stop());

const clicks = async () => {
  const [row] = await gateway.database.query<{ count: number }>(
    'SELECT coalesce(sum(count), 0)::int AS count FROM click',
  );
  return row?.count ?? 0;
};

test("an offer's link leads to the shop's own address, without a key", async () => {
  const { status, headers, text } = await gateway.get(path);
  expect(status).toBe(302);
  expect(headers.get('location')).toBe('https://shop.example/a?from=feed&x=1');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-robots-tag')).toBe('noindex');
  expect(text).toBe('');
});

test('each click is counted, and a HEAD is none', async () => {
  const before = await eventually(clicks, (count) => count > 0);
  await gateway.get(path, { method: 'HEAD' });
  await gateway.get(path);
  await gateway.get(path);
  expect(await eventually(clicks, (count) => count >= before + 2)).toBe(before + 2);
});

test.each([
  '/go/off_zzz',
  '/go/nothing',
  '/go/',
  '/go/prd_1',
  '/go/off_1/more',
])('%s is answered 404', async (unknown) => {
  const { status, body } = await gateway.get(unknown);
  expect(status).toBe(404);
  expect(body.code).toBe('not_found');
});

test('a withdrawn offer is answered 410', async () => {
  await gateway.importRows('Shop', [], { isForced: true });
  const { status, body } = await gateway.get(path);
  expect(status).toBe(410);
  expect(body.code).toBe('gone');
});
