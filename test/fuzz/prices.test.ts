/** Prices in every accepted notation: read exactly or refused, and never read as another amount. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currencyDecimals, fromMajor, minorUnitsOf, toMajor } from '../../src/values/money.ts';
import { HIGHEST_PRICE, type PriceReading, parsePrice } from '../../src/values/price-text.ts';
import { anyText, tries } from '../harness/fuzz.ts';

const currency = fc.constantFrom('EUR', 'JPY', 'KWD', 'HUF');
const SIGNS: Readonly<Record<string, readonly string[]>> = { EUR: ['€'], JPY: ['円'], HUF: ['Ft'] };

/** How shops write numbers: the decimal mark and the thousands separator. */
const STYLES = [
  { point: '.', group: '' },
  { point: ',', group: '' },
  { point: '.', group: ',' },
  { point: ',', group: '.' },
  { point: ',', group: ' ' },
  { point: '.', group: ' ' },
  { point: ',', group: '\u00a0' },
  { point: ',', group: '\u202f' },
  { point: '.', group: "'" },
  { point: '.', group: '’' },
] as const;

const notation = fc.record({
  style: fc.constantFrom(...STYLES),
  /** Omits trailing zeros of the decimals. */
  isShort: fc.boolean(),
  /** Zeros beyond the currency's own decimals. */
  surplus: fc.constantFrom(0, 0, 0, 1, 2, 3),
  isBefore: fc.boolean(),
  gap: fc.constantFrom('', ' ', '\u00a0'),
  isSign: fc.boolean(),
  isLower: fc.boolean(),
});
type Notation = typeof notation extends fc.Arbitrary<infer Value> ? Value : never;

function write(minor: number, code: string, { style, isShort, surplus, isBefore, gap, isSign, isLower }: Notation) {
  const decimals = currencyDecimals(code);
  const digits = String(minor).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, style.group);
  // In a currency without decimals three zeros mean a thousand (`1.000 JPY`), as documented at the parser.
  const zeros = decimals === 0 && surplus === 3 ? 2 : surplus;
  let fraction = digits.slice(digits.length - decimals) + '0'.repeat(zeros);
  if (isShort) fraction = fraction.replace(/0+$/, '');
  const number = fraction === '' ? whole : whole + style.point + fraction;
  const sign = isSign ? SIGNS[code]?.[0] : undefined;
  const word = sign ?? (isLower ? code.toLowerCase() : code);
  return { number, text: isBefore ? word + gap + number : number + gap + word };
}

describe('a price', () => {
  test('in any notation is read exactly, and refused only if it is ambiguous', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: HIGHEST_PRICE }), currency, notation, (minor, code, how) => {
        const { number, text } = write(minor, code, how);
        const read = parsePrice(text, code);
        if (read.ok) expect([text, read.amount]).toEqual([text, minor]);
        else {
          expect([text, read.reason]).toEqual([text, 'ambiguous_price']);
          expect(number).toMatch(/^\d{1,3}[.,]\d{3}$/);
        }
      }),
      tries(2_000),
    );
  });

  /** All amounts that a number can mean to a person: with or without a decimal mark, and with thousands in groups. */
  function meanings(number: string, decimals: number): Set<bigint> {
    const found = new Set<bigint>();
    const add = (whole: string, fraction: string, point = '') => {
      const [, group] = /^\d{1,3}(?:([.,'’\s])\d{3})(?:\1\d{3})*$/.exec(whole) ?? [];
      const isWhole = /^\d+$/.test(whole) || (group !== undefined && group !== point);
      // Nobody writes 0.500 for five hundred.
      if (fraction === '' && /^0\d*[.,]\d{3}$/.test(whole)) return;
      if (!isWhole || !/^\d*$/.test(fraction) || /[1-9]/.test(fraction.slice(decimals))) return;
      found.add(BigInt(whole.replace(/\D/g, '') + fraction.slice(0, decimals).padEnd(decimals, '0')));
    };
    add(number, '');
    const mark = Math.max(number.lastIndexOf('.'), number.lastIndexOf(','));
    if (mark > 0) add(number.slice(0, mark), number.slice(mark + 1), number[mark]);
    return found;
  }

  const number = fc.oneof(
    fc.stringMatching(/^[0-9]{1,4}([.,' ][0-9]{1,4}){0,3}$/),
    fc.string({ unit: fc.constantFrom(..."0123456789.,'’ "), minLength: 1, maxLength: 14 }),
    fc.stringMatching(/^[0-9]{1,3}([.,'][0-9]{3}){1,3}([.,][0-9]{0,4})?$/),
  );

  test('of arbitrary digits and marks is one of the amounts that they can mean, or is refused', () => {
    fc.assert(
      fc.property(number, currency, (written, code) => {
        const read = parsePrice(`${written} ${code}`, code);
        if (!read.ok) return;
        const possible = meanings(written.trim(), currencyDecimals(code));
        expect([written, possible.has(BigInt(read.amount))]).toEqual([written, true]);
        // If there are two, one of the two documented rules has decided.
        if (possible.size > 1) expect([code, written]).toEqual([expect.stringMatching(/JPY|KWD/), written]);
      }),
      tries(3_000),
    );
  });

  test('is never above the maximum or below zero, and no text makes the parser throw', () => {
    const text = fc.oneof(
      anyText(),
      fc.tuple(anyText(6), number, anyText(6)).map((parts) => parts.join('')),
      fc.string({ unit: fc.constantFrom(...'+-−0123456789.,eE€¥$ '), maxLength: 24 }),
      fc.string({ unit: fc.constantFrom('9', ' ', '.', ','), minLength: 1_000, maxLength: 5_000 }),
    );
    const check = (read: PriceReading, least: number, written: string) => {
      if (!read.ok) {
        expect(read.detail.length).toBeLessThan(200);
        return;
      }
      expect(Number.isSafeInteger(read.amount) && read.amount >= least && read.amount <= HIGHEST_PRICE).toBe(true);
      // The digits of the amount are those of the text, except for zeros around them.
      const significant = (digits: string) => digits.replace(/^0+|0+$/g, '');
      expect([written, significant(String(read.amount))]).toEqual([
        written,
        significant(written.replace(/[^0-9]/g, '')),
      ]);
    };
    fc.assert(
      fc.property(text, currency, (written, code) => {
        for (const one of [written, `${written} ${code}`, `${code} ${written}`]) {
          check(parsePrice(one, code), 1, one);
          check(parsePrice(one, code, { allowZero: true }), 0, one);
        }
      }),
      tries(1_500),
    );
  });

  test('in another currency is never read as one in the currency of the market', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 6 }), currency, currency, notation, (minor, code, market, how) => {
        const read = parsePrice(write(minor, code, how).text, market);
        if (code !== market) expect(read.ok).toBe(false);
      }),
      tries(500),
    );
  });
});

test('an amount survives the way to a client and back', () => {
  fc.assert(
    fc.property(fc.integer({ min: -HIGHEST_PRICE, max: 2 * HIGHEST_PRICE }), currency, (minor, code) => {
      const major: unknown = JSON.parse(JSON.stringify(toMajor(minorUnitsOf(minor), code)));
      expect(fromMajor(Number(major), code)).toBe(minor === 0 ? 0 : minor);
    }),
    tries(2_000),
  );
});
