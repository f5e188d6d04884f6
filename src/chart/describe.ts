/** A price chart in words, for its text alternative and its legend. */
import { dayFormat, dayFormatIn } from '../values/day-format.ts';
import { priceFormat } from '../values/price-format.ts';
import { isStockKnown, lowestOf, type PriceChart } from './steps.ts';

/** The days shown and the length of a point. */
export function describeTime({ from, to, interval }: PriceChart): string {
  return `Total price by ${interval}, ${dayFormat(from)} to ${dayFormat(to)} (UTC)`;
}

/** The lowest price ever and its day; `undefined` if there never was a price. */
export function describeLowestEver({ lowestEver, currency, to }: PriceChart): string | undefined {
  return lowestEver ? `Lowest ever ${describeLow(lowestEver, currency, to)}` : undefined;
}

/** The lowest price in stock and its first day, or the lowest of all if stock was not recorded; `undefined` if there was none. */
export function describeLowest(chart: PriceChart): string | undefined {
  const lowest = lowestOf(chart);
  return lowest && `${lowName(chart)} ${describeLow(lowest, chart.currency, chart.to)}`;
}

/** What the line of the lowest prices shows. */
export const lowName = (chart: PriceChart): string => (isStockKnown(chart) ? 'Lowest in stock' : 'Lowest price');

const describeLow = ({ price, date }: { price: number; date: string }, currency: string, to: string): string =>
  `${priceFormat(currency)(price)} on ${dayFormatIn(date, to)}`;

/** Everything the chart shows, in sentences. */
export function describeChart(chart: PriceChart): string {
  const { points, currency } = chart;
  const price = priceFormat(currency);
  const [first, last] = [points[0], points.at(-1)];
  const sentences: (string | undefined)[] = [describeTime(chart), describeLowest(chart)];
  if (first && last) {
    const lowest = Math.min(...points.map(({ min }) => min));
    const highest = Math.max(...points.map(({ max }) => max));
    const later = first === last ? '' : ` and ${price(last.min)} on ${dayFormat(last.date)}`;
    sentences.push(
      `The lowest price was ${price(first.min)} on ${dayFormat(first.date)}${later}`,
      `All prices were between ${price(lowest)} and ${price(highest)}`,
    );
  } else {
    sentences.push('No shop had a price in this time');
  }
  sentences.push(describeLowestEver(chart));
  return `${sentences.filter((sentence) => sentence !== undefined).join('. ')}.`;
}
