/** A shop lists at most 20 offers for one product, whatever its feeds say. */
import { beforeEach, describe, expect, test } from 'vitest';
import { openLoaders } from '../../src/catalogue/loaders.ts';
import { MOST_OFFERS_OF_SHOP } from '../../src/catalogue/offer/most-offers.ts';
import { followVersion } from '../../src/catalogue/version.ts';
import { detachIdentifier } from '../../src/import/detach-identifier.ts';
import { readIdentifierName } from '../../src/import/identifier-name.ts';
import { emptyTables } from '../harness/database.ts';
import { type FeedRowFields, feedRow, startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

const EAN = '4006381333931';
const OTHER_EAN = '4006381333948';
const day = (number: number) => new Date(Date.UTC(2026, 0, number));

let key: string;
const gateway = await forFile(startTestGateway());
({ key } = await gateway.makeKey('enterprise'));
const TABLES = 'product, offer, ledger, product_identifier, brand, merchant, import_run, category, click';
beforeEach(() => emptyTables(gateway.database, TABLES));

const rowOf = (n: number, more: FeedRowFields = {}) =>
  feedRow({ id: `row-${n}`, gtin: EAN, price: `${n}.00 EUR`, ...more });
const rowsOf = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => rowOf(from + n));
const listed = async () =>
  (
    await gateway.database.query<{ sku: string }>(
      `SELECT sku FROM offer JOIN product_identifier USING (product_id) WHERE withdrawn_at IS NULL AND value = $1 ORDER BY offer.id`,
      [`0${EAN}`],
    )
  ).map(({ sku }) => sku);
const skus = (from: number, to: number) => rowsOf(from, to).map(({ id }) => id);
const state = async () =>
  JSON.stringify(
    [
      await gateway.database.query('SELECT * FROM offer ORDER BY id'),
      await gateway.database.query('SELECT * FROM product ORDER BY id'),
      await gateway.database.query('SELECT * FROM ledger ORDER BY 1, 2, 3'),
    ],
    (_name, value) => (typeof value === 'bigint' ? String(value) : value),
  );

describe('a feed with 2,000 rows for one product', () => {
  const flood = [rowOf(9_000, { gtin: OTHER_EAN }), ...rowsOf(1, 2_000)];

  test('lists the first 20, rejects the others with their own reason, and keeps lookups small', async () => {
    const summary = await gateway.importRows('Flood', flood);
    expect(summary).toMatchObject({ read: 2_001, new: 21, rejected: 1_980, reasons: { too_many_offers: 1_980 } });
    expect(await listed()).toEqual(skus(1, MOST_OFFERS_OF_SHOP));
    const { body, text } = await gateway.get(`/api/v1/lookup?ean=${EAN}`, { key });
    expect(body.data.offers).toHaveLength(20);
    expect(body.data.priceStats).toMatchObject({ offerCount: 20, min: 1, max: 20 });
    expect(text.length).toBeLessThan(10_000);
    expect((await gateway.get(`/api/v1/lookup?ean=${OTHER_EAN}`, { key })).body.data.offers).toHaveLength(1);
  });

  test('changes nothing when it is imported again, in any order', async () => {
    await gateway.importRows('Flood', flood, { observedAt: day(1) });
    const before = await state();
    for (const rows of [flood, flood.toReversed()]) {
      expect(await gateway.importRows('Flood', rows, { observedAt: day(2) })).toMatchObject({
        new: 0,
        changed: 0,
        same: 21,
        withdrawn: 0,
        rejected: 1_980,
      });
      expect(await state()).toBe(before);
    }
  });

  test('leaves room for other shops', async () => {
    await gateway.importRows('Flood', flood);
    expect(await gateway.importRows('Other', [feedRow({ id: 'x', gtin: EAN })])).toMatchObject({ new: 1, rejected: 0 });
    expect(await listed()).toHaveLength(21);
  });
});

test('a delta counts the offers that are already listed, and never displaces them', async () => {
  await gateway.importRows('Shop', rowsOf(1, 18));
  const delta = [...rowsOf(101, 105), rowOf(3, { price: '3.50 EUR' })];
  const summary = await gateway.importRows('Shop', delta, { mode: 'delta' });
  expect(summary).toMatchObject({ new: 2, changed: 1, withdrawn: 0, reasons: { too_many_offers: 3 } });
  expect(await listed()).toEqual([...skus(1, 18), 'row-101', 'row-102']);
  expect(await gateway.importRows('Shop', delta, { mode: 'delta' })).toMatchObject({ new: 0, changed: 0, same: 3 });
});

test('a withdrawn offer makes room in the same feed, and a returning one counts as new', async () => {
  await gateway.importRows('Shop', rowsOf(1, 20), { observedAt: day(1) });
  const second = [...rowsOf(3, 20), ...rowsOf(30, 32)];
  expect(await gateway.importRows('Shop', second, { observedAt: day(2) })).toMatchObject({
    new: 2,
    withdrawn: 2,
    reasons: { too_many_offers: 1 },
  });
  expect(await listed()).toEqual([...skus(3, 20), 'row-30', 'row-31']);
  const third = [...rowsOf(1, 20), ...rowsOf(30, 31)];
  expect(await gateway.importRows('Shop', third, { observedAt: day(3) })).toMatchObject({
    new: 0,
    changed: 0,
    withdrawn: 0,
    reasons: { too_many_offers: 2 },
  });
});

test('a rejected row counts as well, because its offer stays listed', async () => {
  await gateway.importRows('Shop', rowsOf(1, 20));
  const rows = [rowOf(1, { price: 'free' }), ...rowsOf(2, 20), rowOf(50)];
  expect(await gateway.importRows('Shop', rows)).toMatchObject({
    new: 0,
    withdrawn: 0,
    reasons: { invalid_price: 1, too_many_offers: 1 },
  });
  expect(await listed()).toEqual(skus(1, 20));
});

test('surplus offers of an older version are withdrawn by the next full feed, but not by a delta', async () => {
  await gateway.importRows('Shop', rowsOf(1, 20), { observedAt: day(1) });
  await gateway.database.script(`
    WITH added AS (
      INSERT INTO offer (merchant_id, sku, product_id, price, total, availability, condition, link, created_at, updated_at)
      SELECT merchant_id, 'row-' || n, product_id, n * 100, n * 100, availability, condition, 'https://shop.example/row-' || n, created_at, updated_at
      FROM offer CROSS JOIN generate_series(21, 100) AS n
      WHERE sku = 'row-1'
      RETURNING *
    )
    INSERT INTO ledger (product_id, offer_id, observed_at, total)
    SELECT product_id, id, created_at, total FROM added`);
  const delta = await gateway.importRows('Shop', [rowOf(90, { price: '0.50 EUR' }), rowOf(200)], {
    mode: 'delta',
    observedAt: day(2),
  });
  expect(delta).toMatchObject({ new: 0, changed: 1, withdrawn: 0, reasons: { too_many_offers: 1 } });
  expect(await listed()).toHaveLength(100);
  const full = await gateway.importRows('Shop', rowsOf(1, 100), { observedAt: day(3) });
  expect(full).toMatchObject({ read: 100, new: 0, same: 20, withdrawn: 80, reasons: { too_many_offers: 80 } });
  expect(await listed()).toEqual(skus(1, 20));
  const [row] = await gateway.database.query('SELECT offer_count, min_total, max_total FROM product');
  expect(row).toEqual({ offer_count: 20, min_total: 100n, max_total: 2000n });
  const before = await state();
  expect(await gateway.importRows('Shop', rowsOf(1, 100), { observedAt: day(4) })).toMatchObject({ withdrawn: 0 });
  expect(await state()).toBe(before);
});

test('a row above the limit adds no identifier to the product', async () => {
  const rows = rowsOf(1, 25).map((row, n) => ({ ...row, asin: `B0DEMO00${10 + n}` }));
  await gateway.importRows('Shop', rows);
  const asins = await gateway.database.query("SELECT value FROM product_identifier WHERE kind = 'asin'");
  expect(asins.map(({ value }) => value)).not.toContain('B0DEMO0034');
});

describe('offers that move with their identifier', () => {
  const ASIN = 'B0DEMO0001';
  const byAsin = Array.from({ length: 10 }, (_, n) =>
    feedRow({ id: `row-${101 + n}`, price: '99.00 EUR', asin: ASIN }),
  );
  const correct = (id: string) => feedRow({ id, gtin: EAN, asin: ASIN });
  const ownListed = async () => (await listed()).filter((sku) => sku.startsWith('row-'));

  beforeEach(async () => {
    await emptyTables(gateway.database, 'identifier_dispute, identifier_detachment');
    await gateway.importRows('Founder', [feedRow({ id: 'f', title: 'Dryer', gtin: EAN })]);
    await gateway.importRows('Hostile', [feedRow({ id: 'h', title: 'Cable', gtin: OTHER_EAN, asin: ASIN })]);
    await gateway.importRows('Shop', [...rowsOf(1, 15), ...byAsin]);
    expect(await ownListed()).toEqual(skus(1, 15));
  });

  /** Wrong figures, and offers whose history does not end with their listed state. */
  const contradictions = async () => [
    ...(await gateway.database.query(
      `SELECT name
       FROM product
       CROSS JOIN LATERAL (
         SELECT count(*)::int AS listed, min(total) AS lowest, max(total) AS highest
         FROM offer WHERE product_id = product.id AND withdrawn_at IS NULL
       ) AS now
       WHERE (offer_count, min_total, max_total) IS DISTINCT FROM (listed, lowest, highest)
       UNION ALL
       SELECT name
       FROM merchant
       WHERE offer_count <> (SELECT count(*) FROM offer WHERE merchant_id = merchant.id AND withdrawn_at IS NULL)`,
    )),
    ...(await gateway.database.query(
      `SELECT sku
       FROM offer
       JOIN LATERAL (
         SELECT DISTINCT ON (product_id) product_id, total
         FROM ledger WHERE offer_id = offer.id ORDER BY product_id, observed_at DESC
       ) AS last ON TRUE
       WHERE last.total IS DISTINCT FROM
             CASE WHEN last.product_id = offer.product_id AND withdrawn_at IS NULL THEN offer.total END`,
    )),
  ];

  const expectLimited = async () => {
    expect(await ownListed()).toEqual([...skus(1, 15), ...skus(101, 105)]);
    expect(await contradictions()).toEqual([]);
    // The next feed changes nothing, and withdrawn offers make room.
    const rows = [...rowsOf(1, 15), ...byAsin];
    expect(await gateway.importRows('Shop', rows)).toMatchObject({
      changed: 0,
      withdrawn: 0,
      reasons: { too_many_offers: 5 },
    });
    expect(await gateway.importRows('Shop', rows.slice(5))).toMatchObject({ changed: 5, withdrawn: 5, rejected: 0 });
    expect(await ownListed()).toEqual([...skus(6, 15), ...skus(101, 110)]);
    expect(await contradictions()).toEqual([]);
  };

  test('stay within the limit when an operator detaches it: the surplus is withdrawn and reported', async () => {
    const report = await detachIdentifier(gateway.database, { identifier: readIdentifierName(ASIN), to: EAN });
    expect(report.offers.map(({ to }) => to ?? 'withdrawn')).toEqual([
      ...Array.from({ length: 5 }, () => 'dryer'),
      ...Array.from({ length: 5 }, () => 'withdrawn'),
    ]);
    await expectLimited();
  });

  test('stay within the limit when other shops move it, and gateways forget how many there were', async () => {
    const version = followVersion(gateway.database);
    await version.catchUp();
    const { merchantBySlug } = openLoaders(gateway.database, version);
    for (const shop of ['One', 'Two']) await gateway.importRows(shop, [correct('x')]);
    await version.catchUp();
    expect(await merchantBySlug.load('shop')).toMatchObject({ offerCount: 25 });
    await gateway.importRows('Three', [correct('x')]);
    await version.catchUp();
    expect(await merchantBySlug.load('shop')).toMatchObject({ offerCount: 20 });
    await expectLimited();
  });

  test('stay within the limit when a delta of their own shop moves it', async () => {
    for (const shop of ['One', 'Two']) await gateway.importRows(shop, [correct('x')]);
    expect(await ownListed()).toEqual(skus(1, 15));
    const summary = await gateway.importRows('Shop', [correct('row-1')], { mode: 'delta' });
    expect(summary).toMatchObject({ changed: 1, rejected: 0 });
    expect(await ownListed()).toEqual([...skus(1, 15), ...skus(101, 105)]);
    expect(await contradictions()).toEqual([]);
  });
});

test('an accepted row adds its identifier, even if an earlier row above the limit has the same one', async () => {
  const asin = 'B0DEMO0001';
  await gateway.importRows('Shop', rowsOf(1, 20), { observedAt: day(1) });
  const rows = [rowOf(50, { asin }), ...rowsOf(1, 19), rowOf(20, { asin })];
  for (const observedAt of [day(2), day(3)]) {
    const summary = await gateway.importRows('Shop', rows, { observedAt });
    expect(summary).toMatchObject({ new: 0, withdrawn: 0, reasons: { too_many_offers: 1 } });
    const asins = await gateway.database.query("SELECT value FROM product_identifier WHERE kind = 'asin'");
    expect(asins).toEqual([{ value: asin }]);
  }
});

test('the limit applies to a backfill as well, which changes nothing the second time', async () => {
  await gateway.importRows('Shop', rowsOf(1, 20), { observedAt: day(10) });
  const archived = rowsOf(11, 100);
  const first = await gateway.importRows('Shop', archived, { observedAt: day(5) });
  expect(first).toMatchObject({ new: 10, changed: 10, withdrawn: 0, reasons: { too_many_offers: 70 } });
  expect(await listed()).toEqual(skus(1, 20));
  const before = await state();
  expect(await gateway.importRows('Shop', archived, { observedAt: day(5) })).toMatchObject({
    new: 0,
    changed: 0,
    same: 20,
    rejected: 70,
  });
  expect(await state()).toBe(before);
});
