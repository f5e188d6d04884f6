/** ISBN-10 and ISSN: numbers of books and periodicals that GTINs contain, with check digits modulo 11 (ISO 2108, ISO 3297). */
import { type Gtin14, isGtin14, withCheckDigit } from '../gtin.ts';

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

/** Whether a text has the form of an ISBN-10 that nothing else has: an X at its end, or the hyphens or blanks of its four parts. */
export const looksLikeIsbn = (written: string): boolean => HYPHENATED_ISBN.test(written) || /^\d{9}X$/i.test(written);

/** Whether a text has the form of an ISSN that nothing else has: an X at its end, or its hyphen. */
export const looksLikeIssn = (written: string): boolean => HYPHENATED_ISSN.test(written) || /^\d{7}X$/i.test(written);

const HYPHENATED_ISBN = /^\d{1,5}[\s\u2010-\u2013-]\d{1,7}[\s\u2010-\u2013-]\d{1,7}[\s\u2010-\u2013-][\dXx]$/;
const HYPHENATED_ISSN = /^\d{4}[-\u2010-\u2013]\d{3}[\dXx]$/;

/**
 * The EAN-13 of a book or periodical without its add-on of five digits (a price) or two (an issue), which scanners send behind it
 * (GS1 General Specifications §5.2.1.5). Any other text stays. @param text without blanks and hyphens.
 */
export function withoutAddOn(text: string): string {
  return /^97[789]\d{10}(?:\d{2}|\d{5})$/.test(text) && isGtin14(`0${text.slice(0, 13)}`) ? text.slice(0, 13) : text;
}

function checked(text: string): Omit<CheckedNumber, 'gtin'> {
  const body = text.slice(0, -1);
  const sum = [...body].reduce((total, digit, place) => total + Number(digit) * (text.length - place), 0);
  const rest = (11 - (sum % 11)) % 11;
  const expected = rest === 10 ? 'X' : String(rest);
  return { isRight: text.at(-1)?.toUpperCase() === expected, expected };
}
