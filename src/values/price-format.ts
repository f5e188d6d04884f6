/** Formats prices for people. */
import { currencyDecimals } from './money.ts';

/** Formats amounts in English, with all decimals of the currency: `€12.99`, `¥1,299`, `HUF 5,990.00`. */
export const priceFormat = (currency: string): ((amount: number) => string) =>
  formatWith(currency, currencyDecimals(currency));

/** Formats amounts for chart axes: like {@link priceFormat}, but whole amounts have no decimals. */
export function roundPriceFormat(currency: string): (amount: number) => string {
  const [whole, exact] = [formatWith(currency, 0), priceFormat(currency)];
  return (amount) => (Number.isInteger(amount) ? whole(amount) : exact(amount));
}

function formatWith(currency: string, decimals: number): (amount: number) => string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat('en', { style: 'currency', currency, ...digits }).format;
}
