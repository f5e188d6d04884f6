/** Days in words for people. Apart from the other functions of days, because making the formats takes as long as loading a command. */
import { startOfDay } from './day.ts';

const DAY_FORMAT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

const DAY_OF_YEAR_FORMAT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Formats a day for people, without its year if that is the year of `now`. @example dayFormatIn('2026-03-05', '2026-12-31') // '5 Mar' */
export function dayFormatIn(day: string, now: string): string {
  return day.slice(0, 4) === now.slice(0, 4) ? DAY_OF_YEAR_FORMAT.format(startOfDay(day)) : dayFormat(day);
}

/** Formats a day for people. @example dayFormat('2026-03-05') // '5 Mar 2026' */
export function dayFormat(day: string): string {
  return DAY_FORMAT.format(startOfDay(day));
}
