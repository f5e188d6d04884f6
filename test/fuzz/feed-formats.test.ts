/** A table of products, written in every format, quoting, encoding and compression that shops use, reads back as the same rows. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { FEED_FIELDS, type FeedField, type FeedFields, type FeedRow } from '../../src/import/readers/feed-row.ts';
import { gunzipIfNeeded } from '../../src/import/readers/gunzip.ts';
import { readFeed } from '../../src/import/readers/read-feed.ts';
import { FEED_FORMATS, type Format, type Table } from '../harness/feed-formats.ts';
import { anyText, tries, wellFormed } from '../harness/fuzz.ts';
import { inPieces, rowsOfPieces } from '../import/feed-text.ts';

/** Characters that some format cannot carry, or that have another meaning in it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are excluded.
const NOT_CARRIED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffd-\uffff]/g;
const structure = fc.string({ unit: fc.constantFrom(...'"\'\t,;|&<>]\n\r{}\\a 1é€'), maxLength: 12 });
const text = fc.oneof(structure, anyText(20)).map((each) => wellFormed(each).replace(NOT_CARRIED, '').trim());

const table = fc
  .uniqueArray(fc.constantFrom(...FEED_FIELDS.filter((field) => field !== 'id')), { minLength: 1, maxLength: 6 })
  .chain((fields) =>
    fc.record({
      fields: fc
        .constant<FeedField[]>(['id', ...fields])
        .chain((all) => fc.shuffledSubarray(all, { minLength: all.length })),
      rows: fc.array(fc.record(Object.fromEntries(fields.map((field) => [field, text]))), { maxLength: 6 }),
    }),
  )
  .map(({ fields, rows }) => ({
    fields,
    rows: rows.map((row, index): FeedFields => ({ ...row, id: `${index + 1}` })),
  }));
const ENCODINGS: Readonly<Record<string, (feed: string) => Buffer>> = {
  'UTF-8': (feed) => Buffer.from(feed),
  'UTF-8 with a mark': (feed) => Buffer.from(`\ufeff${feed}`),
  'UTF-16LE with a mark': (feed) => iconv.encode(feed, 'utf-16le', { addBOM: true }),
  'UTF-16BE with a mark': (feed) => iconv.encode(feed, 'utf-16be', { addBOM: true }),
  'UTF-16LE': (feed) => iconv.encode(feed, 'utf-16le'),
};

const PACKINGS: Readonly<Record<string, (feed: Buffer) => Buffer>> = {
  plain: (feed) => feed,
  gzip: (feed) => gzipSync(feed),
  'gzip in two members': (feed) => Buffer.concat([gzipSync(feed.subarray(0, 7)), gzipSync(feed.subarray(7))]),
};

async function read(feed: Buffer, cuts: readonly number[], encoding?: string): Promise<FeedRow[]> {
  const rows: FeedRow[] = [];
  const bytes = gunzipIfNeeded(inPieces(feed, cuts), { maxBytes: 10 ** 9 });
  for await (const batch of readFeed(bytes, { encoding })) rows.push(...batch);
  return rows;
}

const cuts = fc.array(fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 600 })), {
  minLength: 1,
  maxLength: 5,
});

/** The rows that the reader must return. */
function heldRows({ fields, rows }: Table, { held = (value) => value }: Format) {
  return rows.map((row) => {
    const values = fields.map((field) => [field, held(row[field] ?? '')] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== ''));
  });
}

test.each(
  Object.entries(FEED_FORMATS),
)('a feed with %s reads back as its rows, in any encoding and compression, however it is cut', async (_, format) => {
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.constantFrom(...Object.keys(ENCODINGS)),
      fc.constantFrom(...Object.keys(PACKINGS)),
      fc.array(fc.nat(100), { minLength: 1, maxLength: 30 }),
      cuts,
      async (goods, encoding, packing, picks, lengths) => {
        let turn = 0;
        const pick = () => picks[turn++ % picks.length] ?? 0;
        const rows = goods.rows.map((row) =>
          Object.fromEntries(Object.entries(row).map(([field, value]) => [field, format.held?.(value) ?? value])),
        );
        const written = format.write({ fields: goods.fields, rows }, pick);
        const bytes = PACKINGS[packing]?.(ENCODINGS[encoding]?.(written) ?? Buffer.alloc(0)) ?? Buffer.alloc(0);
        const whole = await read(bytes, []);
        expect(whole.map((row) => [row.fields, row.fault])).toEqual(
          heldRows(goods, format).map((fields) => [fields, undefined]),
        );
        expect(await read(bytes, lengths)).toEqual(whole);
        expect(rowsOfPieces(written, lengths)).toEqual(whole);
      },
    ),
    tries(60),
  );
});

test('a feed in a single-byte encoding reads back if its encoding is given', async () => {
  const latin = fc.string({ unit: fc.constantFrom(...'aé€üÿŽ„"&<,;\t 1'), maxLength: 15 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(latin, { minLength: 1, maxLength: 5 }),
      fc.constantFrom('RSS', 'commas'),
      cuts,
      async (titles, name, lengths) => {
        const goods: Table = {
          fields: ['id', 'title'],
          rows: titles.map((title, index) => ({ id: String(index), title: title.trim() })),
        };
        const format = FEED_FORMATS[name];
        const declaration = '<?xml version="1.0" encoding="windows-1252"?>';
        const written = (name === 'RSS' ? declaration : '') + format.write(goods, () => 1);
        const bytes = iconv.encode(written, 'windows-1252');
        const rows = await read(bytes, lengths, name === 'RSS' ? undefined : 'windows-1252');
        expect(rows.map(({ fields }) => fields)).toEqual(heldRows(goods, format));
      },
    ),
    tries(100),
  );
});
