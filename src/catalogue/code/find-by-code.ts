/** Finds the products that any code may mean. */

import { type CodeReading, type Reading, readCode } from '../../values/codes/read-code.ts';
import { type Gtin14, withCheckDigit } from '../../values/gtin.ts';
import { invalid } from '../arguments.ts';
import type { Context } from '../builder.ts';
import type { IdentifierKey, WholeProduct } from '../product/read-products.ts';

/** How a product has a code: see {@link Reading}; or it is the unit in a case that has the code. */
export type CodeMatch = Reading['by'] | 'case_of';

/** A product that a code may mean. */
export interface Candidate extends WholeProduct {
  match: CodeMatch;
  /** The identifier by which it was found. */
  key: IdentifierKey;
}

/** The readings of a code. @throws {Problem} `invalid_parameter` if it cannot be read. */
export function requireReadable(code: string): Extract<CodeReading, { ok: true }> {
  const reading = readCode(code);
  if (!reading.ok) throw invalid('code', reading.detail);
  return reading;
}

/** The products with one of the readings, in their order, then the units in cases. Each product comes once. */
export async function findByCode(readings: readonly Reading[], context: Context): Promise<Candidate[]> {
  const asked = [
    ...readings.map(({ normalized, kind, by }) => ({ match: by, key: keyOf(normalized, kind === 'asin') })),
    ...readings.flatMap(({ normalized, kind }) => {
      const unit = kind === 'asin' ? undefined : unitOf(normalized);
      return unit === undefined ? [] : [{ match: 'case_of' as const, key: keyOf(unit, false) }];
    }),
  ];
  const found = await Promise.all(asked.map(({ key }) => context.loaders.productByIdentifier.load(key, context)));
  const candidates: Candidate[] = [];
  for (const [n, whole] of found.entries()) {
    const how = asked[n];
    if (!whole || !how || candidates.some(({ product }) => product.id === whole.product.id)) continue;
    candidates.push({ ...whole, ...how });
  }
  return candidates;
}

const keyOf = (value: string, isAsin: boolean): IdentifierKey => ({ kind: isAsin ? 'asin' : 'gtin', value });

/** The GTIN of the unit in a case: its indicator digit is 1 to 8 instead of 0 (GS1 General Specifications §2.1.7.2). */
function unitOf(gtin: string): Gtin14 | undefined {
  return /^[1-8]/.test(gtin) ? withCheckDigit(`0${gtin.slice(1, 13)}`) : undefined;
}
