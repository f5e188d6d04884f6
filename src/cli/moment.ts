/** Reads times from the command line. */
import { parseTimestamp } from '../values/timestamp.ts';
import { UsageError } from './exit.ts';

/** Reads an RFC 3339 timestamp, or a day, which means its start in UTC. @throws {UsageError} when the text is neither. */
export function readMoment(text: string): Date {
  const moment = parseTimestamp(text);
  if (moment === undefined) throw new UsageError(`${text} is not a time such as 2030-01-31 or 2030-01-31T08:00:00Z.`);
  return moment;
}
