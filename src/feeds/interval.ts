/** How often a feed is pulled: `15m`, `1h`, `7d`. */
import { FeedInvalid } from './feed-invalid.ts';

const SECONDS = { m: 60, h: 3_600, d: 86_400 } as const;
const LEAST = 60;
const MOST = 30 * SECONDS.d;

/** Reads an interval in seconds. @example readInterval('90m') // 5400 @throws {FeedInvalid} */
export function readInterval(text: string): number {
  const [, digits, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const seconds = digits && unit ? Number(digits) * SECONDS[unit as keyof typeof SECONDS] : Number.NaN;
  if (seconds >= LEAST && seconds <= MOST) return seconds;
  throw new FeedInvalid(
    `The interval (--every) must be a time from 1m to 30d, such as 15m, 1h or 7d; got ${text.slice(0, 60)}.`,
    'every',
  );
}

/** Writes an interval in its largest unit. @example intervalOf(5400) // '90m' */
export function intervalOf(seconds: number): string {
  const [unit, size] = (['d', 'h', 'm'] as const)
    .map((each) => [each, SECONDS[each]] as const)
    .find(([, length]) => seconds % length === 0) ?? ['m', SECONDS.m];
  return `${Math.round(seconds / size)}${unit}`;
}
