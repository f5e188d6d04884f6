/**
 * Feeds of real shops, damaged as by transport, spreadsheets and attackers. Each is read as rows or as a broken feed, never with
 * another error; every accepted offer fits the database; and an import changes a shop completely or not at all.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { FeedRefused } from '../../src/import/feed-refused.ts';
import { importFeed } from '../../src/import/import-feed.ts';
import { type FeedItem, isRejection, LONGEST, normaliseItem } from '../../src/import/item.ts';
import { LONGEST_VALUE } from '../../src/import/product-fields.ts';
import type { FeedRow } from '../../src/import/readers/feed-row.ts';
import { gunzipIfNeeded } from '../../src/import/readers/gunzip.ts';
import { readFeed } from '../../src/import/readers/read-feed.ts';
import { BrokenFeed, isRejectReason } from '../../src/import/reject.ts';
import { isAsin } from '../../src/values/asin.ts';
import { isGtin14, isRestrictedCirculation } from '../../src/values/gtin.ts';
import { HIGHEST_PRICE } from '../../src/values/price-text.ts';
import { openTestDatabase } from '../harness/database.ts';
import { ODD_TEXTS, tries, wellFormed } from '../harness/fuzz.ts';
import { describeShared } from '../harness/shared-data.ts';
import { inPieces } from '../import/feed-text.ts';

const MOST_BYTES = 256 * 1024;
/** Read below. */
const FEEDS: Buffer[] = [];
const feedOf = (pick: number): Buffer => FEEDS[pick % FEEDS.length] ?? Buffer.alloc(0);

// Garbage of earlier files, collected meanwhile, would hide what a reader takes.
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function memory(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Syntax of the formats, and sequences that broke readers before. */
const STRUCTURE = [
  ...`< > & " ' , ; | { } [ ] : \\ / <!-- --> <![CDATA[ ]]> <? ?> "id" id &#0; &#xD800; &#x110000; &#xFFFE; &amp; &eacute; &a;`.split(
    ' ',
  ),
  ...'<item> </item> <entry> <channel> </channel> </rss> <g:id> </g:id> <g:price> <g:gtin> <shipping> </shipping>'.split(
    ' ',
  ),
  ...['\t', '\n', '\r', '\r\n', '\0', '\ufeff', '<__proto__>', '<constructor/>', '<!DOCTYPE a [', '<a a="1" a="2">'],
  ...['<?xml version="1.0" encoding="utf-16"?>', 'xmlns:x="http://base.google.com/ns/1.0"'],
  ...['{"id":"1"}\n', '{"__proto__":{"id":"1"}}\n'],
];
const BYTES: readonly Buffer[] = [
  ...[...STRUCTURE, ...ODD_TEXTS].map((text) => Buffer.from(text)),
  ...'fffe feff efbbbf 1f8b 1f8b0800000000000003 eda080 f4908080 c0af c3'
    .split(' ')
    .map((hex) => Buffer.from(hex, 'hex')),
  Buffer.alloc(64),
];

const ENTITY_BOMB = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 12 }, (_, n) => `<!ENTITY a${n} "${`&a${n === 0 ? '' : n - 1};`.repeat(10)}">`).join('')}]>`;

type Change = (feed: Buffer) => Buffer;

/** A position in a feed as a fraction of its length, so that it stays similar when fast-check shortens the feed. */
const place = fc.double({ min: 0, max: 1, noNaN: true });
const at = (feed: Buffer, part: number) => Math.floor(part * feed.length);
const splice = (feed: Buffer, from: number, to: number, put: Buffer) =>
  Buffer.concat([feed.subarray(0, from), put, feed.subarray(to)]);

/** A change with a weight, made from random values. */
const by = <Values>(
  weight: number,
  values: fc.Arbitrary<Values>,
  change: (feed: Buffer, values: Values) => Buffer,
): fc.WeightedArbitrary<Change> => ({
  weight,
  arbitrary: values.map((drawn) => (feed: Buffer) => change(feed, drawn)),
});
const NONE = fc.constant(undefined);
const insert = (feed: Buffer, where: number, put: Buffer | string) =>
  splice(feed, at(feed, where), at(feed, where), Buffer.from(put));
const inLatin1 = (feed: Buffer, change: (text: string) => string) =>
  Buffer.from(change(feed.toString('latin1')), 'latin1');

const TO_ENCODINGS = 'utf16le utf16-be utf-16 windows-1252 latin1 utf-7 utf-32 shift_jis cesu8 cp437'.split(' ');
const DECLARED = 'utf-7 base64 hex cesu-8 utf-32 shift_jis binary utf-16 ucs2 __proto__ constructor gb18030'.split(' ');

const change: fc.Arbitrary<Change> = fc.oneof(
  by(4, fc.tuple(place, fc.nat(7)), (feed, [where, bit]) => {
    const changed = Buffer.from(feed);
    const index = at(feed, where);
    if (index < changed.length) changed[index] = (changed[index] ?? 0) ^ (1 << bit);
    return changed;
  }),
  by(6, fc.tuple(place, fc.constantFrom(...BYTES)), (feed, [where, put]) => insert(feed, where, put)),
  by(3, fc.tuple(place, fc.nat(300)), (feed, [where, length]) =>
    splice(feed, at(feed, where), at(feed, where) + length, Buffer.alloc(0)),
  ),
  by(3, fc.tuple(place, place, fc.nat(3_000)), (feed, [from, to, length]) =>
    insert(feed, to, feed.subarray(at(feed, from), at(feed, from) + length)),
  ),
  by(1, place, (feed, where) => feed.subarray(0, at(feed, where))),
  by(1, place, (feed, where) => feed.subarray(at(feed, where))),
  by(2, fc.tuple(place, place, fc.nat()), (feed, [where, other, pick]) => {
    const tail = feedOf(pick);
    return Buffer.concat([feed.subarray(0, at(feed, where)), tail.subarray(at(tail, other))]);
  }),
  by(2, fc.constantFrom(...TO_ENCODINGS), (feed, to) => Buffer.from(iconv.encode(feed.toString('utf8'), to))),
  by(1, fc.constantFrom(...DECLARED, 'x'.repeat(50)), (feed, name) =>
    inLatin1(feed, (text) => text.replace(/^\s*(<\?xml[^>]*\?>)?/, `<?xml version="1.0" encoding="${name}"?>`)),
  ),
  // Makes one text of the feed very long.
  by(
    1,
    fc.tuple(
      place,
      fc.constantFrom(1_000, 70_000, 1_100_000),
      fc.constantFrom('a', ' ', 'é', '&amp;', '<', '"', '😀', '1,', '&#x20;'),
    ),
    (feed, [where, times, put]) => insert(feed, where, put.repeat(Math.ceil(times / put.length))),
  ),
  by(1, fc.tuple(place, fc.constantFrom(10, 60, 70, 5_000)), (feed, [where, deep]) =>
    insert(feed, where, '<a>'.repeat(deep) + '</a>'.repeat(deep)),
  ),
  by(1, NONE, (feed) =>
    inLatin1(feed, (text) => text.replace(/<rss/, `${ENTITY_BOMB}<rss`).replace(/<title>/, '<title>&a11;')),
  ),
  by(1, NONE, (feed) => inLatin1(feed, (text) => text.replaceAll('\n', '\r'))),
  // Replaces the value of a field.
  by(
    3,
    fc.tuple(
      fc.constantFrom(...ODD_TEXTS, '12.50 EUR', '-1 EUR', '4006381333931', 'n/a', 'https://a b', 'http://x'),
      place,
    ),
    (feed, [put, where]) => {
      const from = feed.indexOf('>', at(feed, where));
      const to = feed.indexOf('<', from);
      return from < 0 || to < 0 ? feed : splice(feed, from + 1, to, Buffer.from(put));
    },
  ),
);

/** Compression comes last, so that the other changes damage the text and not the archive. */
const packed = (feed: Buffer) => gzipSync(feed, { level: 1 });
const packing: fc.Arbitrary<Change> = fc.oneof(
  by(8, NONE, (feed) => feed),
  by(1, NONE, packed),
  by(1, fc.tuple(place, fc.nat(255)), (feed, [where, put]) => {
    const archive = packed(feed);
    archive[at(archive, where)] = put;
    return archive;
  }),
  by(1, place, (feed, where) => packed(feed).subarray(0, at(feed, where))),
  by(1, NONE, (feed) =>
    Buffer.concat([gzipSync(feed.subarray(0, 999)), gzipSync(feed.subarray(999)), Buffer.from('trailing')]),
  ),
  by(1, NONE, (feed) => Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), deflateRawSync(feed)])),
);

const mutated = fc
  .tuple(fc.nat(), fc.array(change, { minLength: 1, maxLength: 6 }), packing)
  .map(([pick, changes, pack]) => pack(changes.reduce((feed, each) => each(feed), feedOf(pick))))
  // Shows the feed in a counterexample instead of a list of functions.
  .map((feed) => ({
    feed,
    toString: () => `${feed.length} bytes, base64 ${feed.subarray(0, 300).toString('base64')}…`,
  }));

const MARKET = { currency: 'EUR', country: 'PT', observedAt: new Date('2026-01-01T00:00:00Z') };

type Outcome = { rows: FeedRow[] } | { broken: BrokenFeed };

async function read(feed: Buffer, cuts: readonly number[]): Promise<Outcome> {
  const rows: FeedRow[] = [];
  try {
    for await (const batch of readFeed(gunzipIfNeeded(inPieces(feed, cuts), { maxBytes: 64 * 1024 ** 2 }))) {
      rows.push(...batch);
      // A feed has at most one row per unpacked byte, and the compression ratio is limited.
      if (rows.length > 10 * MOST_BYTES) throw new Error(`A feed of ${feed.length} bytes gives rows without an end.`);
    }
    return { rows };
  } catch (error) {
    if (error instanceof BrokenFeed) return { broken: error };
    throw error;
  }
}

/** Values of an offer that the database or a client could not handle; empty if all are valid. */
function faultsOf(item: FeedItem): string[] {
  const { description, image, brand, mpn, category, attributes } = item.product as {
    description?: string;
    image?: string;
    brand?: string;
    mpn?: string;
    category?: { id?: number; path?: string; productType?: string };
    attributes?: Record<string, string>;
  };
  const faults: string[] = [];
  const check = (isRight: boolean, what: string) => {
    if (!isRight) faults.push(what);
  };
  const isAmount = (amount: number, least: number, most = HIGHEST_PRICE) =>
    Number.isSafeInteger(amount) && amount >= least && amount <= most;
  check(isAmount(item.price, 1), `price ${item.price}`);
  check(item.shipping === undefined || isAmount(item.shipping, 0), `shipping ${item.shipping}`);
  check(isAmount(item.total, 1, 2 * HIGHEST_PRICE), `total ${item.total}`);
  check(item.total === item.price + (item.shipping ?? 0), 'total is not the sum');
  for (const link of [item.link, image ?? item.link]) {
    check(
      /^https?:$/.test(URL.canParse(link) ? new URL(link).protocol : '') && !/[\s\p{Cc}]/u.test(link),
      `link ${link}`,
    );
  }
  check(item.gtin === undefined || (isGtin14(item.gtin) && !isRestrictedCirculation(item.gtin)), `gtin ${item.gtin}`);
  check(item.asin === undefined || isAsin(item.asin), `asin ${item.asin}`);
  check(category?.id === undefined || category.id < 2 ** 31, `category ${category?.id}`);
  check(Number.isSafeInteger(item.line) && item.line >= 1, `line ${item.line}`);
  const texts: [string, string | undefined, number][] = [
    ['sku', item.sku, LONGEST.id],
    ['title', item.title, LONGEST.title],
    ['description', description, LONGEST_VALUE.description],
    ['link', item.link, LONGEST.link],
    ['image', image, LONGEST.link],
    ['brand', brand, LONGEST_VALUE.brand],
    ['mpn', mpn, LONGEST_VALUE.mpn],
    ['productType', category?.productType, LONGEST_VALUE.productType],
    ['categoryPath', category?.path, Number.POSITIVE_INFINITY],
    ...Object.entries(attributes ?? {}).map(([name, value]): [string, string, number] => [
      name,
      value,
      LONGEST_VALUE.attribute,
    ]),
  ];
  for (const [name, text, longest] of texts) {
    if (text === undefined) continue;
    check(text.length > 0 && text.length <= longest, `${name} has ${text.length} characters`);
    check(text.trim() === text, `${name} has blanks around it`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the check looks for them.
    check(!/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text), `${name} holds control characters`);
    check(wellFormed(text) === text, `${name} holds half a character`);
  }
  return faults;
}

describeShared('a damaged feed', (pathOf) => {
  const names = readdirSync(pathOf('feeds'), { recursive: true, encoding: 'utf8' });
  // Large feeds are truncated, which is one more kind of damage.
  for (const name of names.filter((each) => /\.(xml|tsv|csv)$/.test(each)).sort())
    FEEDS.push(readFileSync(pathOf(`feeds/${name}`)).subarray(0, MOST_BYTES));

  test('is read as valid rows or as broken, with the same result however its bytes arrive', async () => {
    await fc.assert(
      fc.asyncProperty(
        mutated,
        fc.array(fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 70_000 })), {
          minLength: 1,
          maxLength: 4,
        }),
        async ({ feed }, cuts) => {
          const whole = await read(feed, []);
          const pieces = await read(feed, feed.length > 20_000 ? cuts.map((cut) => cut + 997) : cuts);
          if ('broken' in whole || 'broken' in pieces) {
            expect(['broken' in whole, 'broken' in pieces]).toEqual([true, true]);
            if ('broken' in whole) expect(whole.broken.message.length).toBeLessThan(400);
            return;
          }
          expect(pieces.rows).toEqual(whole.rows);
          for (const row of whole.rows) {
            const outcome = normaliseItem(row, MARKET);
            if (isRejection(outcome)) {
              expect(isRejectReason(outcome.reason)).toBe(true);
              expect(outcome.detail.length).toBeLessThan(400);
              if (outcome.id !== undefined) expect(wellFormed(outcome.id)).toBe(outcome.id);
            } else expect(faultsOf(outcome)).toEqual([]);
          }
        },
      ),
      tries(400),
    );
  });

  test('takes less than 500 MiB to read, even if it was made to take more', async () => {
    const hostile: Buffer[] = [
      Buffer.from(`<rss><channel><item><g:id>1</g:id><g:title>${'&amp;'.repeat(200_000)}`),
      Buffer.from(`<rss><channel>${'<item><g:id>1</g:id></item>'.repeat(40_000)}`),
      Buffer.from(`<rss><channel>${Array.from({ length: 100_000 }, (_, n) => `<a${n}/>`).join('')}</channel></rss>`),
      Buffer.from(
        `<rss><channel><item ${Array.from({ length: 80_000 }, (_, n) => `a${n}=""`).join(' ')}/></channel></rss>`,
      ),
      Buffer.from(`id,title\n1,"${'""'.repeat(500_000)}`),
      Buffer.from(`id\ttitle\n${'\t'.repeat(1_000_000)}`),
      Buffer.from(`id,${','.repeat(30_000)}\n${'1,,,,,,,,\n'.repeat(100_000)}`),
      Buffer.from(`id${',shipping'.repeat(30_000)}\n${'1,,,,,,,,\n'.repeat(80_000)}`),
      Buffer.from(`id\tshipping\n1\t${':,'.repeat(500_000)}`),
      Buffer.from(`{"id":"1","shipping":[${'{},'.repeat(300_000)}{}]}`),
      Buffer.from(`{"a":${'['.repeat(500_000)}`),
      Buffer.from(`id\tshipping\n1\t${'DE:::1 EUR,'.repeat(90_000)}`),
      gzipSync(Buffer.alloc(60 * 1024 ** 2, ' ')),
    ];
    for (const feed of hostile) {
      collectGarbage();
      const before = memory();
      let most = before;
      try {
        for await (const rows of readFeed(gunzipIfNeeded(inPieces(feed, [65_536]), { maxBytes: 64 * 1024 ** 2 }))) {
          for (const row of rows) normaliseItem(row, MARKET);
          most = Math.max(most, memory());
        }
      } catch (error) {
        expect(error).toBeInstanceOf(BrokenFeed);
      }
      most = Math.max(most, memory());
      expect([feed.subarray(0, 60).toString('latin1'), Math.round((most - before) / 1024 ** 2)]).toEqual([
        expect.any(String),
        expect.toSatisfy((mebibytes: number) => mebibytes < 500),
      ]);
    }
  });

  describe('in an import', () => {
    let database: Database;
    let folder: string;
    beforeAll(async () => {
      database = await openTestDatabase();
      folder = mkdtempSync(join(tmpdir(), 'pda-fuzz-'));
    });
    afterAll(async () => {
      rmSync(folder, { recursive: true });
      await database.close();
    });

    const run = (merchant: string, feed: Buffer, observedAt: Date) => {
      const path = join(folder, 'feed');
      writeFileSync(path, feed);
      return importFeed(database, MARKET, { feed: path, merchant, mode: 'full', observedAt });
    };
    const listed = async (merchant: string) => {
      const rows = await database.query<{ sku: string; all: string }>(
        `SELECT offer.sku, to_jsonb(offer)::text AS all
         FROM offer JOIN merchant ON merchant.id = offer.merchant_id
         WHERE merchant.name = $1 AND offer.withdrawn_at IS NULL
         ORDER BY offer.id`,
        [merchant],
      );
      return { skus: rows.map(({ sku }) => sku), all: rows.map((row) => row.all) };
    };

    test('leaves its shop unchanged, or as in the complete feed', async () => {
      let turn = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.nat(),
          fc.array(change, { minLength: 1, maxLength: 3 }),
          packing,
          async (pick, changes, pack) => {
            // Large feeds would take half a second each.
            const feed = feedOf(pick).subarray(0, 60_000);
            const merchant = `Fuzzed ${turn++}`;
            await run(merchant, feed, new Date('2026-01-01T00:00:00Z')).catch((error) => {
              expect(error).toBeInstanceOf(BrokenFeed);
            });
            const before = await listed(merchant);
            const damaged = pack(changes.reduce((each, one) => one(each), feed));
            try {
              const summary = await run(merchant, damaged, new Date('2026-01-02T00:00:00Z'));
              const after = await listed(merchant);
              const outcome = await read(damaged, []);
              if ('broken' in outcome) throw new Error('A broken feed was imported.');
              const items = outcome.rows.map((row) => normaliseItem(row, MARKET));
              const accepted = items.flatMap((item) => (isRejection(item) ? [] : [item.sku]));
              const named = new Set(items.flatMap((item) => (isRejection(item) ? (item.id ?? []) : item.sku)));
              // A rejected row keeps the existing offer of the shop.
              expect(after.skus.filter((sku) => !named.has(sku))).toEqual([]);
              const isKnown = new Set(after.skus);
              const missing = [...new Set(accepted)].filter((sku) => !isKnown.has(sku));
              const { identifier_conflict: conflicts = 0, too_many_offers: surplus = 0 } = summary.reasons;
              expect(missing.length).toBeLessThanOrEqual(conflicts + surplus);
              expect(summary.read).toBe(outcome.rows.length);
              expect(summary.new + summary.changed + summary.same + summary.rejected).toBe(summary.read);
            } catch (error) {
              if (!(error instanceof BrokenFeed) && !(error instanceof FeedRefused)) throw error;
              expect((await listed(merchant)).all).toEqual(before.all);
            }
          },
        ),
        tries(12),
      );
      const left = await database.query("SELECT tablename FROM pg_tables WHERE tablename LIKE 'import_rows_%'");
      expect(left).toEqual([]);
    });
  });
});
