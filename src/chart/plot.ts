/** The plot of a chart: the area between the axes, and the places of days and prices in it. */
import { scaleLinear, scaleUtc } from 'd3-scale';
import { currencyDecimals } from '../values/money.ts';
import { roundPriceFormat } from '../values/price-format.ts';
import type { styleOf } from './look.ts';
import { type PriceChart, type Step, spanOf } from './steps.ts';
import { textWidth } from './text-width.ts';

export type Plot = ReturnType<typeof plotOf>;

const PRICES = 5;

/** Lays out the plot, in whole pixels. It starts to the right of the longest price label. */
export function plotOf(chart: PriceChart, steps: readonly Step[], style: ReturnType<typeof styleOf>) {
  const { width, height, margin, fontSize, legendLines } = style;
  const top = Math.round(margin + fontSize * 4.9);
  const bottom = Math.round(height - margin - fontSize * (2 + 1.7 * legendLines));
  const y = scaleLinear().domain(pricesOf(chart, steps)).nice(PRICES).rangeRound([bottom, top]);
  const format = roundPriceFormat(chart.currency);
  const prices = y.ticks(PRICES).map((amount) => ({ amount, label: format(amount) }));
  const left = Math.ceil(margin + Math.max(...prices.map(({ label }) => textWidth(`${label} `, fontSize))));
  const right = width - margin;
  const { from, until } = spanOf(chart);
  const x = scaleUtc().domain([from, until]).rangeRound([left, right]);
  return { ...style, top, bottom, left, right, from, until, x, y, prices };
}

/** The range of prices on the axis. */
function pricesOf({ lowestEver, currency }: PriceChart, steps: readonly Step[]): [number, number] {
  const amounts = steps.flatMap(({ min, max }) => [min, max]);
  if (lowestEver) amounts.push(lowestEver.price);
  if (amounts.length === 0) return [0, 1];
  const lowest = Math.min(...amounts);
  const highest = Math.max(...amounts);
  // Centres a price that never changed.
  const room = lowest === highest ? highest / 10 : 0;
  // If labels were closer than the currency's smallest unit, some would be equal.
  const least = PRICES * 10 ** -currencyDecimals(currency);
  return [lowest - room, Math.max(highest + room, lowest - room + least)];
}
