/** Figures of a series in a time span, weighted by time. */
import type { SeriesStep } from '../../ledger/series.ts';
import type { TimeSpan } from '../../values/time-span.ts';

/** Calls `visit` for each part of a span in which the series has a total, in the order of time. */
export function eachPrice(
  steps: readonly SeriesStep[],
  span: TimeSpan,
  visit: (total: bigint, from: number, until: number) => void,
): void {
  for (let index = Math.max(stepAt(steps, span.from), 0); index < steps.length; index++) {
    const step = steps[index];
    if (!step || step.at >= span.until) return;
    if (step.total === null) continue;
    const [from, until] = partOf(steps, index, span);
    if (from < until) visit(step.total, from, until);
  }
}

/** The lowest, the highest and the average total of a span. Amounts are in minor units; the average has halves rounded up. */
export function summarise(steps: readonly SeriesStep[], span: TimeSpan) {
  let found: { min: bigint; max: bigint } | undefined;
  let [weight, milliseconds] = [0n, 0n];
  eachPrice(steps, span, (total, from, until) => {
    found ??= { min: total, max: total };
    if (total < found.min) found.min = total;
    if (total > found.max) found.max = total;
    const length = BigInt(until - from);
    weight += total * length;
    milliseconds += length;
  });
  return found && { ...found, avg: (2n * weight + milliseconds) / (2n * milliseconds) };
}

/**
 * The lower median of a span: the least total such that the series was at or below it for at least half of the time with a total.
 * @param byTotal the positions of the steps with a total, by ascending total.
 */
export function medianIn(steps: readonly SeriesStep[], byTotal: readonly number[], span: TimeSpan): bigint | undefined {
  const lengths = byTotal.map((index) => {
    const [from, until] = partOf(steps, index, span);
    return Math.max(until - from, 0);
  });
  let rest = lengths.reduce((sum, length) => sum + length, 0);
  if (rest === 0) return undefined;
  const half = rest / 2;
  const last = lengths.findIndex((length) => {
    rest -= length;
    return rest <= half;
  });
  return steps[byTotal[last] ?? 0]?.total ?? undefined;
}

/** The milliseconds of a span in which the series has a total that `counts`. */
export function timeIn(steps: readonly SeriesStep[], span: TimeSpan, counts: (total: bigint) => boolean): number {
  let time = 0;
  eachPrice(steps, span, (total, from, until) => {
    if (counts(total)) time += until - from;
  });
  return time;
}

/** A share in percent, rounded to two decimals, halves up; undefined of nothing. */
export function percentOf(part: number, whole: number): number | undefined {
  if (whole <= 0) return undefined;
  const [some, all] = [BigInt(part), BigInt(whole)];
  return Number((20_000n * some + all) / (2n * all)) / 100;
}

/** The position of the step that holds at a moment; -1 before the first. */
export function stepAt(steps: readonly SeriesStep[], moment: number): number {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((steps[middle]?.at ?? moment) <= moment) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The part of a span for which a step holds; its end is before its start if there is none. */
function partOf(steps: readonly SeriesStep[], index: number, { from, until }: TimeSpan): [from: number, until: number] {
  return [Math.max(steps[index]?.at ?? until, from), Math.min(steps[index + 1]?.at ?? Number.POSITIVE_INFINITY, until)];
}
