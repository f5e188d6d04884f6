/**
 * The number of cases that the tests in test/fuzz try, and their seed.
 *
 * FUZZ_RUNS  a factor for the number of cases in CI, 1 by default: `FUZZ_RUNS=50 npx vitest run test/fuzz`.
 * FUZZ_SEED  the seed of all cases. A failure prints its seed, which reproduces the case.
 *
 * Without either, the cases are the same each time, so that CI fails because of a change and not by chance. With only
 * FUZZ_RUNS, they are new each time.
 */
import fc from 'fast-check';

const FACTOR = Number(process.env.FUZZ_RUNS ?? 1);
const GIVEN_SEED = process.env.FUZZ_SEED ?? (process.env.FUZZ_RUNS === undefined ? '20261121' : undefined);

/** The parameters of a property that is tried `count` times in CI. */
export function tries(count: number): { numRuns: number; seed?: number } {
  return {
    numRuns: Math.max(1, Math.round(count * FACTOR)),
    ...(GIVEN_SEED !== undefined && { seed: Number(GIVEN_SEED) }),
  };
}

/** A sequence of whole numbers, each below a limit, that a seed determines. */
export function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Twelve digits as an EAN, with its check digit. */
export function gtinOf(digits: number): string {
  const sum = [...String(digits)].reduce((total, digit, index) => total + Number(digit) * (index % 2 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** Texts of all kinds of characters, including those that often break programs. */
export function anyText(maxLength = 40): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.string({ maxLength }) },
    { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength }) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength }) },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  );
}

/** The text with U+FFFD in place of lone surrogates, as it would be after encoding as UTF-8. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Texts that have broken programs before. */
export const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\u0007\u001b[31m',
  '\r\nSet-Cookie: a=b',
  '\ud800',
  '\udfff\ud800',
  '\ufeffid',
  '\ufffd',
  '\uffff',
  '\u202eabc',
  '\u2028',
  ...'İ ß ﷺ 👩‍👩‍👧‍👦 Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢ __proto__ constructor toString null undefined true'.split(' '),
  '[object Object]',
  ...'NaN -0 0 -1 00 1e309 -1e309 1e-400 9007199254740993 2147483648 -2147483649 9223372036854775808'.split(' '),
  ...'0x10 １２ 1.7976931348623157e308 0000-00-00 0000-01-01 9999-12-31 2023-02-30 2024-02-29'.split(' '),
  ...'-271821-04-20 +275760-09-13'.split(' '),
  "' OR '1'='1",
  "'; DROP TABLE product; --",
  "1' UNION SELECT NULL,NULL--",
  '\\',
  '%',
  '_',
  '%%%s%n',
  '$1',
  '$' + '{7*7}',
  '{{7*7}}',
  '*)(uid=*))(|(uid=*',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  'http://[::1]:1/',
  'javascript:alert(1)',
  '|| sleep 1',
  '& | ! ( ) : * <->',
  "a:* & 'b'",
];
