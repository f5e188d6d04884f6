// GS1's trade item numbers (EAN, UPC, GTIN): parsed from feeds and requests, checked, and stored as 14 digits, so that a product
// has one key however a shop writes it.

import { excerpt } from './printable.ts';

declare const gtin14: unique symbol;

/** A GTIN of 14 digits with a correct check digit; shorter ones are padded with leading zeros. */
export type Gtin14 = string & { readonly [gtin14]: true };

/** A feed's `gtin`; `detail` is a sentence for the person who fixes the feed. */
type FeedGtin = { ok: true; gtin: Gtin14 } | { ok: false; detail: string };

/** The API's `ean` parameter. */
type EanParameter =
  | { kind: 'gtin'; gtin: Gtin14 }
  | { kind: 'malformed'; detail: string }
  | { kind: 'wrong_check_digit'; detail: string; expected: number };

/**
 * The check digit of a GTIN without its last digit: weights 3 and 1 from the right, modulo 10 (GS1 General Specifications §7.9).
 * @example checkDigit('400638133393') // 1
 */
export function checkDigit(body: string): number {
  let sum = 0;
  let weight = 3;
  for (let position = body.length - 1; position >= 0; position--) {
    sum += (body.charCodeAt(position) - 48) * weight;
    weight = 4 - weight;
  }
  return (10 - (sum % 10)) % 10;
}

/** A GTIN from its first 13 digits. @example withCheckDigit('0400638133393') // '04006381333931' */
export const withCheckDigit = (body: string): Gtin14 => `${body}${checkDigit(body)}` as Gtin14;

/**
 * Parses a feed's `gtin` of 8, 12, 13 or 14 digits with a correct check digit, ignoring spaces and hyphens. Numbers of 9 to 11 digits
 * have lost their leading zeros in a spreadsheet; the zeros are restored before the check. Eight digits are always a GTIN-8: a UPC-E
 * cannot be distinguished from it and is never expanded. @example parseFeedGtin('4006381333931') // { ok: true, gtin: '04006381333931' }
 */
export function parseFeedGtin(text: string): FeedGtin {
  const refuse = (why: string): FeedGtin => ({ ok: false, detail: `gtin ${quote(text)} ${why}` });
  const digits = FOURTEEN_OR_LESS.test(text) ? text : text.replace(BLANKS_AND_HYPHENS, '');
  if (SCIENTIFIC.test(digits)) {
    return refuse('was destroyed by a spreadsheet (scientific notation); export the column as text');
  }
  if (!ASCII_DIGITS.test(digits)) return refuse('contains characters other than the digits 0-9');
  if (digits.length < 8 || digits.length > 14) {
    return refuse(`has ${digits.length} digits; a GTIN has 8, 12, 13 or 14`);
  }
  const padded = digits.padStart(14, '0');
  if (padded === ALL_ZERO) return { ok: false, detail: 'gtin is all zeros, which identifies no product; leave it out' };
  return isGtin14(padded) ? { ok: true, gtin: padded } : refuse(wrongCheckDigit(padded).detail);
}

/** Parses the API's `ean` parameter: 13 or 14 digits. A wrong check digit means "not found", a malformed value "bad request". */
export function parseEanParameter(text: string): EanParameter {
  if (!ASCII_DIGITS.test(text) || (text.length !== 13 && text.length !== 14)) {
    return {
      kind: 'malformed',
      detail: /^[0-9]{12}$/.test(text)
        ? `ean must have 13 or 14 digits; ${adviseOnTwelve(text)}`
        : 'ean must be 13 or 14 digits (0-9), without blanks or hyphens',
    };
  }
  const padded = text.padStart(14, '0');
  if (isGtin14(padded)) return { kind: 'gtin', gtin: padded };
  const { detail, expected } = wrongCheckDigit(padded);
  return { kind: 'wrong_check_digit', detail: `ean ${text} ${detail}`, expected };
}

/** Twelve digits are a UPC-A if their check digit is right, and otherwise probably an EAN without its last digit. */
function adviseOnTwelve(digits: string): string {
  if (isGtin14(`00${digits}`)) return `pad this UPC-A with a leading 0: 0${digits}`;
  return `the check digit of this UPC-A is wrong; if the last digit of an EAN is missing, it is ${digits}${checkDigit(digits)}`;
}

function wrongCheckDigit(padded: string): { detail: string; expected: number } {
  const expected = checkDigit(padded.slice(0, 13));
  return { detail: `ends in the check digit ${padded.slice(13)}, the right one would be ${expected}`, expected };
}

/** Whether `text` is a GTIN in the stored form: 14 digits ending in the correct check digit. */
export function isGtin14(text: string): text is Gtin14 {
  return /^[0-9]{14}$/.test(text) && checkDigit(text.slice(0, 13)) === text.charCodeAt(13) - 48;
}

/**
 * Whether the number is reserved for use inside one company (prefixes 02, 04 and 20-29; GTIN-8 starting with 0 or 2). Two shops
 * may use the same number for different products, so it does not identify a product across shops.
 * Source: GS1 General Specifications §1.4.2 and §2.1.11, restricted circulation numbers.
 */
export function isRestrictedCirculation(gtin: Gtin14): boolean {
  if (gtin.startsWith('000000')) return gtin[6] === '0' || gtin[6] === '2';
  const prefix = gtin.slice(1, 3);
  return prefix === '02' || prefix === '04' || prefix[0] === '2';
}

/** Formats a GTIN for clients: 13 digits (EAN-13) if it starts with 0, otherwise all 14. */
export function formatGtin(gtin: Gtin14): string {
  return gtin.startsWith('0') ? gtin.slice(1) : gtin;
}

const FOURTEEN_OR_LESS = /^[0-9]{8,14}$/;
const ASCII_DIGITS = /^[0-9]+$/;
const BLANKS_AND_HYPHENS = /[\s\u2010-\u2013-]+/g;
const SCIENTIFIC = /^[0-9]+(?:[.,][0-9]+)?e\+?[0-9]+$/i;
const ALL_ZERO = '0'.repeat(14);

const quote = (text: string) => `"${excerpt(text, 40)}"`;
