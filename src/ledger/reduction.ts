/**
 * The reduction that a shop announces for an offer, and the prior price that it must be compared with: Directive 98/6/EC, Article 6a, inserted
 * by Directive (EU) 2019/2161. It concerns the price of the goods, without shipping.
 */
import { DAY_MS } from '../values/day.ts';
import type { LedgerEntry } from './entry.ts';

/** Article 6a (2): the prior price is the lowest of at least 30 days before the reduction. Days have 24 hours. */
const PRIOR_DAYS = 30;

/** A reduction. Amounts are in minor units. */
export interface Reduction {
  /** When the latest reduction of the series began, in milliseconds of the epoch. */
  since: number;
  /** The lowest price in the 30 days before `since`; null if fewer are known. */
  priorPrice: bigint | null;
  /** The lowest price in the 30 days before the first reduction of the series; null if fewer are known. */
  priorPriceProgressive: bigint | null;
  /** How far the present price is below `priorPriceProgressive`, with at most two decimals; negative if it is above. Null without one. */
  percent: number | null;
}

type PricedEntry = Pick<LedgerEntry, 'at' | 'total' | 'price' | 'regularPrice'>;

/**
 * The reduction at the end of an offer's entries; `undefined` if the shop announces none then.
 *
 * A series consists of reductions that the shop announces without pause and without an increase of the price between them. While an offer
 * is not listed it has no price, so a withdrawal neither ends a series nor counts as a change.
 *
 * @param entries in chronological order, at most one for each time. Earlier ones than the first are taken for unknown.
 */
export function reductionOf(entries: readonly PricedEntry[]): Reduction | undefined {
  const last = entries.at(-1);
  if (!last || last.total === null || last.price === null || last.regularPrice === null) return undefined;
  const { first, since } = seriesOf(entries.filter(({ total }) => total !== null));
  const priorPriceProgressive = lowestBefore(entries, first);
  return {
    since,
    priorPrice: lowestBefore(entries, since),
    priorPriceProgressive,
    percent: priorPriceProgressive ? percentBelow(last.price, priorPriceProgressive) : null,
  };
}

/** When the first and the latest reduction of the last series began. @param listed entries with a price, the last of them announced. */
function seriesOf(listed: readonly PricedEntry[]): { first: number; since: number } {
  let series: { first: number; since: number } | undefined;
  for (let index = listed.length - 1; index >= 0; index -= 1) {
    const { at, price } = listed[index] as PricedEntry;
    const before = listed[index - 1];
    if (!before || before.price === null || price === null) return { first: at, since: series?.since ?? at };
    if (price > before.price) return series ?? { first: at, since: at };
    const isStart = before.regularPrice === null;
    if (isStart || price < before.price) series = { first: at, since: series?.since ?? at };
    if (isStart && series) return series;
  }
  throw new RangeError('A series has at least one entry.');
}

/** The lowest price in the {@link PRIOR_DAYS} days before a moment, which is not part of them; null if not all of them are known. */
function lowestBefore(entries: readonly PricedEntry[], moment: number): bigint | null {
  const from = moment - PRIOR_DAYS * DAY_MS;
  if (entries[0] === undefined || entries[0].at > from) return null;
  let lowest: bigint | null = null;
  for (const [index, { at, total, price }] of entries.entries()) {
    if (at >= moment) break;
    const next = entries[index + 1];
    if (total === null || (next && next.at <= from)) continue;
    if (price === null) return null;
    if (lowest === null || price < lowest) lowest = price;
  }
  return lowest;
}

const percentBelow = (price: bigint, prior: bigint): number =>
  Math.round((Number(prior - price) * 10_000) / Number(prior)) / 100;
