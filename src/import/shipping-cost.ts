// Finds the shipping price of a row in the market's country: the lowest of the options that apply.

import type { MinorUnits } from '../values/money.ts';
import { type PriceReading, parsePrice } from '../values/price-text.ts';
import type { ShippingOption } from './readers/feed-row.ts';

/**
 * The lowest shipping price for `country`, or `undefined` when no option applies. An option without a country applies
 * everywhere; one with a `min_order_value` above the price of the goods does not apply. Options for other countries are
 * ignored. A price that cannot be read returns its fault, because the total would be wrong without it.
 */
export function lowestShipping(
  options: readonly ShippingOption[],
  market: { currency: string; country: string },
  goods: MinorUnits,
): PriceReading | undefined {
  let lowest: PriceReading | undefined;
  for (const option of options) {
    if (option.price === undefined || !isForCountry(option, market.country)) continue;
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

function isForCountry(option: ShippingOption, country: string): boolean {
  return option.country === undefined || option.country.toUpperCase() === country.toUpperCase();
}
