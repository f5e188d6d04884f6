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
/** A shop that goes on to state a price for longer than this means it. */
const HELD_MS = 3 * DAY_MS;

/** An entry that was left out, and its offer. */
export interface Outlier {
  offerId: bigint;
  merchantId: bigint;
  entry: LedgerEntry;
  /** The time of the offer's next entry; infinite without one. */
  until: number;
  /** The usual price of the goods at its time, in minor units. */
  usual: bigint;
}

/** The entries of a product by the judgement of an instant. */
export interface JudgedLedger {
  /** The total of an outlier is null, so its offer has no price until its next entry. Offers without outliers are the given ones. */
  offers: readonly OfferEntries[];
  outliers: readonly Outlier[];
  /** When the next of the outliers counts, if its shop goes on to state it; infinite without one. Until then, the judgement stays. */
  changesAt: number;
}

/**
 * Leaves the outliers among the offers of one product out.
 *
 * An entry is suspect if its price is at least 3 times or at most a third of the usual price: the lower median of the product's listed
 * prices of the same condition in the 90 days before, each weighted by the time for which it was listed in those days, earlier outliers
 * included. At least three earlier entries of that condition must have a price. Prices are those of the goods, because shops that state no
 * shipping would otherwise be suspect at cheap goods; where none was recorded, the total stands in. Entries of unknown condition are
 * compared with each other.
 *
 * A suspect entry is an outlier unless it is in line with the price that counted at the same offer before, its shop has stated it for more
 * than three days, or another shop states a suspect price on the same side meanwhile. Takes O(n log n) for n entries.
 *
 * @param now until when the last entries are known to hold, in milliseconds of the epoch.
 */
export function withoutOutliers(offers: readonly OfferEntries[], now: number): JudgedLedger {
  const found = new Map<LedgerEntry, Outlier>();
  let changesAt = Number.POSITIVE_INFINITY;
  for (const listings of byCondition(offers, now).values()) {
    for (const { listing, usual } of outliersAmong(listings)) {
      const { offer, entry, next, end } = listing;
      found.set(entry, { offerId: offer.offerId, merchantId: offer.merchantId, entry, until: next, usual });
      if (end < next) changesAt = Math.min(changesAt, entry.at + HELD_MS + 1);
    }
  }
  if (found.size === 0) return { offers, outliers: [], changesAt };
  const kept = offers.map((offer) =>
    offer.entries.some((entry) => found.has(entry))
      ? { ...offer, entries: offer.entries.map((entry) => (found.has(entry) ? { ...entry, total: null } : entry)) }
      : offer,
  );
  return { offers: kept, outliers: [...found.values()], changesAt };
}

/** An entry with a price, which is known to be listed from its time until `end`. */
interface Listing {
  offer: OfferEntries;
  entry: LedgerEntry;
  price: bigint;
  /** The time of the next entry; infinite without one. */
  next: number;
  end: number;
  /** The offer's listing before, if it had the same condition. */
  former: Listing | undefined;
}

function byCondition(offers: readonly OfferEntries[], now: number): Map<LedgerEntry['condition'], Listing[]> {
  const groups = new Map<LedgerEntry['condition'], Listing[]>();
  for (const offer of offers) {
    let former: Listing | undefined;
    for (const [index, entry] of offer.entries.entries()) {
      if (entry.total === null) continue;
      const next = offer.entries[index + 1]?.at ?? Number.POSITIVE_INFINITY;
      if (former?.entry.condition !== entry.condition) former = undefined;
      const listing = { offer, entry, price: entry.price ?? entry.total, next, end: Math.min(next, now), former };
      const group = groups.get(entry.condition);
      if (group) group.push(listing);
      else groups.set(entry.condition, [listing]);
      former = listing;
    }
  }
  return groups;
}

/** A price far from the usual one. It is not an outlier if another shop confirms it. */
interface Suspect {
  listing: Listing;
  usual: bigint;
  isConfirmed: boolean;
}

/** The outliers among all listings of one condition. */
function outliersAmong(listings: Listing[]): Suspect[] {
  if (listings.length <= LEAST_EARLIER_ENTRIES) return [];
  listings.sort((one, other) => one.entry.at - other.entry.at);
  const median = new WeightedMedian(
    listings.map(({ entry, price, next }) => ({ value: price, from: entry.at, until: next })),
    COMPARED_MS,
  );
  const suspects = new Map<Listing, Suspect>();
  const [low, high] = [new Confirmations(), new Confirmations()];
  let earlier = 0;
  for (const [index, listing] of listings.entries()) {
    const { entry, price, former, end } = listing;
    // Listings at the same time do not count for each other.
    if (listings[index - 1]?.entry.at !== entry.at) earlier = index;
    if (earlier < LEAST_EARLIER_ENTRIES) continue;
    const usual = median.before(entry.at);
    if (usual === undefined || !areFarApart(price, usual)) continue;
    const suspect = { listing, usual, isConfirmed: false };
    (price < usual ? low : high).add(suspect);
    // Only entries before this one can confirm the former price.
    const formerSuspect = former && suspects.get(former);
    const formerCounts = former !== undefined && (formerSuspect === undefined || formerSuspect.isConfirmed);
    if (formerCounts && !areFarApart(price, former.price)) continue;
    if (end - entry.at <= HELD_MS) suspects.set(listing, suspect);
  }
  return [...suspects.values()].filter(({ isConfirmed }) => !isConfirmed);
}

/** Equal prices are not: free goods stay free. */
const areFarApart = (price: bigint, usual: bigint) =>
  price !== usual && (price >= FACTOR * usual || FACTOR * price <= usual);

/** Confirms suspect prices of one side, low or high, that two shops state at the same time. Takes them in the order of time. */
class Confirmations {
  /** Those not confirmed so far, all of one shop. */
  #alone: Suspect[] = [];
  /** The latest ends, of two shops at most. */
  #latest: { merchantId: bigint; end: number }[] = [];

  add(suspect: Suspect): void {
    const { offer, entry, next: end } = suspect.listing;
    const { merchantId } = offer;
    suspect.isConfirmed = this.#latest.some((other) => other.merchantId !== merchantId && other.end > entry.at);
    if (this.#alone[0] && this.#alone[0].listing.offer.merchantId !== merchantId) {
      for (const other of this.#alone) other.isConfirmed ||= other.listing.next > entry.at;
      this.#alone = [];
    }
    if (!suspect.isConfirmed) this.#alone.push(suspect);
    const own = this.#latest.find((other) => other.merchantId === merchantId);
    const others = this.#latest.filter((other) => other !== own);
    this.#latest = [...others, { merchantId, end: Math.max(end, own?.end ?? end) }]
      .sort((one, other) => other.end - one.end)
      .slice(0, 2);
  }
}
