// Feeds of real shops, intact and damaged, and check digit vectors of public libraries. They are outside the repository.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { isRejection, normaliseItem } from '../../src/import/item.ts';
import { readFeed } from '../../src/import/readers/read-feed.ts';
import { openFeed } from '../../src/import/readers/source.ts';
import { BrokenFeed } from '../../src/import/reject.ts';
import { checkDigit, parseFeedGtin } from '../../src/values/gtin.ts';
import { describeShared } from '../harness/shared-data.ts';

const EURO = { currency: 'EUR', country: 'PT' };
const YEN = { currency: 'JPY', country: 'JP' };
const SWEDEN = { currency: 'SEK', country: 'SE' };
const CZECHIA = { currency: 'CZK', country: 'CZ' };
const BRAZIL = { currency: 'BRL', country: 'BR' };

/** The result of a feed at a path: accepted rows, rejected rows by reason, or the line where it is broken. */
async function outcomeOf(path: string, market: { currency: string; country: string }, encoding?: string) {
  const outcome: { accepted: number; rejected: Record<string, number> } = { accepted: 0, rejected: {} };
  try {
    const source = await openFeed(path);
    for await (const rows of readFeed(source.bytes, { encoding })) {
      for (const row of rows) {
        const item = normaliseItem(row, { ...market, observedAt: new Date('2026-01-01T00:00:00Z') });
        if (isRejection(item)) outcome.rejected[item.reason] = (outcome.rejected[item.reason] ?? 0) + 1;
        else outcome.accepted++;
      }
    }
    return outcome;
  } catch (error) {
    if (error instanceof BrokenFeed) return { brokenAtLine: error.line };
    throw error;
  }
}

describeShared('a real feed', (pathOf) => {
  test.each([
    ['atom-umapenca-google.xml', BRAZIL, 1, {}],
    ['avernas-se.xml', SWEDEN, 36, {}],
    ['empty-channel.xml', EURO, 0, {}],
    ['fortuna.xml', SWEDEN, 2, {}],
    ['freshlock-jp-jpy.xml', YEN, 4, {}],
    ['gmc-learning.tsv', EURO, 22, {}],
    ['hair-studio-pt.csv', EURO, 107, {}],
    ['hair-studio-pt.xml', EURO, 107, {}],
    ['hurom-google-feed.xml', CZECHIA, 0, { missing_currency: 18 }],
    ['importpc-cz.xml', CZECHIA, 1255, {}],
    ['onboarding-test-tabs-named.csv', EURO, 2, { other_currency: 1 }],
    ['broken/bare-ampersand.xml', EURO, 12, {}],
    ['broken/control-char.xml', EURO, 12, {}],
    ['broken/crlf-cr-mixed.tsv', EURO, 22, {}],
    ['broken/duplicate-ids.xml', EURO, 2, { ambiguous_price: 1 }],
    ['broken/gzip-not-said.xml', EURO, 12, {}],
    ['broken/header-only.tsv', EURO, 0, {}],
    ['broken/header-spaces-caps.tsv', EURO, 22, {}],
    ['broken/latin1-declared-utf8.xml', EURO, 1, { invalid_encoding: 11 }],
    ['broken/no-namespace-declaration.xml', EURO, 12, {}],
    ['broken/nul-bytes.csv', EURO, 12, {}],
    [
      'broken/odd-prices.xml',
      EURO,
      6,
      {
        missing_currency: 2,
        invalid_price: 4,
        missing_price: 1,
        ambiguous_price: 1,
        other_currency: 2,
        price_out_of_range: 1,
      },
    ],
    ['broken/other-prefix.xml', EURO, 12, {}],
    ['broken/price-twice.xml', EURO, 0, { repeated_field: 1 }],
    ['broken/ragged.tsv', EURO, 20, { ragged_row: 1, missing_price: 1 }],
    ['broken/semicolon-decimal-comma.csv', EURO, 12, {}],
    ['broken/unclosed-quote.csv', EURO, 11, { unknown_availability: 1 }],
    ['broken/utf16le-bom.xml', EURO, 12, {}],
    ['broken/utf8-bom-leading-newline.xml', EURO, 12, {}],
    ['broken/windows-1252.csv', EURO, 1, { invalid_encoding: 11 }],
    ['broken/wrong-namespace-uri.xml', EURO, 12, {}],
  ])('%s', async (file, market, accepted, rejected) => {
    expect(await outcomeOf(pathOf(`feeds/${file}`), market)).toEqual({ accepted, rejected });
  });

  test.each([
    'broken/windows-1252.csv',
    'broken/latin1-declared-utf8.xml',
  ])('%s is read completely if its encoding is given', async (file) => {
    expect(await outcomeOf(pathOf(`feeds/${file}`), EURO, 'windows-1252')).toEqual({ accepted: 12, rejected: {} });
  });

  test.each([
    ['unrendered-template.tsv', 1],
    ['broken/empty-file.xml', 1],
    ['broken/entity-expansion.xml', 1],
    ['broken/external-entity.xml', 1],
    ['broken/header-duplicate-column.tsv', 1],
    ['broken/html-error-page.xml', 1],
    ['broken/truncated-mid-item.xml', 249],
  ])('%s is refused as a whole, at line %d', async (file, line) => {
    expect(await outcomeOf(pathOf(`feeds/${file}`), EURO)).toEqual({ brokenAtLine: line });
  });
});

const TEXT_OR_NUMBER = z.union([z.string(), z.number()]).transform(String);
const VECTORS = z.object({
  vectors: z.array(z.object({ input: TEXT_OR_NUMBER, gtin14: z.string().nullish(), valid_after_strip: z.boolean() })),
  check_digit: z.array(z.object({ raw: z.string(), check: z.number() })),
  upc_e: z.array(z.object({ upce: z.string() })),
  leading_zero_lost: z.array(z.object({ input: z.string(), gtin13: z.string() })),
  excel_scientific: z.array(z.object({ input: z.string() })),
  derived: z.array(z.object({ input: TEXT_OR_NUMBER, valid: z.boolean() })),
});

describeShared('the check digit vectors of public libraries', (pathOf) => {
  const known = VECTORS.parse(JSON.parse(readFileSync(pathOf('gtin/gtin-vectors.json'), 'utf8')));
  const heldAs = (text: string) => {
    const read = parseFeedGtin(text);
    return read.ok ? read.gtin : null;
  };

  test('are accepted and refused as in the vectors', () => {
    for (const { input, gtin14, valid_after_strip } of known.vectors) {
      expect([input, heldAs(input)]).toEqual([input, valid_after_strip ? (gtin14 ?? null) : null]);
    }
  });

  test('give the expected check digits', () => {
    for (const { raw, check } of known.check_digit) expect([raw, checkDigit(raw)]).toEqual([raw, check]);
  });

  test('regain the zeros that spreadsheets dropped', () => {
    for (const { input, gtin13 } of known.leading_zero_lost) expect(heldAs(input)).toBe(`0${gtin13}`);
  });

  test('in scientific notation are refused', () => {
    for (const { input } of known.excel_scientific) expect(heldAs(input)).toBeNull();
  });

  test('of UPC-E are never expanded', () => {
    for (const { upce } of known.upc_e) {
      const held = heldAs(upce);
      expect(held === null || held === upce.padStart(14, '0')).toBe(true);
    }
  });

  test('of unusual texts are accepted and refused as in the vectors', () => {
    for (const { input, valid } of known.derived) {
      // This project accepts spaces around the digits.
      const isValid = valid || input === '4012345678901 ';
      expect([input, heldAs(input) !== null]).toEqual([input, isValid]);
    }
  });
});
