/** Claims on identifiers: no shop can take one from others, and one that an operator detaches stays detached. */
import { beforeEach, describe, expect, test } from 'vitest';
import { listAudit } from '../../src/access/audit.ts';
import { detachIdentifier } from '../../src/import/detach-identifier.ts';
import { allowIdentifier } from '../../src/import/detachment.ts';
import { MOST_DISPUTES_OF_SHOP } from '../../src/import/disputes.ts';
import { DetachRefused } from '../../src/import/identifier-binding.ts';
import { MOST_IDENTIFIERS, MOST_IDENTIFIERS_OF_SHOP } from '../../src/import/identifier-limit.ts';
import { IdentifierNotFound, readIdentifierName } from '../../src/import/identifier-name.ts';
import { describeIdentifiers } from '../../src/import/identifier-report.ts';
import { MOST_ROUNDS } from '../../src/import/match-rounds.ts';
import { listDisputes } from '../../src/import/open-disputes.ts';
import { checkDigit } from '../../src/values/gtin.ts';
import { openTestDatabase } from '../harness/database.ts';
import { type FeedRowFields, feedRow, type ImportOptions, importRows } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

/** The identifiers of the disputed products: a hair dryer, and an unrelated cable. */
const DRYER = '4006381333931';
const CABLE = '4006381333948';
const THIRD = '4006381333955';
const ASIN = 'B0DEMO0001';
const OTHER_ASIN = 'B0DEMO0002';

const database = await forFile(openTestDatabase());
beforeEach(() =>
  database.script(`
    TRUNCATE product, product_field, offer, ledger, change, product_identifier, identifier_dispute,
             identifier_detachment, search_word, brand, merchant, import_run, category, click CASCADE`),
);

const run = (shop: string, rows: readonly FeedRowFields[], options?: ImportOptions) =>
  importRows(database, shop, rows, options);
const dryer = (more: FeedRowFields = {}) => feedRow({ id: 'dryer', title: 'Hair dryer', gtin: DRYER, ...more });
const cable = (more: FeedRowFields = {}) => feedRow({ id: 'cable', title: 'Cable', gtin: CABLE, ...more });
const detach = (text: string, more: { merchant?: string; to?: string; isDryRun?: boolean } = {}) =>
  detachIdentifier(database, { identifier: readIdentifierName(text), ...more });

/** The name of the product that has the identifier. */
const productOf = async (value: string) =>
  (
    await database.query<{ name: string }>(
      'SELECT name FROM product_identifier JOIN product ON product.id = product_id WHERE ltrim(value, $2) = ltrim($1, $2)',
      [value, '0'],
    )
  )[0]?.name;
/** The product at which each shop's offers are listed. */
const places = async () =>
  Object.fromEntries(
    (
      await database.query<{ offer: string; product: string }>(
        `SELECT merchant.name || ' ' || sku AS offer, product.name AS product
         FROM offer JOIN merchant ON merchant.id = offer.merchant_id JOIN product ON product.id = product_id
         WHERE withdrawn_at IS NULL`,
      )
    ).map(({ offer, product }) => [offer, product]),
  );
const history = async (shop: string) =>
  (
    await database.query<{ product: string; total: bigint | null }>(
      `WITH ledger AS MATERIALIZED (SELECT * FROM ledger)
       SELECT product.name AS product, ledger.total
       FROM ledger
       JOIN offer ON offer.id = offer_id
       JOIN merchant ON merchant.id = merchant_id
       JOIN product ON product.id = ledger.product_id
       WHERE merchant.name = $1
       ORDER BY ledger.observed_at, ledger.total NULLS FIRST`,
      [shop],
    )
  ).map(({ product, total }) => `${product}: ${total ?? 'gone'}`);
const version = async () =>
  (await database.query<{ version: bigint }>('SELECT version FROM catalogue_version'))[0]?.version ?? 0n;
const json = (value: unknown) =>
  JSON.stringify(value, (_name, each) => (typeof each === 'bigint' ? String(each) : each));
const state = async () =>
  json([
    await database.query('SELECT * FROM product ORDER BY id'),
    await database.query('SELECT * FROM product_identifier ORDER BY id'),
    await database.query('SELECT * FROM product_field ORDER BY 1, 2'),
    await database.query('SELECT * FROM offer ORDER BY id'),
    await database.query('SELECT * FROM ledger ORDER BY 1, 2, 3'),
    await database.query('SELECT merchant_id, asin, gtin FROM identifier_dispute ORDER BY 1, 2'),
    await database.query('SELECT * FROM identifier_detachment ORDER BY id'),
  ]);

/** Stored figures that differ from the actual ones; empty if all are right. */
const wrongFigures = () =>
  database.query(`
    WITH ledger AS MATERIALIZED (SELECT * FROM ledger)
    SELECT product.name, offer_count, counted, min_total, lowest, max_total, highest, lowest_ever, ever, popularity
    FROM product
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS counted, min(total) AS lowest, max(total) AS highest,
             COALESCE(bool_or(availability = 'in_stock'), FALSE) AS is_available
      FROM offer WHERE offer.product_id = product.id AND withdrawn_at IS NULL
    ) AS now
    CROSS JOIN LATERAL (SELECT min(total) AS ever FROM ledger WHERE ledger.product_id = product.id) AS past
    WHERE (offer_count, min_total, max_total, lowest_ever, popularity, is_in_stock)
          IS DISTINCT FROM (counted, lowest, highest, ever, counted, is_available)
       OR NOT EXISTS (SELECT FROM product_search WHERE product_search.product_id = product.id)
       OR NOT EXISTS (SELECT FROM popular_product WHERE popular_product.product_id = product.id AND popular_product.rank = product.rank)`);

/** The hair dryer is known by its GTIN; then a shop puts its ASIN on a cable. */
async function hijack(): Promise<void> {
  await run('Founder', [dryer()]);
  await run('Cables', [cable()]);
  await run('Hostile', [cable({ id: 'trap', asin: ASIN, title: 'Trap' })]);
  expect(await productOf(ASIN)).toBe('Cable');
}

describe('an ASIN that a shop has put on the wrong product', () => {
  test('stays if one other shop disagrees, and moves in the import in which a second one disagrees', async () => {
    await hijack();
    const correct = [dryer({ asin: ASIN }), feedRow({ id: 'other' })];
    expect(await run('One', correct)).toMatchObject({ new: 1, reasons: { identifier_conflict: 1 } });
    expect(await run('One', correct)).toMatchObject({ new: 0, reasons: { identifier_conflict: 1 } });
    expect(await productOf(ASIN)).toBe('Cable');
    expect(await run('Two', correct)).toMatchObject({ new: 2, rejected: 0 });
    expect(await productOf(ASIN)).toBe('Hair dryer');
    expect(await run('One', correct)).toMatchObject({ new: 1, same: 1, rejected: 0 });
    const before = await state();
    for (const shop of ['One', 'Two']) {
      expect(await run(shop, correct)).toMatchObject({ new: 0, changed: 0, same: 2, withdrawn: 0, rejected: 0 });
    }
    expect(await state()).toBe(before);
    expect(await wrongFigures()).toEqual([]);
  });

  test('is not taken back by the shop that put it there, whose rows now conflict', async () => {
    await hijack();
    await run('One', [dryer({ asin: ASIN })]);
    await run('Two', [dryer({ asin: ASIN })]);
    for (const _ of [1, 2, 3]) {
      expect(await run('Hostile', [cable({ id: 'trap', asin: ASIN })])).toMatchObject({
        reasons: { identifier_conflict: 1 },
      });
    }
    expect(await productOf(ASIN)).toBe('Hair dryer');
  });

  test('moves the offers that were at the wrong product only because of it, with their history', async () => {
    await hijack();
    await run('Misled', [feedRow({ id: 'by-asin', asin: ASIN, price: '7.00 EUR' })]);
    expect(await places()).toMatchObject({ 'Misled by-asin': 'Cable' });
    const before = await version();
    // Misled claims the ASIN for the cable too, so three shops must disagree.
    await run('One', [dryer({ asin: ASIN })]);
    await run('Two', [dryer({ asin: ASIN })]);
    expect(await productOf(ASIN)).toBe('Cable');
    await run('Three', [dryer({ asin: ASIN })]);
    expect(await productOf(ASIN)).toBe('Hair dryer');
    expect(await places()).toMatchObject({ 'Misled by-asin': 'Hair dryer', 'Hostile trap': 'Cable' });
    expect(await history('Misled')).toEqual(['Cable: 700', 'Cable: gone', 'Hair dryer: 700']);
    expect(await wrongFigures()).toEqual([]);
    expect(await version()).toBe(before + 3n);
    const events = await database.query<{ name: string }>(
      `SELECT name FROM change JOIN product ON product.id = product_id
       WHERE kind = 'figures' AND at = (SELECT max(at) FROM change) ORDER BY name`,
    );
    expect(events.map(({ name }) => name)).toEqual(['Cable', 'Hair dryer']);
    expect((await listAudit(database)).at(-1)).toMatchObject({
      action: 'identifier.move',
      before: { asin: ASIN, product: 'cable', shops: 2 },
      after: { asin: ASIN, product: 'hair-dryer', shops: 3 },
    });
    const rows = [feedRow({ id: 'by-asin', asin: ASIN, price: '7.00 EUR' })];
    expect(await run('Misled', rows)).toMatchObject({ same: 1, changed: 0 });
  });

  test('stays where two other shops claim it, whatever one shop does', async () => {
    await run('One', [dryer({ asin: ASIN })]);
    await run('Two', [dryer({ asin: ASIN })]);
    await run('Cables', [cable()]);
    const flood = Array.from({ length: 30 }, (_, n) => cable({ id: `x${n}`, asin: ASIN }));
    for (const rows of [flood, flood.toReversed(), flood.slice(0, 3)]) {
      await run('Hostile', rows, { isForced: true });
      await run('Hostile', rows, { mode: 'delta' });
    }
    expect(await productOf(ASIN)).toBe('Hair dryer');
    expect(await listDisputes(database)).toEqual([
      expect.objectContaining({
        asin: ASIN,
        gtin: CABLE,
        merchant: 'Hostile',
        asinProduct: 'hair-dryer',
        gtinProduct: 'cable',
      }),
    ]);
  });

  test('is no longer disputed once the shop withdraws its claim', async () => {
    await hijack();
    await run('One', [dryer({ asin: ASIN })]);
    await run('One', [dryer()]);
    expect(await listDisputes(database)).toEqual([]);
    await run('Two', [dryer({ asin: ASIN })]);
    expect(await productOf(ASIN)).toBe('Cable');
  });

  test('is not judged by archived feeds', async () => {
    await hijack();
    await run('One', [dryer()], { observedAt: new Date(Date.UTC(2026, 0, 20)) });
    await run('One', [dryer({ asin: ASIN })], { observedAt: new Date(Date.UTC(2026, 0, 10)) });
    expect(await listDisputes(database)).toEqual([]);
  });

  test('is not moved by two shops before the claims of an older version are recorded', async () => {
    await run('One', [dryer({ asin: ASIN })]);
    await run('Two', [dryer({ asin: ASIN })]);
    await run('Cables', [cable()]);
    await database.script('UPDATE offer SET gtin = NULL, asin = NULL, title = NULL');
    await run('Hostile', [cable({ id: 'x', asin: ASIN })]);
    await run('Accomplice', [cable({ id: 'x', asin: ASIN })]);
    expect(await productOf(ASIN)).toBe('Hair dryer');
    expect((await describeIdentifiers(database, DRYER)).unrecordedOffers).toBe(2);
    // The next import records the claims, and counts no offer as changed.
    expect(await run('One', [dryer({ asin: ASIN })])).toMatchObject({ same: 1, changed: 0 });
    expect((await describeIdentifiers(database, DRYER)).unrecordedOffers).toBe(1);
  });
});

test('a GTIN that a shop put on the wrong product moves to the product that two others identify by its ASIN', async () => {
  await run('Founder', [feedRow({ id: 'dryer', title: 'Hair dryer', asin: ASIN })]);
  await run('Cables', [cable({ asin: OTHER_ASIN })]);
  await run('Hostile', [feedRow({ id: 'trap', gtin: DRYER, asin: OTHER_ASIN })]);
  expect(await productOf(DRYER)).toBe('Cable');
  const correct = [dryer({ asin: ASIN })];
  expect(await run('One', correct)).toMatchObject({ reasons: { identifier_conflict: 1 } });
  expect(await run('Two', correct)).toMatchObject({ new: 1, rejected: 0 });
  expect(await productOf(DRYER)).toBe('Hair dryer');
  expect(await productOf(ASIN)).toBe('Hair dryer');
});

test('a GTIN stays at the product that was created with it, even if that row had an ASIN too', async () => {
  await run('Founder', [dryer({ asin: ASIN })]);
  await run('Other', [feedRow({ id: 'x', title: 'Other item', asin: OTHER_ASIN })]);
  for (const shop of ['One', 'Two'])
    await run(shop, [feedRow({ id: 'y', title: 'Mixed', gtin: DRYER, asin: OTHER_ASIN })]);
  expect(await productOf(DRYER)).toBe('Hair dryer');
  const [first] = await database.query<{ kind: string }>(
    'SELECT kind::text FROM product_identifier ORDER BY id LIMIT 1',
  );
  expect(first?.kind).toBe('gtin');
});

describe('a detached identifier', () => {
  test.each([
    ['the hostile feed first', ['Hostile', 'One']],
    ['the correct feed first', ['One', 'Hostile']],
  ])('is not attached again by the feed that had attached it: %s', async (_order, shops) => {
    await hijack();
    const report = await detach(ASIN);
    expect(report).toEqual({ kind: 'asin', value: ASIN, from: 'cable', isTakenOff: true, offers: [] });
    expect(await productOf(ASIN)).toBeUndefined();
    const feeds: Record<string, FeedRowFields[]> = {
      Hostile: [cable({ id: 'trap', asin: ASIN, title: 'Trap' })],
      One: [dryer({ asin: ASIN })],
    };
    for (const shop of [...shops, ...shops]) {
      expect(await run(shop, feeds[shop] ?? [])).toMatchObject({ rejected: 0 });
    }
    expect(await productOf(ASIN)).toBe('Hair dryer');
    expect(await places()).toEqual({
      'Founder dryer': 'Hair dryer',
      'One dryer': 'Hair dryer',
      'Cables cable': 'Cable',
      'Hostile trap': 'Cable',
    });
    const before = await state();
    for (const shop of shops) {
      expect(await run(shop, feeds[shop] ?? [])).toMatchObject({ same: 1, changed: 0, new: 0 });
    }
    expect(await state()).toBe(before);
    expect(await wrongFigures()).toEqual([]);
  });

  test('does not return through an MPN that the same feed adds to the product', async () => {
    await hijack();
    await detach(ASIN);
    const rows = [
      cable({ brand: 'Acme', mpn: 'C-1' }),
      feedRow({ id: 'by-asin', title: 'Acme dryer', brand: 'Acme', mpn: 'C-1', asin: ASIN }),
    ];
    expect(await run('New', rows)).toMatchObject({ new: 2, rejected: 0 });
    expect(await places()).toMatchObject({ 'New cable': 'Cable', 'New by-asin': 'Acme dryer' });
    const before = await state();
    expect(await run('New', rows)).toMatchObject({ new: 0, changed: 0, same: 2, rejected: 0 });
    expect(await state()).toBe(before);
  });

  test('does not conflict with an identifier that the same feed adds to its former product', async () => {
    await run('Founder', [cable({ asin: OTHER_ASIN })]);
    await run('Hostile', [feedRow({ id: 'trap', gtin: THIRD, asin: OTHER_ASIN })]);
    await detach(THIRD);
    const rows = [
      feedRow({ id: 'teacher', gtin: CABLE, asin: ASIN }),
      feedRow({ id: 'own', title: 'Own', gtin: THIRD }),
      feedRow({ id: 'both', gtin: THIRD, asin: ASIN }),
    ];
    expect(await run('New', rows)).toMatchObject({ new: 3, rejected: 0 });
    expect(await places()).toMatchObject({ 'New teacher': 'Cable', 'New own': 'Own', 'New both': 'Cable' });
    const before = await state();
    expect(await run('New', rows)).toMatchObject({ new: 0, changed: 0, same: 3, rejected: 0 });
    expect(await state()).toBe(before);
  });

  test('moves with its offers and their history to the product that --to names', async () => {
    await hijack();
    await run('Misled', [feedRow({ id: 'by-asin', asin: ASIN, price: '7.00 EUR' })]);
    const before = await version();
    expect(await detach(ASIN, { to: DRYER })).toMatchObject({
      from: 'cable',
      to: 'hair-dryer',
      isTakenOff: true,
      offers: [{ merchant: 'Misled', to: 'hair-dryer' }],
    });
    expect(await version()).toBe(before + 1n);
    expect(await history('Misled')).toEqual(['Cable: 700', 'Cable: gone', 'Hair dryer: 700']);
    expect(await wrongFigures()).toEqual([]);
    const events = await database.query(
      "SELECT product_id FROM change WHERE kind = 'figures' AND at = (SELECT max(at) FROM change)",
    );
    expect(events).toHaveLength(2);
    expect(await run('Misled', [feedRow({ id: 'by-asin', asin: ASIN, price: '7.00 EUR' })])).toMatchObject({ same: 1 });
    expect(await run('Hostile', [cable({ id: 'trap', asin: ASIN, title: 'Trap' })])).toMatchObject({ same: 1 });
    expect(await productOf(ASIN)).toBe('Hair dryer');
  });

  test('moves without --to if a dispute names its product', async () => {
    await hijack();
    await run('Misled', [feedRow({ id: 'by-asin', asin: ASIN })]);
    await run('One', [dryer({ asin: ASIN })]);
    expect(await detach(ASIN)).toMatchObject({ to: 'hair-dryer', offers: [{ merchant: 'Misled', to: 'hair-dryer' }] });
  });

  test('changes nothing the second time, unless it was attached again in between', async () => {
    await hijack();
    await run('Misled', [feedRow({ id: 'by-asin', asin: ASIN })]);
    await run('One', [dryer({ asin: ASIN })]);
    const first = await detach(ASIN);
    expect(first).not.toHaveProperty('detachedAt');
    const before = await places();
    expect(await detach(ASIN)).toEqual({
      kind: 'asin',
      value: ASIN,
      isTakenOff: false,
      from: first.from,
      to: 'hair-dryer',
      detachedAt: expect.any(Date),
      offers: [],
    });
    expect(await places()).toEqual(before);
    expect(await detach(ASIN, { to: CABLE })).toMatchObject({ isTakenOff: true, to: 'cable' });
  });

  test('gets a new product from the data of its rows if no other is named', async () => {
    await hijack();
    await run('Misled', [feedRow({ id: 'by-asin', title: 'Fast hair dryer', asin: ASIN })]);
    await run('Also', [feedRow({ id: 'by-both', asin: ASIN, gtin: THIRD })]);
    expect(await productOf(THIRD)).toBe('Cable');
    await detach(ASIN);
    // The row of the second shop still has a GTIN that it had added to the cable.
    expect(await places()).toMatchObject({ 'Misled by-asin': 'Fast hair dryer', 'Also by-both': 'Cable' });
    await detach(THIRD);
    expect(await places()).toMatchObject({ 'Misled by-asin': 'Fast hair dryer', 'Also by-both': 'Fast hair dryer' });
    expect(await productOf(THIRD)).toBe('Fast hair dryer');
    expect(await wrongFigures()).toEqual([]);
    const rows = [feedRow({ id: 'by-asin', title: 'Fast hair dryer', asin: ASIN, description: 'Dries.' })];
    expect(await run('Misled', rows)).toMatchObject({ same: 1 });
    expect(await run('Also', [feedRow({ id: 'by-both', asin: ASIN, gtin: THIRD })])).toMatchObject({ same: 1 });
    const { fields } = await describeIdentifiers(database, ASIN);
    expect(fields.map(({ field, merchant }) => `${field}: ${merchant}`)).toEqual([
      'name: Misled',
      'description: Misled',
    ]);
  });

  test('stays with the product for other shops if only one shop is detached, which can no longer claim it', async () => {
    await run('One', [dryer({ asin: ASIN })]);
    await run('Odd', [feedRow({ id: 'odd', title: 'Odd', asin: ASIN })]);
    expect(await detach(ASIN, { merchant: 'Odd' })).toMatchObject({
      merchant: 'Odd',
      isTakenOff: false,
      offers: [{ merchant: 'Odd', to: 'odd' }],
    });
    expect(await places()).toEqual({ 'One dryer': 'Hair dryer', 'Odd odd': 'Odd' });
    expect(await run('Odd', [feedRow({ id: 'odd', title: 'Odd', asin: ASIN })])).toMatchObject({
      same: 1,
      rejected: 0,
    });
    expect(await places()).toEqual({ 'One dryer': 'Hair dryer', 'Odd odd': 'Odd' });
    expect((await describeIdentifiers(database, DRYER)).detached).toEqual([
      { kind: 'asin', value: ASIN, merchant: 'Odd', detachedAt: expect.any(Date) },
    ]);
    expect(await allowIdentifier(database, readIdentifierName(ASIN), 'Odd')).toBe(1);
    await run('Odd', [feedRow({ id: 'odd', title: 'Odd', asin: ASIN })]);
    expect(await places()).toMatchObject({ 'Odd odd': 'Hair dryer' });
  });

  test('leaves the product if its only claimant is detached, and conflicts no more', async () => {
    await hijack();
    await run('One', [dryer({ asin: ASIN })]);
    expect(await detach(ASIN, { merchant: 'Hostile' })).toMatchObject({
      isTakenOff: true,
      to: 'hair-dryer',
      offers: [],
    });
    for (const _ of [1, 2]) {
      expect(await run('Hostile', [cable({ id: 'trap', asin: ASIN, title: 'Trap' })])).toMatchObject({ rejected: 0 });
      expect(await run('One', [dryer({ asin: ASIN })])).toMatchObject({ rejected: 0 });
    }
    expect(await productOf(ASIN)).toBe('Hair dryer');
  });

  test('changes nothing in a dry run, and is recorded otherwise', async () => {
    await hijack();
    await run('Misled', [feedRow({ id: 'by-asin', asin: ASIN })]);
    const before = await state();
    const entries = (await listAudit(database)).length;
    const dry = await detach(ASIN, { isDryRun: true });
    expect(dry.offers).toHaveLength(1);
    expect(await state()).toBe(before);
    expect(await listAudit(database)).toHaveLength(entries);
    await detach(ASIN, { to: DRYER });
    expect((await listAudit(database)).at(-1)).toMatchObject({
      action: 'identifier.detach',
      before: { asin: ASIN, product: 'cable' },
      after: { isTakenOff: true, product: 'hair-dryer', offers: 1 },
    });
  });

  test('is refused for invalid targets, with a message that says what to do', async () => {
    await hijack();
    await expect(detach('B0NOWHERE1')).rejects.toThrow(IdentifierNotFound);
    await expect(detach(ASIN, { to: 'no-such-product' })).rejects.toThrow(/No product has .*no-such-product/);
    await expect(detach(ASIN, { to: CABLE })).rejects.toThrow(DetachRefused);
    await expect(detach(ASIN, { merchant: 'Nobody' })).rejects.toThrow('No shop has the name or slug Nobody');
    await expect(detach(ASIN, { merchant: 'Founder' })).rejects.toThrow('Founder does not claim the ASIN B0DEMO0001');
    await expect(allowIdentifier(database, readIdentifierName(ASIN), undefined)).rejects.toThrow(
      'There is no detachment',
    );
  });
});

test('each detail of a product names its source shop, and each identifier the shops that claim and dispute it', async () => {
  await run('Founder', [dryer({ description: 'Dries.' })]);
  await run('Second', [
    dryer({ asin: ASIN, description: 'Other', image_link: 'https://i.example/1.jpg', brand: 'Föhn' }),
  ]);
  await run('Cables', [cable()]);
  await run('Hostile', [cable({ id: 'x', asin: ASIN })]);
  const report = await describeIdentifiers(database, ASIN);
  const at = expect.any(Date);
  expect(report).toEqual({
    product: { id: expect.stringMatching(/^prd_/), slug: 'hair-dryer', name: 'Hair dryer' },
    identifiers: [
      {
        kind: 'gtin',
        value: DRYER,
        merchant: 'Founder',
        claimedAt: at,
        statedBy: ['Founder', 'Second'],
        disputedBy: [],
      },
      {
        kind: 'asin',
        value: ASIN,
        merchant: 'Second',
        claimedAt: at,
        statedBy: ['Second'],
        disputedBy: [{ merchant: 'Hostile', with: { kind: 'gtin', value: CABLE }, product: 'cable', statedAt: at }],
      },
    ],
    fields: [
      { field: 'name', merchant: 'Founder', filledAt: at },
      { field: 'description', merchant: 'Founder', filledAt: at },
      { field: 'image', merchant: 'Second', filledAt: at },
      { field: 'brand', merchant: 'Second', filledAt: at },
    ],
    detached: [],
    unrecordedOffers: 0,
  });
  for (const name of [DRYER, 'hair-dryer', report.product.id]) {
    expect(await describeIdentifiers(database, name)).toEqual(report);
  }
  await expect(describeIdentifiers(database, 'nothing')).rejects.toThrow(IdentifierNotFound);
});

describe('a limit applies to', () => {
  test('the rounds that assign rows chained by their identifiers', async () => {
    const asin = (n: number) => `B0${String(n).padStart(8, '0')}`;
    const gtin = (n: number) => `400638${200_000 + n}${checkDigit(`400638${200_000 + n}`)}`;
    // Rows share alternately their GTIN and their ASIN with the row before.
    const rows = Array.from({ length: 2 * MOST_ROUNDS }, (_, n) =>
      feedRow({ id: `${n}`, gtin: gtin(Math.ceil(n / 2)), asin: asin(Math.floor(n / 2)) }),
    );
    const { new: added, rejected, reasons } = await run('Chain', rows);
    expect(reasons.identifier_chain).toBeGreaterThan(0);
    expect(added + rejected).toBe(rows.length);
  });

  const asins = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => `B0GROW${String(from + n).padStart(4, '0')}`);

  test('the identifiers that a shop adds to one product over all its feeds, and those of all shops', async () => {
    const teach = async (shop: string, from: number) => {
      for (const batch of [0, 15, 30]) {
        const rows = asins(from + batch, 15).map((asin, n) => dryer({ id: `row-${n}`, asin }));
        expect(await run(shop, rows)).toEqual(expect.objectContaining({ rejected: 0, reasons: {} }));
      }
    };
    const count = async () =>
      (await database.query<{ count: number }>('SELECT count(*)::int AS count FROM product_identifier'))[0]?.count;
    await teach('One', 0);
    expect(await count()).toBe(MOST_IDENTIFIERS_OF_SHOP);
    await teach('Two', 100);
    await teach('Three', 200);
    await teach('Four', 300);
    expect(await count()).toBe(MOST_IDENTIFIERS);
    const [products] = await database.query('SELECT count(*)::int AS count FROM product');
    expect(products).toEqual({ count: 1 });
  });

  test('the identifiers that move to one product, in total and for each shop', async () => {
    const disputed = asins(0, 45);
    await run('Founder', [dryer()]);
    const gtins = ['4006381333900', '4006381333917', '4006381333924'];
    for (const [n, gtin] of gtins.entries()) {
      const rows = disputed
        .slice(n * 15, n * 15 + 15)
        .map((asin, place) => feedRow({ id: `trap-${place}`, gtin, asin }));
      await run(`Hostile ${n}`, rows);
    }
    const correct = disputed.map((asin, n) => dryer({ id: `row-${n}`, asin }));
    const contributed = async () =>
      (
        await database.query<{ name: string; count: number }>(
          `SELECT merchant.name, count(*)::int AS count
           FROM product_identifier AS identifier
           JOIN product ON product.id = identifier.product_id
           JOIN merchant ON merchant.id = identifier.merchant_id
           WHERE product.name = 'Hair dryer'
           GROUP BY merchant.name
           ORDER BY merchant.name`,
        )
      ).map(({ name, count }) => `${name}: ${count}`);
    await run('One', correct);
    expect(await contributed()).toEqual(['Founder: 1']);
    await run('Two', correct);
    expect(await contributed()).toEqual(['Founder: 1', `Two: ${MOST_IDENTIFIERS_OF_SHOP}`]);
    await run('Two', correct);
    expect(await contributed()).toEqual(['Founder: 1', `Two: ${MOST_IDENTIFIERS_OF_SHOP}`]);
    // Other shops may add more than the first shop may, up to the limit of the product.
    await run(
      'Three',
      asins(100, 15).map((asin, n) => dryer({ id: `row-${n}`, asin })),
    );
    await run('One', correct);
    expect(await contributed()).toEqual(['Founder: 1', 'One: 14', 'Three: 15', `Two: ${MOST_IDENTIFIERS_OF_SHOP}`]);
  });

  test('the disputes of a shop: the oldest that it still states stay', async () => {
    await run('Founder', [dryer({ asin: ASIN }), cable()]);
    await database.query(`INSERT INTO merchant (slug, name) VALUES ('hostile', 'Hostile')`);
    await database.query(
      `INSERT INTO identifier_dispute (merchant_id, asin, gtin, stated_at)
       SELECT merchant.id, 'A' || lpad(n::text, 9, '0'), '00000000000000', now()
       FROM merchant CROSS JOIN generate_series(1, $1::int) AS n WHERE merchant.name = 'Hostile'`,
      [MOST_DISPUTES_OF_SHOP],
    );
    const disputes = async () =>
      (await database.query<{ count: number }>('SELECT count(*)::int AS count FROM identifier_dispute'))[0]?.count;
    await run('Hostile', [cable({ asin: ASIN })], { mode: 'delta' });
    expect(await disputes()).toBe(MOST_DISPUTES_OF_SHOP);
    await run('Hostile', [cable({ asin: ASIN })]);
    expect(await disputes()).toBe(1);
  });
});
