/** The terms of a key as operators type them, on the command line and in the console's forms. */
import { DAY_MS, dayOf, isDay, startOfDay } from '../values/day.ts';
import { excerpt } from '../values/printable.ts';

/** What was typed. `detail` continues a sentence that begins with the name of the option or the field, such as `must be a day …`. */
export type Typed<Value> = { ok: true; value: Value } | { ok: false; detail: string };

/** The most requests that a limit may allow, a minute or a month. */
const MOST_REQUESTS = 999_999_999;
/** The most hours for which the former secret of a rotated key may work: a year. */
export const MOST_GRACE_HOURS = 8_760;

/** Parses requests a minute. */
export function parseRateLimit(text: string): Typed<number> {
  if (/^[1-9]\d{0,8}$/.test(text)) return { ok: true, value: Number(text) };
  return { ok: false, detail: `must be a whole number from 1 to ${MOST_REQUESTS}; got ${excerpt(text)}.` };
}

/** Parses requests a month; 0 is unlimited. */
export function parseMonthlyQuota(text: string): Typed<number> {
  if (/^(0|[1-9]\d{0,8})$/.test(text)) return { ok: true, value: Number(text) };
  const range = `must be a whole number from 0 (unlimited) to ${MOST_REQUESTS}`;
  return { ok: false, detail: `${range}; got ${excerpt(text)}.` };
}

/** Parses how long the old secret of a rotated key goes on working. */
export function parseGraceHours(text: string): Typed<number> {
  const hours = Number(text);
  if (text.trim() !== '' && hours >= 0 && hours <= MOST_GRACE_HOURS) return { ok: true, value: hours };
  return { ok: false, detail: `must be a number of hours from 0 to ${MOST_GRACE_HOURS}; got ${excerpt(text)}.` };
}

/** Parses the last day on which a key works. The value is the midnight (UTC) after it. */
export function parseLastDay(text: string): Typed<Date> {
  if (!isDay(text)) return { ok: false, detail: `must be a day such as 2030-12-31; got ${excerpt(text)}.` };
  const end = startOfDay(text) + DAY_MS;
  if (end > Date.now()) return { ok: true, value: new Date(end) };
  return { ok: false, detail: `${text} is in the past. Give the last day on which the key should work.` };
}

/** The last day on which a key works, in the form of {@link parseLastDay}. */
export const lastDayOf = (expiresAt: Date): string => dayOf(expiresAt.getTime() - 1);

/** Whether a key works, in words. Its last day is shown as in {@link parseLastDay}; `expiresAt` is the midnight after it. */
export function stateOf({ revokedAt, expiresAt }: { revokedAt?: Date; expiresAt?: Date }): string {
  if (revokedAt) return `revoked ${dayOf(revokedAt.getTime())}`;
  if (!expiresAt) return 'works';
  return `${hasEnded(expiresAt) ? 'expired' : 'until'} ${lastDayOf(expiresAt)}`;
}

/** Whether the time has come at which a key stops working. */
export const hasEnded = (expiresAt: Date | undefined): boolean =>
  expiresAt !== undefined && expiresAt.getTime() <= Date.now();
