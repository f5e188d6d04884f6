/** Long work makes way for requests: what counts as many of them, and how long the pauses are. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openTraffic } from '../src/http/traffic.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('three requests within a quarter of a second make a process busy, until a quarter of a second after', () => {
  const traffic = openTraffic();
  expect(traffic.isBusy()).toBe(false);
  for (const wait of [0, 100]) {
    vi.advanceTimersByTime(wait);
    traffic.note(performance.now());
    expect(traffic.isBusy()).toBe(false);
  }
  vi.advanceTimersByTime(100);
  traffic.note(performance.now());
  expect(traffic.isBusy()).toBe(true);
  vi.advanceTimersByTime(50);
  expect(traffic.isBusy()).toBe(false);
});

test('requests that come one by one do not make it busy', () => {
  const traffic = openTraffic();
  for (let n = 0; n < 10; n += 1) {
    vi.advanceTimersByTime(130);
    traffic.note(performance.now());
    expect(traffic.isBusy()).toBe(false);
  }
});

test('a pause without requests needs no timer', async () => {
  await openTraffic().breathe();
  expect(vi.getTimerCount()).toBe(0);
});
