/** Timestamps (ISO 8601, RFC 3339): parses those of people and feeds, and writes those of answers. */
import { isDay } from './day.ts';
import { instantIn } from './time-zone.ts';

/** A time in RFC 3339 in UTC. Whole seconds have no fraction: `2026-01-31T08:00:00Z`. */
export const formatTimestamp = (moment: Date): string => moment.toISOString().replace('.000Z', 'Z');

/** Parses an RFC 3339 timestamp (seconds optional), or a day, which means its start in UTC; `undefined` for anything else. */
export function parseTimestamp(text: string): Date | undefined {
  return RFC_3339.test(text) ? parseFeedTimestamp(text, 'UTC') : undefined;
}

/**
 * Parses an ISO 8601 timestamp as shops write it: the zone may be missing or lack its colon or minutes, and a space may replace the `T`.
 * `undefined` for anything else, and outside the years 1 to 9999. @example parseFeedTimestamp('2025-11-24T00:00+0100', 'Europe/Berlin')
 * @param timeZone of a timestamp that names none.
 * @param isEnd whether a day, or the minute 23:59, means its last millisecond.
 */
export function parseFeedTimestamp(text: string, timeZone: string, isEnd = false): Date | undefined {
  const parts = ISO_8601.exec(text.trim());
  if (parts === null) return undefined;
  const [, day = '', written, zone] = parts;
  if (!isDay(day)) return undefined; // Date would parse the 31st of November as the 1st of December.
  const isLast = isEnd && (written === undefined || /^23:59(?::00)?$/.test(written));
  const digits = zone?.replace(/[^0-9+-]/g, '') ?? '';
  const offset = digits === '' ? 'Z' : `${digits.slice(0, 3)}:${digits.slice(3).padEnd(2, '0')}`;
  const shown = new Date(`${day}T${isLast ? '23:59:59.999' : (written ?? '00:00:00')}${offset}`);
  if (Number.isNaN(shown.getTime())) return undefined;
  const local = zone === undefined ? instantIn(timeZone, shown) : shown;
  // Shops write 0001-01-01/9999-12-31 for always.
  return [local, ...(zone === undefined ? [shown] : [])].find(isWritable);
}

/** A zone can move a time out of the years 1 to 9999, and PostgreSQL cannot read how JavaScript writes others. */
function isWritable(timestamp: Date): boolean {
  const year = timestamp.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

const RFC_3339 = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/i;
const ISO_8601 = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;
