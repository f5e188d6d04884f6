/** Usage by day is exact, because the days are differences of the counter that enforces the quota. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createKey, usageOf } from '../src/access/key-admin.ts';
import { type Meter, openMeter } from '../src/access/meter.ts';
import { daysOfMonth } from '../src/access/usage-days.ts';
import { decodeId } from '../src/values/id.ts';
import { openTestDatabase } from './harness/database.ts';
import { forFile } from './harness/lifetime.ts';

const database = await forFile(openTestDatabase());

const QUOTA = 1_000;
/** A key, and a meter whose clock the test sets. */
async function openMetered() {
  const { id } = await createKey(database, { name: 'counted', plan: 'starter' });
  const keyId = decodeId('key', id) ?? 0n;
  let day = '2026-05-01';
  const failures: unknown[] = [];
  const meter: Meter = openMeter(
    database,
    (error) => failures.push(error),
    () => new Date(`${day}T12:00:00Z`),
  );
  return {
    keyId,
    meter,
    failures,
    on: (next: string) => {
      day = next;
    },
    charge: (cost: number) => meter.charge(keyId, QUOTA, cost),
    /** The days with requests, as `MM-DD used`. */
    async days(month = '2026-05') {
      const [usage] = await usageOf(database, { keyId: id, month });
      const days = usage?.days.filter(({ used }) => used !== 0).map((each) => `${each.day.slice(5)} ${each.used}`);
      return { used: usage?.used, days };
    },
  };
}

describe('the days of a month', () => {
  test('have the charges of each day, even after days without requests', async () => {
    const { on, charge, days } = await openMetered();
    on('2026-05-03');
    await charge(2);
    await Promise.all([charge(1), charge(4)]);
    on('2026-05-04');
    await charge(3);
    on('2026-05-17');
    await charge(5);
    await charge(1);
    expect(await days()).toEqual({ used: 16, days: ['05-03 7', '05-04 3', '05-17 6'] });
  });

  test('start again with the next month', async () => {
    const { on, charge, days } = await openMetered();
    on('2026-05-31');
    await charge(2);
    on('2026-06-01');
    await charge(3);
    expect(await days()).toEqual({ used: 2, days: ['05-31 2'] });
    expect(await days('2026-06')).toEqual({ used: 3, days: ['06-01 3'] });
  });

  test('do not include requests that the quota refused', async () => {
    const { on, charge, days } = await openMetered();
    await charge(QUOTA - 1);
    on('2026-05-02');
    expect((await charge(2)).isGranted).toBe(false);
    expect(await days()).toEqual({ used: QUOTA - 1, days: [`05-01 ${QUOTA - 1}`] });
    expect((await charge(1)).isGranted).toBe(true);
    expect((await days()).days).toEqual([`05-01 ${QUOTA - 1}`, '05-02 1']);
  });

  test('subtract refunds on the day of the charge, whichever day it is by then', async () => {
    const { keyId, on, charge, meter, days, failures } = await openMetered();
    on('2026-05-02');
    await charge(10);
    const late = await charge(5);
    on('2026-05-03');
    await charge(7);
    on('2026-05-05');
    const same = await charge(2);
    meter.refund(keyId, late.day, 5);
    meter.refund(keyId, same.day, 2);
    await meter.drain();
    expect(failures).toEqual([]);
    expect(await days()).toEqual({ used: 17, days: ['05-02 10', '05-03 7'] });
  });

  test('omit usage from before days were recorded', async () => {
    const { keyId, on, charge, days } = await openMetered();
    await database.query(
      'INSERT INTO usage_counter (key_id, month, quota, used, granted) VALUES ($1, $2, 1000, 40, 1)',
      [keyId, '2026-05'],
    );
    on('2026-05-20');
    await charge(2);
    on('2026-05-21');
    await charge(1);
    expect(await days()).toEqual({ used: 43, days: ['05-20 2', '05-21 1'] });
  });
});

describe('daysOfMonth', () => {
  test('returns every day up to the last requested one', () => {
    expect(daysOfMonth([], 0, '2028-02', '2028-03-01')).toHaveLength(29);
    expect(daysOfMonth([], 0, '2026-02', '2026-02-03').map(({ day }) => day)).toEqual([
      '2026-02-01',
      '2026-02-02',
      '2026-02-03',
    ]);
  });

  test('adds up to the total and is never negative, in whatever order the days were opened', () => {
    const start = fc.option(fc.nat(1_000), { nil: null });
    fc.assert(
      fc.property(fc.array(start, { maxLength: 31 }), fc.nat(1_000), ([, ...later], used) => {
        const days = daysOfMonth([0, ...later], used, '2026-01', '2026-12-31');
        expect(Math.min(...days.map((day) => day.used))).toBeGreaterThanOrEqual(0);
        expect(days.reduce((sum, day) => sum + day.used, 0)).toBe(used);
      }),
    );
  });
});
