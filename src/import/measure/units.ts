/** The units in which feeds state amounts, and numbers with them. */
import { type BaseUnit, type Measure, MOST_PARTS, PARTS_OF_BASE_UNIT } from '../../values/unit-price.ts';

/** A unit: its base unit, and how many billionths of that it has. */
export interface Unit {
  base: BaseUnit;
  parts: bigint;
}

const unit = (base: BaseUnit, parts: bigint): Unit => ({ base, parts });

/** Google's units for `unit_pricing_measure`, in lower case and without blanks. Those of volume are US units. */
const GOOGLES: Readonly<Record<string, Unit>> = {
  mg: unit('kg', 1_000n),
  g: unit('kg', 1_000_000n),
  kg: unit('kg', PARTS_OF_BASE_UNIT),
  oz: unit('kg', 28_349_523n),
  lb: unit('kg', 453_592_370n),
  ml: unit('l', 1_000_000n),
  cl: unit('l', 10_000_000n),
  l: unit('l', PARTS_OF_BASE_UNIT),
  floz: unit('l', 29_573_530n),
  pt: unit('l', 473_176_473n),
  qt: unit('l', 946_352_946n),
  gal: unit('l', 3_785_411_784n),
  cm: unit('m', 10_000_000n),
  m: unit('m', PARTS_OF_BASE_UNIT),
  in: unit('m', 25_400_000n),
  ft: unit('m', 304_800_000n),
  yd: unit('m', 914_400_000n),
  sqft: unit('m2', 92_903_040n),
  sqm: unit('m2', PARTS_OF_BASE_UNIT),
  cbm: unit('m3', PARTS_OF_BASE_UNIT),
  ct: unit('ct', PARTS_OF_BASE_UNIT),
};

/** How shops write some of them. */
const SPELLINGS: Readonly<Record<string, string>> = {
  gr: 'g',
  gram: 'g',
  grams: 'g',
  gramm: 'g',
  kilo: 'kg',
  kilogram: 'kg',
  kilograms: 'kg',
  kilogramm: 'kg',
  lbs: 'lb',
  milliliter: 'ml',
  millilitre: 'ml',
  liter: 'l',
  litre: 'l',
  liters: 'l',
  litres: 'l',
  ltr: 'l',
  meter: 'm',
  metre: 'm',
  qm: 'sqm',
  m2: 'sqm',
  'm²': 'sqm',
  m3: 'cbm',
  'm³': 'cbm',
};

/** The unit that a text means, in any case. */
export function unitOf(text: string): Unit | undefined {
  const word = text.toLowerCase();
  const name = Object.hasOwn(SPELLINGS, word) ? SPELLINGS[word] : word;
  return name !== undefined && Object.hasOwn(GOOGLES, name) ? GOOGLES[name] : undefined;
}

/** A number as a whole number of 10^-decimals. */
export interface Quantity {
  digits: bigint;
  decimals: number;
}

const QUANTITY = /^(\d{1,7})(?:[.,](\d{1,6}))?$/;

/**
 * Reads a number with a decimal point or comma. `undefined` for another text, and for one that may mean two numbers: `1.000` is one or a
 * thousand, and `0330` is no amount.
 */
export function readQuantity(text: string): Quantity | undefined {
  const [, whole = '', decimals = ''] = QUANTITY.exec(text) ?? [];
  if (whole === '' || (whole !== '0' && (decimals.length === 3 || whole.startsWith('0')))) return undefined;
  return { digits: BigInt(whole + decimals), decimals: decimals.length };
}

/** The amount of several packs; `undefined` if it is 0 or beyond the largest. */
export function measureOf({ digits, decimals }: Quantity, { base, parts }: Unit, packs = 1n): Measure | undefined {
  const all = (digits * parts * packs) / 10n ** BigInt(decimals);
  return all > 0n && all <= MOST_PARTS ? { parts: all, unit: base } : undefined;
}
