// Parses prices in feeds into minor units, from their digits and without floating point.

import { currencyDecimals, isCurrencyCode, isMinorUnits, type MinorUnits } from './money.ts';
import { excerpt } from './printable.ts';

/** Why a price text is rejected. */
type PriceFault =
  | 'missing_price'
  | 'invalid_price'
  | 'ambiguous_price'
  | 'missing_currency'
  | 'other_currency'
  | 'price_out_of_range';

/** A price in minor units of the market's currency, or the reason for rejecting it. */
export type PriceReading = { ok: true; amount: MinorUnits } | { ok: false; reason: PriceFault; detail: string };

/** The highest accepted price, in minor units. */
export const HIGHEST_PRICE = 10 ** 12;

/**
 * Parses a price with its currency: Google's form `15.00 EUR`, and forms that shops use, such as `15,00 EUR`, `EUR 15`,
 * `1.299,00 EUR`, `1 299,00 EUR`, `1,29,999.00 INR`, `€12.50` and `299,- Kč`. Codes may be in lower case.
 *
 * A single point or comma before exactly three digits is ambiguous in a currency with two decimals: `1.299 EUR` may mean 1299 or
 * a corrupted 1.30, and a wrong price is worse than a missing one. In a currency without decimals it separates thousands
 * (`1,234 JPY`). In a currency with three decimals, a point is the decimal point (`1.299 KWD`, Google's form), while a comma stays
 * ambiguous. Decimals beyond the currency's own must be zeros.
 *
 * @param options.allowZero accepts 0, as for free shipping; product prices must be above 0.
 * @example parsePrice('1.299,00 EUR', 'EUR') // { ok: true, amount: 129900 }
 */
export function parsePrice(text: string, marketCurrency: string, options: { allowZero?: boolean } = {}): PriceReading {
  const trimmed = text.trim();
  if (trimmed === '') return refuse('missing_price', 'the price is empty');
  const [, before = '', digits = '', dash, after = ''] = PRICE.exec(trimmed) ?? [];
  const number = numberOf(digits, dash);
  if (number === undefined || (before !== '' && after !== '')) return refuseShape(trimmed, marketCurrency);

  const written = before || after;
  if (written === '') {
    return refuse(
      'missing_currency',
      `${quote(trimmed)} has no currency; write it as in "${exampleOf(marketCurrency)}"`,
    );
  }
  const currency = currencyOf(written);
  if (currency === undefined) return refuseCurrency(trimmed, written, marketCurrency);
  if (currency !== marketCurrency) {
    return refuse('other_currency', `${quote(trimmed)} is in ${currency}, the market is in ${marketCurrency}`);
  }

  const decimals = currencyDecimals(currency);
  const amount = splitAmount(number, decimals, CURRENCIES_IN_LAKHS.has(currency));
  if (amount === 'ambiguous') {
    return refuse(
      'ambiguous_price',
      `${quote(trimmed)} may be thousands or decimals; write ${decimals} decimals after a point and no other separator`,
    );
  }
  if (amount === undefined) return refuseShape(trimmed, marketCurrency);
  return toMinorUnits(amount, decimals, trimmed, options.allowZero ?? false);
}

/** Whether a price only says that there is none: zero in any notation, or a currency without a number. */
export function isNoPrice(text: string): boolean {
  const trimmed = text.trim();
  if (/\p{Nd}/u.test(trimmed)) return trimmed.length <= LONGEST_ZERO && !ANY_OTHER_DIGIT.test(trimmed);
  return currencyOf(trimmed) !== undefined || /^\p{Sc}$/u.test(trimmed);
}

/** The number without a dash in place of its decimals (`15,-`, or `499/-` in India); `undefined` if its spaces or its dash are misplaced. */
function numberOf(written: string, dash: string | undefined): string | undefined {
  if (written === '' || /\s\s/.test(written.trimEnd())) return undefined;
  if (!dash) return written.trimEnd();
  if (dash.startsWith('/')) return written;
  return /[.,]$/.test(written) ? written.replace(/[.,]{1,2}$/, '') : undefined;
}

/** The digits before and after the decimal mark. */
interface Amount {
  whole: string;
  fraction: string;
}

/** Distinguishes the decimal mark from thousands separators; `undefined` if the text is not a number. */
function splitAmount(text: string, decimals: number, isInLakhs: boolean): Amount | 'ambiguous' | undefined {
  if (DIGITS.test(text)) return { whole: text, fraction: '' };
  const lastMark = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  if (lastMark < 0) return grouped(text, '', false);

  const whole = text.slice(0, lastMark);
  const fraction = text.slice(lastMark + 1);
  const mark = text.charAt(lastMark);
  // A repeated mark separates thousands. Of two different marks, the last is the decimal mark.
  if (whole.includes(mark)) return grouped(text, '', isInLakhs);
  if (!DIGITS.test(fraction)) return undefined;
  if (!DIGITS.test(whole)) return grouped(whole, fraction, isInLakhs);
  if (fraction.length !== 3 || whole.length > 3 || whole.startsWith('0')) return { whole, fraction };
  if (decimals === 0) return { whole: whole + fraction, fraction: '' };
  return decimals === 3 && mark === '.' ? { whole, fraction } : 'ambiguous';
}

/**
 * Parses a whole part with one kind of thousands separator, in groups of three, or in lakhs: with commas before a group of three
 * and those of two before it (`1,29,999`; CLDR, `#,##,##0.###`).
 */
function grouped(text: string, fraction: string, isInLakhs: boolean): Amount | undefined {
  const mark = /[.,'’\s]/.exec(text)?.[0];
  const [first = '', ...groups] = mark === undefined ? [] : text.split(mark);
  const isInThrees = /^\d{1,3}$/.test(first) && groups.every((group) => /^\d{3}$/.test(group));
  const isInTwos =
    isInLakhs &&
    mark === ',' &&
    groups.length > 1 &&
    /^\d{1,2}$/.test(first) &&
    /^\d{3}$/.test(groups.at(-1) ?? '') &&
    groups.slice(0, -1).every((group) => /^\d{2}$/.test(group));
  return isInThrees || isInTwos ? { whole: text.replace(NOT_A_DIGIT, ''), fraction } : undefined;
}

function toMinorUnits(amount: Amount, decimals: number, text: string, allowZero: boolean): PriceReading {
  const surplus = amount.fraction.slice(decimals);
  if (ANY_BUT_ZERO.test(surplus)) {
    return refuse('invalid_price', `${quote(text)} has more than the ${decimals} decimals of its currency`);
  }
  const digits = (amount.whole + amount.fraction.slice(0, decimals).padEnd(decimals, '0')).replace(LEADING_ZEROS, '');
  const minor = Number(digits);
  if (minor > HIGHEST_PRICE || !isMinorUnits(minor)) {
    return refuse('price_out_of_range', `${quote(text)} is above the highest price that is accepted`);
  }
  if (minor === 0 && !allowZero) return refuse('invalid_price', `${quote(text)} is zero; a price must be above zero`);
  return { ok: true, amount: minor };
}

function currencyOf(written: string): string | undefined {
  const sign = CURRENCY_BY_SIGN.get(written) ?? CURRENCY_BY_SIGN.get(written.toLowerCase());
  if (sign !== undefined) return sign;
  const code = written.toUpperCase();
  return isCurrencyCode(code) ? code : undefined;
}

function refuseCurrency(text: string, written: string, marketCurrency: string): PriceReading {
  return CODE.test(written) && !/^lei$/i.test(written)
    ? refuse(
        'other_currency',
        `${quote(text)} is in ${written}, which is not a currency; the market is in ${marketCurrency}`,
      )
    : refuse(
        'missing_currency',
        `"${written}" in ${quote(text)} does not identify a single currency; write a code such as ${marketCurrency}`,
      );
}

function refuseShape(text: string, marketCurrency: string): PriceReading {
  const isNegative = /^\D{0,4}[-\u2212]/.test(text) && /\d/.test(text);
  const fault = isNegative ? 'is below zero' : `is not a price; write it as in "${exampleOf(marketCurrency)}"`;
  return refuse('invalid_price', `${quote(text)} ${fault}`);
}

/** A price with all decimals of the currency: `12.50 EUR`, `1250 JPY`, `12.500 KWD`. */
function exampleOf(currency: string): string {
  const decimals = currencyDecimals(currency);
  return `${decimals === 0 ? 1250 : (12.5).toFixed(decimals)} ${currency}`;
}

const refuse = (reason: PriceFault, detail: string): PriceReading => ({ ok: false, reason, detail });
const quote = (text: string) => `"${excerpt(text, 40)}"`;

// A currency (code or sign, without digits or marks), the number, a dash for its decimals, a currency. Adjacent parts share no
// character, so that matching takes linear time.
const PRICE = /^([^\d\s.,'’+\u2212-]{1,4})?\s*(\d[\d.,'’\s]*)(\/?[-\u2013\u2014]\s*)?([^\d\s.,'’+\u2212-]{1,4}\.?)?$/;
const LONGEST_ZERO = 20;
const ANY_OTHER_DIGIT = /[^\P{Nd}0]/u;
// Of India, Pakistan, Bangladesh, Nepal and Sri Lanka.
const CURRENCIES_IN_LAKHS: ReadonlySet<string> = new Set(['INR', 'PKR', 'BDT', 'NPR', 'LKR']);
const DIGITS = /^\d+$/;
const NOT_A_DIGIT = /\D/g;
const LEADING_ZEROS = /^0+/;
const ANY_BUT_ZERO = /[1-9]/;
const CODE = /^[A-Za-z]{3}$/;

// Signs of a single currency. "$", "kr", "¥" and "lei" are shared by several and therefore missing.
const CURRENCY_BY_SIGN: ReadonlyMap<string, string> = new Map(
  '€ EUR,£ GBP,₹ INR,₩ KRW,₺ TRY,₽ RUB,₴ UAH,₪ ILS,₫ VND,₱ PHP,₦ NGN,฿ THB,円 JPY,zł PLN,kč CZK,ft HUF,r$ BRL,us$ USD'
    .split(',')
    .map((pair): [string, string] => [pair.slice(0, -4), pair.slice(-3)]),
);
