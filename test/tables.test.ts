/** From lists to tables and from tables to CSV, with all that a shop may have written (docs/api.md, Tables). */
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { csvOf } from '../src/rest/csv.ts';
import { type Cell, tableOf } from '../src/rest/table.ts';

describe('a table as text', () => {
  const written = (...rows: Cell[][]) => csvOf({ columns: ['name', 'price'], rowsOf: () => rows }, {});

  test('has a line of names and a line a row, each ended by CRLF, also without rows', () => {
    expect(written(['Kettle', 12.5], ['Mug', 3])).toBe('name,price\r\nKettle,12.5\r\nMug,3\r\n');
    expect(written()).toBe('name,price\r\n');
  });

  test('quotes what holds a comma, a quote or a line break of any kind', () => {
    const names = ['Mug, red', '7" plate', 'two\nlines', 'two\r\nlines', 'two\rlines', ' blanks '];
    const text = written(...names.map((name) => [name, 1]));
    expect(text).toContain('"7"" plate",1\r\n');
    const [, ...rows] = parse(text, { record_delimiter: '\r\n' });
    expect(rows).toEqual(names.map((name) => [name, '1']));
  });

  test('leaves empty what is not known', () => {
    expect(written([undefined, undefined])).toBe('name,price\r\n,\r\n');
  });

  test.each([
    ['=1+1', "'=1+1"],
    ['+49', "'+49"],
    ['-5', "'-5"],
    ['@SUM(A1)', "'@SUM(A1)"],
    // Also where the tab or the line break is taken for the end of a cell.
    ['\t=1', "'\t'=1"],
    ['\r=1', "'\r'=1"],
    ['＝1', "'＝1"],
  ])('keeps %j from being read as a formula', (name, text) => {
    expect(parse(written([name, 1]), { columns: true })).toEqual([{ name: text, price: '1' }]);
  });

  test('writes the quote that ends a formula’s cell as a part of the text', () => {
    expect(written(['=HYPERLINK("http://evil.example","x")', 1])).toContain(
      '"\'=HYPERLINK(""http://evil.example"",""x"")",1\r\n',
    );
  });

  test('keeps numbers as they are, negative ones too', () => {
    expect(written(['Refund', -5.25])).toContain('Refund,-5.25\r\n');
  });
});

describe('a table', () => {
  test('has a column for each single value in the order of the document, by its path', () => {
    const table = tableOf({
      document: '{ data: product(id: "a") { offers { id shop: merchant { slug } price } } }',
      shape: { member: 'offers' },
    });
    expect(table?.columns).toEqual(['id', 'shop.slug', 'price']);
    expect(
      table?.rowsOf({
        data: [
          { price: 1, shop: { slug: 's' } },
          { id: 'b', price: 2 },
        ],
      }),
    ).toEqual([
      [undefined, 's', 1],
      ['b', undefined, 2],
    ]);
  });

  test('is not made of an answer that is no list', () => {
    expect(tableOf({ document: '{ data: product(id: "a") { id } }', shape: 'whole' })).toBeUndefined();
  });

  test('is refused at the start where a row would hold a list of things', () => {
    const source = { document: '{ data: products { nodes { id offers { id } } } }', shape: 'page' } as const;
    expect(() => tableOf(source)).toThrow('offers');
  });

  test('is refused at the start where the list is not there', () => {
    const document = '{ data: merchants { pageInfo { endCursor } } }';
    const table = { rows: 'points', beside: [] };
    expect(() => tableOf({ document, shape: { member: 'pageInfo' }, table })).toThrow('points');
  });
});
