/**
 * Feeds whose values are at the ends of their types, where JavaScript has values that PostgreSQL has not. Such a row costs at most itself:
 * all other rows are imported.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { importFeed } from '../../src/import/import-feed.ts';
import { FEED_FIELDS, type FeedField, type FeedFields } from '../../src/import/readers/feed-row.ts';
import { importTaxonomyText, TAXONOMY } from '../harness/catalogue.ts';
import { FEED_FORMATS, type Format } from '../harness/feed-formats.ts';
import { numbers, ODD_TEXTS, tries } from '../harness/fuzz.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { folderForFile, forFile } from '../harness/lifetime.ts';

const gateway = await forFile(startTestGateway());
const { database } = gateway;
await importTaxonomyText(database, TAXONOMY);
const folder = folderForFile('pda-extreme-');

// Letters in no order, so that no database can compress them.
const pick = numbers(1);
const letters = (length: number, first: number, count: number) =>
  Array.from({ length }, () => String.fromCodePoint(first + pick(count))).join('');
const LENGTHS = [1, 128, 200, 750, 1_000, 2_000, 20_000];
const LONG = LENGTHS.flatMap((length) => [
  letters(length, 0x4e00, 20_000),
  letters(length >> 1, 0x1f300, 600),
  `${letters(length - 1, 0x61, 26)}😀`,
  letters(length, 0x4e00, 20_000).replace(/..../g, '$& '),
  'İ'.repeat(length),
  // Each becomes up to 18 letters when it is folded.
  letters(length, 0xfdf0, 12),
  '>a'.repeat(length),
]);
const NUMBERS = [...'0 -1 1e15 1E+400 -0 NaN Infinity 2147483647 2147483648 999999999'.split(' '), '9'.repeat(15)]
  .concat(['9007199254740993', '9223372036854775807', '9223372036854775808', '9'.repeat(20), '9'.repeat(400)])
  .concat(['0.000000001', '0.0000000001', '1.7976931348623157e308', '0x10', '１２']);
const PRICES = [...NUMBERS, '0.01', '9999999999.99', '10000000000.00', '10000000000.01', '10000000000000.00'].map(
  (number) => `${number} EUR`,
);
const DAYS = [...'0000-01-01 0000-12-31 0001-01-01 0001-01-02 1582-10-10 9999-12-31 9999-12-30 2025-02-29'.split(' ')];
const TIMES = [
  ...DAYS,
  ...'-0001-01-01 +010000-01-01 -271821-04-20 +275760-09-13 10000-01-01 0000-00-00'.split(' '),
].concat(
  DAYS.flatMap((day) =>
    [...'T00:00Z T00:00+14:00 T23:59:59.999-12:00 T24:00Z T23:59:60Z T00:00+23:59 T00:00:00.9999999Z'.split(' ')].map(
      (time) => day + time,
    ),
  ),
);
const PERIODS = TIMES.flatMap((time) => [`${time}/9999-12-31`, `0001-01-01/${time}`, `${time}/${time}`]);
const MEASURES = ['kg', 'mg', 'm3', 'ct', 'fl oz'].flatMap((unit) => NUMBERS.map((number) => `${number} ${unit}`));
const SHIPPING = PRICES.flatMap((price) => [`DE:::${price}`, `:::${price}`, `${price}:${price}:${price}:${price}`]);
const ADDRESSES = [
  'https://a/\ud800',
  `https://a/${letters(2_030, 0x4e00, 20_000)}`,
  'https://xn--a/',
  'http://1.2.3.4.5/',
  'https://a:99999/',
];
const TEXTS = [
  ...ODD_TEXTS,
  ...LONG,
  '\\u0000',
  '\\',
  '"',
  '{}',
  '{NULL}',
  `${'a'.repeat(59)}😀`,
  `${'a'.repeat(39)}😀 EUR`,
];

const OF_FIELD: Partial<Record<string, readonly string[]>> = {
  price: PRICES,
  sale_price: PRICES,
  sale_price_effective_date: PERIODS,
  link: ADDRESSES,
  image_link: ADDRESSES,
  unit_pricing_measure: MEASURES,
  google_product_category: ['222 > a', '-1', '505771'],
  shipping: SHIPPING,
};
const extremesOf = (field: string) => [...TEXTS, ...NUMBERS, ...(OF_FIELD[field] ?? [])];

// `shipping` is no field of its own in a row that was read, but columns and elements have it.
type Fields = FeedFields & { shipping?: string };
const FIELDS = [...FEED_FIELDS, 'shipping'] as FeedField[];

const sound = (id: string): Fields => ({
  id,
  title: `Lamp ${id}`,
  link: `https://shop.example/${id}`,
  price: '20.00 EUR',
  sale_price: '10.00 EUR',
  availability: 'in_stock',
});
const GOOD = ['good-1', 'good-2', 'good-3'];

let feeds = 0;

/** Imports rows between good ones, and expects those. @returns the number of rejected rows. */
async function importAmongGood(format: Format, merchant: string, rows: readonly Fields[]): Promise<number> {
  const [first = '', ...others] = GOOD;
  const held = (row: Fields) =>
    Object.fromEntries(Object.entries(row).map(([field, value]) => [field, format.held?.(value) ?? value]));
  const table = { fields: FIELDS, rows: [sound(first), ...rows.map(held), ...others.map(sound)] };
  const feed = join(folder, String(++feeds));
  writeFileSync(
    feed,
    format.write(table, () => 1),
  );
  const request = { feed, merchant, mode: 'full', isForced: true, observedAt: new Date() } as const;
  const { read, rejected } = await importFeed(database, { currency: 'EUR', country: 'DE' }, request);
  expect(read).toBe(table.rows.length);
  const offers = await database.query<{ sku: string; total: bigint }>(
    `SELECT sku, total FROM offer JOIN merchant ON merchant.id = merchant_id
     WHERE merchant.name = $1 AND sku = ANY ($2) AND withdrawn_at IS NULL ORDER BY sku`,
    [merchant, GOOD],
  );
  expect(offers).toEqual(GOOD.map((sku) => ({ sku, total: 1_000n })));
  return rejected;
}

test.each(
  Object.entries<Format>(FEED_FORMATS),
)('a row of a feed with %s costs at most itself, whichever of its values is extreme', async (name, format) => {
  const rows = FIELDS.flatMap((field) =>
    extremesOf(field).map((value, index): Fields => ({ ...sound(`${field}-${index}`), [field]: value })),
  );
  const rejected = await importAmongGood(format, `Shop of ${name}`, rows);
  expect(rejected).toBeGreaterThan(0);
  expect(rejected).toBeLessThan(rows.length);
});

test('rows with several extreme values cost at most themselves', async () => {
  const extreme = fc
    .constantFrom(...FIELDS)
    .chain((field) => fc.tuple(fc.constant(field), fc.constantFrom(...extremesOf(field))));
  const row = fc.array(extreme, { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.values<Format>(FEED_FORMATS)),
      fc.array(row, { minLength: 1, maxLength: 100 }),
      async (format, rows) => {
        const fields = rows.map((values, index) => ({ ...sound(`x${index}`), ...Object.fromEntries(values) }));
        await importAmongGood(format, 'Shop of several', fields);
      },
    ),
    tries(40),
  );
});

test('what was imported of such rows can be read', async () => {
  const { key } = await gateway.makeKey('enterprise');
  for (const kind of ['products', 'offers', 'history?to=9999-12-31']) {
    const { status, text } = await gateway.get(`/api/v1/exports/${kind}`, { key });
    const last = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
    expect([kind, status, last]).toEqual([kind, 200, expect.objectContaining({ end: true })]);
  }
});
