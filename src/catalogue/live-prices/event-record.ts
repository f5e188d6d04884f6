/** A price event, as it is read from the stream of changes. */
import type { ChangeType } from '../../generated/prisma/client.ts';

/** A change of a product's offers by one transaction. Amounts are lowest totals in minor units; `null` without an offer. */
export interface PriceEvent {
  /** The number of the change in the stream. */
  seq: bigint;
  types: readonly ChangeType[];
  productId: bigint;
  /** The shop of the feed; null for an operator's change. */
  merchantId: bigint | null;
  previousMin: bigint | null;
  min: bigint | null;
  /** The time that the shop's feed states. */
  observedAt: Date;
  /** The time of the commit. */
  committedAt: Date;
  /** The product's present category and brand, if a filter needs them. */
  categoryId?: bigint | null;
  brandId?: bigint | null;
}
