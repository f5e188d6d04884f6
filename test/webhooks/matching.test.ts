/** Matching changes that have piled up: each code is told once, and a step takes no more than fits into memory. */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createKey } from '../../src/access/key-admin.ts';
import { decodeId } from '../../src/values/id.ts';
import { MOST_MESSAGES, startMatching } from '../../src/webhooks/match/match-changes.ts';
import { type NewWebhook, openWebhooks } from '../../src/webhooks/webhooks.ts';
import { importTaxonomyText } from '../harness/catalogue.ts';
import { openTestDatabase } from '../harness/database.ts';
import { feedRow, importRows } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';
import { confirmAll } from '../harness/receiver.ts';

const MARKET = { publicUrl: 'https://prices.test', currency: 'EUR', country: 'DE' };
const URL = 'https://203.0.113.1/hooks';

const database = await forFile(openTestDatabase());
const keyId = decodeId('key', (await createKey(database, { name: 'client', plan: 'enterprise' })).id) ?? 0n;
beforeEach(() => database.query('DELETE FROM webhook'));

const create = async (webhook: Omit<NewWebhook, 'url'>) => {
  const administration = openWebhooks(database, MARKET, { isPrivateAllowed: true });
  await administration.create({ id: keyId, plan: 'enterprise' }, { url: URL, ...webhook });
  await confirmAll(database);
};

/** Matches all changes. @returns the number of messages of each step that made some. */
async function match(): Promise<number[]> {
  const steps: number[] = [];
  const matching = startMatching(
    database,
    MARKET,
    {
      onLag() {},
      onMessages: (count) => void steps.push(count),
      onOverflow() {},
      onFailure(error) {
        throw error;
      },
    },
    { idleMs: 5, withoutWebhooksMs: 5, failedMs: 5 },
  );
  onTestFinished(() => matching.stop());
  const isDone = async () => {
    const [row] = await database.query<{ isDone: boolean }>(
      'SELECT (SELECT seq FROM webhook_position) = change_seq AS "isDone" FROM catalogue_version',
    );
    return row?.isDone;
  };
  await expect.poll(isDone, { timeout: 60_000 }).toBe(true);
  matching.stop();
  return steps;
}

const codes = async () =>
  (
    await database.query<{ code: string }>(
      `SELECT payload -> 'data' ->> 'code' AS code FROM webhook_delivery WHERE kind = 'product_found' ORDER BY 1`,
    )
  ).map(({ code }) => code);

test('a code is told although its product changed again before the change was matched', async () => {
  await create({ kinds: ['product_found'], filter: { codes: ['B0PILED001', 'B0PILED002', '4006381333931'] } });
  const row = feedRow({ id: 'p', title: 'Piled', asin: 'B0PILED001' });
  const others = [feedRow({ id: 'x' }), feedRow({ id: 'y' })];
  await importRows(database, 'One', [row, ...others]);
  await importRows(database, 'Two', [{ ...row, gtin: '4006381333931', description: 'A pile.' }], { mode: 'delta' });
  await importRows(database, 'Three', [{ ...row, gtin: '4006381333931', image_link: 'https://shop.example/p.jpg' }], {
    mode: 'delta',
  });
  await match();
  expect(await codes()).toEqual(['4006381333931', 'B0PILED001']);
});

test('a webhook of a category gets messages about products in all categories below it', async () => {
  await importTaxonomyText(database, '1 - Home\n2 - Home > Kitchen\n3 - Home > Kitchen > Kettles');
  const kettle = feedRow({ id: 'k', title: 'Kettle', google_product_category: '3' });
  await importRows(database, 'Kettles', [kettle]);
  await match();
  await create({ kinds: ['price_changed'], filter: { category: 'home' } });
  await importRows(database, 'Kettles', [{ ...kettle, price: '9.00 EUR' }]);
  expect(await match()).toEqual([1]);
});

test('thousands of messages for each of many changes are made in steps of a bounded size, and none is lost', async () => {
  const rows = (price: string) =>
    Array.from({ length: 24 }, (_, n) => feedRow({ id: `w${n}`, title: `Wide ${n}`, brand: 'Wide', price }));
  await importRows(database, 'Wide', rows('20 EUR'));
  await match();
  await create({ kinds: ['price_changed'], filter: { brand: 'wide' } });
  const watching = 500;
  await database.query(
    `INSERT INTO webhook (key_id, url, secret, kinds, brand_id)
     SELECT key_id, url, secret, kinds, brand_id FROM webhook CROSS JOIN generate_series(2, $1::int)`,
    [watching],
  );
  await importRows(database, 'Wide', rows('19 EUR'));
  const steps = await match();
  expect(steps.reduce((sum, count) => sum + count, 0)).toBe(24 * watching);
  expect(Math.max(...steps)).toBeLessThanOrEqual(MOST_MESSAGES + watching);
  const [told] = await database.query<{ count: number }>(
    'SELECT count(DISTINCT (webhook_id, product_id))::int AS count FROM webhook_delivery',
  );
  expect(told?.count).toBe(24 * watching);
}, 120_000);
