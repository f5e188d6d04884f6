/** Refunds for failed requests while the service stops. */
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createKey, usageOf } from '../src/access/key-admin.ts';
import { openMeter } from '../src/access/meter.ts';
import type { Queryable } from '../src/database/database.ts';
import { decodeId } from '../src/values/id.ts';
import { openTestDatabase } from './harness/database.ts';

test('stopping waits for all refunds in progress', async () => {
  const database = await openTestDatabase();
  onTestFinished(() => database.close());
  const { id } = await createKey(database, { name: 'counted', plan: 'starter' });
  const keyId = decodeId('key', id) ?? 0n;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const holding: Queryable = {
    async query<Row>(sql: string, parameters?: readonly unknown[]) {
      if (sql.includes('UPDATE usage_counter')) await held;
      return database.query<Row>(sql, parameters);
    },
    script: (sql) => database.script(sql),
  };
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
  expect((await usageOf(database, { keyId: id }))[0]?.used).toBe(5);
});
