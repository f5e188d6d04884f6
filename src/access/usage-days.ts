/** A month's exact count, told day by day: the meter keeps what was used before each day's first request. */
import { DAY_MS, dayInMonth, dayOf, startOfDay } from '../values/day.ts';

export interface DayUsage {
  /** `YYYY-MM-DD` in UTC. */
  day: string;
  /** Requests deducted on that day. */
  used: number;
}

/**
 * The days of a month up to `until`, each with its use. They add up to `used`, but for what was counted before days were.
 *
 * @param starts what was used before the first request of each day; element 0 is the first of the month, `null` a day without.
 * @param month `YYYY-MM`.
 * @param until the last day to tell of, `YYYY-MM-DD`.
 */
export function daysOfMonth(
  starts: readonly (number | null)[],
  used: number,
  month: string,
  until: string,
): DayUsage[] {
  const days: DayUsage[] = [];
  // Backwards, since a day ends where the next one with requests starts. At midnight two instances whose clocks differ may
  // open two days in the wrong order: the earlier one is then empty, never negative.
  let end = used;
  for (let time = lastDayOf(month); time >= startOfDay(`${month}-01`); time -= DAY_MS) {
    const day = dayOf(time);
    const start = Math.min(starts[dayInMonth(day) - 1] ?? end, end);
    if (day <= until) days.unshift({ day, used: end - start });
    end = start;
  }
  return days;
}

function lastDayOf(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return Date.UTC(year, number, 0);
}
