/**
 * Amounts of goods, and prices of a unit of them. Each is one number in the database: an amount in billionths of its base unit, and a price in
 * thousandths of a minor unit of the currency, both with the number of the base unit.
 */

/** The base units, in the order in which lists by unit price group products: mass, volume, length, area, space, and pieces. */
export const BASE_UNITS = ['kg', 'l', 'm', 'm2', 'm3', 'ct'] as const;
/** A unit of measurement to which unit prices refer. */
export type BaseUnit = (typeof BASE_UNITS)[number];

/** The parts of a base unit that amounts count: a milligram is a thousand billionths of a kilogram. */
export const PARTS_OF_BASE_UNIT = 1_000_000_000n;

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
export const MOST_PARTS = 1_000_000n * PARTS_OF_BASE_UNIT;

// The lowest bits of an amount have the number of its unit, as have the highest of a price, which thereby sorts by unit first.
export const BITS_OF_UNIT = 3n;
export const BITS_OF_PRICE = 59n;
/** Masks the unit in the number of an amount. */
export const UNIT_MASK = 2n ** BITS_OF_UNIT - 1n;

/** The number of an amount. */
export const encodeMeasure = ({ parts, unit }: Measure): bigint =>
  (parts << BITS_OF_UNIT) | BigInt(BASE_UNITS.indexOf(unit));

/** The parts of a minor unit that prices count. */
export const THOUSANDTHS_OF_MINOR_UNIT = 1_000n;
/** The lowest unit price that does not round to 0, in thousandths of a minor unit. */
export const LOWEST_UNIT_PRICE = THOUSANDTHS_OF_MINOR_UNIT / 2n;
/** The highest unit price that a number has room for, in thousandths of a minor unit. All its bits are 1, so it also masks the price. */
export const HIGHEST_UNIT_PRICE = 2n ** BITS_OF_PRICE - 1n;

/** The unit price of a total; `undefined` if it rounds to 0. @param total in minor units. @param measure as {@link encodeMeasure} makes it. */
export function unitPriceOf(total: bigint, measure: bigint): UnitPrice | undefined {
  const price = (total * PARTS_OF_BASE_UNIT * THOUSANDTHS_OF_MINOR_UNIT) / (measure >> BITS_OF_UNIT);
  return price < LOWEST_UNIT_PRICE || price > HIGHEST_UNIT_PRICE ? undefined : shown(price, measure & UNIT_MASK);
}

/** The unit price in a number as `unitPriceSql` makes it. */
export const decodeUnitPrice = (encoded: bigint): UnitPrice =>
  shown(encoded & HIGHEST_UNIT_PRICE, encoded >> BITS_OF_PRICE);

function shown(thousandths: bigint, unit: bigint): UnitPrice {
  const per = BASE_UNITS[Number(unit)];
  if (per === undefined) throw new RangeError(`${unit} is not the number of a base unit.`);
  const half = THOUSANDTHS_OF_MINOR_UNIT / 2n;
  return { amount: (thousandths + half) / THOUSANDTHS_OF_MINOR_UNIT, per };
}
