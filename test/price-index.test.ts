/** `GET /api/v1/price-index` and `priceIndex` over GraphQL: from imports to the points of the index. */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { digestAll } from '../src/ledger/digest/digest-step.ts';
import { dayOf } from '../src/values/day.ts';
import { importTaxonomyText, TAXONOMY } from './harness/catalogue.ts';
import { feedRow, startTestGateway } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';

const at = (moment: string) => new Date(`${moment}Z`);
const ECHO = { id: 'echo', title: 'Echo', gtin: '4006381333931', brand: 'Aurelio', google_product_category: '505771' };
const DUO = { id: 'duo', title: 'Duo', gtin: '4006381333948', brand: 'Aurelio', google_product_category: '249' };
const row = (article: typeof ECHO, price: number) => feedRow({ ...article, price: `${price} EUR` });

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await importTaxonomyText(gateway.database, TAXONOMY);
// The last of several prices on a day counts.
await gateway.importRows('Alpha', [row(ECHO, 90), row(DUO, 50)], { observedAt: at('2026-03-01T06:00:00') });
await gateway.importRows('Alpha', [row(ECHO, 100), row(DUO, 50)], { observedAt: at('2026-03-01T23:59:59') });
await gateway.importRows('Alpha', [row(ECHO, 50), row(DUO, 50)], { observedAt: at('2026-03-03T00:00:00') });
await gateway.importRows('Beta', [row(ECHO, 80)], { observedAt: at('2026-03-03T12:00:00') });
await gateway.importRows('Beta', [row(ECHO, 40)], { observedAt: at('2026-03-05T12:00:00') });
await gateway.importRows('Alpha', [row(ECHO, 50)], { observedAt: at('2026-03-06T12:00:00') });
await digestAll(gateway.database);

const ask = (query: string) => gateway.get(`/api/v1/price-index?${query}`, { key });
const points = async (query: string): Promise<unknown[]> => {
  const { status, body } = await ask(query);
  expect(status).toBe(200);
  return body.data.points.map(({ date, index, productCount, offerCount }: Record<string, number>) => [
    date,
    index,
    productCount,
    offerCount,
  ]);
};
const SPAN = 'from=2026-03-01&to=2026-03-07';

describe('a price index', () => {
  test('chains the geometric means of daily price ratios of the offers listed on both days', async () => {
    const { body } = await ask(`category=audio&${SPAN}`);
    expect(body.data).toEqual({
      category: { id: expect.any(String), slug: 'audio', name: 'Audio' },
      interval: 'day',
      from: '2026-03-01',
      to: '2026-03-07',
      points: [
        // On 1 March, nothing was listed the day before.
        { date: '2026-03-01', index: 100, productCount: 0, offerCount: 0 },
        { date: '2026-03-02', index: 100, productCount: 2, offerCount: 2 },
        // 100 → 50 and 50 → 50.
        { date: '2026-03-03', index: 70.7107, productCount: 2, offerCount: 2 },
        { date: '2026-03-04', index: 70.7107, productCount: 2, offerCount: 3 },
        // 80 → 40, and two unchanged: the cube root of a half.
        { date: '2026-03-05', index: 56.1231, productCount: 2, offerCount: 3 },
        { date: '2026-03-06', index: 56.1231, productCount: 1, offerCount: 2 },
        { date: '2026-03-07', index: 56.1231, productCount: 1, offerCount: 2 },
      ],
    });
  });

  test.each([
    ['brand=aurelio', 56.1231],
    ['category=headphones', 35.3553],
    ['category=speakers', undefined],
    ['merchant=alpha', 70.7107],
    ['merchant=beta', 50],
  ])('of %s has its own offers only', async (group, index) => {
    expect((await points(`${group}&${SPAN}`)).at(-1)).toEqual(
      index === undefined ? ['2026-03-05', 100, 1, 1] : ['2026-03-07', index, 1, group.startsWith('merchant') ? 1 : 2],
    );
  });

  test('is 100 at the end of the first requested day', async () => {
    expect(await points('category=audio&from=2026-03-03&to=2026-03-05')).toEqual([
      ['2026-03-03', 100, 2, 2],
      ['2026-03-04', 100, 2, 3],
      ['2026-03-05', 79.3701, 2, 3],
    ]);
  });

  test('by week and month takes the last day of each interval, and that of the span', async () => {
    expect(await points('category=audio&from=2026-02-20&to=2026-03-04&interval=week')).toEqual([
      ['2026-02-23', 100, 0, 0],
      ['2026-03-02', 70.7107, 2, 3],
    ]);
    expect(await points('category=audio&from=2026-02-20&to=2026-04-02&interval=month')).toEqual([
      ['2026-02-01', 100, 0, 0],
      ['2026-03-01', 56.1231, 1, 2],
      ['2026-04-01', 56.1231, 1, 2],
    ]);
  });

  test('goes on to today, and not further', async () => {
    const today = dayOf(Date.now());
    const later = dayOf(Date.now() + 3 * 86_400_000);
    expect((await points(`category=audio&days=3`)).at(-1)).toEqual([today, 100, 1, 2]);
    expect((await points(`category=audio&from=${today}&to=${later}`)).map((point) => (point as unknown[])[0])).toEqual([
      today,
    ]);
  });

  test('changes when an archived feed adds prices to the past', async () => {
    const other = await forTest(startTestGateway());
    const own = await other.makeKey('enterprise');
    const index = async () =>
      (await other.get(`/api/v1/price-index?merchant=alpha&${SPAN}`, { key: own.key })).body.data.points.map(
        (point: { index: number }) => point.index,
      );
    await other.importRows('Alpha', [row(ECHO, 100)], { observedAt: at('2026-03-01T12:00:00') });
    await other.importRows('Alpha', [row(ECHO, 120)], { observedAt: at('2026-03-06T12:00:00') });
    await digestAll(other.database);
    expect(await index()).toEqual([100, 100, 100, 100, 100, 120, 120]);
    await other.importRows('Alpha', [row(ECHO, 110)], { observedAt: at('2026-03-03T12:00:00') });
    await digestAll(other.database);
    expect(await index()).toEqual([100, 100, 110, 110, 110, 120, 120]);
  });

  test('leaves out a typing error: its offer has no price until the next one', async () => {
    const pen = { ...DUO, id: 'pen', title: 'Pen', gtin: '4006381333955', brand: 'Scripto' };
    for (const [day, price] of [100, 101, 100, 10, 105].entries()) {
      await gateway.importRows('Typo', [row(pen, price)], { observedAt: at(`2026-01-0${day + 1}T12:00:00`) });
    }
    await digestAll(gateway.database);
    await expect
      .poll(() => points('brand=scripto&from=2026-01-02&to=2026-01-06'))
      .toEqual([
        ['2026-01-02', 100, 1, 1],
        ['2026-01-03', 99.0099, 1, 1],
        ['2026-01-06', 99.0099, 1, 1],
      ]);
  });

  test('is the same after the derived tables were computed anew as the documentation says', async () => {
    const read = () => points(`category=audio&${SPAN}`);
    const before = await read();
    const docs = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8');
    const [, statements = ''] = /```sql\n(BEGIN;\n[^`]*TRUNCATE [^`]*COMMIT;\n)```/.exec(docs) ?? [];
    await gateway.database.query('UPDATE price_index_day SET log_sum = log_sum * 2');
    expect(await read()).not.toEqual(before);
    await gateway.database.transaction((transaction) => transaction.script(statements.replace(/BEGIN;|COMMIT;/g, '')));
    // Gateways may take part, and a product that one of them has taken is not due any more.
    await digestAll(gateway.database);
    await expect.poll(read).toEqual(before);
  });

  test.each([
    'category=none',
    'brand=none',
    'merchant=none',
    'merchant=mer_zzz',
    'brand=brd_zzz',
  ])('of the unknown %s has no points', async (group) => {
    const { status, body } = await ask(`${group}&${SPAN}`);
    expect([status, body.data]).toEqual([200, { interval: 'day', from: '2026-03-01', to: '2026-03-07', points: [] }]);
  });

  test.each([
    ['', 'category', /exactly one of `category`, `brand` and `merchant`/],
    ['category=audio&brand=aurelio', 'brand', /exactly one/],
    [
      'category=audio&days=1001',
      'interval',
      /1001 points by day, but the limit is 1000: request the interval week or month/,
    ],
    ['category=audio&days=30&from=2026-01-01', 'days', /not both/],
    ['category=audio&from=2999-01-01', 'from', /in the future: request days up to today/],
    ['category=audio&to=2999-01-01', 'to', /in the future: request days up to today/],
    ['category=audio&interval=year', 'interval', /must be one of day, week, month/],
  ])('refuses the query "%s"', async (query, parameter, told) => {
    const { status, body } = await ask(query);
    expect([status, body.code, body.parameter]).toEqual([400, 'invalid_parameter', parameter]);
    expect(body.detail).toMatch(told);
  });

  test.each(['days=1000', 'days=3650&interval=week', 'days=3650&interval=month'])('takes %s', async (span) => {
    expect((await ask(`category=audio&${span}`)).status).toBe(200);
  });

  test('is the same over GraphQL and as CSV', async () => {
    const { body } = await gateway.graphql(
      `{ priceIndex(brand: "aurelio", from: "2026-03-04", to: "2026-03-05", interval: day) {
           brand { name } category { name } merchant { name } interval points { date index productCount offerCount } } }`,
      { key },
    );
    expect(body.data.priceIndex).toEqual({
      brand: { name: 'Aurelio' },
      category: null,
      merchant: null,
      interval: 'day',
      points: [
        { date: '2026-03-04', index: 100, productCount: 2, offerCount: 3 },
        { date: '2026-03-05', index: 79.3701, productCount: 2, offerCount: 3 },
      ],
    });
    const csv = await gateway.get('/api/v1/price-index?brand=aurelio&from=2026-03-04&to=2026-03-05', {
      key,
      headers: { accept: 'text/csv' },
    });
    expect(csv.text).toBe(
      'date,index,productCount,offerCount,interval\r\n2026-03-04,100,2,3,day\r\n2026-03-05,79.3701,2,3,day\r\n',
    );
  });
});
