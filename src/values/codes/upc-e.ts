/** UPC-E: a UPC-A with its zeros left out, for small packages (GS1 General Specifications §5.2.2.4). */
import { type Gtin14, isGtin14, withCheckDigit } from '../gtin.ts';

/**
 * The UPC-A that a UPC-E stands for, as 14 digits. Six digits have the number system 0 and no check digit, eight have both; seven have
 * either the number system or the check digit.
 *
 * @returns no or several readings: seven digits may have two. @example expandUpcE('04252614') // ['00042100005264']
 */
export function expandUpcE(digits: string): Gtin14[] {
  if (digits.length === 6) return [expanded('0', digits)];
  const [first = '', last = ''] = [digits.at(0), digits.at(-1)];
  const readings: Gtin14[] = [];
  const system = NUMBER_SYSTEMS.has(first) ? first : undefined;
  if (digits.length === 7 && system !== undefined) readings.push(expanded(system, digits.slice(1)));
  const withCheck = digits.length === 7 ? expanded('0', digits.slice(0, 6)) : undefined;
  if (withCheck?.endsWith(last)) readings.push(withCheck);
  if (digits.length === 8 && system !== undefined) {
    const whole = expanded(system, digits.slice(1, 7));
    if (whole.endsWith(last)) readings.push(whole);
  }
  return [...new Set(readings)].filter(isGtin14);
}

/** Only UPC-A with these first digits can be written as UPC-E. */
const NUMBER_SYSTEMS: ReadonlySet<string> = new Set(['0', '1']);

/** @param six the digits between number system and check digit, of which the last says where zeros were left out. */
function expanded(system: string, six: string): Gtin14 {
  const [a, b, c, d, e, f = ''] = six;
  const middle =
    f <= '2'
      ? `${a}${b}${f}0000${c}${d}${e}`
      : f === '3'
        ? `${a}${b}${c}00000${d}${e}`
        : f === '4'
          ? `${a}${b}${c}${d}00000${e}`
          : `${a}${b}${c}${d}${e}0000${f}`;
  return withCheckDigit(`00${system}${middle}`);
}
