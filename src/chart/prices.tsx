/** The prices in a chart. */
import { area, curveStepAfter, line } from 'd3-shape';
import { startOfDay } from '../values/day.ts';
import type { Plot } from './plot.ts';
import { lowestOf, type PriceChart, type Step } from './steps.ts';

/** The start of a step, the end of a step before a gap, or the gap itself, whose time is NaN. */
type Corner = Omit<Step, 'until'>;

/** A price and the day on which it was reached first. */
type Low = { price: number; date: string };

/**
 * A band from the lowest to the highest price, the average as a thin line, and the lowest in stock as a thick one, with dots where it is at
 * its lowest and at the lowest price ever.
 */
export function Prices({ plot, steps, chart }: { plot: Plot; steps: readonly Step[]; chart: PriceChart }) {
  const { lowestEver } = chart;
  const lowest = lowestOf(chart);
  const { x, y, colours } = plot;
  const corners = cornersOf(steps);
  const at = ({ from }: Corner) => x(from);
  const bottom = ({ min }: Corner) => y(min);
  const low = ({ low, min }: Corner) => y(low ?? min);
  const highest = ({ max }: Corner) => y(max);
  const average = ({ avg }: Corner) => y(avg);
  const isShown = ({ from }: Corner) => !Number.isNaN(from);
  const stepLine = (height: typeof low, of: readonly Corner[]) =>
    line(at, height).defined(isShown).curve(curveStepAfter)([...of]) ?? undefined;
  const band = area(at, bottom, highest).defined(isShown).curve(curveStepAfter)(corners) ?? undefined;
  return (
    <g fill="none" stroke-linejoin="bevel">
      <path d={band} fill={colours.band} />
      {lowestEver && <LowestEverLine plot={plot} price={lowestEver.price} />}
      <path d={stepLine(average, corners)} stroke={colours.muted} />
      <path
        d={stepLine(low, cornersOf(steps.filter((step) => step.low !== null)))}
        stroke={colours.lowest}
        stroke-width="2.5"
      />
      {lowest && <Mark plot={plot} low={lowest} colour={colours.lowest} />}
      {lowestEver && <Mark plot={plot} low={lowestEver} colour={colours.lowestEver} />}
    </g>
  );
}

/** The corners of lines through steps, each as long as its step. */
function cornersOf(steps: readonly Step[]): Corner[] {
  return steps.flatMap(({ until, ...step }, index) =>
    steps[index + 1]?.from === until ? [step] : [step, { ...step, from: until }, { ...step, from: Number.NaN }],
  );
}

/** A dashed line across the plot. */
function LowestEverLine({ plot: { left, right, y, colours }, price }: { plot: Plot; price: number }) {
  return (
    <path d={`M${left} ${y(price)}H${right}`} stroke={colours.lowestEver} stroke-width="1.5" stroke-dasharray="5 4" />
  );
}

/** A dot on the day of a low, if the chart shows that day. */
function Mark({ plot: { x, y, from, until, colours }, low, colour }: { plot: Plot; low: Low; colour: string }) {
  const day = startOfDay(low.date);
  if (day < from || day >= until) return null;
  return <circle cx={x(day)} cy={y(low.price)} r="5" fill={colour} stroke={colours.ground} stroke-width="2" />;
}
