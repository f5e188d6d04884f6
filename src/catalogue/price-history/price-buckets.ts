/**
 * Prices over time, in buckets of days in UTC. A price is valid from the time it was seen until it changes or its offer is withdrawn.
 * A bucket's lowest and highest price cover all prices valid in it; its average is weighted by their duration.
 */
import { DAY_MS, dayOf } from '../../values/day.ts';

/** The lengths of buckets. Weeks start on Monday (ISO 8601). */
export const INTERVALS = ['day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

/** From `at` (milliseconds of the epoch) on, the offer's total price is `total` in minor units, or null while it is not listed. */
export interface PriceChangeAt {
  offerId: bigint;
  at: number;
  total: bigint | null;
}

/** A time span in milliseconds of the epoch, from `from` (inclusive) until `until` (exclusive). */
export interface TimeSpan {
  from: number;
  until: number;
}

export interface PriceBucket {
  /** The first day of the bucket. */
  date: string;
  /** Minor units, as are `max` and `avg`. */
  min: bigint;
  max: bigint;
  avg: bigint;
  /** The number of offers with a price in the bucket. */
  offerCount: number;
}

interface Gathered {
  min: bigint;
  max: bigint;
  /** Minor units times milliseconds. */
  weight: bigint;
  milliseconds: number;
  offerCount: number;
  lastOffer?: bigint;
}

/** Sorts prices into chronological buckets, without empty ones. @param changes by offer, each in order from the price at the start on. */
export function bucketPrices(changes: readonly PriceChangeAt[], span: TimeSpan, interval: Interval): PriceBucket[] {
  const buckets = new Map<number, Gathered>();
  for (const [index, { offerId, at, total }] of changes.entries()) {
    if (total === null) continue;
    const next = changes[index + 1];
    const begin = Math.max(at, span.from);
    const end = Math.min(next?.offerId === offerId ? next.at : span.until, span.until);
    for (let moment = begin; moment < end; ) {
      const start = bucketStart(moment, interval);
      const until = Math.min(nextBucket(start, interval), end);
      gather(buckets, start, offerId, total, until - moment);
      moment = until;
    }
  }
  return [...buckets]
    .sort(([one], [other]) => one - other)
    .map(([start, { min, max, weight, milliseconds, offerCount }]) => {
      // Rounds half a minor unit up.
      const avg = (2n * weight + BigInt(milliseconds)) / (2n * BigInt(milliseconds));
      return { date: dayOf(start), min, max, avg, offerCount };
    });
}

function gather(buckets: Map<number, Gathered>, start: number, offerId: bigint, total: bigint, milliseconds: number) {
  const known = buckets.get(start) ?? { min: total, max: total, weight: 0n, milliseconds: 0, offerCount: 0 };
  buckets.set(start, {
    min: total < known.min ? total : known.min,
    max: total > known.max ? total : known.max,
    weight: known.weight + total * BigInt(milliseconds),
    milliseconds: known.milliseconds + milliseconds,
    offerCount: known.offerCount + (known.lastOffer === offerId ? 0 : 1),
    lastOffer: offerId,
  });
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
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
}
