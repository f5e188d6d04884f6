/** The rules by which an import understands a row are part of the row's digest, so no row keeps the outcome of old rules. */
import { expect, test } from 'vitest';
import { PRODUCT_FIELDS } from '../../src/import/product-fields.ts';
import { openRowDigests } from '../../src/import/row-digest.ts';

test('a changed rule or setting changes the digest of every row', () => {
  const market = { currency: 'EUR', country: 'DE', observedAt: new Date('2026-01-01T00:00:00Z') };
  const row = { line: 1, fields: { id: 'a', title: 'Thing' }, shipping: [] };
  const digests = [
    openRowDigests(market, PRODUCT_FIELDS, 1n),
    openRowDigests({ ...market, currency: 'CHF' }, PRODUCT_FIELDS, 1n),
    openRowDigests({ ...market, country: 'AT' }, PRODUCT_FIELDS, 1n),
    openRowDigests(market, PRODUCT_FIELDS.slice(1), 1n),
    openRowDigests({ ...market, timeZone: 'Asia/Tokyo' }, PRODUCT_FIELDS, 1n),
    openRowDigests(market, PRODUCT_FIELDS, 2n),
    openRowDigests(market, PRODUCT_FIELDS, 1n, 0),
  ].map((digestOf) => digestOf(row).digest);
  expect(new Set(digests).size).toBe(digests.length);
});
