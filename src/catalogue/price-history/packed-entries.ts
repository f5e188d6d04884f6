/** All entries of a product in PostgreSQL's binary form, from which the service takes the prices of a history. */
import type { Availability, Condition } from '../../generated/prisma/client.ts';
import { type HistoryFilter, isFiltered } from './history-window.ts';
import { NOT_LISTED, type OfferPrices, START_OF_2000_MS, STOCK, wholeAt } from './offer-prices.ts';

/** An entry of the ledger. */
export interface PackedEntry {
  offerId: number;
  /** Milliseconds of the epoch. */
  at: number;
  runId: number;
  /** In minor units; null while the offer is not listed. */
  total: number | null;
  availability: Availability | null;
  condition: Condition | null;
}

/** SQL for all rows of a group of the ledger in any order, which {@link parseEntries} reads. One function for a row is the fastest to plan. */
export const PACKED_ENTRIES =
  "string_agg(record_send(ROW(offer_id, observed_at, import_run_id, total, availability, condition)), '')";

// The binary form of a row (PostgreSQL, record_send): the number of fields, then the type, the length and the bytes of each. The length of NULL is -1.
const WORD = 4;

/** Parses {@link PACKED_ENTRIES}. @returns the entries by offer, time and import. */
export function parseEntries(packed: Uint8Array): PackedEntry[] {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  let place = 0;
  const field = <Value>(read: (start: number, end: number) => Value): Value | null => {
    const length = bytes.readInt32BE(place + WORD);
    const start = place + 2 * WORD;
    place = start + Math.max(length, 0);
    return length < 0 ? null : read(start, place);
  };
  const whole = (start: number) => wholeAt(bytes, start);
  const label = (start: number, end: number) => bytes.toString('latin1', start, end);
  const entries: PackedEntry[] = [];
  while (place < bytes.length) {
    place += WORD;
    entries.push({
      offerId: field(whole) ?? 0,
      at: START_OF_2000_MS + Math.round((field(whole) ?? 0) / 1_000),
      runId: field(whole) ?? 0,
      total: field(whole),
      availability: field(label) as Availability | null,
      condition: field(label) as Condition | null,
    });
  }
  return entries.sort((one, other) => one.offerId - other.offerId || one.at - other.at || one.runId - other.runId);
}

/** The prices of each offer that match a filter on condition and availability. It ignores the shop. */
export function pricesOf(entries: readonly PackedEntry[], filter: HistoryFilter): OfferPrices[] {
  const stockOf = isFiltered(filter) ? stockOfFiltered(filter) : stockOfAll;
  const offers: PackedEntry[][] = [];
  for (const entry of entries) {
    const last = offers.at(-1);
    if (last?.[0]?.offerId === entry.offerId) last.push(entry);
    else offers.push([entry]);
  }
  return offers.map((offer) => ({
    times: Float64Array.from(offer, ({ at }) => at),
    totals: Float64Array.from(offer, (entry) => (matches(entry, filter) ? (entry.total ?? NOT_LISTED) : NOT_LISTED)),
    stock: Uint8Array.from(offer, stockOf),
  }));
}

// The rules of the statements in history-statements.ts. A fact that was not recorded matches no filter.
const matches = (entry: PackedEntry, { condition, availability }: HistoryFilter) =>
  (condition === null || entry.condition === condition) &&
  (availability === null || entry.availability === availability);

function stockOfAll({ total, availability }: PackedEntry): number {
  if (availability === 'in_stock') return STOCK.in;
  return availability === null && total !== null ? STOCK.unknown : STOCK.out;
}

const stockOfFiltered =
  ({ condition }: HistoryFilter) =>
  (entry: PackedEntry): number => {
    const isOther = condition !== null && entry.condition !== null && entry.condition !== condition;
    if (entry.total === null || isOther || (entry.availability ?? 'in_stock') !== 'in_stock') return STOCK.out;
    const isUnknown = entry.availability === null || (condition !== null && entry.condition === null);
    return isUnknown ? STOCK.unknown : STOCK.in;
  };
