/** The work of reading a feed grows with its length only, however long a value is and in whatever pieces it arrives. */
import { expect, test } from 'vitest';
import { indexCategories, parseProductCategory } from '../../src/import/product-category.ts';
import { createDelimitedReader } from '../../src/import/readers/delimited.ts';
import { LONGEST_FIELD, LONGEST_ROW, type RowReader } from '../../src/import/readers/feed-row.ts';
import { createJsonLinesReader } from '../../src/import/readers/json-lines.ts';
import { readFeed } from '../../src/import/readers/read-feed.ts';
import { createXmlReader } from '../../src/import/readers/xml.ts';
import { createXmlNames, SOURCE } from '../../src/import/readers/xml-item.ts';
import { BrokenFeed } from '../../src/import/reject.ts';
import { importTaxonomyText, TAXONOMY } from '../harness/catalogue.ts';
import { charactersRead } from '../harness/characters.ts';
import { openTestDatabase } from '../harness/database.ts';
import { inPieces } from './feed-text.ts';

// Without any repetition, a character is looked at up to this often: by the repair, the parser and the checks of values.
const MOST_LOOKS = 24;

/** A length for feeds of many short rows. */
const SOME = 256 * 1024;

const csv = () => createDelimitedReader(',');
const tsv = () => createDelimitedReader('\t');
const json = createJsonLinesReader;
const xml = createXmlReader;
const ITEM = '<rss><channel><item><g:id>1</g:id>';
const END = '</item></channel></rss>';

const CASES: readonly [
  name: string,
  open: () => RowReader,
  start: string,
  repeated: string,
  end: string,
  length?: number,
][] = [
  ['CSV field in quotes', csv, 'id,title\n1,"', 'Lamp, ', '"\n'],
  ['CSV field of doubled quotes', csv, 'id,title\n1,"', '""', '"\n'],
  ['CSV field with lone quotes inside', csv, 'id,title\n1,"', '27" ', '"\n'],
  ['CSV field of lines', csv, 'id,title\n1,"', 'Lamp\r\n', '"\n'],
  ['CSV field in quotes that never ends', csv, 'id,title\n1,"', 'Lamp\r\n', '', 2 * LONGEST_FIELD],
  ['CSV field without quotes', csv, 'id,title\n1,', 'Lamp ', '\n'],
  ['CSV field with quotes after its start', csv, 'id,title\n1,a', '"', '\n'],
  ['CSV row of quoted fields', csv, 'id,title\n1', ',"a"', '\n', LONGEST_ROW],
  ['CSV row of fields', csv, 'id,title\n1', ',a', '\n', LONGEST_ROW],
  ['CSV row of blank fields', csv, 'id,title\n', ',', '\n1,a\n', LONGEST_ROW],
  ['CSV header', csv, 'id', ',note', '\n1,2\n'],
  ['CSV feed of short lines that end with CR', csv, 'id,title\r', '1\r', '', SOME],
  ['CSV feed of lines without a comma but with a quote', csv, 'id,title\n', '1"\n', '', SOME],
  ['CSV feed of blank lines', csv, 'id,title\n', '\r\n', '', SOME],
  ['CSV list of ways to ship', csv, 'id,shipping\n1,"', ':::1 EUR,', '"\n'],
  [
    'CSV list of ways to ship, with a long header',
    csv,
    `id,shipping(${'a:'.repeat(9_000)}price)\n1,"`,
    ':,',
    '"\n',
    SOME,
  ],
  ['TSV field', tsv, 'id\ttitle\n1\t', 'Lamp ', '\n'],
  ['TSV field of doubled quotes', tsv, 'id\ttitle\n1\t"', '""', '"\n'],
  ['TSV row of fields', tsv, 'id\ttitle\n1', '\t"a"', '\n', LONGEST_ROW],
  ['TSV field of lines that never ends', tsv, 'id\ttitle\n1\t"', 'Lamp\n', '', 2 * LONGEST_FIELD],
  ['TSV feed of lines with an open quote', tsv, 'id\ttitle\n', '1\t"a\n', '', SOME],
  ['TSV row of fields of two lines', tsv, 'id\ttitle\n', '"a\nb"\t', '\n', SOME],
  ['TSV list of ways to ship of separators', tsv, 'id\tshipping\n1\t', ';|', 'x\n'],
  ['JSON text', json, '{"id":"1","title":"', 'Lamp ', '"}\n'],
  ['JSON text of escapes', json, '{"id":"1","title":"', '\\u0000', '"}\n'],
  ['JSON list', json, '{"id":"1","title":[0', ',{}', ']}\n', LONGEST_ROW],
  ['JSON list of lists', json, '{"id":"1","title":', '[', '', LONGEST_ROW],
  ['JSON list of ways to ship', json, '{"id":"1","shipping":[{}', ',{"price":"1"}', ']}\n', LONGEST_ROW],
  ['JSON row of members', json, '{"id":"1"', ',"g:Note":1', '}\n', LONGEST_ROW],
  ['JSON feed of short lines', json, '', '{}\n', '', SOME],
  ['XML text', xml, `${ITEM}<title>`, 'Lamp ', `</title>${END}`],
  ['XML text of entities', xml, `${ITEM}<title>`, '&amp;&nbsp;', `</title>${END}`],
  ['XML text of bare ampersands', xml, `${ITEM}<title>`, '&a', `</title>${END}`],
  ['XML text in CDATA', xml, `${ITEM}<title><![CDATA[`, 'Lamp ]] ', `]]></title>${END}`],
  ['XML text of many CDATA sections', xml, `${ITEM}<title>`, '<![CDATA[a]]>', `</title>${END}`],
  ['XML text of ]]>', xml, `${ITEM}<title>`, ']]>', `</title>${END}`],
  ['XML text of lines', xml, `${ITEM}<title>`, '\r\n', `</title>${END}`],
  ['XML name', xml, `${ITEM}<`, 'a', `/>${END}`],
  ['XML attribute', xml, `${ITEM}<title a="`, 'a&amp;', `"/>${END}`],
  ['list of XML attributes', xml, `${ITEM}<title b=""`, ' a=""', `/>${END}`],
  ['XML comment', xml, `${ITEM}<!--`, 'Lamp - ', `-->${END}`],
  ['XML comment of dashes', xml, `${ITEM}<!--`, '--a', `-->${END}`],
  ['XML processing instruction', xml, `${ITEM}<?a `, 'a?', `?>${END}`],
  ['XML document type', xml, '<!DOCTYPE rss [', '<!ELEMENT a ANY>', `]>${ITEM}${END}`],
  ['XML item of elements', xml, ITEM, '<title>a</title>', END, LONGEST_ROW],
  ['XML item of deep elements', xml, ITEM, `${'<a>'.repeat(60)}${'</a>'.repeat(60)}`, END, LONGEST_ROW],
  ['XML list of ways to ship', xml, ITEM, '<shipping><price>1</price></shipping>', END, LONGEST_ROW],
  ['run of blanks between XML items', xml, ITEM, ' \n', END],
];

test.each(CASES)(
  'a %s is read once',
  { timeout: 60_000 },
  async (_, open, start, repeated, end, length = LONGEST_FIELD) => {
    const feed = start + repeated.repeat(length / repeated.length) + end;
    for (const pieceLength of [1_024, feed.length]) {
      const read = () => {
        const reader = open();
        try {
          for (let at = 0; at < feed.length; at += pieceLength) reader.push(feed.slice(at, at + pieceLength));
          reader.end();
        } catch (error) {
          if (!(error instanceof BrokenFeed)) throw error;
        }
      };
      expect((await charactersRead(read)) / feed.length).toBeLessThan(MOST_LOOKS);
    }
  },
);

test.each([
  ['blanks', ' '],
  ['a first line', 'note,'],
  ['comments', '<!---->'],
  ['lines of comments', '# note\n'],
])('the format of a feed that starts with endless %s is detected by reading it once, byte by byte', async (_, repeated) => {
  const feed = Buffer.from(repeated.repeat(60_000 / repeated.length));
  const read = async () => {
    for await (const rows of readFeed(inPieces(feed, [1]))) expect(rows).toEqual([]);
  };
  const looked = await charactersRead(() => expect(read()).rejects.toThrow(BrokenFeed));
  expect(looked / feed.length).toBeLessThan(2 * MOST_LOOKS);
});

test('a category of a hundred thousand names is looked up by the few levels that the tree has', async () => {
  const database = await openTestDatabase();
  try {
    await importTaxonomyText(database, TAXONOMY);
    const categories = await indexCategories(database);
    const start = 'Electronics > Audio > Headphones';
    const known = categories.find({ path: start });
    const path = `${start}${' > a'.repeat(100_000)}`;
    const looked = await charactersRead(() => expect(categories.find(parseProductCategory(path))).toBe(known));
    expect(known).toBeDefined();
    expect(looked / path.length).toBeLessThan(MOST_LOOKS);
  } finally {
    await database.close();
  }
});

test('an XML feed with endless prefixes of Google fills no memory', () => {
  const names = createXmlNames();
  const learn = (prefix: string) => names.learn({ [`xmlns:${prefix}`]: 'http://base.google.com/ns/1.0' });
  for (let index = 0; index < 10_000; index++) learn(`p${index}`);
  learn('p'.repeat(10_000));
  const isGoogle = (prefix: string) => names.of(`${prefix}:title`).source === SOURCE.google;
  expect(['g', 'p1', 'p9999', 'p'.repeat(10_000)].map(isGoogle)).toEqual([true, true, false, false]);
});
