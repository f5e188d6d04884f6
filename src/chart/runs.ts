/** The points of a history as spans of time without a gap: what is drawn in one piece. */

import { type Interval, nextBucket } from '../catalogue/price-history/price-buckets.ts';
import { DAY_MS, startOfDay } from '../values/day.ts';

/** A point of a price history, amounts as JSON carries them. */
export interface PricePoint {
  /** The first day of the point. */
  date: string;
  min: number;
  max: number;
  avg: number;
}

/** Prices from one moment to the next, in milliseconds of the epoch. */
export interface Step extends Omit<PricePoint, 'date'> {
  from: number;
  until: number;
}

/** The days that are shown, both included, and how long a point is. */
export interface ChartTime {
  from: string;
  to: string;
  interval: Interval;
}

/** The first moment that is shown, and the first that is not. */
export function spanOf({ from, to }: ChartTime): { from: number; until: number } {
  return { from: startOfDay(from), until: startOfDay(to) + DAY_MS };
}

// More than this is finer than a picture can show.
const MOST_STEPS = 450;

/**
 * Points as steps, those that follow on each other in one run; each step no longer than what is shown. Of more points than a picture
 * can show, neighbours become one step.
 */
export function runsOf(points: readonly PricePoint[], time: ChartTime): Step[][] {
  const neighbours = Math.ceil(points.length / MOST_STEPS);
  const runs = splitAtGaps(points, time);
  return neighbours <= 1 ? runs : runs.map((run) => joinNeighbours(run, neighbours));
}

function joinNeighbours(run: readonly Step[], count: number): Step[] {
  return Array.from({ length: Math.ceil(run.length / count) }, (_, index) =>
    run.slice(index * count, (index + 1) * count).reduce((one, next) => ({
      from: one.from,
      until: next.until,
      min: Math.min(one.min, next.min),
      max: Math.max(one.max, next.max),
      avg: (one.avg * (one.until - one.from) + next.avg * (next.until - next.from)) / (next.until - one.from),
    })),
  );
}

function splitAtGaps(points: readonly PricePoint[], time: ChartTime): Step[][] {
  const shown = spanOf(time);
  const runs: Step[][] = [];
  let end = Number.NaN;
  for (const { date, min, max, avg } of points) {
    const start = startOfDay(date);
    const next = nextBucket(start, time.interval);
    const step = { from: Math.max(start, shown.from), until: Math.min(next, shown.until), min, max, avg };
    if (start === end) runs.at(-1)?.push(step);
    else runs.push([step]);
    end = next;
  }
  return runs;
}
