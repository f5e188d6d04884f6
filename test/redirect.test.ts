/** `/go/<offer_id>`: the redirect to the shop (contract §2.1). */
import { expect, test } from 'vitest';
import { eventually } from './harness/eventually.ts';
import { feedRow, startTestGateway } from './harness/gateway.ts';
import { forFile } from './harness/lifetime.ts';

const EAN = '4006381333931';

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('free');
await gateway.importRows('Shop', [feedRow({ id: 'a', gtin: EAN, link: 'https://shop.example/a?from=feed&x=1' })]);
const path = (await gateway.get(`/api/v1/lookup?ean=${EAN}`, { key })).body.data.offers[0].url;

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

test('a link with letters that headers do not allow leads where a browser would go', async () => {
  const { key } = await gateway.makeKey('free');
  const link = 'https://shop.example/čaj/ü?q=日本#ž';
  await gateway.importRows('Other Shop', [feedRow({ id: 'b', gtin: '4006381333948', link })]);
  const { body } = await gateway.get('/api/v1/lookup?ean=4006381333948', { key });
  // A HEAD does not count as a click.
  const { status, headers } = await gateway.get(body.data.offers[0].url, { method: 'HEAD' });
  expect([status, headers.get('location')]).toEqual([302, new URL(link).href]);
});

test('a key changes nothing, and is not charged', async () => {
  const { key } = await gateway.makeKey('free');
  const { status, headers } = await gateway.get(path, { key });
  expect(status).toBe(302);
  expect(headers.has('x-quota-remaining')).toBe(false);
  expect((await gateway.get('/nothing', { key })).headers.get('x-quota-remaining')).toBe('100');
});

test('HEAD is answered like GET, and other methods 405', async () => {
  const { status, headers } = await gateway.get(path, { method: 'HEAD' });
  expect([status, headers.get('location')]).toEqual([302, 'https://shop.example/a?from=feed&x=1']);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-robots-tag')).toBe('noindex');
  const refused = await gateway.get(path, { method: 'POST' });
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

test('each click is counted, but a HEAD is not', async () => {
  await gateway.services.clicks.drain(); // Clicks of earlier tests.
  const before = await clicks();
  await gateway.get(path, { method: 'HEAD' });
  await gateway.get(path);
  await gateway.get(path);
  expect(await eventually(clicks, (count) => count >= before + 2)).toBe(before + 2);
});

test('clicks are counted by offer and by day in UTC', async () => {
  const rows = await gateway.database.query('SELECT offer_id, day, count FROM click');
  expect(rows).toEqual([{ offer_id: 1n, day: new Date().toISOString().slice(0, 10), count: expect.any(Number) }]);
});

test('clicks that cannot be written do not delay redirects, and are written later', async () => {
  await gateway.services.clicks.drain();
  const before = await clicks();
  await gateway.database.script('ALTER TABLE click RENAME TO click_away');
  for (let turn = 0; turn < 3; turn += 1) expect((await gateway.get(path)).status).toBe(302);
  await gateway.database.script('ALTER TABLE click_away RENAME TO click');
  expect(await eventually(clicks, (count) => count >= before + 3)).toBe(before + 3);
});

test('clicks that wait for a lock take one connection, and give up after a moment', async () => {
  await gateway.services.clicks.drain();
  const before = await clicks();
  const follow = async () => expect((await gateway.get(path)).status).toBe(302);
  const seen: number[] = [];
  await gateway.database.transaction(async (transaction) => {
    await transaction.script('LOCK TABLE click IN ACCESS EXCLUSIVE MODE');
    const waiting = async () => {
      const [row] = await transaction.query<{ count: number }>(
        "SELECT count(*)::int AS count FROM pg_locks WHERE relation = 'click'::regclass AND NOT granted",
      );
      seen.push(row?.count ?? 0);
      return row?.count;
    };
    await follow();
    await eventually(waiting, (count) => count === 1);
    await follow();
    expect(await eventually(waiting, (count) => count === 0, 30_000)).toBe(0);
  });
  expect(Math.max(...seen)).toBe(1);
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
