/** Stored figures, such as counts and lowest prices, equal the figures calculated from the offers after any sequence of imports. */
import { describe, expect, test } from 'vitest';
import { foldNames } from '../../src/import/bring-up-to-date.ts';
import type { ImportRequest } from '../../src/import/import-request.ts';
import { refreshPopular } from '../../src/import/search-words.ts';
import { importTaxonomyText, TAXONOMY } from '../harness/catalogue.ts';
import { openTestDatabase } from '../harness/database.ts';
import { type FeedRowFields, feedRow, importRows } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

/** The version of the catalogue after each import. */
const versions: number[] = [];
const database = await forFile(openTestDatabase());
await importTaxonomyText(database, TAXONOMY);
const take = async (...[shop, rows, options]: [string, FeedRowFields[], Partial<ImportRequest>]) => {
  await importRows(database, shop, rows, options);
  const [row] = await database.query<{ version: number }>('SELECT version::int AS version FROM catalogue_version');
  versions.push(row?.version ?? 0);
};
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const row = (n: number, price: number, more: object = {}) =>
  feedRow({
    id: `i${n}`,
    gtin: `400638133${['3931', '3948', '3955', '3962', '3979'][n]}`,
    price: `${price} EUR`,
    ...more,
  });
await take('One', [row(0, 10), row(1, 20, { brand: 'A', google_product_category: '223' }), row(2, 30)], {
  observedAt: daysAgo(50),
});
// Brand and category come later, with another shop; one offer is withdrawn, one comes back, one price falls.
await take('Two', [row(0, 9, { brand: 'A', google_product_category: '249', mpn: 'X-9' }), row(3, 5, { brand: 'B' })], {
  observedAt: daysAgo(40),
});
await take('One', [row(0, 10), row(1, 15)], { observedAt: daysAgo(30) });
await take('One', [row(0, 10), row(1, 15), row(2, 31)], { observedAt: daysAgo(20) });
await take('Two', [row(4, 7)], { observedAt: daysAgo(10), mode: 'delta' });
await take('Two', [row(3, 4), row(4, 7)], { observedAt: daysAgo(60), isForced: true });
await take('Three', [row(1, 8)], { observedAt: daysAgo(5), isDryRun: true });

const all = (sql: string) => database.query(sql);

describe('after many imports', () => {
  test("each product's offers, prices and lowest price ever are right", async () => {
    const wrong = await all(`
      WITH ledger AS MATERIALIZED (SELECT * FROM ledger)
      SELECT product.id, offer_count, counted, min_total, lowest, max_total, highest, lowest_ever, ever, lowest_ever_at, ever_at
      FROM product
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS counted, min(total) AS lowest, max(total) AS highest
        FROM offer WHERE offer.product_id = product.id AND withdrawn_at IS NULL
      ) AS now
      CROSS JOIN LATERAL (SELECT min(total) AS ever FROM ledger WHERE ledger.product_id = product.id) AS past
      CROSS JOIN LATERAL (
        SELECT min(observed_at) AS ever_at FROM ledger WHERE ledger.product_id = product.id AND total = ever
      ) AS first
      WHERE (offer_count, min_total, max_total, lowest_ever, lowest_ever_at)
            IS DISTINCT FROM (counted, lowest, highest, ever, ever_at)`);
    expect(wrong).toEqual([]);
    expect(await all('SELECT count(*)::int AS count FROM product')).toEqual([{ count: 5 }]);
  });

  test("each brand's and category's products and each merchant's offers are counted", async () => {
    expect(
      await all(`
        SELECT name FROM brand WHERE product_count <> (SELECT count(*) FROM product WHERE brand_id = brand.id)
        UNION ALL
        SELECT name FROM category WHERE product_count <> (SELECT count(*) FROM product WHERE category_id = category.id)
        UNION ALL
        SELECT name FROM merchant
        WHERE offer_count <> (SELECT count(*) FROM offer WHERE merchant_id = merchant.id AND withdrawn_at IS NULL)`),
    ).toEqual([]);
    expect(await all("SELECT product_count, total_count FROM category WHERE slug = 'audio'")).toEqual([
      { product_count: 1, total_count: 2 },
    ]);
    expect(await all('SELECT name, product_count FROM brand ORDER BY name')).toEqual([
      { name: 'A', product_count: 2 },
      { name: 'B', product_count: 1 },
    ]);
  });

  test('every product has its words, with those of a brand, category and MPN that came later', async () => {
    expect(
      await all('SELECT id FROM product WHERE NOT EXISTS (SELECT FROM product_search WHERE product_id = id)'),
    ).toEqual([]);
    const found = await all(
      "SELECT product_id FROM product_search WHERE search @@ '''x9'' & ''speakers'' & ''a'' & ''i0'''::tsquery",
    );
    expect(found).toHaveLength(1);
  });

  test('the most popular products are in a list of their own, with all their words', async () => {
    const expected = (most: number) => `
      SELECT product.id, product.rank, product_search.search::text
      FROM product
      JOIN product_search ON product_search.product_id = product.id
      ORDER BY product.rank DESC, product.id DESC
      LIMIT ${most}`;
    const listed = `
      SELECT product_id AS id, rank, search::text
      FROM popular_product
      ORDER BY rank DESC, product_id DESC`;
    expect(await all(listed)).toEqual(await all(expected(20_000)));
    await database.transaction((transaction) => refreshPopular(transaction, 2));
    expect(await all(listed)).toEqual(await all(expected(2)));
    await database.transaction((transaction) => refreshPopular(transaction));
    expect(await all(listed)).toHaveLength(5);
  });

  test('every word of a product is known to the correction of typing errors', async () => {
    expect(
      await all(`
        SELECT DISTINCT word FROM product_search, unnest(tsvector_to_array(search)) AS word
        WHERE NOT EXISTS (SELECT FROM search_word WHERE search_word.word = word COLLATE "C")`),
    ).toEqual([]);
  });

  test('the version has increased with each import, and not with a dry run', () => {
    const dry = versions.at(-1);
    expect(versions).toHaveLength(7);
    expect([...new Set(versions)].sort((one, other) => one - other)).toEqual(versions.slice(0, -1));
    expect(dry).toBe(versions.at(-2));
  });
});

test.each([
  ['no', 0],
  ['a thousand', 1_000],
])('a discount compares the lowest price with its own average, not with other shops, in feeds that change %s other products', async (_, others) => {
  const other = await openTestDatabase();
  const at = (days: number) => ({ observedAt: new Date(Date.now() - days * 86_400_000) });
  const row = (gtin: string, price: number) => feedRow({ id: gtin, gtin, price: `${price} EUR` });
  const more = (price: number) =>
    Array.from({ length: others }, (_, n) =>
      feedRow({ id: `${n}`, brand: 'Acme', mpn: `M-${n}`, price: `${price} EUR` }),
    );
  // The first always costs 10 and 100 at two shops; the second fell from 100 to 80 after sixty of ninety days.
  await importRows(other, 'Cheap', [row('4006381333931', 10)], at(90));
  await importRows(other, 'Dear', [row('4006381333931', 100), row('4006381333948', 100), ...more(100)], at(90));
  await importRows(other, 'Dear', [row('4006381333931', 100), row('4006381333948', 80), ...more(80)], at(30));
  const rows = await other.query<{ discount: number }>('SELECT discount FROM product ORDER BY id');
  expect(rows[0]?.discount).toBe(0);
  const fallen = rows.slice(1).map(({ discount }) => discount);
  expect(fallen).toHaveLength(others + 1);
  expect(Math.min(...fallen)).toBeGreaterThanOrEqual(1_426); // 80 is 14.29 % below 93.33.
  expect(Math.max(...fallen)).toBeLessThanOrEqual(1_431);
  await other.close();
});

test('a catalogue of an older version gets its words when it is opened', async () => {
  const words = `
    SELECT sort_name, (SELECT search::text FROM product_search WHERE product_id = product.id) AS search
    FROM product ORDER BY id`;
  const before = await all(words);
  await database.script(`
    UPDATE product SET sort_name = NULL; UPDATE brand SET sort_name = NULL, search = NULL;
    UPDATE category SET sort_name = NULL, search = NULL; UPDATE merchant SET sort_name = NULL;
    DELETE FROM product_search; DELETE FROM search_word; DELETE FROM popular_product;
    INSERT INTO unfolded_name SELECT 'product', id FROM product UNION ALL SELECT 'brand', id FROM brand
      UNION ALL SELECT 'category', id FROM category UNION ALL SELECT 'merchant', id FROM merchant`);
  await foldNames(database);
  const after = await all(words);
  expect(after.map((row) => row.sort_name)).toEqual(before.map((row) => row.sort_name));
  expect(after.every((row) => String(row.search).length > 2)).toBe(true);
  expect(
    await all('SELECT name FROM merchant WHERE sort_name IS NULL UNION SELECT name FROM brand WHERE search IS NULL'),
  ).toEqual([]);
  expect((await all('SELECT word FROM search_word')).length).toBeGreaterThan(5);
  expect(await all('SELECT product_id FROM popular_product')).toHaveLength(5);
});
