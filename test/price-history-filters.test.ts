/** Price histories of one condition and one availability, and the share of time in stock. */
import { describe, expect, test } from 'vitest';
import { type Answer, type FeedRowFields, feedRow, startTestGateway } from './harness/gateway.ts';
import { forFile, forTest } from './harness/lifetime.ts';
import { allowChangesOfLedger } from './harness/older-ledger.ts';

const at = (moment: string) => ({ observedAt: new Date(`${moment}Z`) });
const row = (price: string, fields: FeedRowFields = {}) =>
  feedRow({ id: 'k', title: 'Kettle', gtin: '4006381333948', price: `${price} EUR`, ...fields });

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
const sold = { availability: 'out_of_stock' };
await gateway.importRows('Alpha', [row('10.00')], at('2026-03-01T00:00:00'));
await gateway.importRows('Beta', [row('6.00', { ...sold, condition: 'used' })], at('2026-03-02T00:00:00'));
await gateway.importRows('Alpha', [row('8.00', sold)], at('2026-03-02T12:00:00'));
await gateway.importRows('Beta', [row('6.00', { condition: 'used' })], at('2026-03-03T12:00:00'));

const filtered = (query: string): Promise<Answer> =>
  gateway.get(`/api/v1/products/kettle/price-history?from=2026-03-01&to=2026-03-04&${query}`, { key });

describe('a price history', () => {
  test('of one condition has only prices of goods in it, and its own lowest price', async () => {
    const { data } = (await filtered('condition=used')).body;
    expect(data.lowestEver).toEqual({ price: 6, date: '2026-03-02' });
    expect(data.points.map(({ date, min, max }: Record<string, unknown>) => [date, min, max])).toEqual([
      ['2026-03-02', 6, 6],
      ['2026-03-03', 6, 6],
      ['2026-03-04', 6, 6],
    ]);
  });

  test('of one availability has only prices from when the offer had it', async () => {
    const { data } = (await filtered('availability=in_stock')).body;
    expect(data.lowestEver).toEqual({ price: 6, date: '2026-03-03' });
    expect(data.points).toEqual([
      { date: '2026-03-01', min: 10, max: 10, avg: 10, offerCount: 1, inStock: 1, minInStock: 10 },
      { date: '2026-03-02', min: 10, max: 10, avg: 10, offerCount: 1, inStock: 0.5, minInStock: 10 },
      { date: '2026-03-03', min: 6, max: 6, avg: 6, offerCount: 1, inStock: 0.5, minInStock: 6 },
      { date: '2026-03-04', min: 6, max: 6, avg: 6, offerCount: 1, inStock: 1, minInStock: 6 },
    ]);
  });

  test('takes several filters, of which all must match', async () => {
    const { data } = (await filtered('availability=out_of_stock&condition=new&merchant=alpha')).body;
    expect(data.lowestEver).toEqual({ price: 8, date: '2026-03-02' });
    expect(data.points.map(({ date, min, inStock }: Record<string, unknown>) => [date, min, inStock])).toEqual([
      ['2026-03-02', 8, 0.5],
      ['2026-03-03', 8, 0],
      ['2026-03-04', 8, 0],
    ]);
    expect((await filtered('availability=preorder')).body.data).not.toHaveProperty('lowestEver');
  });

  test('has no stock, and matches no filter, while availability and condition were not recorded', async () => {
    const other = await forTest(startTestGateway());
    const own = await other.makeKey('pro');
    await other.importRows('Alpha', [row('10.00')], at('2026-03-01T00:00:00'));
    // As an older version recorded it.
    await allowChangesOfLedger(other.database);
    await other.database.query(
      'UPDATE ledger SET price = NULL, availability = NULL, condition = NULL, import_run_id = 0',
    );
    await other.importRows('Alpha', [row('9.00')], at('2026-03-02T00:00:00'));
    const ask = async (query: string) =>
      (await other.get(`/api/v1/products/kettle/price-history?from=2026-03-01&to=2026-03-02&${query}`, own)).body.data
        .points;
    expect(await ask('')).toEqual([
      { date: '2026-03-01', min: 10, max: 10, avg: 10, offerCount: 1 },
      { date: '2026-03-02', min: 9, max: 9, avg: 9, offerCount: 1, inStock: 1, minInStock: 9 },
    ]);
    expect(await ask('condition=new')).toHaveLength(1);
    expect(await ask('availability=in_stock')).toHaveLength(1);
  });

  test('of two entries for one time, shows that of the later import', async () => {
    const other = await forTest(startTestGateway());
    const own = await other.makeKey('pro');
    for (const price of ['5.00', '7.00']) {
      await other.importRows('Alpha', [row(price)], at('2026-03-01T00:00:00'));
    }
    const path = '/api/v1/products/kettle/price-history?from=2026-03-01&to=2026-03-01&merchant=alpha';
    const { data } = (await other.get(path, own)).body;
    expect(data.points).toMatchObject([{ min: 7, max: 7, offerCount: 1 }]);
    expect(data.lowestEver).toEqual({ price: 7, date: '2026-03-01' });
  });

  test('is filtered as a table and over GraphQL too', async () => {
    const { text } = await gateway.get(
      '/api/v1/products/kettle/price-history?from=2026-03-01&to=2026-03-01&condition=new&availability=in_stock',
      { key, headers: { accept: 'text/csv' } },
    );
    expect(text).toBe(
      'date,min,max,avg,offerCount,inStock,minInStock,currency,interval\r\n2026-03-01,10,10,10,1,1,10,EUR,day\r\n',
    );
    const { body } = await gateway.graphql(
      `{ product(id: "kettle") { priceHistory(from: "2026-03-01", to: "2026-03-04", condition: used, availability: in_stock) {
           lowestEver { price } points { date inStock minInStock } } } }`,
      { key },
    );
    expect(body.data.product.priceHistory).toEqual({
      lowestEver: { price: 6 },
      points: [
        { date: '2026-03-03', inStock: 0.5, minInStock: 6 },
        { date: '2026-03-04', inStock: 1, minInStock: 6 },
      ],
    });
  });
});
