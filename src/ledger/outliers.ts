/**
 * Finds prices that are probably shops' typing errors. They stay in the ledger, but statistics and deals leave them out. The rule
 * is applied to the ledger as it is when it is read, so an archived feed changes the judgement of everything after it.
 */
import { DAY_MS } from '../values/day.ts';
import type { LedgerEntry, OfferEntries } from './entry.ts';
import { WeightedMedian } from './weighted-median.ts';

/** An entry is compared with the prices of this time before it. */
const COMPARED_MS = 90 * DAY_MS;
const LEAST_EARLIER_ENTRIES = 3;
const FACTOR = 3n;

/** An entry that was left out, and its offer. */
export interface Outlier {
  offerId: bigint;
  merchantId: bigint;
  entry: LedgerEntry;
}

/**
 * Returns the offers of one product without outliers, and the outliers. The total of an outlier becomes null, so its offer has no
 * price until its next entry. Offers without outliers are returned as they are.
 *
 * An outlier is at least 3 times or at most a third of the lower median of the product's listed totals of the same condition in the
 * 90 days before, if at least three earlier entries of that condition have a total. The median covers all offers, earlier outliers
 * too, and weights each total by the time for which it was listed in those days. Entries of unknown condition are compared with
 * each other. Takes O(n log n) for n entries.
 */
export function withoutOutliers(offers: readonly OfferEntries[]): { offers: OfferEntries[]; outliers: Outlier[] } {
  const found = new Set<LedgerEntry>();
  for (const listings of byCondition(offers).values()) findOutliers(listings, found);
  const outliers: Outlier[] = [];
  if (found.size === 0) return { offers: [...offers], outliers };
  const kept = offers.map((offer) => {
    const own = offer.entries.filter((entry) => found.has(entry));
    if (own.length === 0) return offer;
    const { offerId, merchantId } = offer;
    for (const entry of own) outliers.push({ offerId, merchantId, entry });
    return { ...offer, entries: offer.entries.map((entry) => (found.has(entry) ? { ...entry, total: null } : entry)) };
  });
  return { offers: kept, outliers };
}

/** An entry with a total, listed from its time until `end`. */
interface Listing {
  entry: LedgerEntry;
  total: bigint;
  end: number;
}

function byCondition(offers: readonly OfferEntries[]): Map<LedgerEntry['condition'], Listing[]> {
  const groups = new Map<LedgerEntry['condition'], Listing[]>();
  for (const { entries } of offers) {
    for (const [index, entry] of entries.entries()) {
      if (entry.total === null) continue;
      const listing = { entry, total: entry.total, end: entries[index + 1]?.at ?? Number.POSITIVE_INFINITY };
      const group = groups.get(entry.condition);
      if (group) group.push(listing);
      else groups.set(entry.condition, [listing]);
    }
  }
  return groups;
}

function findOutliers(listings: Listing[], found: Set<LedgerEntry>) {
  if (listings.length <= LEAST_EARLIER_ENTRIES) return;
  listings.sort((one, other) => one.entry.at - other.entry.at);
  const earlierThan = countEarlier(listings);
  const median = new WeightedMedian(
    listings.map(({ entry, total, end }) => ({ value: total, from: entry.at, until: end })),
    COMPARED_MS,
  );
  for (const [index, { entry, total }] of listings.entries()) {
    if ((earlierThan[index] ?? 0) < LEAST_EARLIER_ENTRIES) continue;
    const usual = median.before(entry.at);
    if (usual === undefined || total === usual) continue; // Free goods stay free.
    if (total >= FACTOR * usual || FACTOR * total <= usual) found.add(entry);
  }
}

/** For each listing, the number of listings with an earlier time. Listings at the same time do not count for each other. */
function countEarlier(listings: readonly Listing[]): number[] {
  let earlier = 0;
  return listings.map(({ entry }, index) => {
    if (listings[index - 1]?.entry.at !== entry.at) earlier = index;
    return earlier;
  });
}
