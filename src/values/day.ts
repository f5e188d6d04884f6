/** Days in UTC, which always have 24 hours. */

export const DAY_MS = 24 * 60 * 60 * 1000;

/** True for an existing day in the form `YYYY-MM-DD`. The year 0 exists for JavaScript only, not for PostgreSQL. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false;
  const start = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(start.getTime()) && dayOf(start.getTime()) === text;
}

/** The start of a day, in milliseconds since the epoch. @param day in the form that {@link isDay} accepts. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** The day of a time given in milliseconds since the epoch. */
export function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/** The calendar month of a day, `YYYY-MM`. */
export const monthOfDay = (day: string): string => day.slice(0, 7);

/** The number of a day in its month, from 1. */
export const dayInMonth = (day: string): number => Number(day.slice(8));
