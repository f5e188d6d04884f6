/** A cluster under load: one of its workers is killed and comes back, another one is added. About a minute. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { examineCluster } from '../../src/cli/doctor/cluster.ts';
import { encodeId } from '../../src/values/id.ts';
import { type Cluster, startCluster } from '../harness/cluster.ts';
import { isDistributedRun } from '../harness/distributed.ts';
import { eventually } from '../harness/eventually.ts';
import { feedRow, importRows } from '../harness/gateway.ts';
import { expectBalance, expectCalm, LOOKUP } from '../harness/service.ts';

const GOODS = Array.from({ length: 24 }, (_, index) => `g${index}`);
const DAY_MS = 86_400_000;

describe.skipIf(!isDistributedRun())('on Citus (set TEST_DISTRIBUTED to run this)', () => {
  let cluster: Cluster;
  let entries = 0;

  /** Imports all goods at a price, each of which is a new entry of the ledger. */
  const price = async (amount: number, at = new Date()) => {
    const rows = GOODS.map((id) => feedRow({ id, title: `Kettle ${id}`, price: `${amount}.00 EUR` }));
    await importRows(cluster.database, 'Kettles', rows, { observedAt: at });
    entries += GOODS.length;
  };
  const productIds = async () =>
    (await cluster.database.query<{ id: bigint }>('SELECT id FROM product ORDER BY id')).map(({ id }) => id);
  const historyOf = (id: bigint) => `/api/v1/products/${encodeId('product', id)}/price-history`;
  const recorded = async () =>
    (await cluster.database.query<{ count: number }>('SELECT count(*)::int AS count FROM ledger'))[0]?.count;
  const totals = async () =>
    (await cluster.database.query<{ total: bigint }>("SELECT DISTINCT total FROM offer WHERE sku LIKE 'g%'")).map(
      ({ total }) => total,
    );

  beforeEach(async () => {
    cluster = await startCluster({ workers: 2, shards: 8 });
    entries = 1;
    await price(20, new Date(Date.now() - 2 * DAY_MS));
    await price(19, new Date(Date.now() - DAY_MS));
  });
  afterEach(() => cluster.end());

  test('while a worker is down, only the histories on it are 503, no import takes half effect, and all is right when it is back', async () => {
    await cluster.start({ ANSWER_CACHE_MB: '0' });
    const ids = await productIds();
    const [lost = 0n] = ids;
    const worker = await cluster.workerOf(lost);
    const homes = await Promise.all(ids.map((id) => cluster.workerOf(id)));
    const kept = ids.find((_, index) => homes[index] !== worker) ?? 0n;
    const load = cluster.load({ paths: [LOOKUP, '/api/v1/products?limit=5', historyOf(lost), historyOf(kept)] });
    await load.answers(200, 100);

    await worker.kill();
    await load.answers(503, 20);
    await expect(price(18)).rejects.toThrow();
    expect(await examineCluster(cluster.database)).toEqual([
      expect.objectContaining({ status: 'problem', says: `127.0.0.1:${worker.port} cannot be reached` }),
    ]);
    expect(await totals()).toEqual([1_900n]);
    await load.answers(200, 100);

    await worker.start();
    await eventually(
      () => cluster.ask(historyOf(lost)),
      ({ status }) => status === 200,
    );
    expect(await recorded()).toBe(entries);
    await price(17);
    expect([await totals(), await recorded()]).toEqual([[1_700n], entries]);
    const books = await load.stop();
    expectCalm(books);
    const failed = books.asked.filter(({ status }) => status !== 200);
    expect(new Set(failed.map(({ path, status }) => `${path} ${status}`))).toEqual(new Set([`${historyOf(lost)} 503`]));
    await expectBalance(cluster.database, { ...books, charged: books.charged + 1 });
  });

  test('requests for the histories on a worker that hangs are 503 in time, and lookups do not wait for them', async () => {
    await cluster.start({ ANSWER_CACHE_MB: '0' });
    const ids = await productIds();
    const worker = await cluster.workerOf(ids[0] ?? 0n);
    for (const id of ids) expect((await cluster.ask(historyOf(id))).status).toBe(200);
    worker.pause();
    // More than the gateway has connections to the database.
    const load = cluster.load({ paths: [...ids.map(historyOf), ...ids.map(() => LOOKUP)], clients: 16 });
    await load.answers(503, 16);
    await load.answers(200, 20);
    worker.resume();
    await load.answers(200, 50);
    const books = await load.stop();
    expect(books.hangs).toBe(0);
    expect(books.asked.filter(({ path, status }) => path === LOOKUP && status !== 200)).toEqual([]);
    expectCalm(books);
  });

  test('a worker is added and shards move to it under load: no request fails, and no entry is lost or doubled', async () => {
    await Promise.all([cluster.start({ ANSWER_CACHE_MB: '0' }), cluster.start({ ANSWER_CACHE_MB: '0' })]);
    const ids = await productIds();
    const load = cluster.load({ paths: [LOOKUP, ...ids.slice(0, 8).map(historyOf)] });
    await load.answers(200, 100);
    await cluster.addWorker();
    await cluster.database.query('SELECT citus_rebalance_start()');
    let amount = 18;
    const isOver = () =>
      cluster.database.query<{ state: string }>(
        'SELECT state::text FROM pg_dist_background_job ORDER BY job_id DESC LIMIT 1',
      );
    await eventually(
      async () => {
        amount = amount === 18 ? 17 : 18;
        await price(amount);
        return isOver();
      },
      ([job]) => job?.state === 'finished',
      120_000,
    );
    const spread = await cluster.database.query<{ shards: number }>(
      "SELECT count(*)::int AS shards FROM citus_shards WHERE table_name = 'ledger'::regclass GROUP BY nodeport",
    );
    expect(spread).toHaveLength(3);
    await expect(cluster.database.script('UPDATE ledger SET total = 1')).rejects.toThrow('append-only');
    expect(await recorded()).toBe(entries);
    await load.answers(200, 100);
    const books = await load.stop();
    expectCalm(books);
    expect(books.count(200)).toBe(books.asked.length);
    await expectBalance(cluster.database, books);
  });
});
