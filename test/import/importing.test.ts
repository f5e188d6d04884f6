/** How an import changes the catalogue. */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import { FeedRefused } from '../../src/import/feed-refused.ts';
import { importFeed } from '../../src/import/import-feed.ts';
import { ImportGivenUp, type ImportRequest } from '../../src/import/import-request.ts';
import { BrokenFeed } from '../../src/import/reject.ts';
import { importTaxonomy } from '../../src/import/taxonomy.ts';
import { openTestDatabase } from '../harness/database.ts';
import { type FeedRowFields, feedRow, importRows } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

const EUR = { currency: 'EUR', country: 'DE' };
const GTINS = ['4006381333931', '4006381333948', '4006381333955', '4006381333962'] as const;
const day = (number: number) => new Date(Date.UTC(2026, 0, number));

/** Each test has its own shop, because the tests share a database. */
let shop: string;
let tag: string;
const database = await forFile(openTestDatabase());
beforeEach(async () => {
  tag = randomBytes(4).toString('hex');
  shop = `Shop ${tag}`;
  await database.script(
    'TRUNCATE product, offer, ledger, product_identifier, brand, merchant, import_run, category, click CASCADE',
  );
});

const run = (rows: readonly FeedRowFields[], options?: Partial<ImportRequest>) =>
  importRows(database, shop, rows, options);
const offers = () =>
  database.query<{ sku: string; total: bigint; listed: boolean; product: bigint }>(
    `SELECT sku, total, withdrawn_at IS NULL AS listed, product_id AS product FROM offer ORDER BY id`,
  );
/** The changes of an offer's total; the ledger also has entries for other facts, and repetitions from archived feeds. */
const history = async (sku: string) => {
  const rows = await database.query<{ at: Date; total: bigint | null }>(
    `SELECT ledger.observed_at AS at, ledger.total
     FROM ledger JOIN offer ON offer.id = ledger.offer_id
     WHERE offer.sku = $1 ORDER BY ledger.observed_at, ledger.import_run_id`,
    [sku],
  );
  const changes = rows.filter(({ total }, n) => n === 0 || total !== rows[n - 1]?.total);
  return changes.map(({ at, total }) => `${at.toISOString().slice(8, 10)}: ${total ?? 'gone'}`);
};
const productCount = async () => (await database.query<{ n: number }>('SELECT count(*)::int AS n FROM product'))[0]?.n;
const identifiers = async () =>
  (
    await database.query<{ all: string }>(
      `SELECT string_agg(kind || ' ' || value, ', ' ORDER BY kind, value) AS all FROM product_identifier GROUP BY product_id ORDER BY product_id`,
    )
  ).map((row) => row.all);

function file(text: string | Buffer, ending = 'tsv'): string {
  const path = join(tmpdir(), `pda-${randomBytes(6).toString('hex')}.${ending}`);
  writeFileSync(path, text);
  return path;
}

describe('a full feed', () => {
  test('replaces the offers of its shop: new, changed, unchanged and withdrawn', async () => {
    const before = ['a', 'b', 'c', 'd', 'e'].map((id) => feedRow({ id }));
    expect(await run(before)).toMatchObject({ read: 5, new: 5, changed: 0, same: 0, withdrawn: 0, rejected: 0 });
    const after = [
      feedRow({ id: 'a', price: '9.00 EUR' }),
      feedRow({ id: 'b' }),
      feedRow({ id: 'c' }),
      feedRow({ id: 'new' }),
    ];
    expect(await run(after)).toMatchObject({ read: 4, new: 1, changed: 1, same: 2, withdrawn: 2 });
    expect(
      (await offers())
        .filter(({ listed }) => listed)
        .map(({ sku }) => sku)
        .sort(),
    ).toEqual(['a', 'b', 'c', 'new']);
  });

  test('changes nothing the second time', async () => {
    const rows = ['a', 'b'].map((id) => feedRow({ id, brand: 'Brand', description: 'Text' }));
    await run([feedRow({ id: 'a', brand: 'Brand' }), ...rows.slice(1)]);
    await run(rows);
    const state = async () =>
      JSON.stringify(
        [
          await database.query('SELECT * FROM product ORDER BY id'),
          await offers(),
          await database.query('SELECT * FROM ledger ORDER BY product_id, offer_id, observed_at, import_run_id'),
        ],
        (_name, value) => (typeof value === 'bigint' ? String(value) : value),
      );
    const before = await state();
    expect(await run(rows)).toMatchObject({ new: 0, changed: 0, same: 2, withdrawn: 0 });
    expect(await state()).toBe(before);
  });

  test('changes nothing the second time either if several of its products have one brand and MPN', async () => {
    const family = { title: 'Thing', brand: `Brand ${tag}`, mpn: 'F-1' };
    // Neither the ids nor the GTINs are in the order of the feed.
    const feed = [
      feedRow({ id: 'z', gtin: GTINS[3], ...family }),
      feedRow({ id: 'm', gtin: GTINS[0], ...family }),
      feedRow({ id: 'a', ...family }),
    ];
    await run(feed);
    const before = await offers();
    expect(before.find(({ sku }) => sku === 'a')?.product).toBe(before.find(({ sku }) => sku === 'z')?.product);
    expect(await run(feed)).toMatchObject({ new: 0, changed: 0, same: 3, rejected: 0 });
    expect(await offers()).toEqual(before);
  });

  test('that would withdraw more than half of the offers of a shop is refused', async () => {
    await run(['a', 'b', 'c'].map((id) => feedRow({ id })));
    await expect(run([feedRow({ id: 'a' })])).rejects.toThrow(FeedRefused);
    await expect(run([])).rejects.toThrow(/3 of the 3 offers.*--force/s);
    expect((await offers()).every(({ listed }) => listed)).toBe(true);
  });

  test('that withdraws half is accepted, and with force any', async () => {
    await run(['a', 'b'].map((id) => feedRow({ id })));
    expect(await run([feedRow({ id: 'a' })])).toMatchObject({ withdrawn: 1 });
    expect(await run([], { isForced: true })).toMatchObject({ withdrawn: 1 });
  });

  test('restores a withdrawn offer as it was before', async () => {
    await run(
      ['a', 'b'].map((id) => feedRow({ id })),
      { observedAt: day(1) },
    );
    await run([feedRow({ id: 'a' })], { observedAt: day(2) });
    expect(
      await run(
        ['a', 'b'].map((id) => feedRow({ id })),
        { observedAt: day(3) },
      ),
    ).toMatchObject({ new: 0, changed: 1, same: 1 });
    expect(await history('b')).toEqual(['01: 1000', '02: gone', '03: 1000']);
  });
});

test('a delta feed only adds and changes', async () => {
  await run(['a', 'b', 'c'].map((id) => feedRow({ id })));
  const summary = await run([feedRow({ id: 'a', price: '8.00 EUR' }), feedRow({ id: 'd' })], { mode: 'delta' });
  expect(summary).toMatchObject({ new: 1, changed: 1, withdrawn: 0 });
  expect((await offers()).filter(({ listed }) => listed)).toHaveLength(4);
});

test('a dry run reports the changes without making them', async () => {
  await run([feedRow({ id: 'a' })]);
  expect(await run([feedRow({ id: 'a', price: '1.00 EUR' }), feedRow({ id: 'b' })], { isDryRun: true })).toMatchObject({
    new: 1,
    changed: 1,
  });
  expect((await offers()).map(({ total }) => total)).toEqual([1000n]);
});

describe('a product is found', () => {
  test('by its GTIN, at any length', async () => {
    await run([
      feedRow({ id: 'a', gtin: '036000291452' }),
      feedRow({ id: 'b', gtin: '0036000291452' }),
      feedRow({ id: 'c', gtin: '00036000291452' }),
    ]);
    expect(await productCount()).toBe(1);
    expect(await identifiers()).toEqual(['gtin 00036000291452']);
  });

  test('else by its ASIN, and then gets the GTIN', async () => {
    await run([feedRow({ id: 'a', asin: 'B0DEMO0001' })]);
    await importRows(database, `Other ${tag}`, [feedRow({ id: 'x', asin: 'b0demo0001', gtin: GTINS[0] })]);
    await importRows(database, `Third ${tag}`, [feedRow({ id: 'y', gtin: GTINS[0] })]);
    expect(await productCount()).toBe(1);
    expect(await identifiers()).toEqual([`gtin 0${GTINS[0]}, asin B0DEMO0001`]);
  });

  test('else by brand and MPN, ignoring case and punctuation', async () => {
    await run([feedRow({ id: 'a', brand: 'Stäbler', mpn: 'm-70/24' })]);
    await importRows(database, `Other ${tag}`, [feedRow({ id: 'x', brand: 'STÄBLER', mpn: 'M 7024', gtin: GTINS[0] })]);
    expect(await productCount()).toBe(1);
    await importRows(database, `Third ${tag}`, [feedRow({ id: 'y', brand: 'Other', mpn: 'm-70/24' })]);
    expect(await productCount()).toBe(2);
  });

  test('else by the id that the shop used in an earlier import', async () => {
    await run([feedRow({ id: 'a', title: 'Old name' })]);
    await run([feedRow({ id: 'a', title: 'New name' })]);
    await importRows(database, `Other ${tag}`, [feedRow({ id: 'a' })]);
    expect(await productCount()).toBe(2);
  });

  test('never by an MPN if the GTIN differs, because one MPN may cover a whole product family', async () => {
    await run([
      feedRow({ id: 'a', title: 'LA90', brand: 'Movano', mpn: 'LA90', gtin: GTINS[0] }),
      feedRow({ id: 'b', title: 'LA90', brand: 'Movano', mpn: 'LA90', gtin: GTINS[1] }),
      feedRow({ id: 'c', title: 'LA90', brand: 'Movano', mpn: 'LA90' }),
      feedRow({ id: 'd', title: 'LA90', brand: 'Movano', mpn: 'LA90', gtin: GTINS[2] }),
    ]);
    expect(await productCount()).toBe(3);
    const [a, b, c, d] = (await offers()).map(({ product }) => product);
    expect(new Set([a, b, d]).size).toBe(3);
    expect(c).toBe(a);
  });

  test('once for all rows of a new feed that identify it, in any order', async () => {
    await run([
      feedRow({ id: 'asin', asin: 'B0DEMO0001' }),
      feedRow({ id: 'both', asin: 'B0DEMO0001', gtin: GTINS[0] }),
      feedRow({ id: 'gtin', gtin: GTINS[0] }),
      feedRow({ id: 'again', title: 'One', gtin: `0${GTINS[0]}`, brand: 'B', mpn: '1' }),
      feedRow({ id: 'mpn', title: 'One', brand: 'B', mpn: '1' }),
    ]);
    expect(await productCount()).toBe(1);
  });

  test('never if its identifiers belong to two products: the row is rejected as a conflict', async () => {
    await run([feedRow({ id: 'a', gtin: GTINS[0] }), feedRow({ id: 'b', asin: 'B0DEMO0001' })]);
    const summary = await importRows(database, `Other ${tag}`, [
      feedRow({ id: 'x', gtin: GTINS[0], asin: 'B0DEMO0001' }),
      feedRow({ id: 'y' }),
    ]);
    expect(summary).toMatchObject({ new: 1, rejected: 1, reasons: { identifier_conflict: 1 } });
  });

  test('never if another row of the same feed claims the identifier for another product', async () => {
    await run([feedRow({ id: 'a', gtin: GTINS[0] }), feedRow({ id: 'b', gtin: GTINS[1] })]);
    const summary = await importRows(database, `Other ${tag}`, [
      feedRow({ id: 'x', gtin: GTINS[0], asin: 'B0DEMO0001' }),
      feedRow({ id: 'y', gtin: GTINS[1], asin: 'B0DEMO0001' }),
    ]);
    expect(summary).toMatchObject({ new: 1, reasons: { identifier_conflict: 1 } });
  });

  test('never by a number for internal use of a shop', async () => {
    await run([feedRow({ id: 'a', gtin: '2000000000015' })]);
    await importRows(database, `Other ${tag}`, [feedRow({ id: 'b', gtin: '2000000000015' })]);
    expect(await productCount()).toBe(2);
    expect(await identifiers()).toEqual([]);
  });
});

describe('a product keeps', () => {
  test('its name and slug, and gets missing details', async () => {
    await run([feedRow({ id: 'a', title: 'Marker', gtin: GTINS[0] })]);
    await importRows(database, `Other ${tag}`, [
      feedRow({
        id: 'b',
        title: 'Another title',
        gtin: GTINS[0],
        description: 'Writes.',
        brand: 'Stäbler',
        mpn: 'M1',
        image_link: 'https://i.example/1.jpg',
      }),
    ]);
    const [product] = await database.query('SELECT slug, name, description, mpn, image_url FROM product');
    expect(product).toEqual({
      slug: 'marker',
      name: 'Marker',
      description: 'Writes.',
      mpn: 'M1',
      image_url: 'https://i.example/1.jpg',
    });
  });

  test('a unique slug if two have the same name, in any script', async () => {
    await run([
      feedRow({ id: 'a', title: 'Marker' }),
      feedRow({ id: 'b', title: 'Marker!' }),
      feedRow({ id: 'c', title: 'Забытый лес' }),
      feedRow({ id: 'd', title: '※' }),
    ]);
    await run(['a', 'b', 'c', 'd'].map((id) => feedRow({ id })).concat(feedRow({ id: 'e', title: 'marker' })));
    const slugs = (
      await database.query<{ slug: string }>(
        'SELECT slug FROM product JOIN offer ON offer.product_id = product.id ORDER BY offer.sku',
      )
    ).map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(5);
    expect(slugs[0]).toBe('marker');
    expect(slugs[2]).toBe('zabytyy-les');
    for (const slug of slugs) expect(slug).toMatch(/^[a-z0-9]+(--?[a-z0-9]+)*$/);
  });

  test('figures of exactly its listed offers', async () => {
    await run([
      feedRow({ id: 'a', gtin: GTINS[0], price: '5.00 EUR' }),
      feedRow({ id: 'b', gtin: GTINS[0], price: '7.00 EUR', availability: 'out of stock' }),
    ]);
    const figures = async () =>
      (await database.query('SELECT offer_count, min_total, max_total, lowest_ever FROM product'))[0];
    expect(await figures()).toEqual({ offer_count: 2, min_total: 500n, max_total: 700n, lowest_ever: 500n });
    await run([feedRow({ id: 'b', gtin: GTINS[0], price: '6.00 EUR' })]);
    expect(await figures()).toEqual({ offer_count: 1, min_total: 600n, max_total: 600n, lowest_ever: 500n });
    await run([], { isForced: true });
    expect(await figures()).toEqual({ offer_count: 0, min_total: null, max_total: null, lowest_ever: 500n });
  });
});

describe('history', () => {
  test('has a row for each change of a price, and none without a change', async () => {
    for (const [at, price] of [
      [1, '10.00'],
      [2, '10.00'],
      [3, '9.00'],
      [4, '10.00'],
    ] as const) {
      await run([feedRow({ id: 'a', price: `${price} EUR`, availability: at === 2 ? 'preorder' : 'in stock' })], {
        observedAt: day(at),
      });
    }
    expect(await history('a')).toEqual(['01: 1000', '03: 900', '04: 1000']);
  });

  test('is the same whether archived feeds are imported in order or afterwards', async () => {
    const feeds: [number, FeedRowFields[]][] = [
      [1, [feedRow({ id: 'a' }), feedRow({ id: 'b' }), feedRow({ id: 'c' })]],
      [5, [feedRow({ id: 'a', price: '9.00 EUR' }), feedRow({ id: 'c' }), feedRow({ id: 'd' })]],
      [10, [feedRow({ id: 'a', price: '12.00 EUR' }), feedRow({ id: 'b' }), feedRow({ id: 'd', price: '3.00 EUR' })]],
    ];
    const state = async () => ({
      history: await Promise.all(['a', 'b', 'c', 'd'].map(history)),
      offers: (await offers()).map(({ sku, total, listed }) => `${sku} ${total} ${listed}`).sort(),
    });
    for (const [at, rows] of feeds) await run(rows, { observedAt: day(at) });
    const inOrder = await state();
    expect(inOrder.history).toEqual([
      ['01: 1000', '05: 900', '10: 1200'],
      ['01: 1000', '05: gone', '10: 1000'],
      ['01: 1000', '10: gone'],
      ['05: 1000', '10: 300'],
    ]);
    for (const order of [
      [0, 2, 1],
      [2, 1, 0],
      [2, 0, 1],
      [1, 0, 2],
      [1, 2, 0],
    ]) {
      await database.script('TRUNCATE product, offer, ledger, product_identifier, brand, merchant, import_run CASCADE');
      for (const index of order) {
        const [at, rows] = feeds[index] ?? [0, []];
        await run(rows, { observedAt: day(at) });
      }
      const { history: backfilled, offers: now } = await state();
      expect(now).toEqual(inOrder.offers);
      expect(backfilled).toEqual(inOrder.history);
    }
  });

  test('of a backfilled feed changes nothing the second time', async () => {
    await run([feedRow({ id: 'a' })], { observedAt: day(1) });
    await run([feedRow({ id: 'a' })], { observedAt: day(9) });
    const middle = () => run([feedRow({ id: 'a', price: '4.00 EUR' })], { observedAt: day(5) });
    expect(await middle()).toMatchObject({ changed: 1 });
    expect(await middle()).toMatchObject({ changed: 0, same: 1 });
    expect(await history('a')).toEqual(['01: 1000', '05: 400', '09: 1000']);
  });
});

describe('a bad row', () => {
  test('does not affect other rows, and is listed with its line, id and reason', async () => {
    const rejectsFile = join(tmpdir(), `pda-rejects-${tag}.jsonl`);
    const summary = await run(
      [
        feedRow({ id: 'good' }),
        feedRow({ id: 'bad', price: 'free' }),
        feedRow({ id: 'gtin', gtin: '4006381333930' }),
        feedRow({ id: 'good' }),
      ],
      { rejectsFile },
    );
    expect(summary).toMatchObject({
      read: 4,
      new: 1,
      rejected: 3,
      reasons: { invalid_price: 1, invalid_gtin: 1, duplicate_id: 1 },
    });
    const rejected = readFileSync(rejectsFile, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rejected).toEqual([
      { line: 2, id: 'bad', reason: 'invalid_price', detail: expect.any(String) },
      { line: 3, id: 'gtin', reason: 'invalid_gtin', detail: expect.stringContaining('1') },
      { line: 4, id: 'good', reason: 'duplicate_id', detail: expect.any(String) },
    ]);
    rmSync(rejectsFile);
  });

  test('leaves its offer unchanged, because the feed still lists it', async () => {
    await run([feedRow({ id: 'a' })]);
    expect(await run([feedRow({ id: 'a', price: '5.00 USD' })])).toMatchObject({
      withdrawn: 0,
      reasons: { other_currency: 1 },
    });
    expect((await offers())[0]).toMatchObject({ total: 1000n, listed: true });
  });
});

describe('a broken feed changes nothing', () => {
  test.each([
    ['cut off', '<rss><channel><item><id>b</id><title>B</title>', /line 1: .*cut off/],
    ['an error page', '<!DOCTYPE html><html><body>503</body></html>', /HTML page/],
    ['empty', '', /empty/],
    ['of no known format', 'hello\nworld\n', /line 1/],
  ])('if it is %s, and the message says where', async (_what, text, message) => {
    await run([feedRow({ id: 'a' })]);
    const feed = file(text);
    const importing = importFeed(database, EUR, {
      feed,
      merchant: shop,
      mode: 'full',
      isForced: true,
      observedAt: new Date(),
    });
    await expect(importing).rejects.toThrow(BrokenFeed);
    await expect(importing).rejects.toThrow(message);
    expect((await offers()).map(({ listed }) => listed)).toEqual([true]);
    expect(await database.query(`SELECT tablename FROM pg_tables WHERE tablename LIKE 'import_rows_%'`)).toEqual([]);
    rmSync(feed);
  });
});

test('the words of a feed are added although another writer adds some of them at the same time', async () => {
  const [shared, own] = [`shared${tag}`, `own${tag}`];
  const isWaiting = async () => {
    const sql = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    return (await database.query(sql)).length > 0;
  };
  const importing = await database.transaction(async (transaction) => {
    await transaction.query('INSERT INTO search_word (word) VALUES ($1)', [shared]);
    const summary = run([feedRow({ id: 'a', title: `${shared} ${own}` })]);
    await expect.poll(isWaiting).toBe(true);
    return { summary };
  });
  expect(await importing.summary).toMatchObject({ new: 1 });
  const words = await database.query('SELECT word FROM search_word WHERE word = ANY ($1) ORDER BY word', [
    [shared, own],
  ]);
  expect(words).toEqual([{ word: own }, { word: shared }]);
});

test('a feed that is read in the background has the outcome of any other', async () => {
  const rows = Array.from({ length: 45 }, (_, n) => feedRow({ id: `${n}`, ...(n === 22 && { price: 'free' }) }));
  expect(await run(rows, { isInBackground: true })).toMatchObject({ read: 45, new: 44, rejected: 1 });
});

test('an import that its caller gives up ends although the bytes that were read hold more rows', async () => {
  const head = 'id\ttitle\tlink\tprice\tavailability\n';
  const lines = Array.from({ length: 20_000 }, (_, n) => `${n}\tA\thttps://x.example/a\t1.00 EUR\tin stock\n`);
  const caller = new AbortController();
  const reason = new ImportGivenUp('The caller gave the import up.');
  let read = 0;
  const importing = importFeed(
    database,
    EUR,
    {
      feed: () => ({ bytes: Readable.from([Buffer.from(head + lines.join(''))]), totalBytes: undefined }),
      merchant: shop,
      mode: 'full',
      observedAt: new Date(),
      signal: caller.signal,
    },
    ({ rows }) => {
      read = rows;
      caller.abort(reason);
    },
  );
  await expect(importing).rejects.toBe(reason);
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(lines.length);
  expect(await offers()).toEqual([]);
});

test('a feed can be fetched from an http address', async () => {
  const text = `id\ttitle\tlink\tprice\tavailability\na\tA\thttps://x.example/a\t1.00 EUR\tin stock\n`;
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/feed.tsv' ? 200 : 404;
    response.end(request.url === '/feed.tsv' ? text : 'gone');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const request = (path: string) =>
    importFeed(database, EUR, {
      feed: address + path,
      merchant: shop,
      mode: 'full',
      observedAt: new Date(),
      isPrivateAllowed: true,
    });
  expect(await request('/feed.tsv')).toMatchObject({ read: 1, new: 1 });
  await expect(request('/nothing')).rejects.toThrow('404');
  server.close();
});

test('an import drops the staging tables that killed ones have left, and none of an import that still reads', async () => {
  const lines = Array.from({ length: 9_000 }, (_, id) => `${id}\tA\thttps://x.example/a\t1.00 EUR\tin stock\n`);
  const server = createServer((_request, response) => {
    response.write(`id\ttitle\tlink\tprice\tavailability\n${lines.join('')}`);
    server.once('go on', () => response.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const feed = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let hasRead = () => {};
  const reading = new Promise<void>((resolve) => {
    hasRead = resolve;
  });
  const importing = importFeed(
    database,
    EUR,
    { feed, merchant: shop, mode: 'full', observedAt: new Date(), isPrivateAllowed: true },
    hasRead,
  );
  await reading;
  await database.script('CREATE UNLOGGED TABLE import_rows_0123456789abcdef (line INT)');
  await importRows(database, `Other ${shop}`, [feedRow({ id: 'b' })]);
  const left = await database.query(`SELECT tablename FROM pg_tables WHERE tablename LIKE 'import_rows_%'`);
  expect(left).toHaveLength(1);
  server.emit('go on');
  expect(await importing).toMatchObject({ read: 9_000, new: 9_000 });
  server.close();
});

describe("Google's taxonomy", () => {
  const text =
    '# Google_Product_Taxonomy_Version: 2021-09-21\n1 - Animals\n2 - Animals > Birds\n3 - Toys\n4 - Toys > Birds\n';

  test('is loaded as a tree, and only once', async () => {
    const path = file(text, 'txt');
    expect(await importTaxonomy(database, path)).toEqual({ read: 4, new: 4, changed: 0, same: 0 });
    expect(await importTaxonomy(database, path)).toEqual({ read: 4, new: 0, changed: 0, same: 4 });
    const rows = await database.query(
      `SELECT category.slug, parent.slug AS parent FROM category LEFT JOIN category AS parent ON parent.id = category.parent_id ORDER BY category.google_id`,
    );
    expect(rows).toEqual([
      { slug: 'animals', parent: null },
      { slug: 'birds', parent: 'animals' },
      { slug: 'toys', parent: null },
      { slug: 'birds--4', parent: 'toys' },
    ]);
    rmSync(path);
  });

  test.each([
    ['1 - A\nnot a line\n', /line 2/],
    ['1 - A > B\n', /line 1.*parent/],
    ['1 - A\n1 - B\n', /line 2.*already/],
    ['# nothing\n', /no categories/],
  ])('changes nothing if it is broken, and the message says where: %j', async (broken, message) => {
    const path = file(broken, 'txt');
    await expect(importTaxonomy(database, path)).rejects.toThrow(message);
    expect(await database.query('SELECT FROM category')).toEqual([]);
    rmSync(path);
  });

  test('assigns categories to products by id, by path, and by the known part of a path', async () => {
    const path = file(text, 'txt');
    await importTaxonomy(database, path);
    await run([
      feedRow({ id: 'id', google_product_category: '4' }),
      feedRow({ id: 'path', google_product_category: 'animals > birds' }),
      feedRow({ id: 'deeper', google_product_category: 'Animals > Fish > Gold' }),
      feedRow({ id: 'both', google_product_category: '3 > Toys' }),
      feedRow({ id: 'own', product_type: 'Toys > Birds > Red' }),
      feedRow({ id: 'none', google_product_category: 'Nothing' }),
    ]);
    const rows = await database.query<{ slug: string | null }>(
      'SELECT category.slug FROM product JOIN offer ON offer.product_id = product.id LEFT JOIN category ON category.id = product.category_id ORDER BY offer.id',
    );
    expect(rows.map(({ slug }) => slug)).toEqual(['birds--4', 'birds', 'animals', 'toys', 'birds--4', null]);
    rmSync(path);
  });
});
