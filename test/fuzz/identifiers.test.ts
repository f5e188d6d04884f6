/** GTINs and ASINs in any text: valid ones are read unchanged, typing errors are detected. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAsin } from '../../src/values/asin.ts';
import { checkDigit, formatGtin, isGtin14, parseEanParameter, parseFeedGtin } from '../../src/values/gtin.ts';
import { anyText, tries } from '../harness/fuzz.ts';

const digits = (length: number, most = length) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: most });
/** A GTIN of 8, 12, 13 or 14 digits with a valid check digit. */
const gtin = fc
  .constantFrom(8, 12, 13, 14)
  .chain((length) => digits(length - 1))
  .filter((body) => /[1-9]/.test(body))
  .map((body) => body + String(checkDigit(body)));

/** The check digit by the table of GS1, which counts positions from the left of 14 places. */
function checkDigitByTable(body: string): number {
  const places = [...body.padStart(13, '0')].map(Number);
  const sum = places.reduce((total, digit, index) => total + digit * (index % 2 === 0 ? 3 : 1), 0);
  return sum % 10 === 0 ? 0 : 10 - (sum % 10);
}

const heldAs = (text: string) => {
  const read = parseFeedGtin(text);
  return read.ok ? read.gtin : undefined;
};

describe('a GTIN', () => {
  test('of any length has the check digit of the GS1 table', () => {
    fc.assert(
      fc.property(digits(1, 13), (body) => {
        expect(checkDigit(body)).toBe(checkDigitByTable(body));
      }),
      tries(500),
    );
  });

  test('of 8, 12, 13 or 14 digits is stored in one form, which clients may send back', () => {
    fc.assert(
      fc.property(gtin, (written) => {
        const held = heldAs(written);
        expect(held).toBe(written.padStart(14, '0'));
        if (!held) return;
        expect(isGtin14(held)).toBe(true);
        expect(parseEanParameter(formatGtin(held))).toEqual({ kind: 'gtin', gtin: held });
        expect(parseEanParameter(held)).toEqual({ kind: 'gtin', gtin: held });
        expect(heldAs(formatGtin(held))).toBe(held);
      }),
      tries(500),
    );
  });

  test('regains up to three leading zeros that a spreadsheet dropped', () => {
    fc.assert(
      fc.property(digits(9, 12), (body) => {
        const number = `${body.replace(/^0/, '1')}${checkDigit(body.replace(/^0/, '1'))}`;
        expect(heldAs(number)).toBe(number.padStart(14, '0'));
      }),
      tries(300),
    );
  });

  test('with one wrong digit is refused, and the error of the parameter names the right check digit', () => {
    fc.assert(
      fc.property(gtin, fc.nat(13), fc.integer({ min: 1, max: 9 }), (right, at, by) => {
        const index = at % right.length;
        const wrong = right.slice(0, index) + ((Number(right[index]) + by) % 10) + right.slice(index + 1);
        expect(heldAs(wrong)).toBeUndefined();
        if (wrong.length < 13) return;
        const read = parseEanParameter(wrong);
        expect(read.kind).toBe('wrong_check_digit');
        if (read.kind !== 'wrong_check_digit') return;
        expect(parseEanParameter(wrong.slice(0, -1) + read.expected).kind).toBe('gtin');
      }),
      tries(500),
    );
  });

  test('with two adjacent digits swapped is refused, unless they differ by five', () => {
    fc.assert(
      fc.property(gtin, fc.nat(12), (right, at) => {
        const index = at % (right.length - 1);
        const [one = '', other = ''] = [right[index], right[index + 1]];
        const swapped = right.slice(0, index) + other + one + right.slice(index + 2);
        // The known weakness of the weights 3 and 1: 2 × 5 is a multiple of ten.
        const isSeen = Math.abs(Number(one) - Number(other)) % 5 !== 0;
        expect(heldAs(swapped) === undefined).toBe(isSeen);
      }),
      tries(500),
    );
  });

  test('is recognized with any spaces and hyphens between its digits', () => {
    const gap = fc.constantFrom('', '', ' ', '-', '\u00a0', '\u2009', '\u2010', '\u2013', '\t', '  ');
    fc.assert(
      fc.property(gtin, fc.array(gap, { minLength: 15, maxLength: 15 }), (right, gaps) => {
        const written = [...right].map((digit, index) => `${gaps[index]}${digit}`).join('') + gaps[14];
        expect(heldAs(written)).toBe(heldAs(right));
      }),
      tries(300),
    );
  });

  test('is never read from any other text, and no text makes the parsers throw', () => {
    const text = fc.oneof(anyText(), fc.string({ unit: fc.constantFrom(...'0123456789 -eE.,+') }), digits(11, 15));
    fc.assert(
      fc.property(text, (written) => {
        const read = parseFeedGtin(written);
        if (read.ok) {
          expect(isGtin14(read.gtin)).toBe(true);
          expect(Number(written.replace(/[^0-9]/g, ''))).toBe(Number(read.gtin));
        } else expect(read.detail.length).toBeLessThan(250);
        const parameter = parseEanParameter(written);
        if (parameter.kind === 'gtin') expect(written).toMatch(/^[0-9]{13,14}$/);
      }),
      tries(1_000),
    );
  });
});

test('an ASIN is read in upper case, and from no other text', () => {
  fc.assert(
    fc.property(
      fc.oneof(anyText(12), fc.string({ unit: fc.constantFrom(...'09AZazſıK'), minLength: 10, maxLength: 10 })),
      (written) => {
        const asin = parseAsin(written);
        if (/^[0-9A-Za-z]{10}$/.test(written)) expect(asin).toBe(written.toUpperCase());
        else expect(asin).toBeUndefined();
      },
    ),
    tries(500),
  );
});
