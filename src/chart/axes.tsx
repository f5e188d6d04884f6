/** The axes of a chart. */
import { DAY_MS } from '../values/day.ts';
import type { Plot } from './plot.ts';
import { textWidth } from './text-width.ts';

/** The prices, each with a line across the plot. */
export function PriceAxis({ plot: { left, right, y, prices, colours } }: { plot: Plot }) {
  return (
    <g text-anchor="end">
      {prices.map(({ amount, label }) => (
        <g key={amount} transform={`translate(${left} ${y(amount)})`}>
          <path d={`M0 0H${right - left}`} stroke={colours.line} />
          <text x="-.6em" y=".35em">
            {label}
          </text>
        </g>
      ))}
    </g>
  );
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Days in UTC, or months if the chart shows more than a year. */
export function TimeAxis({ plot }: { plot: Plot }) {
  const { left, right, bottom, x, colours } = plot;
  return (
    <g text-anchor="middle">
      <path d={`M${left} ${bottom}H${right}`} stroke={colours.line} />
      {dayLabels(plot).map(({ day, label }) => (
        <g key={day} transform={`translate(${x(day)} ${bottom})`}>
          <path d="M0 0V5" stroke={colours.line} />
          <text y="1.6em">{label}</text>
        </g>
      ))}
    </g>
  );
}

/** The starts of days that are far enough apart, and from the edge, for their labels. */
function dayLabels({ x, from, until, right, width, fontSize }: Plot): { day: number; label: string }[] {
  const format = until - from > 370 * DAY_MS ? MONTH : DAY;
  const labels: { day: number; label: string }[] = [];
  let free = 0;
  for (const day of x.ticks(Math.floor(width / 80)).map(Number)) {
    if (day % DAY_MS !== 0 || x(day) < free || x(day) > right - fontSize) continue;
    const label = format.format(day);
    labels.push({ day, label });
    free = x(day) + textWidth(label, fontSize) + fontSize;
  }
  return labels;
}
