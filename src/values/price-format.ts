/** Formats prices for people. */
import { currencyDecimals } from './money.ts';

/** Formats amounts in English, with all decimals of the currency: `€12.99`, `¥1,299`, `HUF 5,990.00`. */
export function priceFormat(currency: string): (amount: number) => string {
  const decimals = currencyDecimals(currency);
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return (amount) => format.format(amount);
}

/** Formats amounts for chart axes: like {@link priceFormat}, but whole amounts have no decimals. */
export function roundPriceFormat(currency: string): (amount: number) => string {
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: 0,
    maximumFractionDigits: 0,
  });
  const exactly = priceFormat(currency);
  return (amount) => (Number.isInteger(amount) ? format.format(amount) : exactly(amount));
}
