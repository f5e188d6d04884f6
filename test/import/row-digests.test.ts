/** An import passes over rows that have not changed, and still does everything that they call for. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { observed } from '../../src/database/observed.ts';
import { openReportCollector } from '../../src/feeds/collect-report.ts';
import { importFeed } from '../../src/import/import-feed.ts';
import { importTaxonomyText } from '../harness/catalogue.ts';
import { openTestDatabase } from '../harness/database.ts';
import { type FeedRowFields, feedRow, type ImportOptions, importRows } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

const EAN = '4006381333931';
const OTHER_EAN = '4006381333948';
const at = (day: number, hour = 0) => new Date(Date.UTC(2026, 0, day, hour));

let passedOver = 0;
const plain = await forFile(openTestDatabase());
const database = observed(plain, {
  observe({ sql, rows = 0 }) {
    if (sql.includes('known_offer, known_product)')) passedOver += rows;
  },
});
beforeEach(() =>
  plain.script(
    'TRUNCATE product, offer, ledger, product_identifier, brand, merchant, import_run, import_failure, identifier_dispute, category, click CASCADE',
  ),
);

/** Imports rows, and says how many of them were passed over. */
async function run(shop: string, day: number, rows: readonly FeedRowFields[], options: ImportOptions = {}) {
  passedOver = 0;
  const summary = await importRows(database, shop, rows, { observedAt: at(day), ...options });
  return { ...summary, passedOver };
}
const offers = () =>
  plain.query<{ sku: string; slug: string; total: bigint; is_listed: boolean }>(
    `SELECT sku, slug, total, withdrawn_at IS NULL AS is_listed FROM offer JOIN product ON product.id = product_id ORDER BY offer.id`,
  );

const ROWS = ['a', 'b', 'c'].map((id, n) => feedRow({ id, gtin: [EAN, OTHER_EAN][n], brand: 'Nord', mpn: `M ${n}` }));

describe('the same feed again', () => {
  test('is passed over, and counts the same', async () => {
    expect(await run('One', 1, ROWS)).toMatchObject({ new: 3, passedOver: 0 });
    expect(await run('One', 2, ROWS)).toMatchObject({
      read: 3,
      new: 0,
      changed: 0,
      same: 3,
      withdrawn: 0,
      passedOver: 3,
    });
  });

  test('has the same rejected rows, in the same lines', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pda-digests-'));
    const rejectsFile = join(folder, 'rejects.jsonl');
    const rows = [...ROWS, feedRow({ id: 'd', price: 'free' }), feedRow({ id: 'a', price: '3.00 EUR' }), ROWS[1] ?? {}];
    const first = await run('One', 1, rows, { rejectsFile });
    const rejects = readFileSync(rejectsFile, 'utf8');
    expect(first).toMatchObject({ rejected: 3, reasons: { invalid_price: 1, duplicate_id: 2 } });
    expect(await run('One', 2, rows, { rejectsFile })).toMatchObject({
      rejected: 3,
      reasons: first.reasons,
      passedOver: 4,
    });
    expect(readFileSync(rejectsFile, 'utf8')).toBe(rejects);
    rmSync(folder, { recursive: true });
  });

  test('cut off after some rows rejects those before the break, whether rows are passed over or not', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pda-digests-'));
    const rejectsFile = join(folder, 'rejects.jsonl');
    const feed = join(folder, 'feed.jsonl');
    const rows = [...ROWS, feedRow({ id: 'd', price: 'free' })];
    writeFileSync(feed, `${rows.map((row) => JSON.stringify(row)).join('\n')}\n{"id":`);
    for (const isKnown of [false, true]) {
      if (isKnown) await run('One', 1, ROWS);
      passedOver = 0;
      const collector = openReportCollector();
      const request = { feed, merchant: 'One', mode: 'full', observedAt: at(2), rejectsFile } as const;
      const importing = importFeed(
        database,
        { currency: 'EUR', country: 'DE' },
        { ...request, observer: collector.observer },
      );
      await expect(importing).rejects.toThrow('line 5');
      expect(passedOver).toBe(isKnown ? 3 : 0);
      expect(JSON.parse(readFileSync(rejectsFile, 'utf8'))).toMatchObject({
        line: 4,
        id: 'd',
        reason: 'invalid_price',
      });
      expect(collector.report()).toMatchObject({ read: 4, accepted: 3, rejected: 1 });
      rmSync(rejectsFile);
    }
    rmSync(folder, { recursive: true });
  });

  test('of a delta marks its offers as seen', async () => {
    await run('One', 1, ROWS);
    expect(await run('One', 2, ROWS.slice(1), { mode: 'delta' })).toMatchObject({ same: 2, passedOver: 2 });
    const seen = await plain.query(
      'SELECT sku, seen_at FROM offer_seen JOIN offer ON offer.id = offer_id ORDER BY sku',
    );
    expect(seen).toEqual([
      { sku: 'b', seen_at: at(2) },
      { sku: 'c', seen_at: at(2) },
    ]);
  });

  test('is read in full from a pipe, which cannot be read twice', async () => {
    await run('One', 1, ROWS);
    const folder = mkdtempSync(join(tmpdir(), 'pda-digests-'));
    const feed = join(folder, 'pipe');
    execFileSync('mkfifo', [feed]);
    passedOver = 0;
    const importing = importFeed(
      database,
      { currency: 'EUR', country: 'DE' },
      { feed, merchant: 'One', mode: 'full', observedAt: at(2) },
    );
    await writeFile(feed, ROWS.map((row) => `${JSON.stringify(row)}\n`).join(''));
    expect(await importing).toMatchObject({ read: 3, same: 3 });
    expect(passedOver).toBe(0);
    rmSync(folder, { recursive: true });
  });

  test('is looked at again if it was imported for another currency or country, or its offers were recorded by an older version', async () => {
    await run('One', 1, ROWS);
    expect(await run('One', 2, ROWS, { country: 'AT' })).toMatchObject({ same: 3, passedOver: 0 });
    expect(await run('One', 3, ROWS, { currency: 'CHF' })).toMatchObject({ rejected: 3, passedOver: 0 });
    await plain.query('UPDATE offer SET row_digest = NULL');
    expect(await run('One', 4, ROWS)).toMatchObject({ same: 3, passedOver: 0 });
    expect(await run('One', 5, ROWS)).toMatchObject({ same: 3, passedOver: 3 });
  });
});

describe('an unchanged row is looked at', () => {
  test('if its offer was withdrawn, and lists it again', async () => {
    await run('One', 1, ROWS);
    expect(await run('One', 2, ROWS.slice(1))).toMatchObject({ withdrawn: 1, passedOver: 2 });
    expect(await run('One', 3, ROWS)).toMatchObject({ changed: 1, same: 2, passedOver: 2 });
    expect((await offers()).every((offer) => offer.is_listed)).toBe(true);
  });

  test('if something else has changed its offer, such as an importer of an older version', async () => {
    await run('One', 1, ROWS);
    await plain.query("UPDATE offer SET price = 1, total = 1 WHERE sku = 'a'");
    expect(await run('One', 2, ROWS)).toMatchObject({ changed: 1, same: 2, passedOver: 2 });
    expect((await offers()).map(({ total }) => total)).toEqual([1000n, 1000n, 1000n]);
    expect(await run('One', 3, ROWS)).toMatchObject({ same: 3, passedOver: 3 });
  });

  test('if the feed is older than what is known, and adds to the history', async () => {
    await run('One', 1, ROWS);
    await run(
      'One',
      9,
      ROWS.map((row) => ({ ...row, price: '12.00 EUR' })),
    );
    expect(await run('One', 5, ROWS)).toMatchObject({ passedOver: 0 });
    expect((await offers()).map(({ total }) => total)).toEqual([1200n, 1200n, 1200n]);
  });

  test('when its sale begins and when it ends', async () => {
    const sale = { sale_price: '7.00 EUR', sale_price_effective_date: '2026-01-05T00:00Z/2026-01-06T23:59Z' };
    const rows = [feedRow({ id: 'a', ...sale }), feedRow({ id: 'b' })];
    const total = async () => (await offers())[0]?.total;
    await run('One', 3, rows);
    expect(await run('One', 4, rows)).toMatchObject({ passedOver: 2 });
    expect(await run('One', 5, rows)).toMatchObject({ changed: 1, passedOver: 1 });
    expect(await total()).toBe(700n);
    expect(await run('One', 6, rows)).toMatchObject({ passedOver: 2 });
    expect(await run('One', 7, rows)).toMatchObject({ changed: 1, passedOver: 1 });
    expect(await total()).toBe(1000n);
  });

  test('after the category tree has changed', async () => {
    const rows = [feedRow({ id: 'a', google_product_category: 'Tents > Domes' })];
    const category = async () =>
      (await plain.query<{ path: string }>('SELECT path FROM product JOIN category ON category.id = category_id'))[0]
        ?.path;
    await run('One', 1, rows);
    expect(await category()).toBeUndefined();
    await importTaxonomyText(database, '1 - Tents\n2 - Tents > Domes');
    expect(await run('One', 2, rows)).toMatchObject({ passedOver: 0 });
    expect(await category()).toBe('Tents > Domes');
    expect(await run('One', 3, rows)).toMatchObject({ passedOver: 1 });
  });

  test('if another product has come to have its brand and MPN', async () => {
    // The older product gets the MPN later: then it is the one that brand and MPN lead to.
    await run('Two', 1, [feedRow({ id: 'old', title: 'Older', gtin: EAN, brand: 'Nord' })]);
    await run('One', 1, [feedRow({ id: 'a', title: 'Own', brand: 'Nord', mpn: 'M 1' })]);
    expect((await offers()).map(({ slug }) => slug)).toEqual(['older', 'own']);
    await run('Two', 2, [feedRow({ id: 'old', title: 'Older', gtin: EAN, brand: 'Nord', mpn: 'M 1' })]);
    expect(await run('One', 2, [feedRow({ id: 'a', title: 'Own', brand: 'Nord', mpn: 'M 1' })])).toMatchObject({
      passedOver: 0,
    });
    expect((await offers()).map(({ slug, is_listed }) => [slug, is_listed])).toEqual([
      ['older', true],
      ['older', true],
    ]);
  });

  test('beside new rows for its product, of which a shop may list only twenty', async () => {
    const rowsOf = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => feedRow({ id: `${from + n}`, gtin: EAN, price: `${20 - n}.00 EUR` }));
    await run('One', 1, rowsOf(0, 15));
    const second = await run('One', 2, [...rowsOf(50, 10), ...rowsOf(0, 15)]);
    expect(second).toMatchObject({ new: 5, same: 15, rejected: 5, reasons: { too_many_offers: 5 }, passedOver: 15 });
  });
});

test('a run of a scheduled feed passes rows over too, and is told of all of them and of the next change of a price', async () => {
  const sale = { sale_price: '7.00 EUR', sale_price_effective_date: '2026-01-05T00:00Z/2026-01-06T23:59Z' };
  const rows = [feedRow({ id: 'a', gtin: EAN, ...sale }), feedRow({ id: 'b' })];
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const reports: unknown[] = [];
  for (const day of [1, 2]) {
    passedOver = 0;
    const collector = openReportCollector();
    await importFeed(
      database,
      { currency: 'EUR', country: 'DE' },
      {
        feed: () => ({ bytes: Readable.from([Buffer.from(text)]) }),
        merchant: 'One',
        mode: 'full',
        observedAt: at(day),
        observer: collector.observer,
        async onRecorded(_, { pricesChangeAt }) {
          reports.push({ passedOver, pricesChangeAt });
        },
      },
    );
    expect(collector.report()).toMatchObject({ read: 2, accepted: 2, rejected: 0, coverage: { gtin: 1 } });
  }
  expect(reports).toEqual([
    { passedOver: 0, pricesChangeAt: at(5) },
    { passedOver: 2, pricesChangeAt: at(5) },
  ]);
});

describe('if the catalogue changes while a feed is read', () => {
  const changing = async (change: () => Promise<unknown>) => {
    const folder = mkdtempSync(join(tmpdir(), 'pda-digests-'));
    const feed = join(folder, 'feed.jsonl');
    writeFileSync(feed, ROWS.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const collector = openReportCollector();
    let isChanged = false;
    passedOver = 0;
    const counts: number[] = [];
    const changingOnce: Database = {
      ...database,
      async script(sql, options) {
        await database.script(sql, options);
        if (!sql.trimStart().startsWith('ANALYZE')) return;
        // All rows are staged.
        if (!isChanged) await change();
        isChanged = true;
        counts.push(passedOver);
        passedOver = 0;
      },
    };
    const summary = await importFeed(
      changingOnce,
      { currency: 'EUR', country: 'DE' },
      { feed, merchant: 'One', mode: 'full', observedAt: at(9), observer: collector.observer },
    );
    rmSync(folder, { recursive: true });
    return { summary, counts, report: collector.report() };
  };

  test('in a way that does not affect its rows, they stay passed over', async () => {
    await run('One', 1, ROWS);
    const { summary, counts } = await changing(() =>
      importRows(plain, 'Two', [feedRow({ id: 'z' })], { observedAt: at(8) }),
    );
    expect(summary).toMatchObject({ read: 3, same: 3, rejected: 0 });
    expect(counts).toEqual([3]);
  });

  test('in a way that affects one of its rows, the import starts anew and looks at all of them', async () => {
    await run('One', 1, ROWS);
    const { summary, counts, report } = await changing(() =>
      importRows(plain, 'One', ROWS.slice(1), { observedAt: at(8) }),
    );
    expect(summary).toMatchObject({ read: 3, changed: 1, same: 2, rejected: 0 });
    expect(counts).toEqual([3, 0]);
    expect(report).toMatchObject({ read: 3, accepted: 3, rejected: 0, coverage: { gtin: 2, brand: 3 } });
    expect((await offers()).every((offer) => offer.is_listed)).toBe(true);
    const failures = await plain.query('SELECT FROM import_failure');
    expect(failures).toEqual([]);
  });
});
