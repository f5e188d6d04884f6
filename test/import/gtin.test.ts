// GTINs and ASINs: the forms that feeds and requests may use, and the one form in which they are stored.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAsin } from '../../src/values/asin.ts';
import {
  checkDigit,
  formatGtin,
  isGtin14,
  isRestrictedCirculation,
  parseEanParameter,
  parseFeedGtin,
} from '../../src/values/gtin.ts';

function gtinOf(text: string) {
  const read = parseFeedGtin(text);
  if (!read.ok) throw new Error(read.detail);
  return read.gtin;
}

function refusalOf(text: string): string {
  const read = parseFeedGtin(text);
  return read.ok ? `accepted as ${read.gtin}` : read.detail;
}

describe('a GTIN in a feed', () => {
  test.each([
    ['73513537', '00000073513537'],
    ['036000291452', '00036000291452'],
    ['4006381333931', '04006381333931'],
    ['98412345678908', '98412345678908'],
    ['978-0-471-11709-4', '09780471117094'],
    [' 4006381 333931\u00a0', '04006381333931'],
  ])('%s is stored as %s', (text, held) => {
    expect(gtinOf(text)).toBe(held);
  });

  test('regains leading zeros that a spreadsheet dropped', () => {
    expect(gtinOf('79625031294')).toBe('00079625031294');
  });

  test('with a wrong check digit is refused, and the message names the right one', () => {
    expect(refusalOf('4006381333932')).toContain('the right one would be 1');
  });

  test('of only zeros is refused', () => {
    for (const length of [8, 12, 13, 14]) expect(refusalOf('0'.repeat(length))).toContain('all zeros');
  });

  test('with other digits than 0-9 is refused', () => {
    expect(refusalOf('４００６３８１３３３９３１')).toContain('digits 0-9');
    expect(refusalOf('٤٠٠٦٣٨١٣٣٣٩٣١')).toContain('digits 0-9');
  });

  test('in the scientific notation of spreadsheets is refused with that reason', () => {
    for (const text of ['6.42E+11', '6,42E+11', '6e11']) expect(refusalOf(text)).toContain('spreadsheet');
  });

  test('of eight digits is never read as a UPC-E', () => {
    expect(refusalOf('04252614')).toContain('check digit');
  });

  test('of a wrong length is refused', () => {
    expect(refusalOf('1234567')).toContain('7 digits');
    expect(refusalOf('123456789012345')).toContain('15 digits');
  });

  test('is recognized with any spaces and hyphens between its digits', () => {
    const body = fc.stringMatching(/^[1-9][0-9]{11}$/);
    fc.assert(
      fc.property(body, fc.array(fc.constantFrom('', ' ', '-'), { minLength: 13, maxLength: 13 }), (digits, gaps) => {
        const written = [...digits, checkDigit(digits)].map((digit, at) => `${gaps[at]}${digit}`).join('');
        expect(gtinOf(written)).toBe(`0${digits}${checkDigit(digits)}`);
      }),
    );
  });

  test('with any one digit changed is refused', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[1-9][0-9]{11}$/),
        fc.nat(12),
        fc.integer({ min: 1, max: 9 }),
        (digits, at, by) => {
          const right = [...`${digits}${checkDigit(digits)}`].map(Number);
          right[at] = ((right[at] ?? 0) + by) % 10;
          expect(parseFeedGtin(right.join('')).ok).toBe(false);
        },
      ),
    );
  });
});

describe('a number for use inside one shop', () => {
  test.each([
    ['2345678901289', true],
    ['0234567890129', true],
    ['234567890129', true],
    ['0412345678903', true],
    ['20000004', true],
    ['01234565', true],
    ['4006381333931', false],
    ['036000291452', false],
    ['73513537', false],
  ])('%s: %s', (text, isRestricted) => {
    expect(isRestrictedCirculation(gtinOf(text))).toBe(isRestricted);
  });
});

test('clients get 13 digits, or 14 if the first is not a zero', () => {
  expect(formatGtin(gtinOf('4006381333931'))).toBe('4006381333931');
  expect(formatGtin(gtinOf('73513537'))).toBe('0000073513537');
  expect(formatGtin(gtinOf('98412345678908'))).toBe('98412345678908');
});

test('the stored form has 14 digits with a valid check digit', () => {
  expect(isGtin14('04006381333931')).toBe(true);
  expect(isGtin14('04006381333932')).toBe(false);
  expect(isGtin14('4006381333931')).toBe(false);
});

describe('the ean parameter', () => {
  test('accepts 13 digits and their 14-digit form for the same product', () => {
    const gtin = gtinOf('4006381333931');
    expect(parseEanParameter('4006381333931')).toEqual({ kind: 'gtin', gtin });
    expect(parseEanParameter('04006381333931')).toEqual({ kind: 'gtin', gtin });
  });

  test.each([
    '',
    '40063813339',
    '73513537',
    'abc',
    '400638133393a',
    '4006381 333931',
    ' 4006381333931',
    '４００６３８１３３３９３１',
  ])('"%s" is malformed', (text) => {
    expect(parseEanParameter(text).kind).toBe('malformed');
  });

  test('of 12 digits says to pad the UPC-A', () => {
    expect(parseEanParameter('036000291452')).toMatchObject({
      kind: 'malformed',
      detail: expect.stringContaining('0036000291452'),
    });
  });

  test('with a wrong check digit names the right one', () => {
    expect(parseEanParameter('4006381333930')).toMatchObject({ kind: 'wrong_check_digit', expected: 1 });
  });
});

test('an ASIN is ten letters and digits, in upper case', () => {
  expect(parseAsin('b00005n5pf')).toBe('B00005N5PF');
  for (const text of ['', 'B00005N5P', 'B00005N5PF1', 'B00005N5P-', ' B00005N5PF', 'B00005N5Pſ']) {
    expect(parseAsin(text)).toBeUndefined();
  }
});
