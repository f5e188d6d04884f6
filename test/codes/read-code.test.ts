import { describe, expect, test } from 'vitest';
import { readCode } from '../../src/values/codes/read-code.ts';
import { CHECK_DIGITS, CODES, EAN_8_AND_UPC_E, NO_CODES, ROUNDED, UPC_E, WITHOUT_ZEROS } from './gtin-vectors.ts';

const kindsOf = (code: string) => {
  const reading = readCode(code);
  return reading.ok ? reading.readings.map(({ kind, normalized }) => `${kind} ${normalized}`) : [];
};
/** The trade items that a code may mean. */
const gtinsOf = (code: string) => {
  const reading = readCode(code);
  return reading.ok ? reading.readings.filter(({ kind }) => kind !== 'asin').map(({ normalized }) => normalized) : [];
};
const suggestionOf = (code: string) => {
  const reading = readCode(code);
  return reading.ok ? reading.suggestion?.normalized : undefined;
};

describe('the vectors of public libraries', () => {
  test.each(CODES)('%s is %s', (input, gtin) => {
    const digits = input.replace(/[\s-]/g, '');
    if (gtin !== undefined) expect(gtinsOf(input)).toContain(gtin);
    // A UPC-E has no check digit of its own in seven digits, so any may be one.
    else if (digits.length !== 7) expect(gtinsOf(input)).toEqual([]);
  });

  test.each([...UPC_E, ...EAN_8_AND_UPC_E])('the UPC-E %s is the UPC-A %s', (upce, upca) => {
    expect(kindsOf(upce)).toContain(`upce 00${upca}`);
  });

  test.each(EAN_8_AND_UPC_E)('the eight digits %s are an EAN-8, and a UPC-E of %s', (code, upca) => {
    expect(kindsOf(code)).toEqual(expect.arrayContaining([`ean8 000000${code}`, `upce 00${upca}`]));
  });

  test.each(WITHOUT_ZEROS)('%s lost the zeros of %s', (input, gtin13) => {
    expect(readCode(input)).toMatchObject({ readings: [{ by: 'padded', normalized: `0${gtin13}` }] });
  });

  test.each(ROUNDED)('%s was rounded by a spreadsheet, so it cannot be read', (input) => {
    expect(readCode(input)).toMatchObject({ ok: false, detail: expect.stringContaining('spreadsheet') });
  });

  test.each(NO_CODES)('"%s" is no code', (input) => {
    expect(readCode(input)).toMatchObject({ ok: false });
  });

  test.each(CHECK_DIGITS)('a wrong check digit of %s suggests %s', (raw, check) => {
    const digits = raw.padStart(13, '0');
    expect(suggestionOf(`${digits}${(check + 1) % 10}`)).toBe(`${digits}${check}`);
  });
});

describe('books and periodicals', () => {
  test('an ISBN-10 is its ISBN-13, and may be the ASIN of the book', () => {
    expect(kindsOf('0-306-40615-2')).toEqual(['isbn10 09780306406157', 'asin 0306406152']);
    expect(kindsOf('ISBN 0-306-40615-2')).toEqual(['isbn10 09780306406157']);
    expect(kindsOf('080442957X')).toEqual(['isbn10 09780804429573', 'asin 080442957X']);
  });

  test('an ISBN-13 is read with and without its label', () => {
    for (const code of ['978-0-306-40615-7', 'ISBN-13: 978-0-306-40615-7', 'isbn 9780306406157']) {
      expect(kindsOf(code)).toEqual(['isbn13 09780306406157']);
    }
  });

  test('sheet music has no ISBN', () => {
    expect(kindsOf('979-0-2600-0043-8')).toEqual(['ean13 09790260000438']);
  });

  test('an ISSN is the EAN-13 of the issues at the normal price', () => {
    expect(kindsOf('ISSN 0317-8471')).toEqual(['issn 09770317847001']);
    expect(kindsOf('0317-8471')).toContain('issn 09770317847001');
    expect(kindsOf('1050-124X')).toEqual(['issn 09771050124008']);
  });

  test('a wrong check digit of an ISBN-10 or an ISSN gives a suggestion, and is never corrected', () => {
    expect(readCode('ISBN 0-306-40615-3')).toMatchObject({
      readings: [],
      suggestion: { normalized: '09780306406157', detail: expect.stringContaining('the right one would be 2') },
    });
    for (const code of ['0-306-40615-3', '0 306 40615 3', '0‐306‐40615‐3'])
      expect(readCode(code)).toMatchObject({ readings: [], suggestion: { normalized: '09780306406157' } });
    expect(readCode('080442958X')).toMatchObject({ readings: [], suggestion: { normalized: '09780804429580' } });
    expect(readCode('ISSN 0317-8472')).toMatchObject({ readings: [], suggestion: { normalized: '09770317847001' } });
  });
});

describe('codes of GS1 symbols', () => {
  test.each([
    ['(01)04006381333931', '04006381333931'],
    ['(01) 04006381333931 (17)261231(10)AB-12', '04006381333931'],
    ['(10)AB-12(01)04006381333931', '04006381333931'],
    [']C1010400638133393117261231', '04006381333931'],
    [']d20104006381333931', '04006381333931'],
    ['\x1d0104006381333931\x1d10AB', '04006381333931'],
    ['010400638133393110AB12', '04006381333931'],
  ])('the element string %s has the GTIN %s', (code, gtin) => {
    expect(kindsOf(code)).toEqual([`element_string ${gtin}`]);
  });

  test.each([
    ['https://id.gs1.org/01/09520123456788', '09520123456788'],
    ['https://example.com/some/path/01/04006381333931/10/ABC?17=261231', '04006381333931'],
    ['http://example.com/gtin/4006381333931', '04006381333931'],
    ['HTTPS://ID.GS1.ORG/01/4006381333931', '04006381333931'],
  ])('the Digital Link %s has the GTIN %s', (code, gtin) => {
    expect(kindsOf(code)).toEqual([`digital_link ${gtin}`]);
  });

  test.each([
    '(10)AB',
    ']C110AB',
    'https://example.com/products/4006381333931',
    '(01)123',
    '(01)00000000000000',
  ])('%s has no GTIN, and the message names the identifier', (code) => {
    expect(readCode(code)).toMatchObject({ ok: false, detail: expect.stringContaining('identifier 01') });
  });

  test('a wrong check digit inside gives a suggestion', () => {
    expect(suggestionOf('(01)04006381333932')).toBe('04006381333931');
    expect(suggestionOf('https://id.gs1.org/01/04006381333932')).toBe('04006381333931');
  });
});

describe('other codes', () => {
  test('an ASIN is read in either case', () => {
    expect(kindsOf('b0demo0001')).toEqual(['asin B0DEMO0001']);
    expect(kindsOf('ASIN: B0DEMO0001')).toEqual(['asin B0DEMO0001']);
    expect(kindsOf('ASIN 0-306-40615-3')).toEqual(['asin 0306406153']);
  });

  test('blanks, hyphens and dashes between digits are ignored', () => {
    expect(kindsOf('40 06381 33393–1')).toEqual(['ean13 04006381333931']);
  });

  test.each([
    '',
    ' ',
    'x'.repeat(501),
    'hello',
    '12345',
    '123456789012345',
    '４０１２３４５６７８９０１',
  ])('"%s" cannot be read', (code) => {
    expect(readCode(code)).toMatchObject({ ok: false, detail: expect.stringMatching(/`code`.*\.$/) });
  });

  test('a label limits the readings', () => {
    expect(kindsOf('EAN 02020150')).toEqual(['ean8 00000002020150', 'upce 00020201000050']);
    expect(kindsOf('ISSN 02020150')).not.toContain('ean8 00000002020150');
  });
});

describe('the trade item number of a symbol', () => {
  const GS = '\x1d';
  const GTIN = 'element_string 04006381333931';

  test.each([
    `]C1101234ABC${GS}172612310104006381333931`,
    ']C1172612310104006381333931',
    `]d2211234${GS}0104006381333931`,
    `]e0${GS}${GS}3103001250${GS}0104006381333931`,
    `]q3101234<GS>0104006381333931`,
    ']C1101234%1d0104006381333931',
    `17261231${GS}0104006381333931`,
    '0104006381333931',
    ']C1(01)04006381333931(17)261231',
  ])('is found wherever it stands: %j', (code) => {
    expect(kindsOf(code)).toEqual([GTIN]);
  });

  test.each([
    ']C1101234ABC172612310104006381333931',
    `101234${GS}17261231`,
    ']C10104006',
  ])('is not guessed behind an element without an end: %j', (code) => {
    expect(readCode(code)).toMatchObject({ ok: false, detail: expect.stringContaining('has no GTIN') });
  });

  test('is the last of a Digital Link whose path has the identifier too', () => {
    expect(kindsOf('https://shop.example/01/a/01/04006381333931')).toEqual(['digital_link 04006381333931']);
    expect(kindsOf('https://shop.example/01/04006381333931/10/01')).toEqual(['digital_link 04006381333931']);
  });

  test.each([
    '9780306406157 51499',
    '978030640615751499',
    '9780306406157-51499',
  ])('stands before an add-on: %s', (code) => {
    expect(kindsOf(code)).toEqual(['isbn13 09780306406157']);
  });
});

test('a blank code is told from an empty one', () => {
  expect(readCode(' ')).toMatchObject({ detail: '`code` must not be blank.' });
  expect(readCode('')).toMatchObject({ detail: '`code` must be 1 to 500 characters.' });
});
