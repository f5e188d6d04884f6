/** When offers were last seen: full feeds, delta feeds and archives, without counting as a change. */
import { describe, expect, test } from 'vitest';
import { type Answer, type FeedRowFields, feedRow, startTestGateway } from './harness/gateway.ts';
import { forFile } from './harness/lifetime.ts';

const at = (hour: number) => ({ observedAt: new Date(`2026-03-01T${String(hour).padStart(2, '0')}:00:00Z`) });
const time = (hour: number) => `2026-03-01T${String(hour).padStart(2, '0')}:00:00Z`;
const row = (id: string, fields: FeedRowFields = {}) => feedRow({ id, title: `Kettle ${id}`, ...fields });

// Answers are cached, as in production.
const gateway = await forFile(startTestGateway({ ANSWER_CACHE_MB: '1' }));
const { key } = await gateway.makeKey('enterprise');

/** When an offer was last seen, in product detail and in the list of offers, and when it last changed. */
async function seen(slug: string): Promise<string[]> {
  const [detail, list] = await Promise.all(
    ['', '/offers'].map((path) => gateway.get(`/api/v1/products/${slug}${path}`, { key })),
  );
  const [offer] = detail?.body.data.offers ?? [];
  return [offer.seenAt, list?.body.data[0].seenAt, offer.updatedAt];
}

/** Expects the times, which cached answers show within a second. */
const expectSeen = (slug: string, seenAt: number, updatedAt: number) =>
  expect.poll(() => seen(slug), { timeout: 10_000 }).toEqual([time(seenAt), time(seenAt), time(updatedAt)]);

describe('an offer was last seen', () => {
  test('with the feed that added it', async () => {
    await gateway.importRows('Shop 0', [row('s0a')], at(8));
    await expectSeen('kettle-s0a', 8, 8);
  });

  test('with the newest full feed, which is no change, and cached answers show it', async () => {
    await gateway.importRows('Shop 1', [row('s1a')], at(8));
    await expectSeen('kettle-s1a', 8, 8);
    await gateway.importRows('Shop 1', [row('s1a')], at(9));
    await expectSeen('kettle-s1a', 9, 8);
  });

  test('with the newest delta feed that lists it, even unchanged', async () => {
    await gateway.importRows('Shop 2', [row('s2a'), row('s2b')], at(8));
    await gateway.importRows('Shop 2', [row('s2a')], { ...at(10), mode: 'delta' });
    await expectSeen('kettle-s2a', 10, 8);
    await expectSeen('kettle-s2b', 8, 8);
  });

  test('with the newest of all these', async () => {
    await gateway.importRows('Shop 3', [row('s3a')], at(8));
    await gateway.importRows('Shop 3', [row('s3a')], { ...at(10), mode: 'delta' });
    await gateway.importRows('Shop 3', [row('s3a', { price: '9 EUR' })], at(11));
    await gateway.importRows('Shop 3', [row('s3a', { price: '9 EUR' })], at(12));
    await expectSeen('kettle-s3a', 12, 11);
  });

  test('with a feed from now on, whatever an archived feed says', async () => {
    await gateway.importRows('Shop 4', [row('s4a')], at(8));
    await gateway.importRows('Shop 4', [row('s4a')], at(10));
    await gateway.importRows('Shop 4', [row('s4a')], at(9));
    await expectSeen('kettle-s4a', 10, 8);
  });
});

test('a product was first observed with its oldest feed, also if that is imported last, which is no change', async () => {
  await gateway.importRows('Shop 7', [row('s7a')], at(8));
  const changes = async (cursor: string) =>
    (await gateway.get(`/api/v1/changes?cursor=${cursor}`, { key })).body as Answer['body'];
  const { page } = await changes('now');
  await gateway.importRows('Shop 7', [row('s7a', { price: '5 EUR' })], at(6));
  const createdAt = async () => (await gateway.get('/api/v1/products/kettle-s7a', { key })).body.data.createdAt;
  await expect.poll(createdAt, { timeout: 10_000 }).toBe(time(6));
  expect((await changes(page.nextCursor)).data).toEqual([]);
});

test('a shop has the time of its newest feed, of either kind', async () => {
  await gateway.importRows('Shop 5', [row('s5a')], at(8));
  await gateway.importRows('Shop 5', [row('s5a')], { ...at(10), mode: 'delta' });
  const { body } = await gateway.get('/api/v1/merchants?q=shop%205', { key });
  expect(body.data).toMatchObject([{ name: 'Shop 5', observedAt: time(10) }]);
});

test('GraphQL has both times', async () => {
  await gateway.importRows('Shop 6', [row('s6a')], at(8));
  const { body } = await gateway.graphql(
    '{ product(id: "kettle-s6a") { offers { seenAt merchant { observedAt } } } }',
    { key },
  );
  expect(body.data.product.offers).toEqual([{ seenAt: time(8), merchant: { observedAt: time(8) } }]);
});
