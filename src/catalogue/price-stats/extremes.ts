/** The lowest and the highest price of a span: when the series had it, and at which merchants. */
import type { OfferEntries } from '../../ledger/entry.ts';
import { matches } from '../../ledger/series.ts';
import type { TimeSpan } from '../../values/time-span.ts';
import type { ProductSeries } from './product-series.ts';
import { eachPrice } from './time-in-span.ts';

export interface Extreme {
  /** Minor units. */
  price: bigint;
  /** The first and the last moment of the price in the span, in milliseconds of the epoch. */
  first: number;
  last: number;
  /** The merchants with this price, in the order in which they first had it. */
  merchantIds: bigint[];
}

/** Merchants beyond these are left out. */
export const MOST_MERCHANTS = 20;

/** When and where the series had a price in the span. The price must occur in it. */
export function whenAt(series: ProductSeries, span: TimeSpan, price: bigint): Extreme {
  const times: TimeSpan[] = [];
  eachPrice(series.steps, span, (total, from, until) => {
    if (total === price) times.push({ from, until });
  });
  return {
    price,
    first: times[0]?.from ?? span.from,
    last: (times.at(-1)?.until ?? span.until) - 1,
    merchantIds: merchantsAt(series, price, times),
  };
}

function merchantsAt({ offers, filter }: ProductSeries, price: bigint, times: readonly TimeSpan[]): bigint[] {
  const since = new Map<bigint, number>();
  for (const offer of offers) {
    for (const [index, entry] of offer.entries.entries()) {
      if (entry.total !== price || !matches(offer, entry, filter)) continue;
      const first = firstCommon(times, { from: entry.at, until: endOf(offer, index) });
      if (first === undefined) continue;
      since.set(offer.merchantId, Math.min(first, since.get(offer.merchantId) ?? first));
    }
  }
  return [...since]
    .sort(([one, first], [other, second]) => first - second || (one < other ? -1 : 1))
    .slice(0, MOST_MERCHANTS)
    .map(([merchantId]) => merchantId);
}

const endOf = ({ entries }: OfferEntries, index: number) => entries[index + 1]?.at ?? Number.POSITIVE_INFINITY;

/** The first moment of `span` that is in one of `times`, which are in order and do not overlap. */
function firstCommon(times: readonly TimeSpan[], span: TimeSpan): number | undefined {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle]?.until ?? 0) <= span.from) low = middle + 1;
    else high = middle;
  }
  const next = times[low];
  return next && next.from < span.until ? Math.max(next.from, span.from) : undefined;
}
