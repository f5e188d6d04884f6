/** How many requests are let in at once, by how fast they are answered; on a clock of the test's own. */
import { expect, test } from 'vitest';
import { type Admission, openAdmission } from '../src/http/admission.ts';

const TARGET_MS = 100;

interface Flow {
  admission: Admission;
  /**
   * Lets so many requests come a second, and answers the oldest as fast as the service can.
   *
   * @returns how many were refused, and how long those that were served took at most and on average, in milliseconds.
   */
  run(milliseconds: number, offered: number, capacity: number): { refused: number; served: number; longest: number };
}

function openFlow(options: { most?: number } = {}): Flow {
  let clock = 0;
  const admission = openAdmission({ targetMs: TARGET_MS, most: 2_000, ...options, now: () => clock });
  const inside: number[] = [];
  let due = 0;
  let done = 0;
  return {
    admission,
    run(milliseconds, offered, capacity) {
      const outcome = { refused: 0, served: 0, longest: 0 };
      for (const end = clock + milliseconds; clock < end; clock += 1) {
        for (due += offered / 1_000; due >= 1; due -= 1) {
          if (admission.enter(() => true)) inside.push(clock);
          else outcome.refused += 1;
        }
        for (done = Math.min(done + capacity / 1_000, inside.length + 1); done >= 1 && inside.length > 0; done -= 1) {
          outcome.longest = Math.max(outcome.longest, clock - (inside.shift() ?? clock));
          outcome.served += 1;
          admission.leave();
        }
      }
      return outcome;
    },
  };
}

test('nobody is refused while the service keeps up', () => {
  const flow = openFlow();
  expect(flow.run(10_000, 5_000, 10_000).refused).toBe(0);
  expect(flow.run(10_000, 9_900, 10_000).refused).toBe(0);
});

test('nobody is refused for being slow while there is no crowd', () => {
  // 50 requests at a time that take a second each.
  expect(openFlow().run(20_000, 50, 50).refused).toBe(0);
});

test('a burst goes through', () => {
  const flow = openFlow();
  flow.run(5_000, 20_000, 10_000);
  flow.run(5_000, 1_000, 10_000);
  // What comes in a twentieth of a second is more than may stay.
  expect(flow.run(40, 40_000, 10_000).refused).toBe(0);
});

test.each([
  500, 2_000, 10_000,
])('three times of what can be served (%i a second) leaves all of that served, in good time', (capacity) => {
  const flow = openFlow();
  flow.run(5_000, 3 * capacity, capacity); // The service learns what it can do.
  const { served, refused, longest } = flow.run(10_000, 3 * capacity, capacity);
  expect(served).toBeGreaterThan(0.99 * 10 * capacity);
  expect(refused).toBeGreaterThan(1.9 * 10 * capacity);
  expect(longest).toBeLessThan(2 * TARGET_MS);
});

test('a service that becomes slower lets fewer in, and as many as before when it recovers', () => {
  const flow = openFlow();
  flow.run(5_000, 20_000, 10_000);
  flow.run(5_000, 20_000, 1_000);
  expect(flow.run(5_000, 20_000, 1_000).longest).toBeLessThan(2 * TARGET_MS);
  flow.run(2_000, 20_000, 10_000);
  expect(flow.run(5_000, 20_000, 10_000).served).toBeGreaterThan(0.99 * 50_000);
});

test('nobody is refused any more once the crowd has gone', () => {
  const flow = openFlow();
  flow.run(5_000, 30_000, 10_000);
  flow.run(2_000, 5_000, 10_000);
  expect(flow.run(10_000, 9_900, 10_000).refused).toBe(0);
});

test('a standstill refuses who cannot be served, and holds no more than before', () => {
  const flow = openFlow();
  flow.run(5_000, 2_000, 1_000);
  flow.run(5_000, 2_000, 0);
  expect(flow.admission.inside).toBeLessThanOrEqual(100);
  flow.run(2_000, 2_000, 1_000);
  expect(flow.run(5_000, 2_000, 1_000).served).toBeGreaterThan(0.99 * 5_000);
});

test('there are never more than the most at once', () => {
  const flow = openFlow({ most: 10 });
  expect(flow.run(100, 1_000, 0).refused).toBe(90);
  expect(flow.admission.inside).toBe(10);
});

test('half of the places are for keys that are known to be valid', () => {
  const admission = openAdmission({ targetMs: TARGET_MS, most: 10 });
  const anonymous = Array.from({ length: 10 }, () => admission.enter(() => false));
  expect(anonymous.filter(Boolean)).toHaveLength(5);
  const keyed = Array.from({ length: 10 }, () => admission.enter(() => true));
  expect(keyed.filter(Boolean)).toHaveLength(5);
});
