/** Reads any code of a product: the numbers below bar codes, what scanners send, and the numbers of books and periodicals. */
import { parseAsin } from '../asin.ts';
import { checkDigit, type Gtin14, isGtin14, withCheckDigit } from '../gtin.ts';
import { excerpt } from '../printable.ts';
import { gtinOfDigitalLink, gtinOfElementString } from './element-string.ts';
import { looksLikeIsbn, looksLikeIssn, readIsbn10, readIssn, withoutAddOn } from './isbn.ts';
import { expandUpcE } from './upc-e.ts';

/** The kinds of codes. */
export type CodeKind =
  | 'ean8'
  | 'upca'
  | 'upce'
  | 'ean13'
  | 'gtin14'
  | 'isbn10'
  | 'isbn13'
  | 'issn'
  | 'asin'
  | 'element_string'
  | 'digital_link';

/** One way to read a code. */
export interface Reading {
  kind: CodeKind;
  /** A GTIN of 14 digits; an ASIN stays as it is, in upper case. */
  normalized: string;
  /** How the code leads to that number: as it is, with the zeros that it lost, or converted. */
  by: 'exact' | 'padded' | 'isbn10' | 'upce';
}

/** The number that was probably meant. */
export interface Suggestion {
  /** A GTIN of 14 digits. */
  normalized: Gtin14;
  /** What is wrong with the code, as a sentence. */
  detail: string;
}

/** What a code may mean: readings, a suggestion, or what is wrong with it. */
export type CodeReading =
  | { ok: true; readings: readonly Reading[]; suggestion?: Suggestion }
  | { ok: false; detail: string };

/** The most characters of a code. Digital Links are the longest ones. */
export const LONGEST_CODE = 500;

/**
 * All readings of a code, with blanks and hyphens ignored. A wrong check digit gives a suggestion instead of a reading, and is never
 * corrected. @example readCode('0-306-40615-2').readings[0] // { kind: 'isbn10', normalized: '09780306406157', by: 'isbn10' }
 */
export function readCode(text: string): CodeReading {
  const trimmed = text.trim();
  if (trimmed === '' && text !== '') return refuse('`code` must not be blank');
  if (trimmed === '' || trimmed.length > LONGEST_CODE) {
    return refuse(`\`code\` must be 1 to ${LONGEST_CODE} characters`);
  }
  const carried = readCarrier(trimmed);
  if (carried) return carried;
  const label = LABEL.exec(trimmed);
  const family = label ? FAMILIES[(label[1] ?? '').toLowerCase()] : undefined;
  const written = trimmed.slice(label?.[0].length ?? 0).trim();
  const compact = withoutAddOn(written.replace(BLANKS_AND_HYPHENS, '').toUpperCase());
  const readings: Reading[] = [];
  const suggestions: Suggestion[] = [];
  for (const read of READERS) read({ compact, written, family, readings, suggestions });
  const wanted = family ? readings.filter(({ kind }) => family.has(kind)) : readings;
  if (wanted.length > 0) return { ok: true, readings: wanted };
  const [suggestion] = suggestions;
  return suggestion ? { ok: true, readings: [], suggestion } : refuse(explain(compact, written));
}

/** A code under way: its characters without blanks and hyphens, and what was found in it so far. */
interface Work {
  compact: string;
  written: string;
  /** The kinds that its label allows. */
  family: ReadonlySet<CodeKind> | undefined;
  readings: Reading[];
  suggestions: Suggestion[];
}

const READERS: readonly ((work: Work) => void)[] = [readGtin, readUpcE, readBook, readPeriodical, readPadded, readAsin];

const KIND_OF_LENGTH: Readonly<Record<number, CodeKind>> = { 8: 'ean8', 12: 'upca', 13: 'ean13', 14: 'gtin14' };

function readGtin({ compact, readings, suggestions, family }: Work): void {
  const kind = /^\d+$/.test(compact) ? KIND_OF_LENGTH[compact.length] : undefined;
  if (!kind || isAllZero(compact)) return;
  const padded = compact.padStart(14, '0');
  const isBook = compact.length === 13 && BOOKS.test(compact);
  if (isGtin14(padded)) readings.push({ kind: isBook ? 'isbn13' : kind, normalized: padded, by: 'exact' });
  else if (allows(family, kind, ...(isBook ? (['isbn13'] as const) : []))) suggestions.push(rightOne(compact));
}

function readUpcE({ compact, readings }: Work): void {
  if (!/^\d{6,8}$/.test(compact) || isAllZero(compact)) return;
  for (const normalized of expandUpcE(compact)) readings.push({ kind: 'upce', normalized, by: 'upce' });
}

function readBook({ compact, written, readings, suggestions, family }: Work): void {
  if (!/^\d{9}[\dX]$/.test(compact) || isAllZero(compact)) return;
  const { gtin, isRight, expected } = readIsbn10(compact);
  if (isRight) readings.push({ kind: 'isbn10', normalized: gtin, by: 'isbn10' });
  // Ten digits without a label or hyphens are more often something else.
  else if (family?.has('isbn10') || looksLikeIsbn(written)) suggestions.push(modulo11('ISBN', compact, expected, gtin));
}

function readPeriodical({ compact, written, readings, suggestions, family }: Work): void {
  if (!/^\d{7}[\dX]$/.test(compact) || isAllZero(compact)) return;
  // Eight digits alone are an EAN-8 or a UPC-E if they can be.
  const isMeant = family?.has('issn') || looksLikeIssn(written);
  if (!isMeant && readings.length > 0) return;
  const { gtin, isRight, expected } = readIssn(compact);
  if (isRight) readings.push({ kind: 'issn', normalized: gtin, by: 'exact' });
  else if (isMeant) suggestions.unshift(modulo11('ISSN', compact, expected, gtin));
}

/** Numbers that lost their leading zeros in a spreadsheet. */
function readPadded({ compact, readings }: Work): void {
  if (!/^\d{7}$|^\d{9,11}$/.test(compact) || isAllZero(compact)) return;
  const padded = compact.padStart(14, '0');
  if (!isGtin14(padded)) return;
  readings.push({ kind: compact.length === 7 ? 'ean8' : 'upca', normalized: padded, by: 'padded' });
}

function readAsin({ compact, written, readings, family }: Work): void {
  const asin = parseAsin(compact);
  if (!asin) return;
  const isMeant = family?.has('asin');
  // The ASIN of a book is its ISBN-10; other ASINs contain letters. Ten digits that fit nothing else are looked up all the same.
  const isNumber = /^\d{9}[\dX]$/.test(compact);
  const isBook = readings.some(({ kind }) => kind === 'isbn10');
  const isOther = isNumber && (readings.length > 0 || looksLikeIsbn(written));
  if (!isOther || isBook || isMeant) {
    readings.push({ kind: 'asin', normalized: asin, by: 'exact' });
  }
}

/** A code inside another: a Digital Link or an element string; `undefined` if the text is neither. */
function readCarrier(text: string): CodeReading | undefined {
  const carriers = [
    ['digital_link', gtinOfDigitalLink(text), 'This web address'],
    ['element_string', gtinOfElementString(text), 'This element string'],
  ] as const;
  for (const [kind, gtin, name] of carriers) {
    if (gtin === undefined) continue;
    if (!/^\d{8}$|^\d{12,14}$/.test(gtin) || isAllZero(gtin)) {
      return refuse(
        `${name} has no GTIN of 8, 12, 13 or 14 digits after its identifier 01: send one that has, or the digits`,
      );
    }
    const padded = gtin.padStart(14, '0');
    return isGtin14(padded)
      ? { ok: true, readings: [{ kind, normalized: padded, by: 'exact' }] }
      : { ok: true, readings: [], suggestion: rightOne(gtin) };
  }
  return undefined;
}

/** @param digits a GTIN with a wrong check digit. */
function rightOne(digits: string): Suggestion {
  const padded = digits.padStart(14, '0');
  const normalized = withCheckDigit(padded.slice(0, 13));
  const detail = `${digits} ends in the check digit ${digits.at(-1)}, the right one would be ${checkDigit(padded.slice(0, 13))}: read the code again.`;
  return { normalized, detail };
}

function modulo11(name: string, text: string, expected: string, normalized: Gtin14): Suggestion {
  const detail = `The ${name} ${text} ends in the check digit ${text.at(-1)}, the right one would be ${expected}: read the code again.`;
  return { normalized, detail };
}

function explain(compact: string, written: string): string {
  if (SCIENTIFIC.test(written)) {
    return '`code` was rounded by a spreadsheet (scientific notation): send all its digits';
  }
  if (isAllZero(compact)) return '`code` is all zeros, which identifies no product: send another code';
  return `\`code\` ${excerpt(written, 40)} is no code that can be read: send the digits of a GTIN, UPC, EAN or ISBN, an ISSN, an ASIN, an element string such as (01)04006381333931, or a GS1 Digital Link`;
}

const refuse = (detail: string): CodeReading => ({ ok: false, detail: `${detail}.` });

const allows = (family: ReadonlySet<CodeKind> | undefined, ...kinds: CodeKind[]) =>
  !family || kinds.some((kind) => family.has(kind));

const isAllZero = (digits: string) => /^0+$/.test(digits);

// The prefixes of books; those with 979-0 are sheet music (ISMN).
const BOOKS = /^97(?:8|9[^0])/;
const BLANKS_AND_HYPHENS = /[\s\u2010-\u2013-]+/g;
const SCIENTIFIC = /^\d+(?:[.,]\d+)?e\+?\d+$/i;
// A number of ten digits follows "ISBN-10", and also "ISBN".
const LABEL = /^(gtin|ean|upc|isbn|issn|asin)(?:[- ]?(?:8|10|12|13|14|a|e)(?=[:#\s]))?[:#\s]\s*/i;
const TRADE_ITEMS: readonly CodeKind[] = ['ean8', 'upca', 'upce', 'ean13', 'gtin14', 'isbn13'];
const FAMILIES: Readonly<Record<string, ReadonlySet<CodeKind>>> = {
  gtin: new Set(TRADE_ITEMS),
  ean: new Set(TRADE_ITEMS),
  upc: new Set(TRADE_ITEMS),
  isbn: new Set(['isbn10', 'isbn13']),
  issn: new Set(['issn', 'ean13']),
  asin: new Set(['asin']),
};
