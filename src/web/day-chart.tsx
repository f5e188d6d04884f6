/** A chart of figures by day, drawn by the server: stacked bars or lines, with the same figures as a table. It fits any window. */
import { scaleLinear } from 'd3-scale';
import { dayFormat, dayFormatIn } from '../values/day-format.ts';
import { numbers, ScrollTable } from './layout.tsx';

/** Figures of one kind. */
export interface DaySeries {
  name: string;
  /** Its colour; `first` to `fourth` are for kinds of equal weight. */
  look: 'first' | 'second' | 'third' | 'fourth' | 'warn' | 'bad';
  /** One figure for each day; null if there is none, which a line shows as a gap. */
  figures: readonly (number | null)[];
}

interface DayChartProps {
  title: string;
  /** Consecutive days, `YYYY-MM-DD`, the oldest first. */
  days: readonly string[];
  series: readonly DaySeries[];
  /** `bars` stack the series; `lines` draw each from zero. */
  kind?: 'bars' | 'lines';
  /** How a figure is written; with separators between thousands by default. */
  format?: (figure: number) => string;
  /** Shown instead of a chart without figures. */
  ifEmpty?: string;
}

/** The chart. Its SVG is stretched to the width of the window; all text is outside it. */
export function DayChart({
  title,
  days,
  series,
  kind = 'bars',
  format = (figure) => figure.toLocaleString('en'),
  ifEmpty = 'No figures for these days yet',
}: DayChartProps) {
  const most = Math.max(0, ...days.map((_day, index) => heightOf(series, index, kind)));
  const y = scaleLinear()
    .domain([0, most || 1])
    .nice(TICKS);
  const [, top = 1] = y.domain();
  const areWhole = series.every(({ figures }) => figures.every((figure) => Number.isInteger(figure ?? 0)));
  const amounts = y.ticks(TICKS).filter((amount) => !areWhole || Number.isInteger(amount));
  return (
    <figure class="day-chart">
      <figcaption>
        <strong>{title}</strong>
        {series.length > 1 && (
          <ul class="day-chart-legend">
            {series.map(({ name, look }) => (
              <li key={name} class={look}>
                {name}
              </li>
            ))}
          </ul>
        )}
      </figcaption>
      {most === 0 ? (
        <p class="day-chart-empty muted">{ifEmpty}.</p>
      ) : (
        <>
          <div class="day-chart-plot">
            <div class="day-chart-amounts" aria-hidden="true">
              {amounts.toReversed().map((amount) => (
                <span key={amount}>{format(amount)}</span>
              ))}
            </div>
            <svg
              viewBox={`0 0 ${days.length * SLOT} ${HEIGHT}`}
              preserveAspectRatio="none"
              role="img"
              aria-label={describe(title, days, series, format)}
            >
              {amounts.map((amount) => (
                <path
                  key={amount}
                  class="grid"
                  d={`M0 ${heightAt(amount, top)}H${days.length * SLOT}`}
                  vector-effect="non-scaling-stroke"
                />
              ))}
              {kind === 'bars'
                ? days.map((day, index) => <Bar key={day} {...{ day, index, series, top, format }} />)
                : series.map((line) => <Line key={line.name} line={line} top={top} />)}
            </svg>
            <div class="day-chart-days" aria-hidden="true">
              {daysOnAxis(days).map((day) => (
                <span key={day}>{dayFormatIn(day, days.at(-1) ?? day)}</span>
              ))}
            </div>
          </div>
          <details>
            <summary>{title} as a table</summary>
            <DayTable {...{ title, days, series, format }} />
          </details>
        </>
      )}
    </figure>
  );
}

// Units of the picture, which is stretched: the width of a day, and the height.
const SLOT = 10;
const BAR = 8;
const HEIGHT = 100;
const TICKS = 3;

const heightAt = (amount: number, top: number) => round(HEIGHT - (amount / top) * HEIGHT);
const round = (value: number) => Math.round(value * 100) / 100;

function heightOf(series: readonly DaySeries[], index: number, kind: 'bars' | 'lines'): number {
  const figures = series.map(({ figures: each }) => each[index] ?? 0);
  return kind === 'bars' ? figures.reduce((sum, figure) => sum + figure, 0) : Math.max(0, ...figures);
}

interface BarProps {
  day: string;
  index: number;
  series: readonly DaySeries[];
  top: number;
  format: (figure: number) => string;
}

/** The bar of a day, whose figures browsers show to a pointer. */
function Bar({ day, index, series, top, format }: BarProps) {
  let below = 0;
  return (
    <g>
      <title>{`${dayFormat(day)}: ${figuresOf(series, index, format)}`}</title>
      {/* So that a day without figures, or with few, has something to point at. */}
      <rect class="ground" x={index * SLOT} y="0" width={SLOT} height={HEIGHT} />
      {series.map(({ name, look, figures }) => {
        const figure = figures[index] ?? 0;
        if (figure === 0) return null;
        const y = heightAt(below + figure, top);
        const height = round(heightAt(below, top) - y);
        below += figure;
        return <rect key={name} class={look} x={index * SLOT + (SLOT - BAR) / 2} y={y} width={BAR} height={height} />;
      })}
    </g>
  );
}

/** A line through the figures, with a gap where there are none. A figure between two gaps is a short line. */
function Line({ line: { look, figures }, top }: { line: DaySeries; top: number }) {
  let isDrawing = false;
  const path = figures
    .map((figure, index) => {
      if (figure === null) {
        isDrawing = false;
        return '';
      }
      const x = index * SLOT + SLOT / 2;
      const y = heightAt(figure, top);
      const isAlone = !isDrawing && (figures[index + 1] ?? null) === null;
      const step = isDrawing ? `L${x} ${y}` : isAlone ? `M${x - 2} ${y}H${x + 2}` : `M${x} ${y}`;
      isDrawing = true;
      return step;
    })
    .join('');
  return <path class={`line ${look}`} d={path} vector-effect="non-scaling-stroke" />;
}

/** The first, the middle and the last day. */
function daysOnAxis(days: readonly string[]): string[] {
  const places = days.length < 3 ? days.keys() : [0, Math.floor((days.length - 1) / 2), days.length - 1];
  return [...places].map((place) => days[place] as string);
}

const figuresOf = (series: readonly DaySeries[], index: number, format: (figure: number) => string) =>
  series
    .map(({ name, figures }) => `${name} ${figures[index] == null ? 'none' : format(figures[index] as number)}`)
    .join(', ');

/** What the chart shows, in a sentence: the last day, and the highest one. */
function describe(
  title: string,
  days: readonly string[],
  series: readonly DaySeries[],
  format: (figure: number) => string,
): string {
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const peaks = series.map(({ name, figures }) => {
    const most = Math.max(0, ...figures.map((figure) => figure ?? 0));
    return `${name} at most ${format(most)}`;
  });
  return `${title}, ${dayFormat(first)} to ${dayFormat(last)}: ${peaks.join(', ')}. The table below has every day.`;
}

function DayTable({
  title,
  days,
  series,
  format,
}: Required<Pick<DayChartProps, 'title' | 'days' | 'series' | 'format'>>) {
  return (
    <ScrollTable label={title} columns={['Day', ...series.map(({ name }) => numbers(name))]}>
      {days
        .map((day, index) => (
          <tr key={day}>
            <th scope="row">{dayFormat(day)}</th>
            {series.map(({ name, figures }) => (
              <td key={name} class="number">
                {figures[index] == null ? '–' : format(figures[index] as number)}
              </td>
            ))}
          </tr>
        ))
        .toReversed()}
    </ScrollTable>
  );
}
