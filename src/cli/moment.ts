/** How moments are written on the command line. */
import { isDay } from '../values/day.ts';
import { UsageError } from './run.ts';

const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/i;

/**
 * A moment as RFC 3339 writes it, or a day, which stands for its beginning in UTC.
 *
 * @throws {UsageError} when there is no such moment.
 */
export function readMoment(text: string): Date {
  const moment = new Date(text);
  if (!MOMENT.test(text) || !isDay(text.slice(0, 10)) || Number.isNaN(moment.getTime())) {
    throw new UsageError(`${text} is not a time such as 2030-01-31 or 2030-01-31T08:00:00Z.`);
  }
  return moment;
}
