/** Draws a price chart with Apache ECharts, on the server: what the threads of `pool.ts` run. */
import { CustomChart, type CustomSeriesOption, LineChart, type LineSeriesOption } from 'echarts/charts';
import {
  GridComponent,
  type GridComponentOption,
  LegendComponent,
  type LegendComponentOption,
  TitleComponent,
  type TitleComponentOption,
} from 'echarts/components';
import { type ComposeOption, format, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { DAY_MS, startOfDay } from '../values/day.ts';
import { roundPriceFormat } from '../values/price-format.ts';
import { describeChart, describeLowest, describeTime } from './describe.ts';
import { CHART_COLOURS, CHART_MEASURES, type ChartColours, type ChartLook, type ChartMeasures } from './look.ts';
import type { PriceChart } from './price-chart.ts';
import { runsOf, type Step, spanOf } from './runs.ts';

use([CustomChart, LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);

type Option = ComposeOption<
  CustomSeriesOption | LineSeriesOption | GridComponentOption | LegendComponentOption | TitleComponentOption
>;

// Without quotes: the library writes it into an attribute as it is.
// As wide as the library, which cannot ask a browser, takes letters to be.
const FONT = 'Arial, Helvetica, Liberation Sans, sans-serif';

const LOWEST = 'Lowest price';
const AVERAGE = 'Average';
const BAND = 'Lowest to highest';

/** The whole picture. */
export default function draw({ chart, look }: { chart: PriceChart; look: ChartLook }): string {
  const colours = CHART_COLOURS[look.colours];
  const measures = CHART_MEASURES[look.measures];
  const { width, height } = measures;
  const drawing = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    drawing.setOption(optionOf(chart, colours, measures));
    return describe(drawing.renderToSVGString(), chart);
  } finally {
    drawing.dispose();
  }
}

/** Tells those who cannot see the picture what it shows. */
function describe(svg: string, chart: PriceChart): string {
  const words = [
    ['title', `Price history of ${chart.title}`],
    ['desc', describeChart(chart)],
  ].map(([name, text = '']) => `<${name} id="${name}">${format.encodeHTML(printable(text))}</${name}>`);
  return withoutCounters(svg).replace(
    /^<svg ([^>]*)>/,
    (_tag, attributes: string) =>
      `<svg role="img" aria-labelledby="title" aria-describedby="desc" ${attributes}>${words.join('')}`,
  );
}

/**
 * The library numbers its drawings, and the styles under a pointer, through the life of the process. A picture has no use for the
 * styles, and its parts are numbered by themselves.
 */
function withoutCounters(svg: string): string {
  return svg
    .replace(/<style >.*?<\/style>\n?/s, '')
    .replaceAll(/ class="zr\d+-cls-\d+"/g, '')
    .replaceAll(/\bzr\d+-/g, '');
}

/** Without what XML cannot hold (XML 1.0 §2.2). */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  return text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu, '');
}

function optionOf(chart: PriceChart, colours: ChartColours, measures: ChartMeasures): Option {
  const { fontSize, width } = measures;
  const runs = runsOf(chart.points, chart);
  const { from, until } = spanOf(chart);
  const margin = fontSize * 1.4;
  const small = { fontSize: fontSize - 1, color: colours.muted };
  const roundPrice = roundPriceFormat(chart.currency);
  return {
    animation: false,
    useUTC: true,
    backgroundColor: colours.ground,
    textStyle: { fontFamily: FONT, fontSize },
    title: [
      {
        text: printable(chart.title),
        subtext: describeTime(chart),
        left: margin,
        top: margin,
        padding: 0,
        itemGap: fontSize * 0.5,
        textStyle: {
          fontSize: fontSize + 3,
          fontWeight: 600,
          color: colours.ink,
          width: (width - 2 * margin) * 0.9, // Bold letters are wider than the library takes them to be.
          overflow: 'truncate',
        },
        subtextStyle: small,
      },
      ...(runs.length === 0
        ? [
            {
              text: 'No price in this time',
              left: 'center',
              top: 'middle',
              textStyle: { ...small, fontWeight: 'normal' as const },
            },
          ]
        : []),
    ],
    legend: {
      show: runs.length > 0,
      data: [LOWEST, AVERAGE, BAND, describeLowest(chart)].flatMap((name) => (name === undefined ? [] : [{ name }])),
      icon: 'roundRect',
      left: margin,
      right: margin,
      bottom: margin * 0.8,
      padding: 0,
      itemWidth: fontSize * 1.2,
      itemHeight: fontSize * 0.5,
      itemGap: fontSize * 1.2,
      textStyle: small,
      selectedMode: false,
    },
    grid: {
      left: margin,
      right: margin,
      top: margin + fontSize * 4.2,
      bottom: margin + fontSize * (width < 600 ? 4 : 2),
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    xAxis: {
      type: 'time',
      min: from,
      max: until,
      minInterval: DAY_MS,
      splitNumber: Math.floor(width / 110),
      axisLine: { lineStyle: { color: colours.line } },
      axisTick: { lineStyle: { color: colours.line } },
      axisLabel: { ...small, formatter: dayLabel(from, until), hideOverlap: true, showMaxLabel: false },
    },
    yAxis: {
      type: 'value',
      scale: true,
      splitNumber: 4,
      splitLine: { lineStyle: { color: colours.line } },
      axisLabel: { ...small, formatter: (amount: number) => roundPrice(Number(amount.toFixed(4))) },
    },
    series: [band(runs, colours), ...lowestEver(chart, colours), average(runs, colours), lowest(runs, colours)],
  };
}

const LABEL = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const LONG_LABEL = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });

function dayLabel(from: number, until: number): (moment: number) => string {
  const label = until - from > 370 * DAY_MS ? LONG_LABEL : LABEL;
  return (moment) => label.format(moment);
}

/** One line of all runs: level through each step, nothing between runs. */
function stepLine(runs: readonly Step[][], amount: 'min' | 'avg'): [number, number | null][] {
  return runs.flatMap((run): [number, number | null][] => {
    const end = run.at(-1);
    const line = run.map((step): [number, number | null] => [step.from, step[amount]]);
    return end ? [...line, [end.until, end[amount]], [end.until, null]] : line;
  });
}

function lowest(runs: readonly Step[][], { accent }: ChartColours): LineSeriesOption {
  return {
    name: LOWEST,
    type: 'line',
    step: 'end',
    data: stepLine(runs, 'min'),
    symbol: 'none',
    itemStyle: { color: accent },
    lineStyle: { color: accent, width: 2.5 },
  };
}

function average(runs: readonly Step[][], { muted }: ChartColours): LineSeriesOption {
  return {
    name: AVERAGE,
    type: 'line',
    step: 'end',
    data: stepLine(runs, 'avg'),
    symbol: 'none',
    itemStyle: { color: muted },
    lineStyle: { color: muted, width: 1 },
  };
}

/** From the lowest to the highest price: a polygon a run, along the steps' lower ends and back along the upper ones. */
function band(runs: readonly Step[][], colours: ChartColours): CustomSeriesOption {
  return {
    name: BAND,
    type: 'custom',
    clip: true,
    itemStyle: { color: colours.band },
    dimensions: ['from', 'until', 'min', 'max'],
    encode: { x: ['from', 'until'], y: ['min', 'max'] },
    data: runs.map((run) => [
      run[0]?.from ?? 0,
      run.at(-1)?.until ?? 0,
      Math.min(...run.map(({ min }) => min)),
      Math.max(...run.map(({ max }) => max)),
    ]),
    renderItem: ({ dataIndex }, { coord }) => {
      const run = runs[dataIndex] ?? [];
      const lower = run.flatMap(({ from, until, min }) => [coord([from, min]), coord([until, min])]);
      const upper = run.flatMap(({ from, until, max }) => [coord([from, max]), coord([until, max])]);
      return { type: 'polygon', shape: { points: [...lower, ...upper.reverse()] }, style: { fill: colours.band } };
    },
  };
}

/** A dashed line at the lowest price ever, with a dot on its day where that is shown. */
function lowestEver(chart: PriceChart, { mark, ground }: ChartColours): LineSeriesOption[] {
  const name = describeLowest(chart);
  if (!chart.lowestEver || name === undefined) return [];
  const { price, date } = chart.lowestEver;
  const { from, until } = spanOf(chart);
  const day = startOfDay(date);
  const ends = [from, until].map((moment) => ({ value: [moment, price], symbol: 'none' }));
  const dot = { value: [day, price], symbol: 'circle', symbolSize: 10 };
  return [
    {
      name,
      type: 'line',
      data: day >= from && day < until ? [ends[0] ?? dot, dot, ends[1] ?? dot] : ends,
      showAllSymbol: true,
      itemStyle: { color: mark, borderColor: ground, borderWidth: 2 },
      lineStyle: { color: mark, width: 1.5, type: [5, 4] },
    },
  ];
}
