/** Kept plans of the embedded database (src/database/plan-cache.ts). */
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPlanCache, type PlanCache } from '../src/database/plan-cache.ts';

const CLOSE = 'C'.charCodeAt(0);

let pglite: PGlite;
let plans: PlanCache;
let hasEnded = false;
beforeAll(async () => {
  pglite = await PGlite.create('memory://');
  const run = pglite.execProtocolRawSync.bind(pglite);
  pglite.execProtocolRawSync = (message) => {
    if (hasEnded && message[0] === CLOSE) throw new Error('The database has ended.');
    return run(message);
  };
});
beforeEach(async () => {
  hasEnded = false;
  await pglite.exec(`
    DEALLOCATE ALL;
    DROP TABLE IF EXISTS thing;
    CREATE TABLE thing (id INT, name TEXT);
    INSERT INTO thing VALUES (1, 'a'), (2, 'b')`);
  plans = openPlanCache(pglite);
});
afterAll(() => pglite.close());

const THINGS = 'SELECT * FROM thing WHERE id <= $1 ORDER BY id';
const OTHERS = 'SELECT * FROM thing WHERE id > $1 ORDER BY id';

/** Runs statements in a transaction whose plans are kept. */
const keep = (...statements: string[]) =>
  plans.keep(() =>
    pglite.transaction(async (transaction) => {
      const rows: unknown[][] = [];
      for (const sql of statements) rows.push((await transaction.query(sql, [1])).rows);
      return rows;
    }),
  );
const kept = async () =>
  (
    await pglite.query<{ uses: bigint }>(
      `SELECT generic_plans + custom_plans AS uses FROM pg_prepared_statements WHERE name LIKE 'kept_%' ORDER BY name`,
    )
  ).rows.map(({ uses }) => Number(uses));

test('the plan of a repeated statement is used again', async () => {
  for (let n = 0; n < 3; n += 1) expect(await keep(THINGS)).toEqual([[{ id: 1, name: 'a' }]]);
  expect(await kept()).toEqual([3]);
});

test.each([
  ['table has changed', 'ALTER TABLE thing ADD COLUMN size INT', '0A000', { size: null }],
  ['statement the session has forgotten', 'DEALLOCATE ALL', '26000', {}],
])('plans whose %s fail once, all together, and are then made anew', async (_what, change, code, added) => {
  await keep(THINGS, OTHERS);
  await pglite.exec(change);
  await expect(keep(THINGS)).rejects.toMatchObject({ code });
  expect(await kept()).toEqual([]);
  for (let n = 0; n < 2; n += 1) {
    expect(await keep(THINGS, OTHERS)).toEqual([[{ id: 1, name: 'a', ...added }], [{ id: 2, name: 'b', ...added }]]);
  }
  expect(await kept()).toEqual([2, 2]);
});

test('a statement that fails while it runs keeps its plan', async () => {
  const divided = 'SELECT 1 / (id - $1) AS result FROM thing WHERE id = 1';
  for (let n = 0; n < 2; n += 1) await expect(keep(divided)).rejects.toMatchObject({ code: '22012' });
  expect(await kept()).toEqual([2]);
});

test('the error of a transaction is reported even if its plans cannot be closed', async () => {
  await keep(THINGS);
  await pglite.exec('ALTER TABLE thing ADD COLUMN size INT');
  hasEnded = true;
  await expect(keep(THINGS)).rejects.toMatchObject({ code: '0A000' });
});
