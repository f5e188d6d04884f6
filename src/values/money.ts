// Money as whole minor units (cents, öre, yen) of a currency, and its conversion to the numbers that clients see.

declare const minorUnits: unique symbol;

/** An amount in the smallest unit of its currency: 1299 is 12.99 EUR, 1299 JPY, 1.299 KWD. Always a safe integer. */
export type MinorUnits = number & { readonly [minorUnits]: true };

/** Brands a number as an amount in minor units. @throws {RangeError} if it is not a safe integer. */
export function minorUnitsOf(amount: number): MinorUnits {
  if (!isMinorUnits(amount)) throw new RangeError(`${amount} is not a whole number of minor units`);
  return amount;
}

/** Whether `amount` is a safe integer. */
export const isMinorUnits = (amount: number): amount is MinorUnits => Number.isSafeInteger(amount);

/** The sum of two amounts of the same currency. */
export const addMinorUnits = (one: MinorUnits, other: MinorUnits): MinorUnits => minorUnitsOf(one + other);

/**
 * The number of decimals of a currency in ISO 4217: 2 for EUR, 0 for JPY, 3 for KWD. The standard's exceptions from 2 are listed
 * below, because the runtime's figures are display conventions and differ for seventeen currencies (0 for HUF, 0 for IQD).
 */
export const currencyDecimals = (currency: string): number => DECIMALS_OTHER_THAN_TWO.get(currency) ?? 2;

/** Whether `code` is a current ISO 4217 currency code, in upper case. */
export const isCurrencyCode = (code: string): boolean => CURRENCY_CODES.has(code);

/**
 * The amount as a JSON number with the currency's decimals. Dividing two integers rounds only once (IEEE 754 §4.3), so the result
 * is the double nearest to the exact amount and prints as that amount. @example toMajor(minorUnitsOf(1299), 'EUR') // 12.99
 */
export function toMajor(minor: MinorUnits, currency: string): number {
  return minor / 10 ** currencyDecimals(currency);
}

/**
 * The minor units of a JSON amount; `undefined` if it has more decimals than the currency or is too large to be exact.
 * @example fromMajor(12.99, 'EUR') // 1299
 */
export function fromMajor(major: number, currency: string): MinorUnits | undefined {
  const minor = Math.round(major * 10 ** currencyDecimals(currency));
  return isMinorUnits(minor) && toMajor(minor, currency) === major ? minor : undefined;
}

// ISO 4217, list one, column "Minor unit" (2024).
const DECIMALS_OTHER_THAN_TWO: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
  ...'CLF UYW'.split(' ').map((code) => [code, 4] as const),
]);

const CURRENCY_CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
