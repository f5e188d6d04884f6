/** The days that a client requests, for histories and statistics. */
import { DAY_MS, dayOf, startOfDay } from '../values/day.ts';
import { invalid, requireUpTo } from './arguments.ts';

export const MOST_DAYS = 3650;

const MINUTE_MS = 60_000;

/** The end of the minute of `now`. Requests of one minute that end then cover the same time, so they share reads and results. */
export const endOfMinute = (now: number): number => (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS;

/** A number of days up to today, or the first and the last day. */
export interface DayArguments {
  days?: number | null | undefined;
  from?: string | null | undefined;
  to?: string | null | undefined;
}

/** PostgreSQL has no year 0. */
const FIRST_DAY_MS = startOfDay('0001-01-01');

/**
 * The first and last requested day. @param usualDays the number of days if the client names no first day.
 * @throws {Problem} `invalid_parameter` for days that contradict each other, and more than 3650 days.
 */
export function readDays(
  { days, from, to }: DayArguments,
  now: number,
  usualDays: number,
): { from: string; to: string } {
  if (days != null && (from != null || to != null)) {
    throw invalid('days', 'Send either `days`, or `from` and `to`, not both.');
  }
  requireUpTo(MOST_DAYS, 'days', days);
  const last = startOfDay(to ?? dayOf(now));
  const first = from == null ? last - ((days ?? usualDays) - 1) * DAY_MS : startOfDay(from);
  if (Math.min(first, last) < FIRST_DAY_MS) {
    throw invalid(from == null ? 'to' : 'from', 'The first possible day is 0001-01-01: request later days.');
  }
  if (first > last) {
    requireStarted(dayOf(first), { from, to }, now);
    throw invalid('from', '`from` is after `to` (today by default): swap them.');
  }
  if (last - first >= MOST_DAYS * DAY_MS) {
    throw invalid('from', `A request covers at most ${MOST_DAYS} days: request a shorter range.`);
  }
  return { from: dayOf(first), to: dayOf(last) };
}

/**
 * Refuses days that have not started yet, for which nothing can be known.
 * @param first the first of the days.
 * @throws {Problem} `invalid_parameter`, naming the parameter that the client sent.
 */
export function requireStarted(first: string, { from }: DayArguments, now: number): void {
  if (startOfDay(first) <= now) return;
  throw invalid(
    from == null ? 'to' : 'from',
    'The requested days are in the future: request days up to today (in UTC).',
  );
}
