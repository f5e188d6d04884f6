/** Quantities in a query, such as `500 g`, and the other ways to write them: `500g`, `0.5 kg`, `0,5kg`. */
import { wordsOf } from '../../values/words.ts';

/** The most quantities of a query that are respelled. */
export const MOST_QUANTITIES = 4;

/** A quantity in a query. */
export interface Quantity {
  /** Its words in the query, in order. */
  words: readonly string[];
  /** Other ways to write it, each as words that must all match. */
  respelled: readonly (readonly string[])[];
}

// The units that name the same size or a multiple of it, smallest first, with their factors. Scripts are kept apart.
const DIMENSIONS: readonly Readonly<Record<string, number>>[] = [
  { mg: 1, g: 1_000, gr: 1_000, kg: 1_000_000 },
  { ml: 1, cl: 10, dl: 100, l: 1_000, ltr: 1_000 },
  { mm: 1, cm: 10, m: 1_000 },
  { inch: 1, inches: 1, in: 1, zoll: 1, '"': 1 },
  { mb: 1, gb: 1_000, tb: 1_000_000 },
  { w: 1, watt: 1, kw: 1_000 },
  { v: 1, volt: 1 },
  { mah: 1, ah: 1_000 },
  { hz: 1, khz: 1_000, mhz: 1_000_000, ghz: 1_000_000_000 },
  { lm: 1, lumen: 1 },
  { mp: 1, megapixel: 1 },
  { k: 1, kelvin: 1 },
  { мг: 1, г: 1_000, гр: 1_000, кг: 1_000_000 },
  { мл: 1, л: 1_000 },
  { мм: 1, см: 10, м: 1_000 },
];
const FACTOR = new Map(
  DIMENSIONS.flatMap((units) => Object.entries(units).map(([unit, factor]) => [unit, { units, factor }] as const)),
);
// A number of packs may stand before it, as in `6x330ml`.
const QUANTITY = /(?<![\p{L}\p{N}.,])(?:(\d{1,6})x)?(\d{1,6})(?:[.,](\d{1,4}))? ?(\p{L}{1,9})(?![\p{L}\p{N}])/gu;
const MOST_DECIMALS = 4;
const LONGEST_NUMBER = 8;

/** The first quantities of a query. @example quantitiesIn('Tea 0.5 kg')[0]?.respelled // [['500g'], ['500', 'g'], …] */
export function quantitiesIn(query: string): Quantity[] {
  const found = [...query.toLowerCase().matchAll(QUANTITY)].filter(([, , , , unit = '']) => FACTOR.has(unit));
  return found.slice(0, MOST_QUANTITIES).map(([text, packs, whole = '', decimals = '', unit = '']) => {
    const words = wordsOf(text);
    const typed = words.join(' ');
    const spellings = spellingsOf(Number(`${whole}.${decimals || '0'}`), unit).map((each) =>
      wordsOf(packs === undefined ? each : `${packs} x ${each}`),
    );
    return { words, respelled: spellings.filter((each) => each.join(' ') !== typed) };
  });
}

function spellingsOf(value: number, unit: string): string[] {
  const { units, factor } = FACTOR.get(unit) ?? { units: {}, factor: 1 };
  return Object.entries(units).flatMap(([other, otherFactor]) => {
    const converted = (value * factor) / otherFactor;
    const number = String(Number(converted.toFixed(MOST_DECIMALS)));
    const isExact = Math.abs(Number(number) - converted) <= 1e-9 * converted;
    if (!isExact || number.length > LONGEST_NUMBER || number.includes('e')) return [];
    // Names say `1.0 l` as well as `1 l`.
    const numbers = number.includes('.') ? [number, `${number}0`] : [number, `${number}.0`];
    return numbers.flatMap((each) => [`${each}${other}`, `${each} ${other}`]);
  });
}
