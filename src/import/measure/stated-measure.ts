/** Reads the amount that a row states: Google's `unit_pricing_measure`. */
import type { Measure } from '../../values/unit-price.ts';
import { measureOf, readQuantity, unitOf } from './units.ts';

const LONGEST = 40;
const STATED = /^([\d.,]{1,15})\s?(\p{L}[\p{L}\d²³. ]{0,20})$/u;

/** Reads `750ml`, `1,5 kg` or `16 fl oz`. `undefined` for a text that is no amount or may mean two, such as `1.000 g`. */
export function readStatedMeasure(text: string): Measure | undefined {
  if (text.length > LONGEST) return undefined;
  const [, number = '', name = ''] = STATED.exec(text) ?? [];
  const unit = unitOf(name.replaceAll(/[. ]/g, ''));
  const quantity = readQuantity(number);
  return unit && quantity && measureOf(quantity, unit);
}
