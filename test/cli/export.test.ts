/** `pda export`: the catalogue as files. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { readLines } from '../harness/exports.ts';
import { feedRow, importRows } from '../harness/gateway.ts';
import { fillHome, makeHome } from '../harness/home.ts';
import { folderForFile, forFile } from '../harness/lifetime.ts';
import { run } from '../harness/process.ts';

const MANY = 700;

const folder = folderForFile('pda-export-');
const home = await forFile(makeHome());
await fillHome(home);
await home.within(async (database) => {
  await importRows(database, 'Lamps', [
    feedRow({ id: 'l', title: '=Lamp; "bright"', price: '19.99 EUR', shipping: 'DE:::4.01 EUR', color: 'Red' }),
  ]);
  await importRows(
    database,
    'Mass',
    Array.from({ length: MANY }, (_, n) => feedRow({ id: `${n}` })),
  );
});

const exporting = (...words: string[]) => run('pda', ['export', ...words], home.environment);

test('standard output has the lines and the last line of the API', async () => {
  const { status, stdout, stderr } = await exporting('offers', '--merchant', 'lamps');
  expect([status, stderr]).toEqual([0, '']);
  const { lines, end } = readLines(stdout);
  expect(lines).toEqual([expect.objectContaining({ price: 19.99, shipping: 4.01, totalPrice: 24, currency: 'EUR' })]);
  expect(end).toEqual({ end: true, count: 1, cursor: expect.any(String) });
});

test('--shipping known leaves out offers with unknown shipping', async () => {
  const { lines } = readLines((await exporting('offers', '--shipping', 'known')).stdout);
  expect(lines.map(({ totalPrice, shippingKnown }) => [totalPrice, shippingKnown])).toEqual([[24, true]]);
});

test('a file appears under its name only, with a summary', async () => {
  const out = join(folder, 'products.ndjson');
  const { status, stdout } = await exporting('products', '--out', out, '--json');
  expect(status).toBe(0);
  const summary = JSON.parse(stdout);
  expect(summary).toEqual({
    kind: 'products',
    format: 'ndjson',
    lines: MANY + 2,
    cursor: expect.any(String),
    file: out,
  });
  const { lines, end } = readLines(readFileSync(out, 'utf8'));
  expect(lines).toHaveLength(MANY + 2);
  expect(end.cursor).toBe(summary.cursor);
  expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
});

test('the ending of a file says its format, unless --format does', async () => {
  const out = join(folder, 'by-name.csv');
  expect(JSON.parse((await exporting('offers', '--out', out, '--json')).stdout).format).toBe('csv');
  expect(readFileSync(out, 'utf8')).toMatch(/^id,product_id,/);
  const { stdout } = await exporting('offers', '--format', 'ndjson', '--out', out, '--json');
  expect(JSON.parse(stdout).format).toBe('ndjson');
});

test('CSV has a column for each member, and no formulas', async () => {
  const { stdout } = await exporting('products', '--merchant', 'lamps', '--format', 'csv');
  const [row, ...others] = parse(stdout, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[];
  expect(others).toEqual([]);
  expect(row).toMatchObject({ name: `'=Lamp; "bright"`, attributes: '{"color":"Red"}', brand: '' });
  const { stdout: all } = await exporting('offers', '--format', 'csv');
  expect(parse(all, { columns: true })).toHaveLength(MANY + 2);
  const { stdout: none } = await exporting('offers', '--format', 'csv', '--brand', 'nobody');
  expect(none).toMatch(/^id,product_id,merchant_id,merchant_slug,.*\r\n$/);
});

test('Parquet has types, decimals, and the cursor of the changes that follow', async () => {
  const read = async (kind: string, ...words: string[]) => {
    const out = join(folder, `${kind}.parquet`);
    const { status, stdout, stderr } = await exporting(kind, '--format', 'parquet', '--out', out, '--json', ...words);
    expect([status, stderr]).toEqual([0, '']);
    const bytes = readFileSync(out);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    return { rows: await parquetReadObjects({ file }), metadata: parquetMetadata(file), ...JSON.parse(stdout) };
  };
  const offers = await read('offers');
  expect(offers.rows).toHaveLength(MANY + 2);
  expect(offers.rows).toContainEqual(
    expect.objectContaining({
      merchant_slug: 'lamps',
      price: expect.closeTo(19.99, 6),
      shipping: expect.closeTo(4.01, 6),
      total_price: 24,
      updated_at: expect.any(Date),
    }),
  );
  expect(offers.metadata.key_value_metadata).toEqual([{ key: 'changes_cursor', value: offers.cursor }]);
  const products = await read('products', '--merchant', 'lamps');
  expect(products.rows).toEqual([
    expect.objectContaining({ attributes: { color: 'Red' }, created_at: expect.any(Date) }),
  ]);
  const history = await read('history', '--merchant', 'lamps');
  expect(history.rows).toEqual([
    expect.objectContaining({ listed: true, total_price: 24, observed_at: expect.any(Date) }),
  ]);
});

test.each([
  [['reviews'], 'Allowed choices'],
  [['offers', '--format', 'xml'], 'Allowed choices'],
  [['offers', '--from', '2030-01-01'], 'Leave them out'],
  [['history', '--from', 'yesterday'], 'is not a day'],
  [['history', '--shipping', 'known'], 'Leave it out'],
  [['offers', '--min-price', '9', '--max-price', '1'], 'swap them'],
  [['offers', '--json'], 'needs --out'],
  [['offers', '--out', '/nowhere/offers.csv'], 'does not exist'],
])('%j is refused with what is allowed', async (words, said) => {
  const { status, stderr } = await exporting(...words);
  expect([status, stderr]).toEqual([2, expect.stringContaining(said)]);
});
