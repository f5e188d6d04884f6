/**
 * A chart of stacked bars, as part of a page: its colours are classes of the page's stylesheet, so they follow the colour scheme. The
 * page has a table of the same figures, since the picture has only a short text alternative.
 */
import { scaleBand, scaleLinear } from 'd3-scale';
import { textWidth } from './text-width.ts';

/** The colours of bars and marks: classes in `styles/page/bar-chart.css`. */
export type BarLook = 'main' | 'good' | 'bad' | 'quiet';

export interface Bar {
  /** Tells bars apart for screen readers and in tooltips, such as a time. */
  name: string;
  /** Under the bar, if there is room. */
  label: string;
  /** The heights of its parts, from the bottom up, in the order of the chart's parts. */
  values: readonly number[];
  /** Drawn above the bar: what is special about it, or why it has no height. */
  mark?: { name: string; look: BarLook } | undefined;
}

export interface BarChartProps {
  /** The text alternative: what the chart shows, and its most important figures. */
  description: string;
  /** The names of the parts of each bar. */
  parts: readonly { name: string; look: BarLook }[];
  bars: readonly Bar[];
}

// Without a chart's own text sizes, text would shrink with the picture on a phone.
const SIZES = {
  wide: { width: 960, height: 260, fontSize: 13 },
  narrow: { width: 350, height: 220, fontSize: 12 },
} as const;

const TICKS = 4;
const COUNT = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 });
const EXACT = new Intl.NumberFormat('en-GB');

/** The chart in two sizes, of which the stylesheet shows one, and its legend. */
export function BarChart({ description, parts, bars }: BarChartProps) {
  const marks = new Map(bars.flatMap(({ mark }) => (mark ? [[mark.name, mark] as const] : [])));
  return (
    <figure class="bar-chart">
      <Picture size="wide" description={description} parts={parts} bars={bars} />
      <Picture size="narrow" description={description} parts={parts} bars={bars} />
      {(parts.length > 1 || marks.size > 0) && (
        <figcaption class="legend">
          {parts.map(({ name, look }) => (
            <span key={name}>
              <Swatch look={look} />
              {name}
            </span>
          ))}
          {[...marks.values()].map(({ name, look }) => (
            <span key={name}>
              <Swatch look={look} isMark />
              {name}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  );
}

function Picture({ size, description, parts, bars }: BarChartProps & { size: keyof typeof SIZES }) {
  const { width, height, fontSize } = SIZES[size];
  const top = fontSize * 1.5;
  const bottom = height - fontSize * 2;
  const highest = Math.max(1, ...bars.map(sumOf));
  const y = scaleLinear().domain([0, highest]).nice(TICKS).rangeRound([bottom, top]);
  const ticks = y.ticks(TICKS).filter(Number.isInteger);
  const left = Math.ceil(Math.max(...ticks.map((tick) => textWidth(`${COUNT.format(tick)} `, fontSize)))) + 4;
  const x = scaleBand<number>()
    .domain(bars.map((_, index) => index))
    .range([left, width])
    .paddingInner(0.25)
    .paddingOuter(0.1);
  const barWidth = Math.min(x.bandwidth(), 32);
  const middleOf = (index: number) => (x(index) ?? left) + x.bandwidth() / 2;
  return (
    <svg
      class={`chart-${size}`}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={description}
      font-size={fontSize}
    >
      <g text-anchor="end">
        {ticks.map((tick) => (
          <g key={tick} transform={`translate(${left} ${y(tick)})`}>
            <path class="grid" d={`M0 0H${width - left}`} />
            <text x="-.5em" y=".35em">
              {COUNT.format(tick)}
            </text>
          </g>
        ))}
      </g>
      {bars.map((bar, index) => (
        <g key={index} transform={`translate(${round(middleOf(index))} 0)`}>
          <title>{tooltipOf(bar, parts)}</title>
          <Parts values={bar.values} parts={parts} width={barWidth} y={y} />
          {bar.mark && <Mark look={bar.mark.look} y={y(sumOf(bar)) - fontSize * 0.6} />}
        </g>
      ))}
      <g text-anchor="middle">
        {spaced(bars, middleOf, width, fontSize).map(({ index, label }) => (
          <text key={index} x={round(middleOf(index))} y={height - fontSize * 0.5}>
            {label}
          </text>
        ))}
      </g>
    </svg>
  );
}

/** The parts of one bar. Each that is not 0 is at least a pixel high, so that one bad row of a million is seen. */
function Parts({
  values,
  parts,
  width,
  y,
}: Pick<Bar, 'values'> & Pick<BarChartProps, 'parts'> & { width: number; y: (value: number) => number }) {
  let sum = 0;
  let base = y(0);
  return values.map((value, index) => {
    sum += value;
    const top = value > 0 ? Math.min(y(sum), base - 1) : base;
    const height = base - top;
    base = top;
    const { name = '', look = 'main' } = parts[index] ?? {};
    return (
      height > 0 && <rect key={name} class={look} x={round(-width / 2)} y={top} width={round(width)} height={height} />
    );
  });
}

/** A cross for what went wrong, a dot for what was left out. */
function Mark({ look, y }: { look: BarLook; y: number }) {
  return look === 'bad' ? (
    <path class="bad line" d={`M-4 ${y - 4}L4 ${y + 4}M-4 ${y + 4}L4 ${y - 4}`} />
  ) : (
    <circle class={look} cx="0" cy={y} r="3" />
  );
}

function Swatch({ look, isMark = false }: { look: BarLook; isMark?: boolean }) {
  return (
    <svg width="12" height="12" viewBox="-6 -6 12 12" aria-hidden="true">
      {isMark ? <Mark look={look} y={0} /> : <rect class={look} x="-6" y="-6" width="12" height="12" rx="2" />}
    </svg>
  );
}

const sumOf = ({ values }: Pick<Bar, 'values'>) => values.reduce((sum, value) => sum + value, 0);

function tooltipOf(bar: Bar, parts: BarChartProps['parts']): string {
  const { name, values, mark } = bar;
  const figures = values.map((value, index) => `${parts[index]?.name ?? ''} ${EXACT.format(value)}`.trimStart());
  const shown = mark && sumOf(bar) === 0 ? [mark.name] : mark ? [mark.name, ...figures] : figures;
  return `${name}: ${shown.join(', ')}`;
}

/** The labels that have room beside each other and within the picture. The last bar is the newest, so its label is kept. */
function spaced(bars: readonly Bar[], middleOf: (index: number) => number, width: number, fontSize: number) {
  const labels: { index: number; label: string }[] = [];
  let free = width;
  for (let index = bars.length - 1; index >= 0; index -= 1) {
    const label = bars[index]?.label ?? '';
    const half = textWidth(label, fontSize) / 2;
    const middle = middleOf(index);
    // The last label may reach the edge, but not beyond.
    if (middle + half > free || middle - half < 0) continue;
    labels.push({ index, label });
    free = middle - half - fontSize * 1.5;
  }
  return labels;
}

const round = (value: number) => Math.round(value * 100) / 100;
