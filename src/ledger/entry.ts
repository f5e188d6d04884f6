/** An entry of the ledger: everything a shop stated about an offer at one time. */
import { Availability, Condition } from '../generated/prisma/enums.ts';

/** All availabilities and all conditions, in the order of the database's enums. */
export const AVAILABILITIES = Object.values(Availability) as [Availability, ...Availability[]];
export const CONDITIONS = Object.values(Condition) as [Condition, ...Condition[]];

/** Holds from `at` on until the offer's next entry. Amounts are in minor units; times are milliseconds of the epoch. */
export interface LedgerEntry {
  at: number;
  /** The price of the goods plus shipping; null while the shop does not list the offer at the product. */
  total: bigint | null;
  /** The price of the goods; null if it was not recorded. */
  price: bigint | null;
  /** Null if the shop stated none, or if it was not recorded. */
  shipping: bigint | null;
  /** The price without the sale price that applies; null if none applies. */
  regularPrice: bigint | null;
  /** The period for which the shop announced the sale price; null if it named none. */
  saleFrom: number | null;
  saleUntil: number | null;
  /** Null if it was not recorded, as is `condition`. */
  availability: Availability | null;
  condition: Condition | null;
  /** The import that recorded the entry; rises with the order of commits. Set by `readLedger`. */
  importRunId?: bigint;
}

/** The entries of one offer at one product that count, in the order of time: at most one for each time, and none that repeats the one before. */
export interface OfferEntries {
  offerId: bigint;
  merchantId: bigint;
  entries: LedgerEntry[];
  /** The entries that do not count, in the order of time and import; absent if there are none. */
  uncounted?: LedgerEntry[];
}

/**
 * Adds the next entry, by time and import, to those that count. Of several for one time, the last one counts. One that repeats the facts before
 * it does not, so that the entries are the same whether an archived feed is imported before the feeds that follow it or after them.
 * @returns the entries that do not count because of it.
 */
export function countEntry(entries: LedgerEntry[], entry: LedgerEntry): LedgerEntry[] {
  const uncounted = entries.at(-1)?.at === entry.at ? entries.splice(-1) : [];
  const last = entries.at(-1);
  if (last && FACTS.every((fact) => last[fact] === entry[fact])) uncounted.push(entry);
  else entries.push(entry);
  return uncounted;
}

const FACTS = [
  'total',
  'price',
  'shipping',
  'regularPrice',
  'saleFrom',
  'saleUntil',
  'availability',
  'condition',
] as const satisfies (keyof LedgerEntry)[];
