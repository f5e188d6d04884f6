/** What a product adds to the price indices of its groups: sums of logarithms of daily price ratios, and changes in their number. */
import { DAY_MS } from '../../values/day.ts';
import { byMerchant } from '../by-merchant.ts';
import type { OfferEntries } from '../entry.ts';

/** A day's part of a price index. All members are integers, so that parts can be added and subtracted without an error. */
export interface IndexDay {
  /** The sum of the logarithms of price(day) / price(day before) over the matched offers, times {@link LOG_SCALE}. */
  logSum: bigint;
  /** The change, from the day before, in the number of matched offers: those with a price at the end of both days. */
  matched: number;
  /** The same for products with a matched offer. */
  products: number;
}

/** Parts by the number of the day since 1970-01-01. Days without a part have no change. */
export type IndexDays = Map<number, IndexDay>;

/** What a product adds: the same to its brand and to each of its categories, and its offers to their merchants. */
export interface IndexParts {
  ofProduct: IndexDays;
  byMerchant: Map<bigint, IndexDays>;
}

/**
 * The unit of stored logarithms. A column of 64 bits thus holds the sum for 25 million offers whose prices all change by the greatest
 * factor that amounts allow, 2^53.
 */
export const LOG_SCALE = 1e10;

/**
 * The parts of a product. The price of an offer on a day is its total at the end of that day in UTC; it holds on the following days
 * until it changes. Amounts of 0 have no logarithm and count as no price. A total with shipping is not matched with one whose shipping is
 * unknown. Pass offers without outliers.
 */
export function indexParts(offers: readonly OfferEntries[]): IndexParts {
  return {
    ofProduct: indexDays(offers),
    byMerchant: new Map([...byMerchant(offers)].map(([merchantId, own]) => [merchantId, indexDays(own)])),
  };
}

function indexDays(offers: readonly OfferEntries[]): IndexDays {
  const days: IndexDays = new Map();
  for (const { entries } of offers) addOffer(days, entries);
  let matched = 0;
  for (const [, part] of [...days].sort(([one], [other]) => one - other)) {
    const before = matched;
    matched += part.matched;
    part.products = Number(matched > 0) - Number(before > 0);
  }
  return withoutZeros(days);
}

function addOffer(days: IndexDays, entries: OfferEntries['entries']): void {
  let log: bigint | null = null;
  let wasMatched = false;
  let wasKnown = false;
  for (const [index, { at, total, shipping }] of entries.entries()) {
    const day = dayNumber(at);
    const nextAt = entries[index + 1]?.at;
    const nextDay = nextAt === undefined ? Number.POSITIVE_INFINITY : dayNumber(nextAt);
    if (nextDay === day) continue;
    const before = (shipping !== null) === wasKnown ? log : null;
    wasKnown = shipping !== null;
    log = total === null || total <= 0n ? null : scaledLog(total);
    const isMatched = before !== null && log !== null;
    partOf(days, day).matched += Number(isMatched) - Number(wasMatched);
    // The difference of rounded logarithms: over many days, the logarithms between the first and the last cancel out exactly.
    if (before !== null && log !== null) partOf(days, day).logSum += log - before;
    wasMatched = isMatched;
    if (nextDay > day + 1) {
      const staysMatched = log !== null;
      partOf(days, day + 1).matched += Number(staysMatched) - Number(wasMatched);
      wasMatched = staysMatched;
    }
  }
}

/** The number of a day since 1970-01-01, for a time in milliseconds of the epoch. */
const dayNumber = (at: number) => Math.floor(at / DAY_MS);

const scaledLog = (total: bigint) => BigInt(Math.round(Math.log(Number(total)) * LOG_SCALE));

/** The part of a day, for changing it. */
export function partOf(days: IndexDays, day: number): IndexDay {
  let part = days.get(day);
  if (!part) {
    part = { logSum: 0n, matched: 0, products: 0 };
    days.set(day, part);
  }
  return part;
}

/** What has to be added to `before` to get `after`. */
export function difference(before: IndexDays, after: IndexDays): IndexDays {
  const days: IndexDays = new Map([...after].map(([day, part]) => [day, { ...part }]));
  for (const [day, { logSum, matched, products }] of before) {
    const part = partOf(days, day);
    part.logSum -= logSum;
    part.matched -= matched;
    part.products -= products;
  }
  return withoutZeros(days);
}

/** Removes days on which nothing changes. */
function withoutZeros(days: IndexDays): IndexDays {
  for (const [day, { logSum, matched, products }] of days) {
    if (logSum === 0n && matched === 0 && products === 0) days.delete(day);
  }
  return days;
}
