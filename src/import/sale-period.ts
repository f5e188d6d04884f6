// The period in which a sale price applies, as Google Merchant writes it: two timestamps separated by a slash.

import { parseFeedTimestamp } from '../values/timestamp.ts';

/** From `start` to `end`, both included. */
export interface SalePeriod {
  start: Date;
  end: Date;
}

/**
 * Reads `2025-11-24T00:00+0100/2025-12-01T23:59+0100` (ISO 8601, seconds optional). A time without a zone is UTC; a day
 * without a time starts at its first millisecond and ends at its last. `undefined` if the text is no such period.
 */
export function parseSalePeriod(text: string): SalePeriod | undefined {
  const parts = text.split('/');
  if (parts.length !== 2) return undefined;
  const start = parseFeedTimestamp(parts[0] ?? '', '00:00:00');
  const end = parseFeedTimestamp(parts[1] ?? '', '23:59:59.999');
  return start === undefined || end === undefined || end < start ? undefined : { start, end };
}

/** Whether `moment` is within the period. */
export function isWithin({ start, end }: SalePeriod, moment: Date): boolean {
  return start <= moment && moment <= end;
}
