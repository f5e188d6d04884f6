/** `pda distribute` on a database that is in use. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { detachClicks, distributeTables, planDistribution } from '../../src/database/distribute.ts';
import { isDistributed } from '../../src/database/ledger-home.ts';
import { migrate, ownMigrations } from '../../src/database/migrate.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { writeAlone } from '../../src/import/write-lock.ts';
import { makeEmptyDatabase } from '../harness/database.ts';
import { feedRow, importRows, startTestGateway } from '../harness/gateway.ts';
import { forTest } from '../harness/lifetime.ts';
import { run } from '../harness/process.ts';

const THINGS = 40;
const things = (price: number) =>
  Array.from({ length: THINGS }, (_, n) =>
    feedRow({ id: `${n}`, brand: 'Acme', mpn: `M-${n}`, price: `${price} EUR` }),
  );

const tablesOfSchema = async () =>
  (
    await database.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'",
    )
  )
    .map(({ name }) => name)
    .sort();

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
const doctor = async (url = home.url) =>
  JSON.parse((await run('pda', ['doctor', '--json'], { DATABASE_URL: url })).stdout);
const entries = () =>
  database.query('SELECT product_id, offer_id, observed_at, total, availability FROM ledger ORDER BY 1, 2, 3');

test('a dry run says what is to be done, and changes nothing', async () => {
  const { status, stdout } = await distribute('--dry-run', '--shards', '4');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^Dry run, nothing was changed\.\n/);
  expect(stdout).toMatch(/^to do +ledger +distributed by product_id over 4 shards$/m);
  expect(stdout).toContain('Run `pda distribute` without --dry-run');
  expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThan(200);
  expect(await isDistributed(database)).toBe(false);
  expect((await doctor()).checks).toContainEqual(
    expect.objectContaining({ name: 'cluster', status: 'warning', remedy: 'Run `pda distribute`.' }),
  );
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

test('a run says what it has done, and a second one that there is nothing to do', async () => {
  const first = await distribute('--shards', '4', '--json');
  expect(first.stderr).toContain('Waiting for running imports');
  const { status, stdout, stderr } = await distribute('--json');
  expect([status, stderr]).toEqual([0, '']);
  const [done, report] = [JSON.parse(first.stdout), JSON.parse(stdout)];
  const of = ({ steps }: { steps: { tables: string[]; state: string; changed: boolean }[] }, state: string) =>
    steps.filter((step) => step.state === state).map(({ tables, changed }) => [tables.join(), changed]);
  expect(of(done, 'done')).toEqual(['ledger', 'ledger', 'click', 'click'].map((table) => [table, true]));
  expect(of(report, 'done')).toEqual(['ledger', 'click'].map((table) => [table, false]));
  expect([of(done, 'due'), of(report, 'due')]).toEqual([[], []]);
  expect(report).toMatchObject({ shards: 4, bytes: 0, isDryRun: false });
  expect(report.steps.flatMap(({ tables }: { tables: string[] }) => tables).sort()).toEqual(await tablesOfSchema());
  expect((await doctor()).checks).toContainEqual({
    name: 'cluster',
    status: 'ok',
    says: '2 Citus workers, ledger and clicks in 4 shards each',
  });
  await importRows(database, 'Shop', things(9));
  expect(await entries()).toHaveLength(2 * THINGS);
});

test('meanwhile, requests are answered and an import loses nothing', async () => {
  const gateway = await forTest(startTestGateway({}, openPostgres({ url: home.url })));
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
});

test('another number of shards is refused, with the present one', async () => {
  await distribute('--shards', '4');
  const { status, stderr } = await distribute('--shards', '8');
  expect([status, stderr]).toEqual([2, expect.stringContaining('The ledger already has 4 shards')]);
});

test('an interrupted run leaves only what the next one does: the copy on the coordinator', async () => {
  const planned = await planDistribution(database, 4);
  await detachClicks(database);
  await writeAlone(database, false, (transaction) => distributeTables(transaction, planned));
  const { stdout } = await distribute('--json');
  const { steps } = JSON.parse(stdout);
  expect(steps.filter(({ changed }: { changed: boolean }) => changed)).toEqual([
    expect.objectContaining({ tables: ['ledger'], says: 'the copy that stays on the coordinator is removed' }),
  ]);
  expect(await entries()).toHaveLength(THINGS);
});

test('no request waits for a lock on the offers while the clicks are copied', async () => {
  const planned = await planDistribution(database, 4);
  await detachClicks(database);
  await writeAlone(database, false, async (transaction) => {
    await distributeTables(transaction, planned);
    const locks = await transaction.query(
      "SELECT mode FROM pg_locks WHERE relation = 'offer'::regclass AND mode IN ('AccessExclusiveLock', 'ExclusiveLock')",
    );
    expect(locks).toEqual([]);
  });
});

test('of two runs at once, the second finds the shards of the first', async () => {
  const runs = await Promise.all([distribute('--shards', '4', '--json'), distribute('--shards', '8', '--json')]);
  const done = runs.filter(({ status }) => status === 0).map(({ stdout }) => JSON.parse(stdout).shards);
  expect(new Set(done).size).toBe(1);
  expect(runs.filter(({ status }) => status !== 0).every(({ stderr }) => stderr.includes('already has'))).toBe(true);
});

test('roles get their rights on a distributed database as often as asked', async () => {
  await distribute('--shards', '4');
  const words = [
    'roles',
    '--apply',
    ...['server', 'importer', 'keys'].flatMap((duty) => [`--${duty}`, `pda_test_${duty}`]),
  ];
  const apply = () => run('pda', words, { DATABASE_URL: home.url });
  expect([await apply(), await apply()].map(({ status, stderr }) => [status, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ]);
});

test('a migration that adds a column to the ledger reaches the shards, and imports go on', async () => {
  await distribute('--shards', '4');
  const added = { name: '99990101000000_note', sql: 'ALTER TABLE ledger ADD COLUMN note TEXT', checksum: '' };
  expect(await migrate(database, [...ownMigrations(), added])).toEqual([added.name]);
  await importRows(database, 'Shop', things(9));
  await importRows(database, 'Late', things(12), { observedAt: new Date(Date.now() - 86_400_000) });
  await importRows(database, 'Late', things(13));
  expect(await database.query('SELECT note FROM ledger WHERE note IS NOT NULL')).toEqual([]);
  expect(await entries()).toHaveLength(4 * THINGS);
});

describe('is refused', () => {
  test('by a cluster that has more workers than shards', async () => {
    const { status, stderr } = await distribute('--shards', '1');
    expect([status, stderr]).toEqual([2, expect.stringContaining('2 workers need at least 2 shards')]);
    expect(await isDistributed(database)).toBe(false);
  });

  test('by a worker, which gets no tables', async () => {
    const url = home.servers[1] ?? '';
    const { status, stderr } = await run('pda', ['distribute'], { DATABASE_URL: url });
    expect([status, stderr]).toEqual([2, expect.stringContaining('This server is a worker')]);
    const { checks } = await doctor(url);
    expect(checks).toContainEqual(expect.objectContaining({ name: 'cluster', status: 'problem' }));
    const migrated = await run('pda', ['migrate'], { DATABASE_URL: url });
    expect([migrated.status, migrated.stderr]).toEqual([2, expect.stringContaining('This server is a worker')]);
    const worker = openPostgres({ url });
    const tables = await worker.query("SELECT FROM pg_tables WHERE schemaname = 'public' AND tablename = 'product'");
    await worker.close();
    expect(tables).toEqual([]);
  });

  test('by a coordinator without workers', async () => {
    await database.query(`SELECT citus_remove_node(nodename, nodeport) FROM pg_dist_node WHERE groupid > 0`);
    const { status, stderr } = await distribute();
    expect([status, stderr]).toEqual([2, expect.stringContaining('The cluster has no worker that may hold')]);
    await database.query(`SELECT citus_remove_node(nodename, nodeport) FROM pg_dist_node`);
    expect((await distribute()).stderr).toContain('The cluster has no worker that may hold');
  });
});
