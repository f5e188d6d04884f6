/** Charts of extreme price histories are drawn like any other: inside the picture, small and fast. */
import { describe, expect, test } from 'vitest';
import { drawPriceChart } from '../src/chart/price-chart.tsx';
import type { PriceChart } from '../src/chart/steps.ts';
import { dayOf } from '../src/values/day.ts';
import { readSvg } from './harness/svg.ts';

const LOOKS = (['wide', 'narrow'] as const).flatMap((measures) =>
  (['light', 'dark'] as const).map((colours) => ({ measures, colours })),
);
const LOWEST = '#1a56b8';
const BAND = '#c9dbf6';

/** A history with one point a day from 1 January 1970; `undefined` where there was no price. */
function history(
  prices: readonly ([min: number, max: number] | undefined)[],
  more: Partial<PriceChart> = {},
): PriceChart {
  const day = (index: number) => dayOf(index * 86_400_000);
  const points = prices.flatMap((price, index) =>
    price ? [{ date: day(index), min: price[0], max: price[1], avg: (price[0] + price[1]) / 2 }] : [],
  );
  const cheapest = points.reduce<(typeof points)[number] | undefined>(
    (one, other) => (one && one.min <= other.min ? one : other),
    undefined,
  );
  return {
    title: 'Kettle',
    currency: 'EUR',
    interval: 'day',
    from: day(0),
    to: day(Math.max(0, prices.length - 1)),
    lowestEver: cheapest && { price: cheapest.min, date: cheapest.date },
    points,
    ...more,
  };
}

/** The corners of the shape that is drawn in the given colour. */
function cornersOf(svg: string, colour: string): { x: number; y: number }[] {
  const { elements } = readSvg(svg);
  const shape = elements.find(({ name, attributes: { d = '', stroke, fill } }) => {
    return name === 'path' && d.includes(',') && (stroke === colour || fill === colour);
  });
  return [...(shape?.attributes.d ?? '').matchAll(/(-?[\d.e+]+),(-?[\d.e+]+)/g)].map(([, x, y]) => ({
    x: Number(x),
    y: Number(y),
  }));
}

const many = <Item>(count: number, item: (index: number) => Item) => Array.from({ length: count }, (_, n) => item(n));
const jump = (n: number): [number, number] => [10 + ((n * 7919) % 83), 100 + ((n * 6271) % 89)];

const CASES: [string, PriceChart][] = [
  ['no price at all', history([])],
  ['no price in the period, but one before', history([], { lowestEver: { price: 5, date: '1969-12-01' } })],
  ['one point', history([[9.99, 9.99]])],
  ['equal prices', history(many(90, () => [9.99, 9.99]))],
  ['a price of zero', history(many(90, () => [0, 0]))],
  ['a price of one cent', history(many(90, () => [0.01, 0.01]))],
  ['prices from 0 to 10^12', history([[0, 1], [1e12, 1e12], undefined, [0.01, 1e12]])],
  ['prices from 0 to 10^12 in a currency with a long name', history([[0, 1e12]], { currency: 'HUF' })],
  [
    'a price in a currency without decimals',
    history(
      many(9, (n) => [n % 2, 1]),
      { currency: 'JPY' },
    ),
  ],
  ['20,000 changes', history(many(20_000, jump))],
  ['20,000 changes, a gap after each', history(many(40_000, (n) => (n % 2 ? undefined : jump(n))))],
  ['a title of 10,000 letters', history([[1, 2]], { title: 'W'.repeat(10_000) })],
  ['a title in letters of all kinds', history([[1, 2]], { title: '</title><script>"\u0000\ud800\uffff漢字🎧 & \'' })],
];

describe.each(CASES)('a chart of %s', (_what, chart) => {
  test.each(LOOKS)('is a well-formed picture with valid numbers, $measures and $colours', (look) => {
    const svg = drawPriceChart(chart, look);
    const { root, elements, texts } = readSvg(svg);
    expect(texts.title?.[0]).toMatch(/^Price history of /);
    expect(texts.desc?.[0]).toMatch(/^Total price by day/);
    expect(svg).not.toMatch(/NaN|Infinity|undefined|null|\[object/);
    expect(elements.map(({ name }) => name)).not.toContain('script');
    // Inline styles would need a Content-Security-Policy that allows them.
    expect(elements.filter(({ name, attributes }) => name === 'style' || 'style' in attributes)).toEqual([]);
    const corners = elements.flatMap(({ attributes: { d = '' } }) => d.match(/[MLHV]/g) ?? []);
    expect(corners.length).toBeLessThan(1_500);
    expect(svg.length - 2 * chart.title.length).toBeLessThan(25_000);
    for (const { x, y } of [...cornersOf(svg, LOWEST), ...cornersOf(svg, BAND)]) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(Number(root.width));
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(Number(root.height));
    }
    const labels = (texts.text ?? []).filter((text) => /^(€|HUF|¥)/.test(text));
    expect(new Set(labels).size).toBe(labels.length);
  });
});

describe('the points of a long history', () => {
  test('are thinned out, but all extremes remain', () => {
    const prices = many(20_000, (n): [number, number] => [50 + (n % 3), 60 + (n % 5)]);
    const without = drawPriceChart(history(prices, { lowestEver: { price: 1, date: '1969-12-01' } }));
    prices[12_345] = [10, 60];
    prices[6_789] = [50, 99];
    const svg = drawPriceChart(history(prices));
    const heights = cornersOf(svg, BAND).map(({ y }) => y);
    const dip = Math.max(...cornersOf(svg, LOWEST).map(({ y }) => y));
    expect(heights.filter((y) => y === Math.max(...heights))).toHaveLength(2);
    expect(heights.filter((y) => y === Math.min(...heights))).toHaveLength(2);
    expect(dip).toBe(Math.max(...heights));
    expect(cornersOf(without, LOWEST).length).toBeGreaterThan(100);
    expect(readSvg(svg).texts.desc?.[0]).toContain('All prices were between €10.00 and €99.00.');
  });

  test('are all drawn when there is room for them', () => {
    const prices = many(90, (n): [number, number] => [10 + (n % 7), 20]);
    // Each step has two corners, its start and the end of the level before; the last corner is the end of the line.
    const levels = new Set(cornersOf(drawPriceChart(history(prices)), LOWEST).map(({ x }) => x));
    expect(levels.size).toBe(91);
  });
});

test('charts are drawn fast enough not to delay other requests', () => {
  const chart = history(many(3_650, jump));
  drawPriceChart(chart);
  const before = process.cpuUsage();
  for (let n = 0; n < 50; n += 1) drawPriceChart(chart);
  const { user, system } = process.cpuUsage(before);
  // Ten years of changes take about 4 ms of processor time, half a year about 1 ms. The limit allows for slower machines.
  expect((user + system) / 1000 / 50).toBeLessThan(25);
});
