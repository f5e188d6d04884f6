/** Lists as tables and tables as CSV, with any text that a shop may write (docs/api.md, Tables). */
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { toCsv } from '../src/rest/csv.ts';
import { type Cell, tableOf } from '../src/rest/table.ts';

describe('a table as text', () => {
  const written = (...rows: Cell[][]) => toCsv(['name', 'price'], rows);

  test('has a header line and a line per row, each ending in CRLF, even without rows', () => {
    expect(written(['Kettle', 12.5], ['Mug', 3])).toBe('name,price\r\nKettle,12.5\r\nMug,3\r\n');
    expect(written()).toBe('name,price\r\n');
  });

  test('quotes text with a comma, a quote or any line break', () => {
    const names = ['Mug, red', '7" plate', 'two\nlines', 'two\r\nlines', 'two\rlines', ' blanks '];
    const text = written(...names.map((name) => [name, 1]));
    expect(text).toContain('"7"" plate",1\r\n');
    const [, ...rows] = parse(text, { record_delimiter: '\r\n' });
    expect(rows).toEqual(names.map((name) => [name, '1']));
  });

  test('leaves unknown values empty', () => {
    expect(written([undefined, undefined])).toBe('name,price\r\n,\r\n');
  });

  test.each([
    ['=1+1', "'=1+1"],
    ['+49', "'+49"],
    ['-5', "'-5"],
    ['@SUM(A1)', "'@SUM(A1)"],
    // Some spreadsheets end a cell at a tab or a line break.
    ['\t=1', "'\t'=1"],
    ['\r=1', "'\r'=1"],
    ['＝1', "'＝1"],
  ])('prevents %j from being read as a formula', (name, text) => {
    expect(parse(written([name, 1]), { columns: true })).toEqual([{ name: text, price: '1' }]);
  });

  test('escapes a quote that would end the cell of a formula', () => {
    expect(written(['=HYPERLINK("http://evil.example","x")', 1])).toContain(
      '"\'=HYPERLINK(""http://evil.example"",""x"")",1\r\n',
    );
  });

  test('does not change numbers, even negative ones', () => {
    expect(written(['Refund', -5.25])).toContain('Refund,-5.25\r\n');
  });
});

describe('a table', () => {
  test('has a column for each scalar value, named by its path, in the order of the document', () => {
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

  test('does not exist for an answer that is not a list', () => {
    expect(tableOf({ document: '{ data: product(id: "a") { id } }', shape: 'whole' })).toBeUndefined();
  });

  test('is refused at start if a row would contain a list of objects', () => {
    const source = { document: '{ data: products { nodes { id offers { id } } } }', shape: 'page' } as const;
    expect(() => tableOf(source)).toThrow('offers');
  });

  test('is refused at start if the list does not exist', () => {
    const document = '{ data: merchants { pageInfo { endCursor } } }';
    const table = { rows: 'points', beside: [] };
    expect(() => tableOf({ document, shape: { member: 'pageInfo' }, table })).toThrow('points');
  });
});
