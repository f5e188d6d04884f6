/** A table of products, written in every format, quoting, encoding and compression that shops use, reads back as the same rows. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { FEED_FIELDS, type FeedField, type FeedFields, type FeedRow } from '../../src/import/readers/feed-row.ts';
import { gunzipIfNeeded } from '../../src/import/readers/gunzip.ts';
import { readFeed } from '../../src/import/readers/read-feed.ts';
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
type Table = { fields: FeedField[]; rows: FeedFields[] };

interface Format {
  write(table: Table, pick: () => number): string;
  /** How the format changes a value. */
  held?(value: string): string;
}

const lineEnd = (pick: () => number) => ['\n', '\r\n', '\r'][pick() % 3] ?? '\n';

function delimited(delimiter: string): Format {
  return {
    write({ fields, rows }, pick) {
      const end = lineEnd(pick);
      const cell = (value: string) => {
        const mustQuote = /["\r\n]/.test(value) || value.includes(delimiter) || value === '';
        return mustQuote || pick() % 2 === 0 ? `"${value.replaceAll('"', '""')}"` : value;
      };
      const lines = [fields.map(cell), ...rows.map((row) => fields.map((field) => cell(row[field] ?? '')))];
      return lines.map((cells) => cells.join(delimiter)).join(end) + (pick() % 2 === 0 ? end : '');
    },
  };
}

const tabs: Format = {
  write({ fields, rows }, pick) {
    const end = lineEnd(pick);
    const cell = (value: string) =>
      value.startsWith('"') || pick() % 3 === 0 ? `"${value.replaceAll('"', '""')}"` : value;
    const lines = [fields.map(cell), ...rows.map((row) => fields.map((field) => cell(row[field] ?? '')))];
    return lines.map((cells) => cells.join('\t')).join(end) + end;
  },
  // A cell is on one line and has no tab.
  held: (value) => value.replace(/[\t\r\n]+/g, ' ').trim(),
};

const jsonLines: Format = {
  write({ fields, rows }, pick) {
    const line = (row: FeedFields) => {
      const json = JSON.stringify(Object.fromEntries(fields.map((field) => [field, row[field] ?? ''])));
      return pick() % 2 === 0
        ? json
        : json.replace(/[^\x20-\x7e]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
    };
    // This format cannot express a feed without rows.
    return rows.length === 0 ? 'id\ttitle\n' : rows.map(line).join(pick() % 2 === 0 ? '\n' : '\r\n');
  },
};

function xml(isAtom: boolean): Format {
  return {
    write({ fields, rows }, pick) {
      const escaped = (value: string) =>
        [...value]
          .map((each) => {
            if (/[&<>"']/.test(each)) {
              const names: Record<string, string> = {
                '&': '&amp;',
                '<': '&lt;',
                '>': '&gt;',
                '"': '&quot;',
                "'": '&apos;',
              };
              return pick() % 4 === 0 ? `&#${each.codePointAt(0)};` : names[each];
            }
            if (each === '\r') return '&#13;';
            return pick() % 5 === 0 && !/\s/.test(each) ? `&#x${each.codePointAt(0)?.toString(16)};` : each;
          })
          .join('');
      const cdata = (value: string) => `<![CDATA[${value.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
      const content = (value: string) =>
        // A carriage return in CDATA becomes a line feed (XML 1.0 §2.11).
        value.includes('\r') || pick() % 2 === 0 ? escaped(value) : cdata(value);
      const gap = () => ['', '\n', '  ', '<!-- <item> & -->'][pick() % 4];
      const item = (row: FeedFields) =>
        fields
          .map((field) => `${gap()}<g:${field}>${gap()}${content(row[field] ?? '')}${gap()}</g:${field}>`)
          .join('') + gap();
      return isAtom
        ? `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0"><title>Shop &amp; Co</title>${rows.map((row) => `<entry>${item(row)}</entry>`).join('\n')}</feed>`
        : `<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>${gap()}${rows.map((row) => `<item>${item(row)}</item>`).join('\n')}</channel></rss>`;
    },
  };
}

const FORMATS: Readonly<Record<string, Format>> = {
  tabs,
  commas: delimited(','),
  semicolons: delimited(';'),
  bars: delimited('|'),
  'JSON Lines': jsonLines,
  RSS: xml(false),
  Atom: xml(true),
};

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
  Object.entries(FORMATS),
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
        const format = FORMATS[name] ?? tabs;
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
