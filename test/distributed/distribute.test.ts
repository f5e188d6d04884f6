/** `pda distribute` on a database that is in use. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { isDistributed } from '../../src/database/distribution.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { makeEmptyDatabase } from '../harness/database.ts';
import { feedRow, importRows, startTestGateway } from '../harness/gateway.ts';
import { run } from '../harness/process.ts';

const THINGS = 40;
const things = (price: number) =>
  Array.from({ length: THINGS }, (_, n) =>
    feedRow({ id: `${n}`, brand: 'Acme', mpn: `M-${n}`, price: `${price} EUR` }),
  );

let home: Awaited<ReturnType<typeof makeEmptyDatabase>>;
let database: Database;
beforeEach(async () => {
  home = await makeEmptyDatabase('cluster');
  database = openPostgres({ url: home.url, purpose: 'bulk' });
  await migrate(database);
  await importRows(database, 'Shop', things(10));
});
afterEach(async () => {
  await database.close();
  await home.drop();
});

const distribute = (...words: string[]) => run('pda', ['distribute', ...words], { DATABASE_URL: home.url });
const entries = () =>
  database.query('SELECT product_id, offer_id, observed_at, total, availability FROM ledger ORDER BY 1, 2, 3');

test('a dry run says what is to be done, and changes nothing', async () => {
  const { status, stdout } = await distribute('--dry-run', '--shards', '4');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^Dry run, nothing was changed\.\n/);
  expect(stdout).toMatch(/^to do +ledger +distributed by product_id over 4 shards$/m);
  expect(await isDistributed(database)).toBe(false);
});

test('all entries and clicks are kept, also clicks of older versions, which name no product', async () => {
  await database.query(
    `INSERT INTO click (product_id, offer_id, day, count)
     SELECT CASE WHEN id % 2 = 0 THEN product_id END, id, '2026-01-01', 3 FROM offer`,
  );
  const before = await entries();
  expect((await distribute('--shards', '4')).status).toBe(0);
  expect(await isDistributed(database)).toBe(true);
  expect(await entries()).toEqual(before);
  expect(
    await database.query(
      'SELECT count(*)::int AS rows, sum(count)::int AS clicks, count(product_id)::int AS products FROM click',
    ),
  ).toEqual([{ rows: THINGS, clicks: 3 * THINGS, products: THINGS }]);
  const lost = await database.query(
    'WITH clicked AS MATERIALIZED (SELECT * FROM click) SELECT FROM clicked JOIN offer ON offer.id = offer_id WHERE offer.product_id <> clicked.product_id',
  );
  expect(lost).toEqual([]);
  await expect(database.query('UPDATE ledger SET total = 1')).rejects.toThrow('ledger is append-only');
  await expect(database.query('DELETE FROM ledger')).rejects.toThrow('ledger is append-only');
});

test('a second run finds nothing to do', async () => {
  await distribute('--shards', '4');
  const { status, stdout } = await distribute('--json');
  expect(status).toBe(0);
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ shards: 4, isDryRun: false });
  expect(report.steps.map(({ state }: { state: string }) => state)).not.toContain('due');
  await importRows(database, 'Shop', things(9));
  expect(await entries()).toHaveLength(2 * THINGS);
});

test('meanwhile, requests are answered and an import loses nothing', async () => {
  const gateway = await startTestGateway({}, openPostgres({ url: home.url }));
  try {
    const { key } = await gateway.makeKey('enterprise');
    const { body } = await gateway.get('/api/v1/products?limit=100', { key });
    const ids: string[] = body.data.map(({ id }: { id: string }) => id);
    let isOver = false;
    const statuses = new Map<number, number>();
    const read = async () => {
      for (let n = 0; !isOver; n += 1) {
        const path = `/api/v1/products/${ids[n % ids.length]}/price-history?days=${1 + (n % 90)}`;
        const { status } = await gateway.get(path, { key });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    const work = async () => {
      const [{ status }] = await Promise.all([
        distribute('--shards', '4'),
        importRows(database, 'Shop', things(8)),
        importRows(database, 'Other', things(12)),
      ]);
      isOver = true;
      return status;
    };
    const [status] = await Promise.all([work(), read(), read()]);
    expect(status).toBe(0);
    expect([...statuses.keys()]).toEqual([200]);
    expect(await isDistributed(database)).toBe(true);
    expect(await entries()).toHaveLength(3 * THINGS);
    const { text } = await gateway.get(`/api/v1/products/${ids[0]}/price-history?days=1`, { key });
    expect(JSON.parse(text).data.points).toMatchObject([{ min: 8, max: 12 }]);
  } finally {
    await gateway.stop();
  }
});

test('another number of shards is refused, with the present one', async () => {
  await distribute('--shards', '4');
  const { status, stderr } = await distribute('--shards', '8');
  expect([status, stderr]).toEqual([2, expect.stringContaining('The ledger already has 4 shards')]);
});

describe('is refused', () => {
  test('by a worker, which gets no tables', async () => {
    const url = home.servers[1] ?? '';
    const { status, stderr } = await run('pda', ['distribute'], { DATABASE_URL: url });
    expect([status, stderr]).toEqual([2, expect.stringContaining('This server is a worker')]);
    const worker = openPostgres({ url });
    const tables = await worker.query("SELECT FROM pg_tables WHERE schemaname = 'public' AND tablename = 'product'");
    await worker.close();
    expect(tables).toEqual([]);
  });

  test('by a coordinator without workers', async () => {
    await database.query(`SELECT citus_remove_node(nodename, nodeport) FROM pg_dist_node WHERE groupid > 0`);
    const { status, stderr } = await distribute();
    expect([status, stderr]).toEqual([2, expect.stringContaining('The cluster has no worker. Add each with')]);
  });
});
