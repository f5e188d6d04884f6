/** An import writes the catalogue on the coordinator and the ledger on the workers in one transaction. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { openTestDatabase } from '../harness/database.ts';
import { feedRow, importRows } from '../harness/gateway.ts';

const THINGS = 60;
const things = (price: number) =>
  Array.from({ length: THINGS }, (_, n) =>
    feedRow({ id: `${n}`, brand: 'Acme', mpn: `M-${n}`, price: `${price} EUR` }),
  );

let database: Database;
beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.close());

/** The database, with transactions that fail after their last statement, if they wrote to the ledger. */
function failingLate(): Database {
  return {
    ...database,
    transaction: (work) =>
      database.transaction(async (transaction) => {
        let wroteLedger = false;
        const result = await work({
          ...transaction,
          query(sql, parameters, options) {
            wroteLedger ||= sql.includes('INSERT INTO ledger');
            return transaction.query(sql, parameters, options);
          },
        });
        if (wroteLedger) throw new Error('The machine stopped.');
        return result;
      }),
  };
}

const totals = async (table: 'ledger' | 'offer') => {
  const rows = await database.query<{ total: bigint; count: number }>(
    `SELECT total, count(*)::int AS count FROM ${table} GROUP BY total ORDER BY total`,
  );
  return rows.map(({ total, count }) => [Number(total), count]);
};

test('an import that fails before its end leaves neither offers nor entries', async () => {
  await expect(importRows(failingLate(), 'Shop', things(10))).rejects.toThrow('The machine stopped.');
  expect(await totals('offer')).toEqual([]);
  expect(await totals('ledger')).toEqual([]);
});

test('an import that fails before its end leaves offers and entries as they were, and the next one succeeds', async () => {
  await importRows(database, 'Shop', things(10));
  await expect(importRows(failingLate(), 'Shop', things(8))).rejects.toThrow('The machine stopped.');
  expect(await totals('offer')).toEqual([[1_000, THINGS]]);
  expect(await totals('ledger')).toEqual([[1_000, THINGS]]);
  await importRows(database, 'Shop', things(8));
  expect(await totals('offer')).toEqual([[800, THINGS]]);
  expect(await totals('ledger')).toEqual([
    [800, THINGS],
    [1_000, THINGS],
  ]);
});

test('entries lie in all shards', async () => {
  await importRows(database, 'Shop', things(10));
  const shards = await database.query<{ result: string }>(
    "SELECT result FROM run_command_on_shards('ledger', 'SELECT count(*) FROM %s')",
  );
  const counts = shards.map(({ result }) => Number(result));
  expect(counts.every((count) => count > 0)).toBe(true);
  expect(counts.reduce((sum, count) => sum + count)).toBe(THINGS);
});

test('no entry of any shard can be changed or deleted', async () => {
  await importRows(database, 'Shop', things(10));
  for (const statement of [
    'UPDATE ledger SET total = 1',
    'UPDATE ledger SET total = 1 WHERE product_id = (SELECT min(product_id) FROM ledger)',
    'DELETE FROM ledger',
    'DELETE FROM ledger WHERE product_id = 1',
  ]) {
    await expect(database.query(statement)).rejects.toThrow('ledger is append-only');
  }
  expect(await totals('ledger')).toEqual([[1_000, THINGS]]);
});
