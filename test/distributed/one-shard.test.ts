/** What is read of one product comes from one shard, so that more machines answer more requests. */
import { expect, test } from 'vitest';
import { createKey } from '../../src/access/key-admin.ts';
import { readConfig } from '../../src/config.ts';
import type { Database, Queryable } from '../../src/database/database.ts';
import { startGateway } from '../../src/gateway.ts';
import { openTestDatabase } from '../harness/database.ts';
import { eventually } from '../harness/eventually.ts';
import { ask, feedRow, importRows } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';
import { capturing, isOnWorkers, type Sent } from '../harness/statements.ts';

const EAN = '4006381333931';
const DAY_MS = 86_400_000;
/** How long a busy machine may take to find a changed product. */
const PATIENCE_MS = 60_000;

const sent: Sent[] = [];

const get = async (path: string) => {
  const answer = await ask(gateway.address + path, { key });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer;
};

/** Waits until the digest has read the products that changed, so that its statements are not taken for those of a request. */
const digested = () =>
  eventually(
    () => database.query('SELECT product_id FROM due_product'),
    ({ length }) => length === 0,
    PATIENCE_MS,
  );

/** The statements on the ledger that the gateway sends while `work` runs, with the shards that each reads. */
async function shardsRead(work: () => Promise<unknown>) {
  sent.length = 0;
  await work();
  const onWorkers = sent.filter(({ sql }) => isOnWorkers(sql));
  return Promise.all(onWorkers.map(async (statement) => ({ name: statement.name, shards: await shardsOf(statement) })));
}

const isWrite = (sql: string) => sql.trimStart().startsWith('INSERT');

/** The number of shards that a statement reads, itself or in its common table expressions. */
async function shardsOf({ sql, parameters }: Sent, connection: Queryable = database): Promise<number> {
  const rows = await connection.query(`EXPLAIN (FORMAT JSON) ${sql}`, parameters);
  const plan = JSON.stringify(rows);
  const shards = new Set(plan.match(/(?<="Relation Name":")(?:ledger|click)_\d+/g));
  const tasks = [...plan.matchAll(/"Task Count":(\d+)/g)].map(([, count]) => Number(count));
  // A plan shows one of several tasks.
  return Math.max(shards.size, ...tasks);
}

const database = await openTestDatabase();
const row = feedRow({ id: 'a', gtin: EAN, price: '12 EUR' });
const other = feedRow({ id: 'b', gtin: '4006381333948' });
await importRows(database, 'Shop', [row, other], { observedAt: new Date(Date.now() - DAY_MS) });
await importRows(database, 'Other', [row], { observedAt: new Date(Date.now() - DAY_MS) });
const { key } = await createKey(database, { name: 'x', plan: 'pro', rateLimit: 1_000 });
const config = readConfig({ PORT: '0', LOG_LEVEL: 'silent', ANSWER_CACHE_MB: '0' });
const gateway = await forFile(startGateway(config, capturing(database, sent)));
await digested();

test.each([
  ['price-history?from=2026-01-01', ['whole_histories']],
  ['price-history?condition=new&availability=in_stock', ['whole_histories', 'lowest_price']],
  ['price-history?merchant=shop', ['price_changes', 'lowest_price']],
  ['price-stats', ['ledger_of_products']],
])('%s of a product reads one shard', async (path, names) => {
  const read = await shardsRead(() => get(`/api/v1/products/thing-a/${path}`));
  expect(read).toEqual(expect.arrayContaining(names.map((name) => ({ name, shards: 1 }))));
  expect(read.every(({ shards }) => shards === 1)).toBe(true);
});

test('the histories of two products are read with one statement, from their shards only', async () => {
  const points = 'priceHistory(days: 10) { points { min } }';
  const query = `{ a: product(id: "thing-a") { ${points} } b: product(id: "thing-b") { ${points} } }`;
  const read = await shardsRead(async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await ask(`${gateway.address}/graphql`, {
      key,
      method: 'POST',
      headers,
      body: JSON.stringify({ query }),
    });
    expect(answer.body.errors).toBeUndefined();
  });
  expect(read.map(({ name }) => name)).toEqual(['whole_histories']);
  expect(read[0]?.shards).toBeLessThanOrEqual(2);
});

test('an announced reduction reads one shard', async () => {
  const row = feedRow({ id: 'a', gtin: EAN, price: '12 EUR', sale_price: '9 EUR' });
  await importRows(database, 'Shop', [row], { mode: 'delta' });
  await digested();
  const read = await shardsRead(() => get('/api/v1/products/thing-a/offers'));
  expect(read).toEqual([{ name: 'reductions', shards: 1 }]);
});

test('a delta feed of one product reads one shard', async () => {
  const read: number[] = [];
  const explaining: Database = {
    ...database,
    transaction: (work) =>
      database.transaction((transaction) => {
        const query: Queryable['query'] = async (sql, parameters = [], options) => {
          if (isOnWorkers(sql) && !isWrite(sql)) read.push(await shardsOf({ name: '', sql, parameters }, transaction));
          return transaction.query(sql, parameters, options);
        };
        return work({ ...transaction, query });
      }),
  };
  await importRows(explaining, 'Shop', [feedRow({ id: 'a', gtin: EAN, price: '11 EUR' })], { mode: 'delta' });
  expect(read).toEqual([1]);
  await digested();
});

test('the digest, which finds deals, reads one shard for a product that changed', async () => {
  const read = await shardsRead(async () => {
    await importRows(database, 'Other', [feedRow({ id: 'a', gtin: EAN, price: '8 EUR' })], { mode: 'delta' });
    await eventually(
      async () => sent.filter(({ sql }) => isOnWorkers(sql)),
      ({ length }) => length > 0,
      PATIENCE_MS,
    );
  });
  expect(read.length).toBeGreaterThan(0);
  expect(read.every(({ shards }) => shards === 1)).toBe(true);
});
