/** Names in all scripts as words and as slugs, and two small formats of feeds: sale periods and shipping. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWithin, lowestShipping, parseSalePeriod } from '../../src/import/item-price.ts';
import { parseShippingText } from '../../src/import/readers/shipping-text.ts';
import { isSlug, slugOf } from '../../src/values/slug.ts';
import { foldName, typosOf, wordsOf } from '../../src/values/words.ts';
import { anyText, tries, wellFormed } from '../harness/fuzz.ts';

const UTC = { country: 'PT', timeZone: 'UTC' };

describe('a slug', () => {
  test('is valid for every name in every script, and is its own slug', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), anyText(300)), (name) => {
        const slug = slugOf(name, 'thing');
        expect(slug).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
        expect(slug.length).toBeLessThanOrEqual(80);
        expect(isSlug(slug)).toBe(true);
        expect(slugOf(slug, 'thing')).toBe(slug);
      }),
      tries(1_000),
    );
  });
});

describe('the words of a name', () => {
  test('stay the same when they are folded again, except pairs of letters', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), anyText(300)), (name) => {
        const folded = foldName(name);
        if (wordsOf(folded).length === wordsOf(name).length) expect(foldName(folded)).toBe(folded);
        // PostgreSQL accepts neither NUL nor lone surrogates.
        expect(folded).not.toMatch(/\0/);
        expect(wellFormed(folded)).toBe(folded);
      }),
      tries(1_000),
    );
  });

  test('are the same in upper case, and with composed and decomposed accents', () => {
    // Letters only: a lone combining mark would belong to the character before it.
    const letters = fc.string({ unit: fc.constantFrom(...'abcçdeéèêgñoöøprsßtuüz АБВЁЙабвёй012 -&'), maxLength: 30 });
    fc.assert(
      fc.property(letters, (name) => {
        expect(wordsOf(name.normalize('NFD'))).toEqual(wordsOf(name.normalize('NFC')));
        expect(wordsOf(name.toUpperCase())).toEqual(wordsOf(name));
      }),
      tries(500),
    );
  });

  test('are among the typos of their own typos', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcxyzбвя01'), minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(word, fc.nat(100), (right, pick) => {
        const errors = typosOf(right);
        const wrong = errors[pick % Math.max(errors.length, 1)];
        if (wrong === undefined || typosOf(wrong).length === 0) return;
        // Typos replace letters only with letters of the same script, and never with digits.
        if (/[a-z]/.test(right) !== /[a-z]/.test(wrong) || /[а-я]/.test(right) !== /[а-я]/.test(wrong)) return;
        if (right.replace(/\d/g, '') !== right) return;
        expect(typosOf(wrong)).toContain(right);
      }),
      tries(100),
    );
  });
});

describe('a sale period', () => {
  const moment = fc.date({ min: new Date('1971-01-01'), max: new Date('2999-12-31'), noInvalidDate: true });

  test('is read as the same time in any time zone', () => {
    fc.assert(
      fc.property(
        moment,
        fc.nat(10 ** 6),
        fc.integer({ min: -14 * 4, max: 14 * 4 }),
        fc.constantFrom('', ':'),
        (from, minutes, quarters, colon) => {
          const start = Math.floor(from.getTime() / 60_000) * 60_000;
          const end = start + minutes * 60_000;
          const sign = quarters < 0 ? '-' : '+';
          const hours = String(Math.floor(Math.abs(quarters) / 4)).padStart(2, '0');
          const rest = String((Math.abs(quarters) % 4) * 15).padStart(2, '0');
          const write = (time: number) =>
            new Date(time + quarters * 900_000).toISOString().slice(0, 16) + sign + hours + colon + rest;
          const period = parseSalePeriod(`${write(start)}/${write(end)}`, UTC);
          // 23:59 is the last minute of a day, to its end.
          const last = write(end).includes('T23:59') ? end + 59_999 : end;
          expect([period?.start.getTime(), period?.end.getTime()]).toEqual([start, last]);
        },
      ),
      tries(500),
    );
  });

  test('of whole days includes both days completely, and nothing before or after', () => {
    fc.assert(
      fc.property(moment, fc.nat(1_000), (from, days) => {
        const day = (offset: number) => new Date(from.getTime() + offset * 86_400_000).toISOString().slice(0, 10);
        const period = parseSalePeriod(`${day(0)}/${day(days)}`, UTC);
        const isOn = (time: string) => period !== undefined && isWithin(period, new Date(time));
        expect(isOn(`${day(0)}T00:00:00.000Z`) && isOn(`${day(days)}T23:59:59.999Z`)).toBe(true);
        expect(isOn(`${day(-1)}T23:59:59.999Z`) || isOn(`${day(days + 1)}T00:00:00.000Z`)).toBe(false);
      }),
      tries(300),
    );
  });

  test('is never read from invalid text or from a day that does not exist', () => {
    const number = (most: number, places: number) => fc.nat(most).map((each) => String(each).padStart(places, '0'));
    const point = fc
      .tuple(
        number(9_999, 4),
        number(13, 2),
        number(32, 2),
        fc.constantFrom('', 'T00:00', 'T23:59:59Z', ' 10:00 +0100'),
      )
      .map(([year, month, day, time]) => ({ day: `${year}-${month}-${day}`, text: `${year}-${month}-${day}${time}` }));
    fc.assert(
      fc.property(point, point, ({ day, text }, other) => {
        const isDay = (each: string) =>
          new Date(`${each}T00:00Z`).getTime() >= 0 && new Date(`${each}T00:00Z`).toISOString().startsWith(each);
        const period = parseSalePeriod(`${text}/${other.text}`, UTC);
        if (Date.parse(`${day}T00:00Z`) < 0 || Date.parse(`${other.day}T00:00Z`) < 0) return;
        if (period) expect([day, isDay(day), other.day, isDay(other.day)]).toEqual([day, true, other.day, true]);
      }),
      tries(1_000),
    );
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.string({ unit: fc.constantFrom(...'0123456789-:TZ+/ .') })), (text) => {
        const period = parseSalePeriod(text, UTC);
        if (period) expect(period.end.getTime()).toBeGreaterThanOrEqual(period.start.getTime());
      }),
      tries(500),
    );
  });
});

describe('shipping', () => {
  const cents = fc.integer({ min: 0, max: 100_000 });
  const option = fc.record({
    country: fc.constantFrom('DE', 'de', 'PT', ''),
    region: fc.constantFrom('', 'BY', 'Madeira'),
    service: fc.constantFrom('', 'Standard', 'Express 24h'),
    cents,
    mark: fc.constantFrom('.', ','),
  });

  test('costs the lowest option that applies to the country, however the options are written', () => {
    fc.assert(
      fc.property(fc.array(option, { minLength: 1, maxLength: 5 }), (options) => {
        const text = options
          .map(({ country, region, service, cents: price, mark }) => {
            const amount = `${Math.floor(price / 100)}${mark}${String(price % 100).padStart(2, '0')} EUR`;
            return `${country}:${region}:${service}:${amount}`;
          })
          .join(',');
        const read = lowestShipping(parseShippingText(text), { currency: 'EUR', country: 'DE' }, 0 as never);
        const applying = options.filter(({ country }) => country === '' || country.toUpperCase() === 'DE');
        const least = Math.min(...applying.map((each) => each.cents));
        expect([text, read]).toEqual([text, applying.length === 0 ? undefined : { ok: true, amount: least }]);
      }),
      tries(500),
    );
  });

  test('of arbitrary text never makes the parser throw', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.string({ unit: fc.constantFrom(...'DEPT:,.0123 EUR') })), (text) => {
        const market = { currency: 'EUR', country: 'DE' };
        const read = lowestShipping(parseShippingText(text), market, 0 as never);
        if (read?.ok) expect(read.amount).toBeGreaterThanOrEqual(0);
      }),
      tries(500),
    );
  });
});
