/** Prices as people read them. */
import { currencyDecimals } from './money.ts';

/** Writes amounts of a currency as English texts do, with all decimals that the currency has: `€12.99`, `¥1,299`, `HUF 5,990.00`. */
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

/** The same, without decimals where there is nothing but zeros in them: for axes. */
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
