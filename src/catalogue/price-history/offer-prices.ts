/** The prices of offers as arrays of numbers, which the database sends in binary form: a history may have a hundred thousand of them. */

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
export const packTotals = (total: string, stock: string): string => pack(sendTotal(total, stock));

const sendTotal = (total: string, stock: string) =>
  `int8send(COALESCE(${total}, ${NOT_LISTED}) * ${STOCKS} + ${stock})`;
const pack = (bytes: string): string => `encode(string_agg(${bytes}, ''), 'base64')`;

/** SQL for all rows of the ledger of one product, in any order, which {@link parseProduct} reads. The other parameters are those of {@link packTotals}. */
export const packProduct = (total: string, stock: string): string =>
  `string_agg(int8send(offer_id) || timestamptz_send(observed_at) || int8send(import_run_id) || ${sendTotal(total, stock)}, '')`;

const STOCKS = 4;
const START_OF_2000_MS = Date.UTC(2000, 0, 1);
const HIGH = 2 ** 32;

/** Parses what {@link packTimes} and {@link packTotals} select. */
export function parseOfferPrices(packedTimes: string, packedTotals: string): OfferPrices {
  const [times, totals] = [viewOf(Buffer.from(packedTimes, 'base64')), viewOf(Buffer.from(packedTotals, 'base64'))];
  const length = times.byteLength / NUMBER;
  const prices = emptyPrices(length);
  for (let index = 0; index < length; index += 1) {
    const at = index * NUMBER;
    prices.times[index] = timeAt(times, at);
    putTotal(prices, index, totals, at);
  }
  return prices;
}

/** Parses what {@link packProduct} selects into the prices of each offer. */
export function parseProduct(packed: Uint8Array): OfferPrices[] {
  const view = viewOf(packed);
  const rows = rowsInOrder(view);
  const offers: OfferPrices[] = [];
  for (let start = 0, end = 0; start < rows.length; start = end) {
    const offer = wholeAt(view, rows[start] ?? 0);
    while (end < rows.length && wholeAt(view, rows[end] ?? 0) === offer) end += 1;
    const prices = emptyPrices(end - start);
    for (const [index, at] of rows.subarray(start, end).entries()) {
      prices.times[index] = timeAt(view, at + TIME);
      putTotal(prices, index, view, at + TOTAL);
    }
    offers.push(prices);
  }
  return offers;
}

// The numbers of a row, in bytes.
const NUMBER = 8;
const [TIME, RUN, TOTAL, ROW] = [NUMBER, 2 * NUMBER, 3 * NUMBER, 4 * NUMBER];

/** The places of the rows by offer, time and import. They mostly have this order already, which is that of the ledger's index. */
function rowsInOrder(view: DataView): Uint32Array {
  const rows = Uint32Array.from({ length: view.byteLength / ROW }, (_, index) => index * ROW);
  const compare = (one: number, other: number) =>
    wholeAt(view, one) - wholeAt(view, other) ||
    wholeAt(view, one + TIME) - wholeAt(view, other + TIME) ||
    wholeAt(view, one + RUN) - wholeAt(view, other + RUN);
  const isInOrder = rows.every((row) => row === 0 || compare(row - ROW, row) <= 0);
  return isInOrder ? rows : rows.sort(compare);
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength);

const emptyPrices = (length: number): OfferPrices => ({
  times: new Float64Array(length),
  totals: new Float64Array(length),
  stock: new Uint8Array(length),
});

/** A number of PostgreSQL's BIGINT. Exact for every safe integer. */
const wholeAt = (view: DataView, at: number): number => view.getInt32(at) * HIGH + view.getUint32(at + 4);

// Rounds, because a number holds microseconds exactly for only 285 years.
const timeAt = (view: DataView, at: number): number => START_OF_2000_MS + Math.round(wholeAt(view, at) / 1_000);

function putTotal(prices: OfferPrices, index: number, view: DataView, at: number): void {
  const low = view.getUint32(at + 4);
  const stock = low % STOCKS;
  prices.stock[index] = stock;
  // Exact for every safe integer: the parts and their sum are multiples of the same power of two.
  prices.totals[index] = (view.getInt32(at) * HIGH + (low - stock)) / STOCKS;
}
