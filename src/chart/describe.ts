/** A price chart in words, for its text alternative and its legend. */
import { dayFormat } from '../values/day.ts';
import { priceFormat } from '../values/price-format.ts';
import type { PriceChart } from './steps.ts';

/** The days shown and the length of a point. */
export function describeTime({ from, to, interval }: PriceChart): string {
  return `Total price by ${interval}, ${dayFormat(from)} to ${dayFormat(to)} (UTC)`;
}

/** The lowest price ever and its day; `undefined` if there never was a price. */
export function describeLowest({ lowestEver, currency }: PriceChart): string | undefined {
  return lowestEver
    ? `Lowest ever ${priceFormat(currency)(lowestEver.price)}, ${dayFormat(lowestEver.date)}`
    : undefined;
}

/** Everything the chart shows, in sentences. */
export function describeChart(chart: PriceChart): string {
  const { points, currency } = chart;
  const price = priceFormat(currency);
  const [first, last] = [points[0], points.at(-1)];
  const sentences: (string | undefined)[] = [describeTime(chart)];
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
  sentences.push(describeLowest(chart));
  return `${sentences.filter((sentence) => sentence !== undefined).join('. ')}.`;
}
