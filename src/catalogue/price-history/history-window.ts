/** What of a product's prices a history covers. */
import type { Availability, Condition } from '../../generated/prisma/client.ts';
import type { TimeSpan } from '../../values/time-span.ts';

/** Which prices a history covers: those at one merchant, of goods in one condition, and while the offer had one availability; or all. */
export interface HistoryFilter {
  merchantId: bigint | null;
  condition: Condition | null;
  availability: Availability | null;
}

/** The time span and the filter of a history. */
export interface HistoryWindow extends TimeSpan, HistoryFilter {}

/** A name that differs for different windows or filters. */
export const nameOfWindow = (window: HistoryFilter & Partial<TimeSpan>): string =>
  [window.from, window.until, window.merchantId, window.condition, window.availability].join(' ');

/** Whether only entries in one condition or availability count. */
export const isFiltered = ({ condition, availability }: HistoryFilter): boolean =>
  condition !== null || availability !== null;
