/** The days, weeks and months, in UTC, into which a history is divided. */
import { DAY_MS } from '../../values/day.ts';
import type { TimeSpan } from '../../values/time-span.ts';

/** The lengths of buckets. Weeks start on Monday (ISO 8601). */
export const INTERVALS = ['day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

/** The starts of the buckets that a span touches, in order, and the end of the last one; empty for an empty span. */
export function bucketEdges({ from, until }: TimeSpan, interval: Interval): number[] {
  const edges: number[] = [];
  if (from >= until) return edges;
  let edge = bucketStart(from, interval);
  for (; edge < until; edge = nextBucket(edge, interval)) edges.push(edge);
  edges.push(edge);
  return edges;
}

// The epoch started on a Thursday, so its fifth day was the first Monday.
const FIRST_MONDAY_MS = 4 * DAY_MS;

function bucketStart(moment: number, interval: Interval): number {
  if (interval === 'month') return startOfMonth(moment, 0);
  const [first, length] = interval === 'day' ? [0, DAY_MS] : [FIRST_MONDAY_MS, 7 * DAY_MS];
  return first + Math.floor((moment - first) / length) * length;
}

/** The start of the bucket after the one that starts at `start`, in milliseconds of the epoch. */
export function nextBucket(start: number, interval: Interval): number {
  return interval === 'month' ? startOfMonth(start, 1) : start + (interval === 'day' ? 1 : 7) * DAY_MS;
}

function startOfMonth(moment: number, later: number): number {
  const date = new Date(moment);
  // `Date.UTC` takes the years 0 to 99 for years of the twentieth century.
  return new Date(0).setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
}
