/** Admission control: how many requests may be in progress, given how fast they complete. Uses a simulated clock. */
import { expect, test } from 'vitest';
import { type Admission, openAdmission } from '../src/http/admission.ts';

const TARGET_MS = 100;

interface Flow {
  admission: Admission;
  /**
   * Sends `offered` requests a second, and answers the oldest ones at `capacity` a second.
   *
   * @returns the numbers of refused and served requests, and the longest time that one took, in milliseconds.
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

test('no request is refused while the service keeps up', () => {
  const flow = openFlow();
  expect(flow.run(10_000, 5_000, 10_000).refused).toBe(0);
  expect(flow.run(10_000, 9_900, 10_000).refused).toBe(0);
});

test('slow requests are not refused while few are in progress', () => {
  // 50 concurrent requests that take a second each.
  expect(openFlow().run(20_000, 50, 50).refused).toBe(0);
});

test('a short burst is admitted', () => {
  const flow = openFlow();
  flow.run(5_000, 20_000, 10_000);
  flow.run(5_000, 1_000, 10_000);
  // The 1,600 requests of the burst exceed the limit for sustained load.
  expect(flow.run(40, 40_000, 10_000).refused).toBe(0);
});

test.each([
  500, 2_000, 10_000,
])('at three times the capacity of %i requests a second, the capacity is used fully and responses stay fast', (capacity) => {
  const flow = openFlow();
  flow.run(5_000, 3 * capacity, capacity); // The limit adapts to the capacity.
  const { served, refused, longest } = flow.run(10_000, 3 * capacity, capacity);
  expect(served).toBeGreaterThan(0.99 * 10 * capacity);
  expect(refused).toBeGreaterThan(1.9 * 10 * capacity);
  expect(longest).toBeLessThan(2 * TARGET_MS);
});

test('the limit falls when the service slows down, and rises again when it recovers', () => {
  const flow = openFlow();
  flow.run(5_000, 20_000, 10_000);
  flow.run(5_000, 20_000, 1_000);
  expect(flow.run(5_000, 20_000, 1_000).longest).toBeLessThan(2 * TARGET_MS);
  flow.run(2_000, 20_000, 10_000);
  expect(flow.run(5_000, 20_000, 10_000).served).toBeGreaterThan(0.99 * 50_000);
});

test('refusals stop once the overload is over', () => {
  const flow = openFlow();
  flow.run(5_000, 30_000, 10_000);
  flow.run(2_000, 5_000, 10_000);
  expect(flow.run(10_000, 9_900, 10_000).refused).toBe(0);
});

test('during a standstill, new requests are refused and the number in progress does not grow', () => {
  const flow = openFlow();
  flow.run(5_000, 2_000, 1_000);
  flow.run(5_000, 2_000, 0);
  expect(flow.admission.inside).toBeLessThanOrEqual(100);
  flow.run(2_000, 2_000, 1_000);
  expect(flow.run(5_000, 2_000, 1_000).served).toBeGreaterThan(0.99 * 5_000);
});

test('the number of requests in progress never exceeds the maximum', () => {
  const flow = openFlow({ most: 10 });
  expect(flow.run(100, 1_000, 0).refused).toBe(90);
  expect(flow.admission.inside).toBe(10);
});

test('half of the places are reserved for keys that are known to be valid', () => {
  const admission = openAdmission({ targetMs: TARGET_MS, most: 10 });
  const anonymous = Array.from({ length: 10 }, () => admission.enter(() => false));
  expect(anonymous.filter(Boolean)).toHaveLength(5);
  const keyed = Array.from({ length: 10 }, () => admission.enter(() => true));
  expect(keyed.filter(Boolean)).toHaveLength(5);
});
