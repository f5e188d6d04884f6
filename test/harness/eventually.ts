import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

// Short beside what tests wait for, and long enough to leave the processor to it.
const PAUSE_MS = 10;

/** Repeats a query until its result satisfies a condition, or the time is over. @returns the last result. */
export async function eventually<Value>(
  ask: () => Promise<Value>,
  isSo: (value: Value) => boolean,
  withinMs = 30_000,
): Promise<Value> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const value = await ask();
    if (isSo(value) || Date.now() > deadline) return value;
    await wait(PAUSE_MS);
  }
}

/** Expects that the result of a query becomes this value before the time is over. */
export async function expectEventually<Value>(
  ask: () => Promise<Value>,
  value: Value,
  withinMs?: number,
): Promise<void> {
  expect(await eventually(ask, (result) => isDeepStrictEqual(result, value), withinMs)).toEqual(value);
}
