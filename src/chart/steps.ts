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
  points: readonly { date: string; min: number; max: number; avg: number }[];
}

/** Prices from one moment to the next, in milliseconds of the epoch. */
export interface Step {
  from: number;
  until: number;
  min: number;
  max: number;
  avg: number;
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
  return chart.points.map(({ date, ...prices }) => {
    const start = startOfDay(date);
    return { ...prices, from: Math.max(start, from), until: Math.min(nextBucket(start, chart.interval), until) };
  });
}

function isLevel(one: Step, next: Step): boolean {
  return one.until === next.from && one.min === next.min && one.max === next.max && one.avg === next.avg;
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
    // If both averages are equal, the result is exactly the same number, so that the next step of the same level is recognised.
    avg: one.avg + (next.avg - one.avg) * share,
  };
}
