/** Feeds of real shops through the whole importer: how many offers are accepted, and which rows are rejected and why. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { importFeed } from '../../src/import/import-feed.ts';
import { BrokenFeed } from '../../src/import/reject.ts';
import { importTaxonomy } from '../../src/import/taxonomy.ts';
import { openTestDatabase } from '../harness/database.ts';
import { describeShared } from '../harness/shared-data.ts';

describeShared('the shared feeds', (pathOf) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase();
    await importTaxonomy(database, pathOf('taxonomy-with-ids.en-US.txt'));
  });
  afterAll(() => database.close());

  const run = (name: string, currency: string, country: string) =>
    importFeed(
      database,
      { currency, country },
      { feed: pathOf(`feeds/${name}`), merchant: name, mode: 'full', observedAt: new Date() },
    );

  test.each([
    ['hair-studio-pt.xml', 'EUR', 'PT', 107, {}],
    ['hair-studio-pt.csv', 'EUR', 'PT', 107, {}],
    ['freshlock-jp-jpy.xml', 'JPY', 'JP', 4, {}],
    ['avernas-se.xml', 'SEK', 'SE', 36, {}],
    ['fortuna.xml', 'SEK', 'SE', 2, {}],
    ['importpc-cz.xml', 'CZK', 'CZ', 1254, { duplicate_id: 1 }],
    ['hurom-google-feed.xml', 'CZK', 'CZ', 0, { missing_currency: 18 }],
    ['atom-umapenca-google.xml', 'BRL', 'BR', 1, {}],
    ['gmc-learning.tsv', 'EUR', 'DE', 22, {}],
    ['onboarding-test-tabs-named.csv', 'EUR', 'DE', 2, { other_currency: 1 }],
    ['empty-channel.xml', 'EUR', 'DE', 0, {}],
    ['broken/duplicate-ids.xml', 'EUR', 'ES', 2, { duplicate_id: 1 }],
    [
      'broken/odd-prices.xml',
      'EUR',
      'ES',
      6,
      {
        ambiguous_price: 1,
        invalid_price: 4,
        missing_currency: 2,
        missing_price: 1,
        other_currency: 2,
        price_out_of_range: 1,
      },
    ],
    ['broken/ragged.tsv', 'EUR', 'DE', 20, { missing_price: 1, ragged_row: 1 }],
    ['broken/utf16le-bom.xml', 'EUR', 'PT', 12, {}],
    ['broken/windows-1252.csv', 'EUR', 'PT', 1, { invalid_encoding: 11 }],
  ])('%s in %s for %s has %i offers', async (name, currency, country, offers, reasons) => {
    const first = await run(name, currency, country);
    expect(first.reasons).toEqual(reasons);
    expect(first).toMatchObject({ new: offers, read: offers + first.rejected });
    expect(await run(name, currency, country)).toMatchObject({ new: 0, changed: 0, same: offers, withdrawn: 0 });
  });

  test.each([
    ['unrendered-template.tsv', 1],
    ['broken/truncated-mid-item.xml', 249],
    ['broken/empty-file.xml', 1],
    ['broken/entity-expansion.xml', 1],
    ['broken/external-entity.xml', 1],
    ['broken/html-error-page.xml', 1],
    ['broken/header-duplicate-column.tsv', 1],
  ])('%s is broken at line %i and changes nothing', async (name, line) => {
    const error = await run(name, 'EUR', 'PT').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BrokenFeed);
    expect(error).toMatchObject({ line });
    expect(await database.query('SELECT FROM merchant WHERE name = $1', [name])).toEqual([]);
  });
});
