/** The rank of products that an older version has imported. */
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { openTestDatabase } from '../harness/database.ts';
import { feedRow, importRows } from '../harness/gateway.ts';

// What the migrations of the rank have added.
const REVERT = `
  DROP INDEX product_rank_idx, product_brand_idx;
  ALTER TABLE product DROP COLUMN rank, DROP COLUMN is_in_stock;
  ALTER TABLE popular_product DROP COLUMN rank;
  CREATE INDEX product_popularity_idx ON product (popularity, id);
  CREATE INDEX product_brand_idx ON product (brand_id, popularity, id);
  DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_stock_of_products' OR migration_name LIKE '%_rank'`;

test('a catalogue of an older version gets the same ranks as if it were imported anew', async () => {
  const database = await openTestDatabase();
  onTestFinished(() => database.close());
  await importRows(database, 'One', [
    feedRow({ id: 'a', gtin: '4006381333931', brand: 'A', description: 'Yellow.' }),
    feedRow({ id: 'b', gtin: '4006381333948', availability: 'out_of_stock' }),
    feedRow({ id: 'c', gtin: '4006381333955' }),
    feedRow({ id: 'd', gtin: '4006381333962' }),
  ]);
  await importRows(database, 'Two', [feedRow({ id: 'b', gtin: '4006381333948', availability: 'preorder' })]);
  // The only offer in stock is withdrawn.
  await importRows(database, 'One', [
    feedRow({ id: 'a', gtin: '4006381333931', brand: 'A', description: 'Yellow.' }),
    feedRow({ id: 'b', gtin: '4006381333948', availability: 'out_of_stock' }),
    feedRow({ id: 'c', gtin: '4006381333955' }),
  ]);
  const ranks = async () => [
    await database.query('SELECT id, is_in_stock, rank FROM product ORDER BY id'),
    await database.query('SELECT product_id, rank FROM popular_product ORDER BY product_id'),
  ];
  const before = await ranks();
  expect(new Set(before[0]?.map(({ rank }) => rank)).size).toBe(4);
  await database.script(REVERT);
  expect(await migrate(database)).toHaveLength(2);
  expect(await ranks()).toEqual(before);
});
