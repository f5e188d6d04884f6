/** `pda clicks`: clicks by shop and day (UTC), for people, scripts and spreadsheets. */
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { feedRow, importRows } from '../harness/gateway.ts';
import { fillHome, makeHome } from '../harness/home.ts';
import { forFile } from '../harness/lifetime.ts';
import { run } from '../harness/process.ts';

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

const home = await forFile(makeHome());
await fillHome(home);
await home.within(async (database) => {
  await importRows(database, '=Formula; =Shop', [feedRow({ id: 'a' }), feedRow({ id: 'b' })]);
  // Two offers of one shop, clicked on the same day and on other days, one of them long ago.
  await database.query(
    `INSERT INTO click (product_id, offer_id, day, count)
       SELECT offer.product_id, offer.id, day::date, count
       FROM (VALUES ('=Formula; =Shop', 'a', $1, 3), ('=Formula; =Shop', 'b', $1, 4), ('=Formula; =Shop', 'a', $2, 5),
                    ('Shop', 'a', $1, 1), ('Shop', 'a', $3, 9)) AS clicked (shop, sku, day, count)
       JOIN merchant ON merchant.name = shop
       JOIN offer ON offer.merchant_id = merchant.id AND offer.sku = clicked.sku`,
    [daysAgo(1), daysAgo(3), daysAgo(40)],
  );
});

const clicks = (...words: string[]) => run('pda', ['clicks', ...words], home.environment);
const json = async (...words: string[]) => JSON.parse((await clicks(...words, '--json')).stdout);
const FORMULA = { merchant: 'formula-shop', name: '=Formula; =Shop' };
const SHOP = { merchant: 'shop', name: 'Shop' };

test('scripts get the clicks of the last thirty days, by day and shop', async () => {
  expect(await json()).toEqual([
    { day: daysAgo(3), ...FORMULA, clicks: 5 },
    { day: daysAgo(1), ...FORMULA, clicks: 7 },
    { day: daysAgo(1), ...SHOP, clicks: 1 },
  ]);
});

test('days and a shop can be chosen', async () => {
  expect(await json('--days', '3', '--merchant', 'formula-shop')).toEqual([{ day: daysAgo(1), ...FORMULA, clicks: 7 }]);
  expect(await json('--from', daysAgo(40), '--to', daysAgo(3), '--merchant', 'Shop')).toEqual([
    { day: daysAgo(40), ...SHOP, clicks: 9 },
  ]);
  expect(await json('--days', '1')).toEqual([]);
});

test('people get a table with a total', async () => {
  const { status, stdout } = await clicks();
  expect(status).toBe(0);
  expect(stdout.split('\n')[0]).toMatch(/^day +shop +clicks$/);
  expect(stdout).toMatch(/ total +13\n$/);
});

test('spreadsheets get columns, and no formulas', async () => {
  const { stdout } = await clicks('--csv');
  const rows = parse(stdout, { columns: true });
  expect(rows[0]).toEqual({ day: daysAgo(3), merchant: 'formula-shop', name: "'=Formula; '=Shop", clicks: '5' });
  expect(rows).toHaveLength(3);
});

describe('an invalid request is refused', () => {
  test.each([
    [['--days', '0'], '--days must be a whole number from 1 to 366; got 0.'],
    [['--days', '367'], '--days must be a whole number from 1 to 366; got 367.'],
    [['--from', '2030-02-30'], '2030-02-30 is not a day such as 2030-01-31.'],
    [['--from', '2030-02-02', '--to', '2030-02-01'], '--from 2030-02-02 is after --to 2030-02-01'],
    [['--from', '2028-01-01', '--to', '2030-02-01'], 'A report covers at most 366 days'],
    [['--days', '2', '--from', '2030-02-01'], 'Choose one of --days and --from.'],
    [['--json', '--csv'], 'Choose one of --json and --csv.'],
  ])('%j', async (words, sentence) => {
    const { status, stdout, stderr } = await clicks(...words);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
  });

  test('for an unknown shop', async () => {
    const { status, stdout, stderr } = await clicks('--merchant', 'Nobody');
    expect([status, stdout]).toEqual([4, '']);
    expect(stderr).toContain('No shop has the name or slug Nobody');
  });
});
