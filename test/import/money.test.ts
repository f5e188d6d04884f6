// Prices in the notations of shops, and amounts in responses.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currencyDecimals, isCurrencyCode, minorUnitsOf, toMajor } from '../../src/values/money.ts';
import { parsePrice } from '../../src/values/price-text.ts';

function amountOf(text: string, currency: string): number | string {
  const price = parsePrice(text, currency);
  return price.ok ? price.amount : price.reason;
}

describe('a price is read', () => {
  test.each([
    ['15.00 EUR', 'EUR', 1500],
    ['15,00 EUR', 'EUR', 1500],
    ['EUR 15.00', 'EUR', 1500],
    ['EUR15', 'EUR', 1500],
    ['15eur', 'EUR', 1500],
    ['244.5 EUR', 'EUR', 24450],
    ['1.299,00 EUR', 'EUR', 129900],
    ['1,299.00 EUR', 'EUR', 129900],
    ['1 299,00 EUR', 'EUR', 129900],
    ['1\u00a0299,00 EUR', 'EUR', 129900],
    ['1\u2009299,00\u00a0EUR', 'EUR', 129900],
    ['1\u202f299,00 €', 'EUR', 129900],
    ["1'299.00 CHF", 'CHF', 129900],
    ['1’299.00 CHF', 'CHF', 129900],
    ['1.299.000 EUR', 'EUR', 129900000],
    ['1.299.000,50 EUR', 'EUR', 129900050],
    ['€12.50', 'EUR', 1250],
    ['12.50 €', 'EUR', 1250],
    ['£5', 'GBP', 500],
    ['1 299 Kč', 'CZK', 129900],
    ['299,- Kč', 'CZK', 29900],
    ['R$ 10,50', 'BRL', 1050],
    ['10 zł', 'PLN', 1000],
    ['8980 JPY', 'JPY', 8980],
    ['12 500 JPY', 'JPY', 12500],
    ['1,234 JPY', 'JPY', 1234],
    ['1.234 JPY', 'JPY', 1234],
    ['8980.00 JPY', 'JPY', 8980],
    ['12.5000 EUR', 'EUR', 1250],
    ['0.500 EUR', 'EUR', 50],
    ['1234.500 EUR', 'EUR', 123450],
    ['1.299 KWD', 'KWD', 1299],
    ['1.5 KWD', 'KWD', 1500],
    ['0.01 EUR', 'EUR', 1],
    ['10000000000.00 EUR', 'EUR', 10 ** 12],
  ])('%s in a %s market is %d', (text, currency, minor) => {
    expect(amountOf(text, currency)).toBe(minor);
  });
});

describe('a price is refused', () => {
  test.each([
    ['', 'EUR', 'missing_price'],
    ['  ', 'EUR', 'missing_price'],
    ['12.50', 'EUR', 'missing_currency'],
    ['12,50', 'EUR', 'missing_currency'],
    ['$12.50', 'USD', 'missing_currency'],
    ['¥100', 'JPY', 'missing_currency'],
    ['100 kr', 'SEK', 'missing_currency'],
    ['12.50 USD', 'EUR', 'other_currency'],
    ['12.50 XXX', 'EUR', 'other_currency'],
    ['12 500 JPY', 'EUR', 'other_currency'],
    ['£5', 'EUR', 'other_currency'],
    ['1.299 EUR', 'EUR', 'ambiguous_price'],
    ['1,299 EUR', 'EUR', 'ambiguous_price'],
    ['12.505 EUR', 'EUR', 'ambiguous_price'],
    ['15.000 EUR', 'EUR', 'ambiguous_price'],
    ['1,299 KWD', 'KWD', 'ambiguous_price'],
    ['0 EUR', 'EUR', 'invalid_price'],
    ['0.00 EUR', 'EUR', 'invalid_price'],
    ['-5.00 EUR', 'EUR', 'invalid_price'],
    ['EUR -5', 'EUR', 'invalid_price'],
    ['1e3 EUR', 'EUR', 'invalid_price'],
    ['free', 'EUR', 'invalid_price'],
    ['12.5050 EUR', 'EUR', 'invalid_price'],
    ['0.505 EUR', 'EUR', 'invalid_price'],
    ['8980.50 JPY', 'JPY', 'invalid_price'],
    ['1.29.00 EUR', 'EUR', 'invalid_price'],
    ['1,2345.00 EUR', 'EUR', 'invalid_price'],
    ['1 29 EUR', 'EUR', 'invalid_price'],
    ['12.50 EUR - 15.00 EUR', 'EUR', 'invalid_price'],
    ['EUR 12.50 EUR', 'EUR', 'invalid_price'],
    ['１２.50 EUR', 'EUR', 'invalid_price'],
    ['99999999999999 EUR', 'EUR', 'price_out_of_range'],
    [`${'9'.repeat(400)} EUR`, 'EUR', 'price_out_of_range'],
    ['10000000000.01 EUR', 'EUR', 'price_out_of_range'],
  ])('%s in a %s market: %s', (text, currency, reason) => {
    expect(amountOf(text, currency)).toBe(reason);
  });
});

test('zero is accepted only where it is allowed, as for shipping', () => {
  expect(parsePrice('0.00 EUR', 'EUR', { allowZero: true })).toEqual({ ok: true, amount: 0 });
});

test('a price is read as the same amount in all usual notations', () => {
  const styles = [
    { group: '', point: '.' },
    { group: ',', point: '.' },
    { group: '.', point: ',' },
    { group: ' ', point: ',' },
    { group: '\u00a0', point: ',' },
    { group: "'", point: '.' },
  ];
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 ** 12 }),
      fc.constantFrom(...styles),
      fc.boolean(),
      (minor, style, isFirst) => {
        const digits = String(minor).padStart(3, '0');
        const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, style.group);
        const number = `${whole}${style.point}${digits.slice(-2)}`;
        expect(amountOf(isFirst ? `EUR ${number}` : `${number} EUR`, 'EUR')).toBe(minor);
      },
    ),
  );
});

test('no text makes the price parser throw, and no amount is out of range', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[0-9., €EURu'-]{0,20}$/));
  fc.assert(
    fc.property(text, fc.constantFrom('EUR', 'JPY', 'KWD'), (written, currency) => {
      const price = parsePrice(written, currency);
      if (price.ok)
        expect(Number.isSafeInteger(price.amount) && price.amount > 0 && price.amount <= 10 ** 12).toBe(true);
    }),
  );
});

describe('an amount for clients', () => {
  test.each([
    [30, 'EUR', '0.3'],
    [1299, 'EUR', '12.99'],
    [5, 'EUR', '0.05'],
    [0, 'EUR', '0'],
    [-1250, 'EUR', '-12.5'],
    [8980, 'JPY', '8980'],
    [1299, 'KWD', '1.299'],
    [99_999_999_999_999, 'EUR', '999999999999.99'],
  ])('%d of %s prints as %s', (minor, currency, printed) => {
    expect(JSON.stringify(toMajor(minorUnitsOf(minor), currency))).toBe(printed);
  });

  test('printed with its decimals gives the same amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 12 }), fc.constantFrom('EUR', 'JPY', 'KWD'), (minor, currency) => {
        const decimals = currencyDecimals(currency);
        const printed = toMajor(minorUnitsOf(minor), currency).toFixed(decimals);
        expect(Number(printed.replace('.', ''))).toBe(minor);
      }),
    );
  });
});

test('decimals are those of ISO 4217, even where displays omit them', () => {
  const decimals = { EUR: 2, JPY: 0, KWD: 3, HUF: 2, IDR: 2, IQD: 3, CLF: 4 };
  for (const [currency, count] of Object.entries(decimals)) expect(currencyDecimals(currency)).toBe(count);
});

test('a currency code is one in use, in upper case', () => {
  expect(isCurrencyCode('EUR')).toBe(true);
  for (const code of ['eur', 'XXX', 'EURO', 'ABC', '']) expect(isCurrencyCode(code)).toBe(false);
});

test('an amount that is not whole is refused', () => {
  expect(() => minorUnitsOf(12.5)).toThrow(RangeError);
});
