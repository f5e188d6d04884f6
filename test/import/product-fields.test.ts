/** A product field of feeds is declared once: a row in the table and a column are enough. */
import { expect, onTestFinished, test } from 'vitest';
import { type ProductField, productField, storedIn } from '../../src/import/product-field.ts';
import { PRODUCT_FIELDS } from '../../src/import/product-fields.ts';
import { FEED_FIELDS, FIRST_VALUE_COUNTS } from '../../src/import/readers/feed-row.ts';
import { openTestDatabase } from '../harness/database.ts';
import { feedRow, importRows } from '../harness/gateway.ts';

const material = productField({
  name: 'material',
  feedFields: ['material'],
  longest: 20,
  read: ({ material }) => material,
  ...storedIn('material', 'TEXT'),
  fillsGaps: true,
});
const pattern = productField({
  name: 'pattern',
  feedFields: ['pattern'],
  read: ({ pattern }) => pattern,
  ...storedIn('pattern', 'TEXT'),
  fillsGaps: false,
});
const productFields: ProductField[] = [...PRODUCT_FIELDS, material, pattern];

test('a new field needs one column and one row in the table', async () => {
  const database = await openTestDatabase();
  onTestFinished(() => database.close());
  await database.script('ALTER TABLE product ADD COLUMN material TEXT, ADD COLUMN pattern TEXT');
  const gtins = { chair: '4006381333931', table: '4006381333948' };
  const chair = feedRow({ id: 'chair', gtin: gtins.chair, material: 'oak', pattern: 'plain' });
  const table = feedRow({ id: 'table', gtin: gtins.table });
  const read = () =>
    database.query<{ slug: string; material: string | null; pattern: string | null; filled_by: string | null }>(
      `SELECT product.slug, product.material, product.pattern, merchant.name AS filled_by
       FROM product
       LEFT JOIN product_field ON product_field.product_id = product.id AND product_field.field = 'material'
       LEFT JOIN merchant ON merchant.id = product_field.merchant_id
       ORDER BY product.id`,
    );

  await importRows(database, 'First', [chair, table], { productFields });
  expect(await read()).toEqual([
    { slug: 'thing-chair', material: 'oak', pattern: 'plain', filled_by: null },
    { slug: 'thing-table', material: null, pattern: null, filled_by: null },
  ]);

  // Another shop has other values: existing ones stay, and a gap is filled if the field allows it.
  const others = [
    { ...chair, material: 'pine' },
    { ...table, material: 'steel', pattern: 'striped' },
  ];
  await importRows(database, 'Second', others, { productFields });
  expect(await read()).toEqual([
    { slug: 'thing-chair', material: 'oak', pattern: 'plain', filled_by: null },
    { slug: 'thing-table', material: 'steel', pattern: null, filled_by: 'Second' },
  ]);

  const tooLong = { ...chair, material: 'x'.repeat(21) };
  const summary = await importRows(database, 'Third', [tooLong], { productFields });
  expect(summary.reasons).toEqual({ field_too_long: 1 });
});

test('readers know the feed fields that the table names, and which of them may repeat', () => {
  for (const { feedFields, repeatable = [] } of PRODUCT_FIELDS) {
    expect(FEED_FIELDS).toEqual(expect.arrayContaining([...feedFields]));
    for (const field of repeatable) expect(FIRST_VALUE_COUNTS).toContain(field);
  }
});
