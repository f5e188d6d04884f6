/** The prices in a chart. */
import { area, curveStepAfter, line } from 'd3-shape';
import { startOfDay } from '../values/day.ts';
import type { Plot } from './plot.ts';
import type { PriceChart, Step } from './steps.ts';

/** The start of a step, the end of a step before a gap, or the gap itself, whose time is NaN. */
type Corner = Omit<Step, 'until'>;

type LowestEver = PriceChart['lowestEver'];

/** A band from the lowest to the highest price, the average as a thin line, the lowest as a thick one, and the lowest ever. */
export function Prices({ plot, steps, lowestEver }: { plot: Plot; steps: readonly Step[]; lowestEver: LowestEver }) {
  const { x, y, colours } = plot;
  const corners = steps.flatMap(({ until, ...step }, index): Corner[] =>
    steps[index + 1]?.from === until ? [step] : [step, { ...step, from: until }, { ...step, from: Number.NaN }],
  );
  const at = ({ from }: Corner) => x(from);
  const lowest = ({ min }: Corner) => y(min);
  const highest = ({ max }: Corner) => y(max);
  const average = ({ avg }: Corner) => y(avg);
  const isShown = ({ from }: Corner) => !Number.isNaN(from);
  const stepLine = (height: typeof lowest) =>
    line(at, height).defined(isShown).curve(curveStepAfter)(corners) ?? undefined;
  const band = area(at, lowest, highest).defined(isShown).curve(curveStepAfter)(corners) ?? undefined;
  return (
    <g fill="none" stroke-linejoin="bevel">
      <path d={band} fill={colours.band} />
      {lowestEver && <LowestEverLine plot={plot} lowestEver={lowestEver} />}
      <path d={stepLine(average)} stroke={colours.muted} />
      <path d={stepLine(lowest)} stroke={colours.lowest} stroke-width="2.5" />
    </g>
  );
}

/** A dashed line, with a dot on its day if the chart shows that day. */
function LowestEverLine({ plot, lowestEver }: { plot: Plot; lowestEver: NonNullable<LowestEver> }) {
  const { left, right, x, y, from, until, colours } = plot;
  const day = startOfDay(lowestEver.date);
  return (
    <g stroke={colours.lowestEver} transform={`translate(0 ${y(lowestEver.price)})`}>
      <path d={`M${left} 0H${right}`} stroke-width="1.5" stroke-dasharray="5 4" />
      {day >= from && day < until && (
        <circle cx={x(day)} r="5" fill={colours.lowestEver} stroke={colours.ground} stroke-width="2" />
      )}
    </g>
  );
}
