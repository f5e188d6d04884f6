/** The share of time in which a product could be bought from stock. */
import type { TimeSpan } from '../../values/time-span.ts';
import { type OfferPrices, STOCK } from './offer-prices.ts';

/**
 * For each bucket, the share of its time in which at least one offer was in stock. Time before the first price does not count, nor does
 * time in which no offer is known to have been in stock and the stock of a listed one was not recorded.
 *
 * @param edges the starts of the buckets, and the end of the last one.
 * @returns shares from 0 to 1 with at most four decimals; null for a bucket without time that counts.
 */
export function stockShares(
  offers: readonly Pick<OfferPrices, 'times' | 'stock'>[],
  span: TimeSpan,
  edges: readonly number[],
): (number | null)[] {
  const first = offers.reduce((earliest, { times }) => Math.min(earliest, times[0] ?? span.until), span.until);
  const inStock = timeInBuckets(periodsOf(offers, span, STOCK.in, STOCK.in), edges);
  const inOrUnknown = timeInBuckets(periodsOf(offers, span, STOCK.in, STOCK.unknown), edges);
  return Array.from(inStock, (time, index) => {
    const from = Math.max(edges[index] ?? 0, span.from, first);
    const until = Math.min(edges[index + 1] ?? 0, span.until);
    const counted = until - from - ((inOrUnknown[index] ?? 0) - time);
    return counted > 0 ? Math.round((time / counted) * 10_000) / 10_000 : null;
  });
}

/** The starts and the ends of periods, each in chronological order. */
interface Periods {
  starts: Float64Array;
  ends: Float64Array;
}

/** The periods in which single offers are in one of two states. Those of different offers may overlap. */
function periodsOf(
  offers: readonly Pick<OfferPrices, 'times' | 'stock'>[],
  { from, until }: TimeSpan,
  one: number,
  other: number,
): Periods {
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { times, stock } of offers) {
    let since: number | undefined;
    for (let index = 0; index < times.length; index += 1) {
      const isIn = stock[index] === one || stock[index] === other;
      if (isIn === (since !== undefined)) continue;
      const at = Math.min(Math.max(times[index] as number, from), until);
      if (since === undefined) since = at;
      else {
        starts.push(since);
        ends.push(at);
        since = undefined;
      }
    }
    if (since !== undefined) {
      starts.push(since);
      ends.push(until);
    }
  }
  return { starts: Float64Array.from(starts).sort(), ends: Float64Array.from(ends).sort() };
}

/** The time of each bucket that at least one period covers, in milliseconds. */
function timeInBuckets({ starts, ends }: Periods, edges: readonly number[]): Float64Array {
  const times = new Float64Array(Math.max(0, edges.length - 1));
  let bucket = 0;
  let ended = 0;
  for (let started = 0; started < starts.length; ) {
    let moment = starts[started] as number;
    // A period that starts before all earlier ones have ended extends them.
    do {
      while (started < starts.length && (starts[started] as number) <= (ends[ended] as number)) started += 1;
      ended += 1;
    } while (ended < started);
    const end = ends[ended - 1] as number;
    while (moment < end) {
      while ((edges[bucket + 1] as number) <= moment) bucket += 1;
      const until = Math.min(edges[bucket + 1] as number, end);
      times[bucket] = (times[bucket] as number) + until - moment;
      moment = until;
    }
  }
  return times;
}
