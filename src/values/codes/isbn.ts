/** ISBN-10 and ISSN: numbers of books and periodicals that GTINs contain, with check digits modulo 11 (ISO 2108, ISO 3297). */
import { type Gtin14, withCheckDigit } from '../gtin.ts';

/** A number whose last character is a check digit modulo 11, where X stands for ten. */
export interface CheckedNumber {
  /** The number as a GTIN, whose check digit is computed anew. */
  gtin: Gtin14;
  isRight: boolean;
  /** The right check digit. */
  expected: string;
}

/** @param text nine digits and a check digit, without hyphens. @example readIsbn10('0306406152').gtin // '09780306406157' */
export function readIsbn10(text: string): CheckedNumber {
  return { ...checked(text), gtin: withCheckDigit(`0978${text.slice(0, 9)}`) };
}

/** @param text seven digits and a check digit, without hyphens. @example readIssn('03178471').gtin // '09770317847001' */
export function readIssn(text: string): CheckedNumber {
  // 00 is the variant of an issue at its normal price (ISO 3297).
  return { ...checked(text), gtin: withCheckDigit(`0977${text.slice(0, 7)}00`) };
}

function checked(text: string): Omit<CheckedNumber, 'gtin'> {
  const body = text.slice(0, -1);
  const sum = [...body].reduce((total, digit, place) => total + Number(digit) * (text.length - place), 0);
  const rest = (11 - (sum % 11)) % 11;
  const expected = rest === 10 ? 'X' : String(rest);
  return { isRight: text.at(-1)?.toUpperCase() === expected, expected };
}
