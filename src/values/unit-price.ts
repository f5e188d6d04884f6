/**
 * Amounts of goods, and prices of a unit of them. Each is one number in the database: an amount in billionths of its base unit, and a price in
 * thousandths of a minor unit of the currency, both with the number of the base unit.
 */

/** The base units, in the order in which lists by unit price group products: mass, volume, length, area, space, and pieces. */
export const BASE_UNITS = ['kg', 'l', 'm', 'm2', 'm3', 'ct'] as const;
export type BaseUnit = (typeof BASE_UNITS)[number];

/** The parts of a base unit that amounts count: a milligram is a thousand billionths of a kilogram. */
export const PARTS = 1_000_000_000n;

/** An amount of goods. */
export interface Measure {
  /** In billionths of the base unit, above 0. */
  parts: bigint;
  unit: BaseUnit;
}

/** A price of a base unit. */
export interface UnitPrice {
  /** In minor units of the currency, above 0. */
  amount: bigint;
  per: BaseUnit;
}

/** The largest amount: a million base units. */
export const MOST_PARTS = 1_000_000n * PARTS;

// The lowest bits of an amount have the number of its unit, as have the highest of a price, which thereby sorts by unit first.
export const BITS_OF_UNIT = 3n;
export const BITS_OF_PRICE = 59n;

/** The number of an amount. */
export const encodeMeasure = ({ parts, unit }: Measure): bigint =>
  (parts << BITS_OF_UNIT) | BigInt(BASE_UNITS.indexOf(unit));

/** The parts of a minor unit that prices count. */
export const THOUSANDTHS = 1_000n;
/** The lowest price that does not round to 0, and the highest that a number has room for, in thousandths. */
export const LOWEST = THOUSANDTHS / 2n;
export const HIGHEST = 2n ** BITS_OF_PRICE - 1n;

/** The unit price of a total; `undefined` if it rounds to 0. @param total in minor units. @param measure as {@link encodeMeasure} makes it. */
export function unitPriceOf(total: bigint, measure: bigint): UnitPrice | undefined {
  const price = (total * PARTS * THOUSANDTHS) / (measure >> BITS_OF_UNIT);
  return price < LOWEST || price > HIGHEST ? undefined : shown(price, measure & (2n ** BITS_OF_UNIT - 1n));
}

/** The unit price in a number as `unitPriceSql` makes it. */
export const decodeUnitPrice = (encoded: bigint): UnitPrice => shown(encoded & HIGHEST, encoded >> BITS_OF_PRICE);

function shown(thousandths: bigint, unit: bigint): UnitPrice {
  const per = BASE_UNITS[Number(unit)];
  if (per === undefined) throw new RangeError(`${unit} is not the number of a base unit.`);
  return { amount: (thousandths + LOWEST) / THOUSANDTHS, per };
}
