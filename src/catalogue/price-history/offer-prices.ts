/** The prices of an offer as arrays of numbers, which the database sends in binary form: a history may have a hundred thousand of them. */

/** Stands for the price of an offer that is not listed, or that the filters exclude. */
export const NOT_LISTED = -1;

/** Whether an offer is in stock. A withdrawn offer is `out`, as is one whose condition the filter excludes. */
export const STOCK = { out: 0, in: 1, unknown: 2 } as const;

/** The prices of an offer in chronological order, from the one at the start on, or from an earlier one. Of several for one time, the last one counts. */
export interface OfferPrices {
  /** From when on each price holds, in milliseconds of the epoch. */
  times: Float64Array;
  /** Total prices in minor units, or {@link NOT_LISTED}. */
  totals: Float64Array;
  /** Whether the offer is in stock from the same times on: {@link STOCK}. */
  stock: Uint8Array;
}

/** How many prices all offers have. */
export const entriesIn = (offers: readonly OfferPrices[]): number =>
  offers.reduce((sum, { times }) => sum + times.length, 0);

/** SQL for the times of a column, which {@link parseOfferPrices} reads: microseconds since 2000, as PostgreSQL stores them. */
export const packTimes = (column: string): string => pack(`timestamptz_send(${column})`);

/** SQL for totals, NULL where {@link NOT_LISTED}, together with numbers of {@link STOCK}. The two bits of the latter come last. */
export const packTotals = (total: string, stock: string): string =>
  pack(`int8send(COALESCE(${total}, ${NOT_LISTED}) * ${STOCKS} + ${stock})`);

const pack = (bytes: string): string => `encode(string_agg(${bytes}, ''), 'base64')`;

const STOCKS = 4;
/** The epoch of PostgreSQL's timestamps in binary form, in milliseconds of the epoch of Unix. */
export const START_OF_2000_MS = Date.UTC(2000, 0, 1);
const HIGH = 2 ** 32;

/** Reads a BIGINT in binary form. Exact for every safe integer. */
export const wholeAt = (bytes: Buffer, at: number): number => bytes.readInt32BE(at) * HIGH + bytes.readUInt32BE(at + 4);

/** Parses what {@link packTimes} and {@link packTotals} select. */
export function parseOfferPrices(packedTimes: string, packedTotals: string): OfferPrices {
  const [times, totals] = [Buffer.from(packedTimes, 'base64'), Buffer.from(packedTotals, 'base64')];
  const length = times.length / 8;
  const prices = {
    times: new Float64Array(length),
    totals: new Float64Array(length),
    stock: new Uint8Array(length),
  };
  for (let index = 0; index < length; index += 1) {
    const at = index * 8;
    const microseconds = wholeAt(times, at);
    // Rounds, because a number holds microseconds exactly for only 285 years.
    prices.times[index] = START_OF_2000_MS + Math.round(microseconds / 1_000);
    const low = totals.readUInt32BE(at + 4);
    const stock = low % STOCKS;
    prices.stock[index] = stock;
    // Exact for every safe integer: the parts and their sum are multiples of the same power of two.
    prices.totals[index] = (totals.readInt32BE(at) * HIGH + (low - stock)) / STOCKS;
  }
  return prices;
}
