/** What the digest passes to the code that keeps a derived table current. */
import type { Queryable } from '../../database/database.ts';
import type { OfferEntries } from '../entry.ts';
import type { JudgedLedger } from '../outliers.ts';

/** A changed product as the database has it now. */
export interface DigestedProduct {
  id: bigint;
  brandId: bigint | null;
  /** Its category followed by the ancestors of that, up to the top; empty if none is known. */
  categoryIds: bigint[];
  /** The whole ledger of the product, with the merchant of each offer; empty if it has no entries. */
  offers: OfferEntries[];
  /** The same as judged now. */
  judged: JudgedLedger;
  /** Milliseconds of the epoch. */
  now: number;
}

/**
 * Replaces everything that its tables hold about the products, as part of the digest's transaction. Two steps never have the same product
 * at the same time. A consumer that writes rows which several products share must write them in one order, because steps run concurrently.
 */
export type Consumer = (transaction: Queryable, products: readonly DigestedProduct[]) => Promise<void>;
