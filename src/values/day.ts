/** Days in UTC, which have 24 hours each and no daylight saving. */

export const DAY_MS = 24 * 60 * 60 * 1000;

/** True for a day that there is, written `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const start = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(start.getTime()) && dayOf(start.getTime()) === text;
}

/** The moment at which a day begins, in milliseconds of the epoch. @param day as {@link isDay} takes it. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** The day that a moment, in milliseconds of the epoch, belongs to. */
export function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/** The calendar month of a day, `YYYY-MM`. */
export const monthOfDay = (day: string): string => day.slice(0, 7);

/** Which day of its month a day is, from 1. */
export const dayInMonth = (day: string): number => Number(day.slice(8));

const DAY_FORMAT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** A day as people read it. @example dayFormat('2026-03-05') // '5 Mar 2026' */
export function dayFormat(day: string): string {
  return DAY_FORMAT.format(startOfDay(day));
}
