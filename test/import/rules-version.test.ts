/** Whoever changes how an import understands or matches a row must raise the version of the rules, or unchanged rows keep the old outcome. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { RULES_VERSION } from '../../src/import/row-digest.ts';

const SOURCE = join(import.meta.dirname, '..', '..', 'src');

/** The files that decide what becomes of a row that was read. */
const RULES = [
  'catalogue/offer/most-offers.ts',
  'import/barred.ts',
  'import/field-text.ts',
  'import/identifier-limit.ts',
  'import/item-measure.ts',
  'import/item-price.ts',
  'import/item.ts',
  'import/match-catalogue.ts',
  'import/match-rounds.ts',
  'import/measure/name-measure.ts',
  'import/measure/sold-by-measure.ts',
  'import/measure/stated-measure.ts',
  'import/measure/units.ts',
  'import/measure/words.ts',
  'import/mpn-claim.ts',
  'import/offer-columns.ts',
  'import/offer-limit.ts',
  'import/offer-words.ts',
  'import/plan-writes.ts',
  'import/product-category.ts',
  'import/product-field.ts',
  'import/product-fields.ts',
  'import/shared-mpn.ts',
  'import/web-address.ts',
  'import/write-products.ts',
  'ledger/entry.ts',
  'values/asin.ts',
  'values/codes/feed-gtin.ts',
  'values/codes/isbn.ts',
  'values/day.ts',
  'values/gtin.ts',
  'values/money.ts',
  'values/price-text.ts',
  'values/slug.ts',
  'values/timestamp.ts',
  'values/unit-price.ts',
  'values/words.ts',
];

/** Files that they import, and that change no outcome of a row: types, sentences, SQL that only carries out what was decided. */
const NO_RULES = [
  'catalogue/market.ts',
  'database/database.ts',
  'generated/prisma/enums.ts',
  'import/placed-feed.ts',
  'import/planned-work.ts',
  'import/readers/feed-row.ts',
  'import/reject.ts',
  'import/search-words.ts',
  'import/sole-value.ts',
  'import/stream.ts',
  'import/unit-price-sql.ts',
  'values/printable.ts',
];

/** The digest of the rules in each version. A change adds a line, and never replaces one of a version that was released. */
const RECORDED: Readonly<Record<number, string>> = {
  1: 'fad5568443457483648187bae8815b99',
  2: '4ef24380a24adfe8281793d5426bfa22',
  3: 'a53aa01c6199dc655cae602a0bd05426',
  4: '4bb67d45f23e5b8ac1ed13b9ca4b5e7d',
  5: '43b13ee36e13547a5e6c607f5a3f2423',
  6: 'd265ea99799edd896d45fa5c83c93570',
  7: 'de3922540dec687f3b76adf7bf3ce9b3',
  8: '1251eabf899cca3e9386eb64e7355787',
};

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/g;
const code = (file: string) =>
  readFileSync(join(SOURCE, file), 'utf8').replace(COMMENT, '').replace(/\s+/g, ' ').trim();

test('the version of the rules was raised with the last change of a file that decides what becomes of a row', () => {
  const digest = createHash('sha256');
  for (const file of RULES) digest.update(`${file}\n${code(file)}\n`);
  const advice =
    'If the change can give a row another outcome, raise RULES_VERSION in src/import/row-digest.ts. Then record the new digest in this test.';
  expect(digest.digest('hex').slice(0, 32), advice).toBe(RECORDED[RULES_VERSION]);
});

test('every file that the rules import is a rule, or listed as none', () => {
  const imported = RULES.flatMap((file) =>
    Array.from(code(file).matchAll(/ from '(\.[^']+)'/g), ([, path = '']) => normalize(join(dirname(file), path))),
  );
  expect([...new Set(imported)].filter((file) => !RULES.includes(file) && !NO_RULES.includes(file))).toEqual([]);
});
