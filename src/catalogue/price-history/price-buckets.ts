/**
 * Prices over time, in buckets of days in UTC. A price is valid from the time it was seen until it changes or its offer is withdrawn.
 * A bucket's lowest and highest price cover all prices valid in it; its average is weighted by their duration.
 */
import { dayOf } from '../../values/day.ts';
import type { TimeSpan } from '../../values/time-span.ts';
import { bucketEdges, type Interval } from './buckets.ts';
import { NOT_LISTED, type OfferPrices, STOCK } from './offer-prices.ts';
import { stockShares } from './stock-shares.ts';

export interface PriceBucket {
  /** The first day of the bucket. */
  date: string;
  /** Minor units, as are `max`, `avg` and `minInStock`. */
  min: bigint;
  max: bigint;
  avg: bigint;
  /** The number of offers with a price in the bucket. */
  offerCount: number;
  /** The share of the time in which an offer was in stock, 0 to 1 with at most four decimals; null if it was not recorded. */
  inStock: number | null;
  /** The lowest price of an offer in stock; null if none was, or if it was not recorded. */
  minInStock: bigint | null;
}

/** Sorts prices into chronological buckets, without empty ones. */
export function bucketPrices(offers: readonly OfferPrices[], span: TimeSpan, interval: Interval): PriceBucket[] {
  const edges = bucketEdges(span, interval);
  const sums = new Sums(Math.max(0, edges.length - 1));
  for (const [number, offer] of offers.entries()) addOffer(sums, edges, span, offer, number);
  const shares = stockShares(offers, span, edges);
  const buckets: PriceBucket[] = [];
  for (const [index, milliseconds] of sums.milliseconds.entries()) {
    if (milliseconds === 0) continue;
    const weighed = BigInt(milliseconds);
    const [min = 0, max = 0, minInStock = Number.POSITIVE_INFINITY] = [
      sums.min[index],
      sums.max[index],
      sums.minInStock[index],
    ];
    buckets.push({
      date: dayOf(edges[index] ?? 0),
      min: BigInt(min),
      max: BigInt(max),
      // Rounds half a minor unit up.
      avg: (2n * sums.weight(index) + weighed) / (2n * weighed),
      offerCount: sums.offerCount[index] ?? 0,
      inStock: shares[index] ?? null,
      minInStock: Number.isFinite(minInStock) ? BigInt(minInStock) : null,
    });
  }
  return buckets;
}

function addOffer(
  sums: Sums,
  edges: readonly number[],
  span: TimeSpan,
  { times, totals, stock }: OfferPrices,
  number: number,
): void {
  let bucket = 0;
  for (let index = 0; index < times.length; index += 1) {
    const total = totals[index] as number;
    if (total === NOT_LISTED) continue;
    const isInStock = stock[index] === STOCK.in;
    const end = Math.min(index + 1 < times.length ? (times[index + 1] as number) : span.until, span.until);
    let moment = Math.max(times[index] as number, span.from);
    while (moment < end) {
      while ((edges[bucket + 1] as number) <= moment) bucket += 1;
      const until = Math.min(edges[bucket + 1] as number, end);
      sums.add(bucket, number, total, until - moment, isInStock);
      moment = until;
    }
  }
}

/** What is known of each bucket so far. Arrays of numbers, because a history of ten years may add up a hundred thousand prices. */
class Sums {
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly minInStock: Float64Array;
  readonly milliseconds: Float64Array;
  readonly offerCount: Uint32Array;
  readonly #lastOffer: Int32Array;
  /** Minor units times milliseconds: the part that a number holds exactly, and the rest. */
  readonly #weight: Float64Array;
  readonly #carried = new Map<number, bigint>();

  constructor(buckets: number) {
    this.min = new Float64Array(buckets).fill(Number.POSITIVE_INFINITY);
    this.max = new Float64Array(buckets).fill(Number.NEGATIVE_INFINITY);
    this.minInStock = new Float64Array(buckets).fill(Number.POSITIVE_INFINITY);
    this.milliseconds = new Float64Array(buckets);
    this.offerCount = new Uint32Array(buckets);
    this.#lastOffer = new Int32Array(buckets).fill(-1);
    this.#weight = new Float64Array(buckets);
  }

  add(bucket: number, offer: number, total: number, milliseconds: number, isInStock: boolean): void {
    if (total < (this.min[bucket] as number)) this.min[bucket] = total;
    if (total > (this.max[bucket] as number)) this.max[bucket] = total;
    if (isInStock && total < (this.minInStock[bucket] as number)) this.minInStock[bucket] = total;
    this.milliseconds[bucket] = (this.milliseconds[bucket] as number) + milliseconds;
    if (this.#lastOffer[bucket] !== offer) {
      this.#lastOffer[bucket] = offer;
      this.offerCount[bucket] = (this.offerCount[bucket] as number) + 1;
    }
    const sum = (this.#weight[bucket] as number) + total * milliseconds;
    if (sum <= Number.MAX_SAFE_INTEGER) this.#weight[bucket] = sum;
    else this.#carry(bucket, BigInt(total) * BigInt(milliseconds));
  }

  #carry(bucket: number, added: bigint): void {
    this.#carried.set(bucket, this.weight(bucket) + added);
    this.#weight[bucket] = 0;
  }

  weight(bucket: number): bigint {
    return (this.#carried.get(bucket) ?? 0n) + BigInt(this.#weight[bucket] as number);
  }
}
