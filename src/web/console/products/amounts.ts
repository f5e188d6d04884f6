/** Formats amounts as the database stores them. */
import { minorUnitsOf, toMajor } from '../../../values/money.ts';
import { priceFormat } from '../../../values/price-format.ts';

/** Makes the function that formats minor units; of `null` it makes nothing. */
export function amountFormat(currency: string): (amount: bigint | null) => string {
  const format = priceFormat(currency);
  return (amount) => (amount === null ? '' : format(toMajor(minorUnitsOf(Number(amount)), currency)));
}
