/** Splits a month's exact count into days. The meter stores the requests used before each day's first one. */
import { DAY_MS, dayInMonth, dayOf, startOfDay } from '../values/day.ts';

/**
 * The days of `month` (`YYYY-MM`) to `until`, with their usage. They add up to `used`, less requests counted before days were stored.
 * @param starts the requests used before the first one of each day; element 0 is the first of the month, `null` a day without requests.
 */
export function daysOfMonth(starts: readonly (number | null)[], used: number, month: string, until: string) {
  /** Each day, `YYYY-MM-DD`, and the requests deducted on it. */
  const days: { day: string; used: number }[] = [];
  // Backwards, since a day ends where the next one with requests starts. Two instances whose clocks differ may start two days in the
  // wrong order; the earlier day is then empty, never negative.
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
