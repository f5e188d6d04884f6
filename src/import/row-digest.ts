/** Digests of rows as they are read, so that the next import recognises an unchanged row without checking and matching it. */
import { hash } from 'node:crypto';
import { isWithin, type MarketAt, parseSalePeriod } from './item-price.ts';
import type { ProductField } from './product-field.ts';
import { FEED_FIELDS, type FeedFields, type FeedRow } from './readers/feed-row.ts';

/**
 * The version of the rules by which an import understands, matches and writes a row. Raise it with each change of a rule, otherwise
 * unchanged rows keep the outcome of the old rules.
 */
export const RULES_VERSION = 9;

export interface DigestedRow {
  /** 128 bits in hexadecimal digits; absent for a row with a fault, which is never recognised. */
  digest?: string;
  /** The length of the row's values, in characters. */
  length: number;
}

// Half of SHA-256. A shop that finds two rows with one digest only keeps its own offer from being updated.
const HEX_DIGITS = 32;

/**
 * Returns the function that digests rows: over all values that an import reads from a row, and over what decides how it understands them.
 * Two rows with one digest have the same outcome in the same catalogue.
 */
export function openRowDigests(
  market: MarketAt,
  productFields: readonly ProductField[],
  taxonomyVersion: bigint,
  rulesVersion = RULES_VERSION,
) {
  const names = productFields.map(({ name }) => name);
  const settings = JSON.stringify([
    rulesVersion,
    market.currency,
    market.country,
    market.timeZone,
    names,
    String(taxonomyVersion),
  ]);
  return ({ fields, shipping, fault }: FeedRow): DigestedRow => {
    let text = settings + saleAt(fields, market);
    for (const name of FEED_FIELDS) text += measured(fields[name]);
    for (const { country, price, minOrderValue } of shipping)
      text += measured(country) + measured(price) + measured(minOrderValue);
    const length = text.length - settings.length;
    return fault ? { length } : { length, digest: hash('sha256', text, 'hex').slice(0, HEX_DIGITS) };
  };
}

// With its length, a value cannot be taken for the end of one and the start of the next.
const measured = (value: string | undefined) => (value === undefined ? '-' : `${value.length}:${value}`);

/** Whether the row's sale price applies at the feed's moment: the same row means another price before and after. */
function saleAt({ sale_price_effective_date: written }: FeedFields, market: MarketAt): string {
  const period = written === undefined ? undefined : parseSalePeriod(written, market);
  return period === undefined ? 'n' : isWithin(period, market.observedAt) ? 'y' : 'o';
}
