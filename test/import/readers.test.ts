// Reading feeds of every format, intact and damaged.

import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { PIECE_LENGTH } from '../../src/import/readers/feed-row.ts';
import { readFeed } from '../../src/import/readers/read-feed.ts';
import { BrokenFeed } from '../../src/import/reject.ts';
import { refusalOf, rowsOf, rowsOfPieces, rss } from './feed-text.ts';

const ITEM = '<g:id>1</g:id><title>Lamp</title><link>https://shop.example/1</link><g:price>5.00 EUR</g:price>';

describe('an XML feed', () => {
  test('returns each item with its line', async () => {
    expect(await rowsOf(rss(ITEM, '<g:id>2</g:id>'))).toEqual([
      { line: 3, fields: { id: '1', title: 'Lamp', link: 'https://shop.example/1', price: '5.00 EUR' }, shipping: [] },
      { line: 4, fields: { id: '2' }, shipping: [] },
    ]);
  });

  test('may be Atom, with the address in the link', async () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Shop</title><link href="https://shop.example"/>
      <entry><id>1</id><title>Lamp</title><link rel="self" href="https://feed.example"/><link href="https://shop.example/1"/>
      <summary>Bright</summary></entry></feed>`;
    expect((await rowsOf(atom))[0]?.fields).toEqual({
      id: '1',
      title: 'Lamp',
      link: 'https://shop.example/1',
      description: 'Bright',
    });
  });

  test('may use any prefix, or none, declared or not', async () => {
    for (const prefix of ['goog:', 'x:', '']) {
      const rows = await rowsOf(`<rss><channel><item><${prefix}id>1</${prefix}id></item></channel></rss>`);
      expect(rows[0]?.fields.id).toBe('1');
    }
  });

  test('prefers the fields of Google to those of RSS and other namespaces, in any order', async () => {
    const rows = await rowsOf(
      rss(
        '<title>RSS</title><g:title>Google</g:title><media:title>Media</media:title>',
        '<media:title>Media</media:title><g:title>Google</g:title><title>RSS</title>',
        '<media:title>Media</media:title><title>RSS</title>',
      ),
    );
    expect(rows.map((row) => row.fields.title)).toEqual(['Google', 'Google', 'RSS']);
    expect(rows.every((row) => row.fault === undefined)).toBe(true);
  });

  test('rejects a row with two different prices, but not with the same price twice', async () => {
    const [twice, same] = await rowsOf(
      rss('<g:price>1 EUR</g:price><g:price>2 EUR</g:price>', '<g:price>1 EUR</g:price><g:price>1 EUR</g:price>'),
    );
    expect(twice?.fault?.reason).toBe('repeated_field');
    expect(same?.fault).toBeUndefined();
  });

  test('collects shipping blocks, and never reads a price inside a block as the price of the item', async () => {
    const [row] = await rowsOf(
      rss(`${ITEM}<g:shipping><g:country>PT</g:country><g:price>4.90 EUR</g:price></g:shipping>
        <g:shipping><g:price>0 EUR</g:price><g:min_order_value>50 EUR</g:min_order_value></g:shipping>
        <g:shipping>ES:::3 EUR</g:shipping>
        <g:installment><g:months>3</g:months><g:price>1.00 EUR</g:price></g:installment>`),
    );
    expect(row?.fields.price).toBe('5.00 EUR');
    expect(row?.shipping).toEqual([
      { country: 'PT', price: '4.90 EUR' },
      { price: '0 EUR', minOrderValue: '50 EUR' },
      { country: 'ES', price: '3 EUR' },
    ]);
  });

  test.each([
    ['a bare ampersand', 'Salt & Pepper &co', 'Salt & Pepper &co'],
    ['an unknown entity', 'a &foo; b', 'a &foo; b'],
    ['an HTML entity', 'caf&eacute;&nbsp;&euro;', 'café\u00a0€'],
    ['numeric references', '&#233;&#xE9;&#x1F600;', 'éé😀'],
    ['a numeric reference to no character', 'a&#11;b&#0;c', 'abc'],
    ['control characters', 'a\u000bb\u0000c', 'abc'],
    ['XML’s own entities, decoded once', '&lt;b&gt; &amp;amp; &amp;lt;', '<b> &amp; &lt;'],
    ['CDATA as it is', '<![CDATA[a & b &amp; <c>]]>', 'a & b &amp; <c>'],
    ['CDATA in several parts', 'a<![CDATA[ & ]]>b<!-- & -->c', 'a & bc'],
  ])('accepts %s', async (_, written, read) => {
    expect((await rowsOf(rss(`<g:title>${written}</g:title>`)))[0]?.fields.title).toBe(read);
  });

  test.each([
    ['cut off', rss(ITEM).slice(0, -40), 'line 3: the feed is cut off in the item that begins on line 3'],
    ['cut off between items', rss(ITEM).replace('</channel></rss>', ''), 'line 4: the feed is cut off'],
    ['mismatched tags', rss('<g:id>1</g:title>'), 'line 3: this is not well-formed XML'],
    ['two feeds in one', rss(ITEM) + rss(ITEM), 'this is not well-formed XML'],
    ['another root', '<products><product/></products>', 'line 1: the root element is <products>'],
    ['no channel', '<rss></rss>', 'the feed has no <channel>'],
    ['entities', `<!DOCTYPE rss [<!ENTITY a "b">]>${rss(ITEM).slice(22)}`, 'line 1: the feed declares entities'],
    ['an external DTD', '<!DOCTYPE rss SYSTEM "http://a/b.dtd"><rss/>', 'line 1: the feed refers to an external DTD'],
    ['endless nesting', `<rss>${'<a>'.repeat(100)}`, 'nested too deeply'],
    ['an endless text', `<rss><channel><title>${'a'.repeat(5_000_000)}`, 'a text goes on for more than 2 MiB'],
  ])('is refused as a whole: %s', async (_, feed, message) => {
    expect(await refusalOf(feed)).toContain(message);
  });

  test('without an item has no rows', async () => {
    expect(await rowsOf(rss())).toEqual([]);
  });

  test('rejects only the row that is too long', async () => {
    const rows = await rowsOf(
      rss(
        `<g:id>1</g:id><g:title>${'a'.repeat(1_100_000)}</g:title>`,
        `<g:id>2</g:id>${'<g:highlight>some text</g:highlight>'.repeat(150_000)}<g:title>b</g:title>`,
        '<g:id>3</g:id>',
      ),
    );
    expect(rows.map((row) => [row.fields.id, row.fault?.reason])).toEqual([
      ['1', 'field_too_long'],
      ['2', 'field_too_long'],
      ['3', undefined],
    ]);
  });
});

describe('a delimited feed', () => {
  test.each([
    ['tabs', 'id\ttitle\n1\tLamp\n'],
    ['commas', 'id,title\n1,Lamp\n'],
    ['semicolons', 'id;title\n1;Lamp\n'],
    ['bars', 'id|title\n1|Lamp\n'],
    ['CRLF', 'id\ttitle\r\n1\tLamp\r\n'],
    ['CR', 'id\ttitle\r1\tLamp\r'],
    ['no last line break', 'id\ttitle\n1\tLamp'],
    ['upper case, spaces and a prefix in the header', ' ID \tg:Title\n1\tLamp\n'],
    ['quotes in the header', '"id","title"\n"1","Lamp"\n'],
    ['a byte order mark', '\ufeffid,title\n1,Lamp\n'],
  ])('is read with %s', async (_, feed) => {
    expect(await rowsOf(feed)).toEqual([{ line: 2, fields: { id: '1', title: 'Lamp' }, shipping: [] }]);
  });

  test('counts lines across mixed line endings, blank lines and multi-line cells', async () => {
    const rows = await rowsOf('id,title\r\n\r\n1,"a\nb ""c"""\r2,d\n,\n3,e');
    expect(rows.map(({ line, fields }) => [line, fields.id, fields.title])).toEqual([
      [3, '1', 'a\nb "c"'],
      [5, '2', 'd'],
      [7, '3', 'e'],
    ]);
  });

  test('keeps a lone quote in a TSV, and removes quotes around a whole cell', async () => {
    const rows = await rowsOf('id\ttitle\n1\t27" monitor\n2\t"27"" monitor"\n3\t"Best" lamp\n4\t"Lamp\n5\tx');
    expect(rows.map((row) => row.fields.title)).toEqual(['27" monitor', '27" monitor', '"Best" lamp', '"Lamp', 'x']);
  });

  test('keeps a quote inside a CSV cell', async () => {
    const rows = await rowsOf('id,title,brand\n1,27" monitor,a\n2,"27" monitor, black",b\n');
    expect(rows.map((row) => [row.fields.title, row.fields.brand])).toEqual([
      ['27" monitor', 'a'],
      ['27" monitor, black', 'b'],
    ]);
  });

  test('with an unclosed quote is refused at the line where it opens', async () => {
    expect(await refusalOf('id,title\n1,a\n2,"b\n3,c\n')).toContain('line 3: a quote opens here');
    expect(await refusalOf('id,title\n1,a\n2,"b\n3,"c"\n')).toContain('line 3: a quote opens here');
    expect(await refusalOf(`id,title\n1,"${'a,b\n'.repeat(1_000_000)}`)).toContain('line 2: a quote opens here');
  });

  test('accepts a short row, and rejects a long one unless the surplus cells are empty', async () => {
    const rows = await rowsOf('id,title,brand\n1,a\n2,a,b,,\n3,a,b,c\n');
    expect(rows.map((row) => row.fault?.reason)).toEqual([undefined, undefined, 'ragged_row']);
    expect(rows[0]?.fields).toEqual({ id: '1', title: 'a' });
  });

  test('drops NUL characters', async () => {
    expect((await rowsOf('id,title\n1,La\u0000mp\n'))[0]?.fields.title).toBe('Lamp');
  });

  test('reads shipping in the notation of Google', async () => {
    const shipping = async (cell: string, header = 'shipping') =>
      (await rowsOf(`id\t${header}\n1\t${cell}\n`))[0]?.shipping;
    expect(await shipping('PT::Standard:4.90 EUR')).toEqual([{ country: 'PT', price: '4.90 EUR' }]);
    expect(await shipping('PT:::4,90 EUR,ES:::5,90 EUR')).toEqual([
      { country: 'PT', price: '4,90 EUR' },
      { country: 'ES', price: '5,90 EUR' },
    ]);
    expect(await shipping(':::4.90 EUR')).toEqual([{ price: '4.90 EUR' }]);
    expect(await shipping('4.90 EUR')).toEqual([{ price: '4.90 EUR' }]);
    expect(await shipping('5 EUR:PT', 'shipping(price:country)')).toEqual([{ country: 'PT', price: '5 EUR' }]);
  });

  test('is read quickly even if its header has far more columns than its rows', { timeout: 20_000 }, async () => {
    const rows = await rowsOf(`id${',x'.repeat(60_000)}\n${'1,,\n'.repeat(100_000)}`);
    expect(rows).toHaveLength(100_000);
  });

  test('is refused if a used column appears twice, but not for an unused one', async () => {
    expect(await refusalOf('id,price,price\n1,1 EUR,2 EUR\n')).toContain(
      'line 1: the header has the column "price" twice',
    );
    expect(await rowsOf('id,color,color\n1,red,blue\n')).toHaveLength(1);
  });

  test('with only a header has no rows', async () => {
    expect(await rowsOf('id\ttitle\n')).toEqual([]);
  });
});

describe('a feed of JSON Lines', () => {
  test('has texts, numbers, arrays and shipping', async () => {
    const [row] = await rowsOf(
      [
        '{"id":1,"title":" Lamp ","price":{"value":"5.00","currency":"EUR"},"product_type":["a","b"],"gtin":null,',
        '"shipping":[{"country":"PT","price":"1 EUR","min_order_value":"9 EUR"},"ES:::2 EUR"]}\n\n{"id":"2"}',
      ].join(''),
    );
    expect(row).toEqual({
      line: 1,
      fields: { id: '1', title: 'Lamp', price: '5.00 EUR', product_type: 'a' },
      shipping: [
        { country: 'PT', price: '1 EUR', minOrderValue: '9 EUR' },
        { country: 'ES', price: '2 EUR' },
      ],
    });
  });

  test('rejects a row with two values in a field, and one that is not an object', async () => {
    const rows = await rowsOf('{"id":"1","gtin":["1","2"]}\n["2"]\n7\n');
    expect(rows.map((row) => row.fault?.reason)).toEqual(['repeated_field', 'not_an_object', 'not_an_object']);
  });

  test('with a line that is not JSON is refused as a whole', async () => {
    expect(await refusalOf('{"id":"1"}\n{"id":"2"')).toContain('line 2: this is not one JSON object per line');
  });

  test('ignores built-in property names of objects', async () => {
    expect((await rowsOf('{"id":"1","__proto__":{"title":"x"},"constructor":"y"}'))[0]?.fields).toEqual({ id: '1' });
  });
});

test('a row may have any number of shipping options, in every format', async () => {
  const count = 200_000;
  const [tabs] = await rowsOf(`id\tshipping\n1\t${':,'.repeat(count)}\n`);
  const [json] = await rowsOf(`{"id":"1","shipping":[${'{},'.repeat(count - 1)}{}]}`);
  const [xml] = await rowsOf(rss(`<g:id>1</g:id>${'<g:shipping/>'.repeat(count)}`));
  expect([tabs?.shipping.length, json?.shipping.length, xml?.shipping.length]).toEqual([count, count, count]);
});

test.each(['cesu-8', 'utf-7', 'base64', 'hex'])('a feed that declares the encoding %s is refused', async (name) => {
  const feed = `<?xml version="1.0" encoding="${name}"?>${rss(ITEM).slice(22)}`;
  expect(await refusalOf(feed)).toContain(`names "${name}", which is not known`);
});

describe('a file that is not a feed is refused with a description:', () => {
  test.each([[] as number[], [7_001]])('too much whitespace at the start, in pieces of %s', async (...cuts) => {
    const feed = `${' '.repeat(69_000)}<rss><channel><item><g:id>1</g:id></item></channel></rss>`;
    await expect(rowsOf(feed, { cuts })).rejects.toThrow('starts with only blanks');
    expect(await rowsOf(feed.slice(9_000), { cuts })).toHaveLength(1);
  });

  test.each([
    ['an empty file', '', 'line 1: the file is empty'],
    ['whitespace', ' \n\n', 'the file is empty'],
    ['an HTML page', '\n<!DOCTYPE html><html></html>', 'line 2: this is an HTML page'],
    ['an HTML page with a comment first', '<!-- x --><html lang="en">', 'this is an HTML page'],
    ['an HTML page after a declaration', '<?xml version="1.0"?>\n<!-- x -->\n<body>', 'this is an HTML page'],
    ['a JSON array', '[{"id":1}]', 'line 1: this is a JSON array'],
    ['a table without an id', 'sku,title\n1,a\n', 'line 1: found "sku,title"'],
    ['a page in plain text', 'Service unavailable', 'line 1: found "Service unavailable"'],
  ])('%s', async (_, feed, message) => {
    expect(await refusalOf(feed)).toContain(message);
  });
});

test('a feed that starts with thousands of comments is read quickly', async () => {
  const comments = '<!---->'.repeat(9_000);
  expect(await rowsOf(comments + rss(ITEM).replace(/^<\?xml.*?\?>/, ''))).toHaveLength(1);
  expect(await refusalOf(`${comments}<!--`)).toContain('cut off');
  expect(await refusalOf(`${comments}<html>`)).toContain('this is an HTML page');
});

describe('the encoding', () => {
  const feed = (encoding?: string) =>
    `<?xml version="1.0"${encoding === undefined ? '' : ` encoding="${encoding}"`}?><rss><channel><item><title>Café ‚“ 500 €</title></item></channel></rss>`;
  const titleOf = async (bytes: Uint8Array, encoding?: string) =>
    (await rowsOf(bytes, encoding === undefined ? {} : { encoding }))[0]?.fields.title;

  test.each([
    ['UTF-8', Buffer.from(feed())],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff\n${feed('utf-8')}`)],
    ['UTF-16LE by its mark', iconv.encode(`\ufeff${feed('UTF-16')}`, 'utf-16le')],
    ['UTF-16BE by its mark', iconv.encode(`\ufeff${feed('UTF-16')}`, 'utf-16be')],
    ['UTF-16LE without a mark', iconv.encode(feed('UTF-16'), 'utf-16le')],
    ['the one the XML declares', iconv.encode(feed('windows-1252'), 'windows-1252')],
    ['Latin-1, which is Windows-1252 in practice', iconv.encode(feed('ISO-8859-1'), 'windows-1252')],
    ['UTF-8 where the XML wrongly declares UTF-16', Buffer.from(feed('UTF-16'))],
  ])('is %s', async (_, bytes) => {
    expect(await titleOf(bytes)).toBe('Café ‚“ 500 €');
  });

  test('that the operator names takes precedence', async () => {
    expect(await titleOf(iconv.encode(feed('utf-8'), 'windows-1252'), 'Windows-1252')).toBe('Café ‚“ 500 €');
  });

  test('rejects the rows that it garbles if it is wrong, and the message says what to do', async () => {
    const rows = await rowsOf(iconv.encode('id,title\n1,Lamp\n2,Café\n', 'windows-1252'));
    expect(rows.map((row) => row.fault?.reason)).toEqual([undefined, 'invalid_encoding']);
    expect(rows[1]?.fault?.detail).toContain('--encoding windows-1252');
  });

  test('rejects a row with a lone surrogate, which UTF-32 can write', async () => {
    const cells = ['id,color\n1,red\n2,', '\ud800', 'blue\n3,😀\n'].flatMap((text) => [...text]);
    const bytes = Buffer.from(Uint32Array.from(cells, (each) => each.codePointAt(0) ?? 0).buffer);
    const rows = await rowsOf(bytes, { encoding: 'utf-32le' });
    expect(rows.map(({ fields, fault }) => fault?.reason ?? fields.color)).toEqual(['red', 'invalid_encoding', '😀']);
  });

  test('is refused if it is unknown', async () => {
    expect(await refusalOf('id\n1\n', { encoding: 'klingon' })).toContain('"klingon", which is not known');
  });
});

test('rows are the same wherever the bytes are cut', async () => {
  const feeds = [
    `\ufeff\r\n${rss(`<g:title>Caf&eacute; & 😀 &amp; <![CDATA[x & ]] ]]>\r\ny<!-- & -->&#x1F600;</g:title>\r${ITEM.replace('Lamp', 'Lämp')}`, '<g:id>2</g:id>')}`,
    'id,title,brand\r\n1,"a\r\nb ""c""",é\r\r\n2,27" x,"y" z"\n\r\n3,"",😀',
    'id\ttitle\r\n1\t"a"\r2\t😀\r\n\r\n3\tc',
    '{"id":"1","title":"é😀"}\r\n\n{"id":"2"}',
  ];
  const whole = await Promise.all(feeds.map((feed) => rowsOf(feed)));
  expect(whole.map((rows) => rows.length)).toEqual([2, 3, 3, 2]);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }), async (cuts) => {
      for (const [index, feed] of feeds.entries()) {
        expect(await rowsOf(feed, { cuts })).toEqual(whole[index]);
        expect(rowsOfPieces(feed.replace('\ufeff', ''), cuts)).toEqual(whole[index]);
      }
    }),
    { numRuns: 60 },
  );
});

test('no feed makes the readers throw anything but BrokenFeed', async () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '/',
    'item',
    'rss',
    'channel',
    '<item>',
    '</item>',
    '<![CDATA[',
    ']]>',
    '<!--',
    '&',
    ';',
  );
  const more = fc.constantFrom(
    '"',
    ',',
    '\t',
    '\n',
    '\r',
    'id',
    '{',
    '}',
    '[',
    ':',
    '\u0000',
    'é',
    '<?xml ',
    '?>',
    '<!DOCTYPE ',
    '#x',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(piece, more, fc.string()), { maxLength: 40 }), async (parts) => {
      for (const start of ['', '<rss><channel><item><title>', 'id,title\n']) {
        expect(await refusalOf(start + parts.join(''))).toMatch(/^(?:accepted|BrokenFeed)/);
      }
    }),
    { numRuns: 300 },
  );
});

// A row may have 4 MiB, and comes in pieces of 64 KiB.
const MOST_READ = 4.25 * 1024 ** 2;

test.each([
  ['CSV field in quotes', 'id,title\n1,"', 'Lamp, '],
  ['CSV field of doubled quotes', 'id,title\n1,"', '""'],
  ['CSV field without quotes', 'id,title\n1,', 'Lamp '],
  ['TSV row', 'id\ttitle\n1\t', 'Lamp\t'],
  ['header of columns', 'id,title,', 'note,'],
  ['header of one column', 'id,title,', 'note'],
  ['JSON text', '{"id":"1","title":"', 'Lamp '],
  ['JSON list of lists', '{"id":', '['],
  ['JSON row', '{"id":"1"', ',"note":1'],
  ['XML text', '<rss><channel><item><title>', 'Lamp '],
  ['XML text of entities', '<rss><channel><item><title>', '&amp;'],
  ['XML text in CDATA', '<rss><channel><item><title><![CDATA[', 'Lamp '],
  ['XML name', '<rss><channel><', 'a'],
  ['XML attribute', '<rss><channel><item a="', 'a'],
  ['list of XML attributes', '<rss><channel><item ', 'a="" '],
  ['XML comment', '<rss><channel><!--', 'Lamp '],
  ['XML document type', '<!DOCTYPE rss [', '<!ENTITY a "b">'],
  ['nesting of XML elements', '<rss><channel><item>', '<a>'],
  ['run of blanks between XML items', '<rss><channel>', '    '],
])('a feed is given up after a few mebibytes if its %s never ends', async (_, start, repeated) => {
  let read = 0;
  async function* endless() {
    const piece = Buffer.from(repeated.repeat(Math.floor(PIECE_LENGTH / repeated.length)));
    yield Buffer.from(start);
    for (; read <= 2 * MOST_READ; read += piece.length) yield piece;
  }
  const readAll = async () => {
    for await (const rows of readFeed(endless())) expect(rows).toEqual([]);
  };
  await expect(readAll()).rejects.toThrow(BrokenFeed);
  expect(read).toBeLessThan(MOST_READ);
});
