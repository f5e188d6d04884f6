/** When messages of webhooks are sent again. */
import { describe, expect, test } from 'vitest';
import { RETRY_DELAYS_MS, RETRY_WINDOW_MS, readRetryAfter, retryDelayOf } from '../../src/webhooks/schedule.ts';

const HOUR_MS = 3_600_000;

describe('the schedule', () => {
  test('has 14 attempts within three days, with a tenth of jitter', () => {
    const total = RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0);
    expect([RETRY_DELAYS_MS.length, total * 1.01 < RETRY_WINDOW_MS]).toEqual([13, true]);
    expect([0, 0.5, 1].map((random) => retryDelayOf({ attempts: 1, ageMs: 0 }, undefined, () => random))).toEqual([
      4_500, 5_000, 5_500,
    ]);
    expect(retryDelayOf({ attempts: 14, ageMs: 0 })).toBeUndefined();
  });

  test('honours Retry-After up to a day, and ends after three days', () => {
    const delay = (retryAfterMs: number, ageMs = 0) => retryDelayOf({ attempts: 1, ageMs, retryAfterMs });
    expect(delay(10 * HOUR_MS)).toBe(10 * HOUR_MS);
    expect(delay(100 * HOUR_MS)).toBe(24 * HOUR_MS);
    expect(delay(10 * HOUR_MS, 63 * HOUR_MS)).toBeUndefined();
  });

  test.each([
    ['120', 120_000],
    ['Sat, 31 Jan 2026 08:01:00 GMT', 60_000],
    ['Sat, 31 Jan 2026 07:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    [undefined, undefined],
  ])('reads Retry-After: %s', (value, delay) => {
    expect(readRetryAfter(value, Date.parse('2026-01-31T08:00:00Z'))).toBe(delay);
  });
});
