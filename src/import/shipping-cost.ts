// Finds the shipping price of a row in the market's country: the lowest of the options that apply.

import type { Market } from '../catalogue/market.ts';
import type { MinorUnits } from '../values/money.ts';
import { type PriceReading, parsePrice } from '../values/price-text.ts';
import type { ShippingOption } from './readers/feed-row.ts';

/**
 * The lowest shipping price, or `undefined` if no option applies. An option without a country applies everywhere; one with a
 * `min_order_value` above the price of the goods does not apply. A price that cannot be read returns its fault, because the total
 * would be wrong without it.
 */
export function lowestShipping(
  options: readonly ShippingOption[],
  market: Pick<Market, 'currency' | 'country'>,
  goods: MinorUnits,
): PriceReading | undefined {
  let lowest: PriceReading | undefined;
  for (const option of options) {
    const { country = market.country } = option;
    if (option.price === undefined || country.toUpperCase() !== market.country.toUpperCase()) continue;
    if (option.minOrderValue !== undefined) {
      const minimum = parsePrice(option.minOrderValue, market.currency, { allowZero: true });
      if (!minimum.ok) return minimum;
      if (minimum.amount > goods) continue;
    }
    const price = parsePrice(option.price, market.currency, { allowZero: true });
    if (!price.ok) return price;
    if (lowest === undefined || !lowest.ok || price.amount < lowest.amount) lowest = price;
  }
  return lowest;
}
