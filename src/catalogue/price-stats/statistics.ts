/** Computes the statistics of a product from its series. docs/prices.md describes each figure for clients. */
import type { Outlier } from '../../ledger/outliers.ts';
import { matches } from '../../ledger/series.ts';
import { DAY_MS } from '../../values/day.ts';
import type { TimeSpan } from '../../values/time-span.ts';
import { type Extreme, whenAt } from './extremes.ts';
import type { ProductSeries } from './product-series.ts';
import { medianIn, percentOf, stepAt, summarise, timeIn } from './time-in-span.ts';

/** The lengths of the windows in days; the last one covers all time. */
const WINDOWS = [30, 90, 365, undefined] as const;
const PERCENTILE_DAYS = 365;
const RECENT_DAYS = 90;

/** Prices are in minor units. */
export interface PriceWindow {
  /** Undefined for all time. */
  days: number | undefined;
  min: bigint | undefined;
  max: bigint | undefined;
  avg: bigint | undefined;
  median: bigint | undefined;
  outOfStockPercent: number | undefined;
}

/** Figures that are unknown, because the series has no price at their time, are undefined. */
export interface Statistics {
  current: bigint | undefined;
  /** Whether the prices include shipping that the shops state: all do, or none does. */
  shippingKnown: boolean | undefined;
  low: Extreme | undefined;
  high: Extreme | undefined;
  windows: PriceWindow[];
  percentile: number | undefined;
  isLowest: boolean | undefined;
  isLowest90: boolean | undefined;
  drops: number | undefined;
  observations: number;
  excluded: number;
  /** The cheapest offer, if its present price is an outlier below `current` or there is no `current`. */
  currentExcluded: Outlier | undefined;
}

/** The statistics without any matching offer. */
export const NO_STATISTICS: Statistics = {
  current: undefined,
  shippingKnown: undefined,
  low: undefined,
  high: undefined,
  windows: [],
  percentile: undefined,
  isLowest: undefined,
  isLowest90: undefined,
  drops: undefined,
  observations: 0,
  excluded: 0,
  currentExcluded: undefined,
};

/** Computes the statistics of a series. @param span may start at minus infinity. Its end is the end of the windows too. */
export function computeStatistics(series: ProductSeries, span: TimeSpan): Statistics {
  const { steps } = series;
  const all = summarise(steps, span);
  const current = steps[stepAt(steps, span.until - 1)]?.total ?? undefined;
  const lastYear = lastDays(PERCENTILE_DAYS, span);
  const recent = summarise(steps, lastDays(RECENT_DAYS, span));
  return {
    ...countObservations(series, span),
    current,
    shippingKnown: all && series.filter.shippingKnown,
    low: all && whenAt(series, span, all.min),
    high: all && whenAt(series, span, all.max),
    windows: windowsOf(series, span.until),
    percentile:
      current === undefined
        ? undefined
        : percentOf(
            timeIn(steps, lastYear, (total) => total < current),
            timeIn(steps, lastYear, () => true),
          ),
    isLowest: current === undefined ? undefined : current === all?.min,
    isLowest90: current === undefined ? undefined : current === recent?.min,
    drops: all && countDrops(series, span),
    currentExcluded: cheapestExcluded(series, span, current),
  };
}

/** The cheapest outlier that still holds, if it is below the current price. */
function cheapestExcluded({ outliers, filter }: ProductSeries, { until }: TimeSpan, current: bigint | undefined) {
  let cheapest: Outlier | undefined;
  // An outlier whose shipping is unknown would come after prices whose shipping is known.
  const preferred = { ...filter, shippingKnown: filter.shippingKnown || undefined };
  for (const outlier of outliers) {
    const { total } = outlier.entry;
    if (total === null || outlier.until !== Number.POSITIVE_INFINITY || outlier.entry.at >= until) continue;
    const isCheaper = total < (cheapest?.entry.total ?? current ?? total + 1n);
    if (isCheaper && matches(outlier, outlier.entry, preferred)) cheapest = outlier;
  }
  return cheapest;
}

/** The last days of a span. */
function lastDays(days: number, { from, until }: TimeSpan): TimeSpan {
  return { from: Math.max(from, until - days * DAY_MS), until };
}

/** The windows that end at `until`; none if nothing was observed before. */
function windowsOf({ steps, byTotal, inStock, stockKnownFrom }: ProductSeries, until: number): PriceWindow[] {
  const first = Math.min(steps[0]?.at ?? until, stockKnownFrom ?? until);
  if (first >= until) return [];
  return WINDOWS.map((days) => {
    const span = { from: days === undefined ? first : until - days * DAY_MS, until };
    const { min, max, avg } = summarise(steps, span) ?? {};
    const known = { from: Math.max(span.from, stockKnownFrom ?? until), until };
    const length = until - known.from;
    const outOfStockPercent = percentOf(Math.max(length, 0) - timeIn(inStock, known, () => true), length);
    return { days, min, max, avg, median: medianIn(steps, byTotal, span), outOfStockPercent };
  });
}

/** The falls of the series in a span. Each total is compared with the last one before, also across a time without a total. */
function countDrops({ steps }: ProductSeries, { from, until }: TimeSpan): number {
  let drops = 0;
  let before: bigint | undefined;
  for (const { at, total } of steps) {
    if (at >= until) break;
    if (total === null) continue;
    if (before !== undefined && total < before && at >= from) drops += 1;
    before = total;
  }
  return drops;
}

/** The matching entries with a total in a span: those that count, and the outliers. */
function countObservations({ offers, outliers, filter }: ProductSeries, { from, until }: TimeSpan) {
  const isIn = ({ at }: { at: number }) => at >= from && at < until;
  let observations = 0;
  for (const offer of offers) {
    for (const entry of offer.entries) {
      if (entry.total !== null && isIn(entry) && matches(offer, entry, filter)) observations += 1;
    }
  }
  const excluded = outliers.filter((outlier) => isIn(outlier.entry) && matches(outlier, outlier.entry, filter)).length;
  return { observations, excluded };
}
