/** A price history as steps, which a chart draws and a table lists. */
import { type Interval, nextBucket } from '../catalogue/price-history/buckets.ts';
import { DAY_MS, startOfDay } from '../values/day.ts';

/** The contents of a chart, for the days `from` to `to`. Amounts are as in JSON. */
export interface PriceChart {
  /** The heading: the name of the product. */
  title: string;
  /** ISO 4217. */
  currency: string;
  from: string;
  to: string;
  /** The length of a point. */
  interval: Interval;
  lowestEver?: { price: number; date: string } | null | undefined;
  /** In chronological order, each named after its first day. Times without any price have no points. */
  points: readonly ChartPoint[];
}

interface ChartPoint {
  date: string;
  min: number;
  max: number;
  avg: number;
  /** The share of time in which an offer was in stock; absent if it was not recorded. */
  inStock?: number | null | undefined;
  /** The lowest price in stock; absent if none was. */
  minInStock?: number | null | undefined;
}

/** Prices from one moment to the next, in milliseconds of the epoch. */
export interface Step {
  from: number;
  until: number;
  min: number;
  max: number;
  avg: number;
  /** The lowest price in stock, or the lowest of all where stock was not recorded; null while nothing was in stock. */
  low: number | null;
}

/** The lowest price in stock of a point, or the lowest of all if stock was not recorded; null if nothing was in stock. */
export function lowOf({ min, inStock, minInStock }: ChartPoint): number | null {
  return minInStock ?? (inStock == null ? min : null);
}

/** Whether stock was recorded for any point. */
export const isStockKnown = ({ points }: PriceChart): boolean => points.some(({ inStock }) => inStock != null);

/** The lowest {@link lowOf} of a chart, with the first shown day of its point; `undefined` if nothing was in stock. */
export function lowestOf({ points, from }: PriceChart): { price: number; date: string } | undefined {
  let lowest: { price: number; date: string } | undefined;
  for (const point of points) {
    const price = lowOf(point);
    if (price !== null && (!lowest || price < lowest.price))
      lowest = { price, date: point.date < from ? from : point.date };
  }
  return lowest;
}

/** The first moment that a chart shows, and the first one after it. */
export function spanOf({ from, to }: PriceChart): { from: number; until: number } {
  return { from: startOfDay(from), until: startOfDay(to) + DAY_MS };
}

/** The times during which prices stayed the same. A step that starts later than the previous one ended follows a gap. */
export function stepsOf(chart: PriceChart): Step[] {
  return join(pointsOf(chart), isLevel);
}

/**
 * The same, but at most `most` steps. If there are more, the points that start in the same of `most` columns become one step with
 * the lowest and the highest of their prices, so that no extreme is lost. Gaps shorter than a column are closed.
 */
export function visibleStepsOf(chart: PriceChart, most: number): Step[] {
  const points = pointsOf(chart);
  const levels = join(points, isLevel);
  if (levels.length <= most) return levels;
  const { from, until } = spanOf(chart);
  const column = (until - from) / most;
  const columnOf = (step: Step) => Math.floor((step.from - from) / column);
  const steps = join(points, (one, next) => columnOf(one) === columnOf(next));
  return steps.map((step, index) => {
    const next = steps[index + 1]?.from ?? Number.POSITIVE_INFINITY;
    return next - step.until < column ? { ...step, until: next } : step;
  });
}

function pointsOf(chart: PriceChart): Step[] {
  const { from, until } = spanOf(chart);
  return chart.points.map((point) => {
    const { date, min, max, avg } = point;
    const start = startOfDay(date);
    const end = nextBucket(start, chart.interval);
    return { min, max, avg, low: lowOf(point), from: Math.max(start, from), until: Math.min(end, until) };
  });
}

function isLevel(one: Step, next: Step): boolean {
  return (
    one.until === next.from &&
    one.min === next.min &&
    one.max === next.max &&
    one.avg === next.avg &&
    one.low === next.low
  );
}

/** Merges adjacent steps that belong together. */
function join(steps: readonly Step[], belong: (one: Step, next: Step) => boolean): Step[] {
  const joined: Step[] = [];
  for (const step of steps) {
    const last = joined.at(-1);
    if (last && belong(last, step)) joined[joined.length - 1] = merge(last, step);
    else joined.push(step);
  }
  return joined;
}

function merge(one: Step, next: Step): Step {
  const share = (next.until - next.from) / (next.until - one.from);
  return {
    from: one.from,
    until: next.until,
    min: Math.min(one.min, next.min),
    max: Math.max(one.max, next.max),
    low: one.low === null || next.low === null ? (one.low ?? next.low) : Math.min(one.low, next.low),
    // If both averages are equal, the result is exactly the same number, so that the next step of the same level is recognised.
    avg: one.avg + (next.avg - one.avg) * share,
  };
}
