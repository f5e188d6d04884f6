/** Metering of requests that arrive together, while the service stops, beside a long transaction, and after lost answers. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createKey, usageOf } from '../src/access/key-admin.ts';
import { openMeter } from '../src/access/meter.ts';
import { type Database, DatabaseUnavailable } from '../src/database/database.ts';
import { openPostgres } from '../src/database/postgres.ts';
import { decodeId } from '../src/values/id.ts';
import { makePostgresDatabase, openTestDatabase } from './harness/database.ts';
import { forTest } from './harness/lifetime.ts';
import { type RunStatement, withMovingJournal, withQuery } from './harness/moving-journal.ts';
import { signal } from './harness/signal.ts';

async function makeCountedKey(database: Database) {
  const { id } = await createKey(database, { name: 'counted', plan: 'starter' });
  return { id, keyId: decodeId('key', id) ?? 0n };
}

const usedBy = async (database: Database, keyId: string) => (await usageOf(database, { keyId }))[0]?.used;

test('requests that arrive together are counted with one statement, whatever their keys', async () => {
  const database = await forTest(openTestDatabase());
  const [one, other] = [await makeCountedKey(database), await makeCountedKey(database)];
  const sizes: (number | undefined)[] = [];
  const meter = openMeter(
    withQuery(database, (sql, parameters, options) => {
      if (options?.name?.startsWith('charge')) sizes.push(options.batchSize);
      return database.query(sql, parameters, options);
    }),
  );
  const keys = Array.from({ length: 40 }, (_, n) => (n % 4 === 0 ? other : one));
  await Promise.all(keys.map(({ keyId }) => meter.charge(keyId, 1_000, 1)));
  await meter.drain();
  expect(sizes).toEqual([40]);
  expect([await usedBy(database, one.id), await usedBy(database, other.id)]).toEqual([30, 10]);
});

test('a flood on a key that is used up costs a statement once in a while, and a refund or a larger quota ends it', async () => {
  const database = await forTest(openTestDatabase());
  const { keyId } = await makeCountedKey(database);
  let statements = 0;
  const meter = openMeter(
    withQuery(database, (sql, parameters, options) => {
      if (options?.name?.startsWith('charge')) statements += 1;
      return database.query(sql, parameters, options);
    }),
  );
  const { day } = await meter.charge(keyId, 2, 2);
  for (let turn = 0; turn < 50; turn += 1)
    expect(await meter.charge(keyId, 2, 1)).toMatchObject({ isGranted: false, used: 2 });
  expect(statements).toBeLessThan(10);
  expect(await meter.charge(keyId, 3, 1)).toMatchObject({ isGranted: true, used: 3 });
  meter.refund(keyId, day, 1);
  await meter.drain();
  expect(await meter.charge(keyId, 3, 1)).toMatchObject({ isGranted: true, used: 3 });
});

test('stopping waits for all refunds in progress', async () => {
  const database = await forTest(openTestDatabase());
  const { id, keyId } = await makeCountedKey(database);
  const { raise: release, raised: held } = signal();
  const holding = withQuery(database, async (sql, ...rest) => {
    if (sql.includes('UPDATE usage_counter')) await held;
    return database.query(sql, ...rest);
  });
  const meter = openMeter(holding);
  const { day } = await meter.charge(keyId, 1_000, 10);
  meter.refund(keyId, day, 2);
  await setImmediate();
  meter.refund(keyId, day, 3);
  let isDrained = false;
  const draining = meter.drain().then(() => {
    isDrained = true;
  });
  await setImmediate();
  expect(isDrained).toBe(false);
  release();
  await draining;
  expect(await usedBy(database, id)).toBe(5);
});

describe('beside a long transaction', () => {
  const CHARGES = 3_000;
  // PostgreSQL keeps a plan after five executions.
  const EARLY_CHARGES = 10;
  // Pages of the index and the table that lead to the newest version, for the search and for the update.
  const MOST_PAGES = 20;

  test('a charge reads as few pages after thousands of others, and every request is counted', async () => {
    const { url, drop } = await makePostgresDatabase();
    // One connection with the server's planner settings, so that its plans suit a small table.
    const [database, other] = [openPostgres({ url, poolSize: 1, purpose: 'bulk' }), openPostgres({ url })];
    onTestFinished(async () => {
      await database.close();
      await other.close();
      await drop();
    });
    const { id, keyId } = await makeCountedKey(database);
    let statement: string | undefined;
    const meter = openMeter(
      withQuery(database, (sql, parameters, options) => {
        if (options?.name?.startsWith('charge')) statement = options.name;
        return database.query(sql, parameters, options);
      }),
    );
    let charged = 0;
    const charge = async () => {
      charged += 1;
      await meter.charge(keyId, 1_000_000, 1);
    };
    // The server may analyse the new tables meanwhile, which is a transaction too.
    const chargeUntilNormal = async () => {
      do await charge();
      while (statement !== 'charge');
    };
    const pagesOf = async (sql: string) => {
      type Plan = [{ Plan: Record<'Shared Hit Blocks' | 'Shared Read Blocks', number> }];
      const [row] = await database.query<{ 'QUERY PLAN': Plan }>(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`);
      const plan = row?.['QUERY PLAN'][0].Plan;
      return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
    };

    await chargeUntilNormal();
    await database.script('VACUUM ANALYZE usage_counter');
    const month = new Date().toISOString().slice(0, 7);
    const sql = `SELECT FROM charge_newest('${month}', '{${keyId}}', '{1}', '{1000000}', true, 1)`;
    for (let n = 0; n < EARLY_CHARGES; n += 1) await database.query(sql);
    await other.transaction(async (open) => {
      await open.query('SELECT pg_current_xact_id()');
      while (charged < CHARGES) await charge();
      expect(statement).toBe('charge_newest');
      // The server analyses tables when it likes. The first execution afterwards makes a new plan, for which it reads 130 pages of the catalogue.
      await database.script('ANALYZE usage_counter');
      await database.query(sql);
      expect(await pagesOf(sql)).toBeLessThan(MOST_PAGES);
      expect(await pagesOf('SELECT FROM usage_counter')).toBeGreaterThan(MOST_PAGES);
    });
    await chargeUntilNormal();
    await meter.drain();
    expect(await usedBy(database, id)).toBe(charged + EARLY_CHARGES + 2);
    expect(await database.query('SELECT FROM usage_journal')).toEqual([]);
  });
});

describe('when each answer shows the row of the journal on another page', () => {
  const lost = () => new DatabaseUnavailable('The answer was lost.', { isUndecided: true });

  test('a charge whose answer is lost is counted once, and its request is answered', async () => {
    const database = await forTest(openTestDatabase());
    const { id, keyId } = await makeCountedKey(database);
    let charges = 0;
    const losing: RunStatement = async (sql, parameters, options) => {
      charges += 1;
      const rows = await database.query(sql, parameters, options);
      if (charges % 7 === 0) throw lost();
      return rows as never;
    };
    const meter = openMeter(withMovingJournal(database, losing));
    for (let n = 1; n <= 100; n += 1) {
      const { isGranted, used } = await meter.charge(keyId, 1_000, 1);
      expect([isGranted, used]).toEqual([true, n]);
    }
    await meter.drain();
    expect(await usedBy(database, id)).toBe(100);
    expect(await database.query('SELECT FROM usage_journal')).toEqual([]);
  });

  test.each([
    ['after many others', 100],
    ['when its meter has stopped', 5],
  ])('a charge that was given up and arrives %s fails', async (_, number) => {
    const database = await forTest(openTestDatabase());
    const { id, keyId } = await makeCountedKey(database);
    let arrive: (() => Promise<unknown>) | undefined;
    let charges = 0;
    const delaying: RunStatement = (sql, parameters, options) => {
      charges += 1;
      if (charges !== 5) return database.query(sql, parameters, options) as never;
      arrive = () => database.query(sql, parameters);
      return Promise.reject(lost());
    };
    const meter = openMeter(withMovingJournal(database, delaying));
    for (let n = 0; n < number; n += 1) await meter.charge(keyId, 1_000, 1);
    await meter.drain();
    await expect(arrive?.()).rejects.toThrow(/null value/);
    expect(await usedBy(database, id)).toBe(number);
  });

  test.each([
    ['without a counter', undefined, 3, 10, true],
    ['without a counter, beyond the quota', undefined, 12, 10, true],
    ['without a counter, beyond the quota, indivisible', undefined, 12, 10, false],
    ['within the quota', { used: 4, dayStarts: '{0,1,4}' }, 3, 10, true],
    ['beyond the quota', { used: 8, dayStarts: '{0,1,4}' }, 3, 10, true],
    ['beyond the quota, indivisible', { used: 8, dayStarts: '{0,1,4}' }, 3, 10, false],
    ['with a quota lower than the count', { used: 20, dayStarts: '{0,1,4}' }, 3, 10, true],
    ['after days without a charge', { used: 4, dayStarts: '{0}' }, 3, 10, true],
    ['on a day with earlier charges', { used: 4, dayStarts: '{0,1,2,3,3}' }, 1, 10, true],
    ['from before days were recorded', { used: 4, dayStarts: '{}' }, 3, 10, true],
  ])('charge_newest charges a key %s as CHARGE does', async (_, before, cost, allowance, isDivisible) => {
    const database = await forTest(openTestDatabase());
    const day = 5;
    const outcome = async (isMoving: boolean) => {
      const { keyId } = await makeCountedKey(database);
      const now = () => new Date(Date.UTC(2026, 0, day));
      let statement: string | undefined;
      const run: RunStatement = (sql, parameters, options) => {
        statement = options?.name;
        return database.query(sql, parameters, options);
      };
      const meter = isMoving
        ? openMeter(withMovingJournal(database, run), () => {}, now)
        : openMeter(database, () => {}, now);
      // The second statement moves the row, so the third is the first to use charge_newest.
      const { keyId: other } = await makeCountedKey(database);
      for (let n = 0; n < 2; n += 1) await meter.charge(other, 10, 1);
      if (before) {
        await database.query(
          "INSERT INTO usage_counter (key_id, month, quota, used, granted, day_starts) VALUES ($1, '2026-01', 1, $2, 0, $3)",
          [keyId, before.used, before.dayStarts],
        );
      }
      const costs = isDivisible ? Array.from({ length: cost }, () => 1) : [cost];
      const answers = await Promise.all(costs.map((each) => meter.charge(keyId, allowance, each)));
      if (isMoving) expect(statement).toBe('charge_newest');
      await meter.drain();
      const [row] = await database.query(
        'SELECT quota, used, granted, day_starts::text AS "dayStarts" FROM usage_counter WHERE key_id = $1',
        [keyId],
      );
      return { answers, row };
    };
    const usual = await outcome(false);
    expect(usual.row).toBeDefined();
    expect(await outcome(true)).toEqual(usual);
  });
});
