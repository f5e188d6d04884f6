/** The stream of changes: what an import writes for readers of every kind. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { detachIdentifier } from '../../src/import/detach-identifier.ts';
import { forgetChanges } from '../../src/ledger/changes/forget-changes.ts';
import { type ChangeRow, readExtent, readRows } from '../../src/ledger/changes/read-changes.ts';
import { feedRow, startTestGateway, type TestGateway } from '../harness/gateway.ts';

const KINDS = ['product', 'offer', 'figures'] as const;

describe('the stream of changes', () => {
  let gateway: TestGateway;
  let since: bigint;
  let next = 0;
  let shop: string;
  let asin: string;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.stop());

  const mark = async () => {
    since = (await readExtent(gateway.database)).head;
  };
  const rows = () => readRows(gateway.database, since, KINDS, 1_000);
  /** What follows in one line: the kind, the types, and the total before and after. */
  const inShort = (row: ChangeRow) =>
    `${row.kind} ${row.types.join(' ')} ${row.totalBefore ?? '-'} ${row.totalAfter ?? '-'}`;
  const follows = async () => (await rows()).map(inShort);
  const row = (fields: Record<string, unknown> = {}) => feedRow({ id: '1', asin, ...fields });

  beforeEach(async () => {
    next += 1;
    shop = `Shop ${next}`;
    asin = `B0STREAM${String(next).padStart(2, '0')}`;
    await mark();
  });

  test('a new product is followed by its offer', async () => {
    await gateway.importRows(shop, [row()]);
    expect(await follows()).toEqual(['product product - -', 'offer offer_created - 1000']);
  });

  describe('after an import', () => {
    beforeEach(async () => {
      await gateway.importRows(shop, [row(), feedRow({ id: '2', price: '20 EUR' }), feedRow({ id: '3' })]);
      await mark();
    });
    const reimport = (fields: Record<string, unknown>) =>
      gateway.importRows(shop, [row(fields)], { mode: 'delta', observedAt: new Date() });

    test('a price change has the price before and after, for the offer and for the product', async () => {
      await reimport({ price: '9 EUR' });
      expect(await follows()).toEqual(['offer price 1000 900', 'figures price 1000 900']);
      const [, figures] = await rows();
      expect(figures).toMatchObject({ lowestEverBefore: 1000n, availabilityBefore: 'in_stock' });
    });

    test('a change of several facts has all types', async () => {
      await reimport({ price: '9 EUR', availability: 'out_of_stock', condition: 'used' });
      expect(await follows()).toEqual([
        'offer price availability offer 1000 900',
        'figures price availability offer 1000 900',
      ]);
      const [offer, figures] = await rows();
      expect(offer).toMatchObject({ conditionBefore: 'new', conditionAfter: 'used' });
      expect(figures).toMatchObject({ availabilityBefore: 'in_stock', availabilityAfter: 'out_of_stock' });
    });

    test('a new link alone is another change of the offer', async () => {
      await reimport({ link: 'https://shop.example/elsewhere' });
      expect(await follows()).toEqual(['offer offer 1000 1000', 'figures offer 1000 1000']);
    });

    test('a price with the same total in other parts is a change of price for the offer, and another change for the product', async () => {
      await reimport({ price: '7 EUR', shipping: 'DE:::3 EUR' });
      expect(await follows()).toEqual(['offer price 1000 1000', 'figures offer 1000 1000']);
    });

    test('the same feed again changes nothing', async () => {
      await gateway.importRows(shop, [row(), feedRow({ id: '2', price: '20 EUR' }), feedRow({ id: '3' })]);
      expect(await follows()).toEqual([]);
    });

    test('a withdrawn offer has nothing after it, and comes back as created', async () => {
      await gateway.importRows(shop, [feedRow({ id: '2', price: '20 EUR' }), feedRow({ id: '3' })]);
      await reimport({});
      expect(await follows()).toEqual([
        'offer offer_withdrawn 1000 -',
        'figures offer_withdrawn 1000 -',
        'offer offer_created - 1000',
        'figures offer_created - 1000',
      ]);
    });

    test('a field that a product gains is a change of the product, with the fields before', async () => {
      await reimport({ brand: `Brand ${next}`, gtin: '4006381333931' });
      const [product] = await rows();
      expect(product).toMatchObject({ kind: 'product', types: ['product'], stateBefore: { name: 'Thing 1' } });
      expect(product?.stateBefore).not.toHaveProperty('brand');
      expect(product?.stateBefore).toMatchObject({ identifiers: `asin ${asin}` });
    });

    test('a feed of the past adds nothing', async () => {
      const observedAt = new Date(Date.now() - 10 * 86_400_000);
      await gateway.importRows(shop, [row({ price: '5 EUR' })], { observedAt });
      expect(await follows()).toEqual([]);
    });

    test('an offer that moves to another product is one change, and concerns the figures of both', async () => {
      await detachIdentifier(gateway.database, { identifier: { kind: 'asin', value: asin } });
      const all = await rows();
      expect(all.map(inShort)).toEqual([
        'product product - -',
        'product product - -',
        'offer offer 1000 1000',
        'figures offer_withdrawn 1000 -',
      ]);
      const [before, founded, offer] = all;
      expect(offer).toMatchObject({ oldProductId: before?.productId, productId: founded?.productId });
    });
  });

  test('numbers follow each other without gaps, whatever transactions fail between them', async () => {
    await gateway.importRows(shop, [row()]);
    await gateway.importRows(shop, [row({ price: '8 EUR' })], { isDryRun: true });
    await gateway.importRows(shop, [row({ price: '7 EUR' })]);
    const numbers = (await rows()).map(({ seq }) => seq);
    expect(numbers).toEqual(numbers.map((_number, index) => since + BigInt(index) + 1n));
    expect((await readExtent(gateway.database)).head).toBe(numbers.at(-1));
  });

  test('rows are deleted once they are older than the days for which they are kept', async () => {
    await gateway.importRows(shop, [row()]);
    const { head } = await readExtent(gateway.database);
    expect(await forgetChanges(gateway.database, 1)).toBe(0);
    await gateway.database.query("UPDATE change SET at = at - INTERVAL '2 days' WHERE seq < $1", [head]);
    expect(await forgetChanges(gateway.database, 1)).toBe(Number(head) - 1);
    expect(await readExtent(gateway.database)).toEqual({ head, forgotten: head - 1n });
  });
});
