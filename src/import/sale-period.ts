// The time in which a sale price counts, as Google Merchant writes it: two points in time with a slash between.

import { isDay } from '../values/day.ts';

/** From `start` to `end`, both included. */
export interface SalePeriod {
  start: Date;
  end: Date;
}

/**
 * Reads `2025-11-24T00:00+0100/2025-12-01T23:59+0100` (ISO 8601, seconds optional). A time without a zone is UTC; a day
 * without a time begins at its first and ends at its last millisecond. `undefined` when it is no such period.
 */
export function parseSalePeriod(text: string): SalePeriod | undefined {
  const parts = text.split('/');
  if (parts.length !== 2) return undefined;
  const start = pointInTime(parts[0] ?? '', '00:00:00');
  const end = pointInTime(parts[1] ?? '', '23:59:59.999');
  return start === undefined || end === undefined || end < start ? undefined : { start, end };
}

/** Whether the period is on at `moment`. */
export function isWithin({ start, end }: SalePeriod, moment: Date): boolean {
  return start <= moment && moment <= end;
}

function pointInTime(text: string, timeOfBareDay: string): Date | undefined {
  const parts = POINT.exec(text.trim());
  if (parts === null) return undefined;
  const [, day = '', time = timeOfBareDay, zone = 'Z'] = parts;
  if (!isDay(day)) return undefined; // Else the 31st of November would be taken for the 1st of December.
  const digits = zone.replace(/[^0-9+-]/g, '');
  const offset = digits === '' ? 'Z' : `${digits.slice(0, 3)}:${digits.slice(3).padEnd(2, '0')}`;
  const instant = new Date(`${day}T${time}${offset}`);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

const POINT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s*(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;
