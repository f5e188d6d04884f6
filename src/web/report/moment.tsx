/** A moment of a report, in UTC. */
const FORMAT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});
const TIME_OF_DAY = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** @example momentWords('2026-11-25T10:05:00Z') // '25 Nov 2026, 10:05' */
export const momentWords = (timestamp: string): string => FORMAT.format(new Date(timestamp));

/** The time of day, which a chart has room for. */
export const timeOfDay = (timestamp: string): string => TIME_OF_DAY.format(new Date(timestamp));

export function Moment({ at }: { at: string }) {
  return <time dateTime={at}>{momentWords(at)}</time>;
}
