/** A price history as a picture. */
import type { ChartLook } from './look.ts';
import { drawInThread } from './pool.ts';
import type { ChartTime, PricePoint } from './runs.ts';

/** What a price chart shows. Amounts are as JSON carries them. */
export interface PriceChart extends ChartTime {
  /** What stands above it: the name of the product. */
  title: string;
  /** ISO 4217. */
  currency: string;
  lowestEver?: { price: number; date: string } | null | undefined;
  points: readonly PricePoint[];
}

/** The chart as SVG, a whole document with its own ground: the same bytes for the same history. */
export function drawPriceChart(
  chart: PriceChart,
  look: ChartLook = { colours: 'light', measures: 'wide' },
): Promise<string> {
  return drawInThread(chart, look);
}

/** The headers of a picture that came about from names in feeds: opened by itself, it may run and load nothing. */
export const PICTURE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
};
