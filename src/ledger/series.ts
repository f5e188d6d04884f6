/** The lowest price of a product over time: the series that statistics, deals and charts describe. */
import type { Availability, Condition } from '../generated/prisma/enums.ts';
import type { LedgerEntry, OfferEntries } from './entry.ts';

/** The offers that count. An entry whose availability or condition is unknown matches no filter on it. */
export interface SeriesFilter {
  condition?: Condition | undefined;
  availability?: Availability | undefined;
  merchantId?: bigint | undefined;
  /** Whether the shop states the shipping. An entry whose shipping was not recorded counts as one that does not. */
  shippingKnown?: boolean | undefined;
}

/**
 * From `at` (milliseconds of the epoch) until the next step, `total` (minor units) is the lowest, and `offerId` at `merchantId` has
 * it. Of several offers with that total, it is the one that comes first in the given order. All three are null while no offer
 * matches.
 */
export type SeriesStep = { at: number } & (
  | { total: bigint; offerId: bigint; merchantId: bigint }
  | { total: null; offerId: null; merchantId: null }
);

/** Whether an entry of an offer counts for a filter; unlisted entries count if they state what it asks for. */
export function matches({ merchantId }: { merchantId: bigint }, entry: LedgerEntry, filter: SeriesFilter): boolean {
  return (
    (filter.merchantId === undefined || filter.merchantId === merchantId) &&
    (filter.condition === undefined || filter.condition === entry.condition) &&
    (filter.availability === undefined || filter.availability === entry.availability) &&
    (filter.shippingKnown === undefined || filter.shippingKnown === (entry.shipping !== null))
  );
}

/**
 * The steps of the lowest matching total in the order of time, from the first price on. A step differs from the one before it in its
 * total or in its offer: to find when a price began, skip the steps before it with the same total. Pass offers without outliers.
 * Takes O(n log n) for n entries.
 */
export function lowestSeries(offers: readonly OfferEntries[], filter: SeriesFilter = {}): SeriesStep[] {
  const changes = changesOf(offers, filter);
  const lowest = new LowestOf(offers.length);
  const steps: SeriesStep[] = [];
  for (const [index, { at, position, total }] of changes.entries()) {
    lowest.set(position, total);
    if (changes[index + 1]?.at === at) continue;
    const offer = offers[lowest.position];
    const price = lowest.total;
    const last = steps.at(-1);
    if (price === null || !offer) {
      if (last && last.total !== null) steps.push({ at, total: null, offerId: null, merchantId: null });
    } else if (last?.total !== price || last.offerId !== offer.offerId) {
      steps.push({ at, total: price, offerId: offer.offerId, merchantId: offer.merchantId });
    }
  }
  return steps;
}

/** Steps whose totals can be compared with each other: all with known shipping, or all without. */
export interface ComparableSeries {
  steps: SeriesStep[];
  shippingKnown: boolean;
}

/**
 * The series of the totals with known shipping. If none of them holds just before `until`, but one without does, the series of those: a total
 * to which the shop may add any amount is never compared with a whole one.
 */
export function comparableSeries(
  offers: readonly OfferEntries[],
  filter: SeriesFilter,
  until = Number.POSITIVE_INFINITY,
): ComparableSeries {
  const seriesOf = (shippingKnown: boolean): ComparableSeries => ({
    steps: lowestSeries(offers, { ...filter, shippingKnown }),
    shippingKnown,
  });
  if (filter.shippingKnown !== undefined) return seriesOf(filter.shippingKnown);
  const [known, unknown] = [seriesOf(true), seriesOf(false)];
  const holds = ({ steps }: ComparableSeries) => (steps.findLast(({ at }) => at < until)?.total ?? null) !== null;
  return holds(known) || (!holds(unknown) && known.steps.some(({ at }) => at < until)) ? known : unknown;
}

/** From `at` on, the offer at `position` has a matching total, or none. */
interface Change {
  at: number;
  position: number;
  total: bigint | null;
}

function changesOf(offers: readonly OfferEntries[], filter: SeriesFilter): Change[] {
  const changes: Change[] = [];
  for (const [position, offer] of offers.entries()) {
    let last: bigint | null = null;
    for (const entry of offer.entries) {
      const total = matches(offer, entry, filter) ? entry.total : null;
      if (total !== last) changes.push({ at: entry.at, position, total });
      last = total;
    }
  }
  return changes.sort((one, other) => one.at - other.at);
}

/** A tournament: each inner node holds the position of the lower total below it, so a change costs one match for each level. */
class LowestOf {
  readonly #size: number;
  readonly #totals: (bigint | null)[];
  readonly #winners: Int32Array;

  constructor(count: number) {
    this.#size = 2 ** Math.ceil(Math.log2(Math.max(count, 1)));
    this.#totals = new Array<bigint | null>(this.#size).fill(null);
    this.#winners = Int32Array.from({ length: 2 * this.#size }, (_, node) => Math.max(node - this.#size, 0));
    for (let node = this.#size - 1; node > 0; node--) this.#play(node);
  }

  /** The position of the lowest total; of equal ones, the first. */
  get position(): number {
    return this.#winners[1] ?? 0;
  }

  get total(): bigint | null {
    return this.#totals[this.position] ?? null;
  }

  set(position: number, total: bigint | null) {
    this.#totals[position] = total;
    for (let node = (this.#size + position) >> 1; node > 0; node >>= 1) this.#play(node);
  }

  #play(node: number) {
    const [one, other] = [this.#winners[2 * node] ?? 0, this.#winners[2 * node + 1] ?? 0];
    const [price, otherPrice] = [this.#totals[one] ?? null, this.#totals[other] ?? null];
    this.#winners[node] = otherPrice !== null && (price === null || otherPrice < price) ? other : one;
  }
}
