/**
 * Chains the daily links of a price index. A link is the geometric mean of price(day) / price(day before) over the offers with a price
 * at the end of both days (Jevons index of matched models). The index of a day is that of the day before times the link.
 *
 * @see IMF, Consumer Price Index Manual: Concepts and Methods (2020), chapters 8 and 9.
 */
import { LOG_SCALE } from '../../ledger/aggregates/index-days.ts';
import { DAY_MS, dayOf } from '../../values/day.ts';
import type { TimeSpan } from '../../values/time-span.ts';
import { bucketEdges, type Interval } from '../price-history/buckets.ts';
import type { IndexRow } from './read-index.ts';

export interface IndexPoint {
  /** The first day of the interval. */
  date: string;
  /** The index at the end of the last day of the interval, or of the span; 100 until the end of the day before offers are first compared. */
  index: number;
  /** The products, and the offers, that the link of that day compares. */
  productCount: number;
  offerCount: number;
}

/**
 * The points of a span of whole days, in the order of time. Intervals whose last day compares no offers have no point, except the one before
 * the first that does: its index is 100.
 * @param rows in the order of time, without those before the span's first day except as `readIndex` sums them.
 */
export function chainIndex(rows: readonly IndexRow[], span: TimeSpan, interval: Interval): IndexPoint[] {
  const points: IndexPoint[] = [];
  const edges = bucketEdges(span, interval);
  let [log, offerCount, productCount, next] = [0, 0, 0, 0];
  for (const [index, start] of edges.slice(0, -1).entries()) {
    const until = dayOf(Math.min(edges[index + 1] ?? span.until, span.until) - DAY_MS);
    const begin = log;
    for (let row = rows[next]; row && (row.day === null || row.day <= until); row = rows[++next]) {
      offerCount += row.matched;
      productCount += row.products;
      if (row.day !== null && offerCount > 0) log += Number(row.logSum) / LOG_SCALE / offerCount;
    }
    if (offerCount === 0) continue;
    const before = edges[index - 1];
    if (points.length === 0 && before !== undefined)
      points.push({ date: dayOf(before), index: indexOf(begin), productCount: 0, offerCount: 0 });
    points.push({ date: dayOf(start), index: indexOf(log), productCount, offerCount });
  }
  return points;
}

const indexOf = (log: number) => Math.round(1_000_000 * Math.exp(log)) / 10_000;
