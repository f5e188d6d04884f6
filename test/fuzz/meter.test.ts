/**
 * Metering under random load: concurrent charges of any cost from several processes, refunds, and changes of day and month.
 * Each meter stands for a process; they share only the database. One of them counts as beside a long transaction.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKey, usageOf } from '../../src/access/key-admin.ts';
import { type Charge, openMeter } from '../../src/access/meter.ts';
import { decodeId } from '../../src/values/id.ts';
import { openTestDatabase } from '../harness/database.ts';
import { tries } from '../harness/fuzz.ts';
import { forFile } from '../harness/lifetime.ts';
import { withMovingJournal } from '../harness/moving-journal.ts';

const database = await forFile(openTestDatabase());

const METERS = 3;
const KEYS = 2;

/** Charges and refunds that happen at the same time. */
const turn = fc.record({
  charges: fc.array(
    fc.record({
      meter: fc.nat(METERS - 1),
      key: fc.nat(KEYS - 1),
      cost: fc.oneof(
        { weight: 3, arbitrary: fc.constant(1) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 12 }) },
      ),
    }),
    { maxLength: 14 },
  ),
  /** Which earlier grants are refunded meanwhile, and by which meter. */
  refunds: fc.array(fc.record({ pick: fc.nat(), meter: fc.nat(METERS - 1) }), { maxLength: 4 }),
  /** The hours that pass before this turn. */
  hours: fc.oneof(fc.constant(0), fc.nat(30)),
});

interface Grant {
  key: number;
  cost: number;
  day: string;
}

test('no key exceeds its allowance, and the counts of days and months match the granted charges minus refunds', async () => {
  const situation = fc.record({
    // Shortly before the end of a month, such as one of 28 days and the last of a year.
    start: fc.constantFrom('2026-02-27T05:00:00Z', '2025-12-31T20:00:00Z', '2026-05-14T23:30:00Z'),
    allowances: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: KEYS, maxLength: KEYS }),
    turns: fc.array(turn, { minLength: 1, maxLength: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(situation, async ({ start, allowances, turns }) => {
      let now = Date.parse(start);
      const failures: unknown[] = [];
      const meters = Array.from({ length: METERS }, (_, index) =>
        openMeter(
          index === 0 ? withMovingJournal(database) : database,
          (error) => failures.push(error),
          () => new Date(now),
        ),
      );
      const ids = await Promise.all(
        allowances.map(async () => (await createKey(database, { name: 'fuzzed', plan: 'starter' })).id),
      );
      const keyIds = ids.map((id) => decodeId('key', id) ?? 0n);
      const granted: Grant[] = [];
      const returned: Grant[] = [];
      const sum = (grants: Grant[], key: number, time: string) =>
        grants.reduce((all, each) => all + (each.key === key && each.day.startsWith(time) ? each.cost : 0), 0);
      const inForce = (key: number, time: string) => sum(granted, key, time) - sum(returned, key, time);
      // For two seconds a meter refuses a key that it saw used up, even if another meter gives requests back meanwhile.
      const seenFull = new Set<string>();
      const sighting = ({ meter, key }: { meter: number; key: number }, month: string) => `${meter} ${key} ${month}`;

      for (const { charges, refunds, hours } of turns) {
        now += hours * 3_600_000;
        const month = new Date(now).toISOString().slice(0, 7);
        const before = keyIds.map((_, key) => inForce(key, month));
        const mayRefuse = new Set(seenFull);
        const asking = charges.map(({ meter, key, cost }) =>
          meters[meter]?.charge(keyIds[key] ?? 0n, allowances[key] ?? 0, cost),
        );
        let refunded = 0;
        for (const { pick, meter } of refunds) {
          const grant = granted.splice(pick % Math.max(granted.length, 1), 1)[0];
          if (!grant) continue;
          granted.push(grant);
          if (returned.includes(grant)) continue;
          returned.push(grant);
          if (grant.day.startsWith(month)) refunded += grant.cost;
          meters[meter]?.refund(keyIds[grant.key] ?? 0n, grant.day, grant.cost);
        }
        const answers = await Promise.all(asking);
        for (const [index, answer] of answers.entries()) {
          const { meter, key, cost } = charges[index] ?? { meter: 0, key: 0, cost: 0 };
          checkAnswer(answer, allowances[key] ?? 0);
          if (answer?.isGranted) granted.push({ key, cost, day: answer.day });
          if (answer && answer.used >= (allowances[key] ?? 0)) seenFull.add(sighting({ meter, key }, month));
        }
        await Promise.all(meters.map((meter) => meter.drain()));

        for (const [key, id] of ids.entries()) {
          const allowance = allowances[key] ?? 0;
          const [usage] = await usageOf(database, { keyId: id, month });
          expect(usage?.used).toBe(inForce(key, month));
          expect(usage?.used).toBeLessThanOrEqual(allowance);
          const own = charges.map((charge, index) => ({ ...charge, isGranted: answers[index]?.isGranted }));
          const refused = own.filter(
            (charge) => charge.key === key && !charge.isGranted && !mayRefuse.has(sighting(charge, month)),
          );
          // No charge is refused that fits into the allowance together with all others of the turn, even without refunds.
          const asked = own.reduce((all, charge) => all + (charge.key === key ? charge.cost : 0), 0);
          if ((before[key] ?? 0) + asked <= allowance) expect(refused).toEqual([]);
          const least = Math.min(...refused.map(({ cost }) => cost));
          if (refunded === 0 && refused.length > 0) expect((usage?.used ?? 0) + least).toBeGreaterThan(allowance);
        }
      }
      for (const [key, id] of ids.entries()) {
        for (const month of new Set(granted.map((grant) => grant.day.slice(0, 7)))) {
          const [usage] = await usageOf(database, { keyId: id, month });
          expect(usage?.used).toBe(inForce(key, month));
          // Usage does not list days that are in the future by the real clock.
          if (month >= new Date().toISOString().slice(0, 7)) continue;
          expect(usage?.days.reduce((all, { used }) => all + used, 0)).toBe(usage?.used);
          for (const { day, used } of usage?.days ?? []) expect([day, used]).toEqual([day, inForce(key, day)]);
        }
      }
      expect(failures).toEqual([]);
    }),
    tries(25),
  );
});

function checkAnswer(answer: Charge | undefined, allowance: number): void {
  expect(answer?.used).toBeGreaterThanOrEqual(0);
  expect(answer?.used).toBeLessThanOrEqual(allowance);
}
