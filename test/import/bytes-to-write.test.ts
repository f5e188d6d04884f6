/** The estimated disk space of an import, depending on its changes. */
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { bytesToWrite } from '../../src/import/disk-space.ts';
import type { Staging } from '../../src/import/staging.ts';
import { openTestDatabase } from '../harness/database.ts';

const KIB = 1024;

/** The estimate for a plan over a feed of 1,000 rows with long texts. */
async function estimate(database: Database, { added = 0, changed = 0, gone = 0 }): Promise<number> {
  return database.transaction(async (transaction) => {
    await transaction.script(`
      CREATE TEMPORARY TABLE staged ON COMMIT DROP AS
        SELECT n AS position, 'https://shop.example/' AS link, repeat(md5(n::text), 50) AS description FROM generate_series(1, 1000) AS n;
      CREATE TEMPORARY TABLE matched ON COMMIT DROP AS
        SELECT n AS position, CASE WHEN n > ${added} THEN n END AS offer_id, FALSE AS is_known, NULL::text AS fault FROM generate_series(1, 1000) AS n;
      CREATE TEMPORARY TABLE differing ON COMMIT DROP AS SELECT n AS position FROM generate_series(1, ${changed}) AS n;
      CREATE TEMPORARY TABLE gone ON COMMIT DROP AS SELECT n AS offer_id FROM generate_series(1, ${gone}) AS n`);
    return bytesToWrite(transaction, { table: 'staged' } as Staging);
  });
}

test('new prices need space for the prices, not for new products and their texts', async () => {
  const database = await openTestDatabase();
  onTestFinished(() => database.close());
  const [added, changed, gone] = [
    await estimate(database, { added: 1_000 }),
    await estimate(database, { changed: 1_000 }),
    await estimate(database, { gone: 1_000 }),
  ];
  expect(gone).toBe(10_000 * KIB);
  expect(changed).toBe(gone + 2 * 1_000 * 'https://shop.example/'.length);
  // The texts have 1,600 bytes.
  expect(added).toBeGreaterThan(gone + 2 * 1_000 * 1_600);
  expect(await estimate(database, {})).toBe(0);
});
