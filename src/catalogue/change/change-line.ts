/** A change as clients see it, rendered from its row in the stream. */
import { present } from '../../database/batch.ts';
import type { ChangeType } from '../../generated/prisma/client.ts';
import type { ProductState } from '../../ledger/changes/product-state.ts';
import type { ChangeRow } from '../../ledger/changes/read-changes.ts';
import { encodeId } from '../../values/id.ts';
import { formatTimestamp } from '../../values/timestamp.ts';
import type { Market } from '../market.ts';
import type { MerchantRow } from '../merchant/read-merchants.ts';
import { type OfferLine, offerLine } from '../offer/offer-line.ts';
import { type ProductLine, productLine } from '../product/product-line.ts';

/** A change as JSON. */
export interface ChangeLine {
  /** The number of the change. Numbers rise in the order of commits; some are not shown. */
  seq: number;
  /** The time of the commit, RFC 3339. */
  at: string;
  /** The time in the shop's feed, RFC 3339. */
  observedAt: string;
  types: ChangeType[];
  /** The product; of an offer that moved, the one that it moved to. */
  productId: string;
  /** Absent if the product itself changed. */
  offerId?: string;
  /** The offer or the product, as in exports; null if it was not listed before. */
  before: OfferLine | ProductLine | null;
  /** The same after the change; null if it is not listed any more. */
  after: OfferLine | ProductLine | null;
}

/** A row of an offer or a product, which has the product's fields after the change as well. */
export type ShownChangeRow = ChangeRow & { stateAfter: unknown };

/** Renders a row. @param merchant the shop, if the row is an offer's. */
export function changeLine(row: ShownChangeRow, merchant: MerchantRow | undefined, market: Market): ChangeLine {
  const { seq, at, observedAt, types, productId, offerId } = row;
  const state = (stored: unknown) => (stored === null ? null : productLine(productId, stored as ProductState, market));
  return {
    seq: Number(seq),
    at: formatTimestamp(at),
    observedAt: formatTimestamp(observedAt),
    types,
    productId: encodeId('product', productId),
    ...(offerId !== null && { offerId: encodeId('offer', offerId) }),
    ...(offerId === null
      ? { before: state(row.stateBefore), after: state(row.stateAfter) }
      : offerSides(row, offerId, present(merchant), market)),
  };
}

/** The offer before and after. It has all values where it was listed, and none where it was not. */
function offerSides(row: ChangeRow, id: bigint, merchant: MerchantRow, market: Market) {
  const { totalBefore, totalAfter } = row;
  const before = totalBefore !== null && {
    productId: row.oldProductId ?? row.productId,
    price: present(row.priceBefore),
    shipping: row.shippingBefore,
    total: totalBefore,
    availability: present(row.availabilityBefore),
    condition: present(row.conditionBefore),
    updatedAt: present(row.updatedAtBefore),
  };
  const after = totalAfter !== null && {
    productId: row.productId,
    price: present(row.priceAfter),
    shipping: row.shippingAfter,
    total: totalAfter,
    availability: present(row.availabilityAfter),
    condition: present(row.conditionAfter),
    updatedAt: present(row.updatedAtAfter),
  };
  const line = (columns: typeof before | typeof after) =>
    columns ? offerLine({ id, ...columns }, merchant, market) : null;
  return { before: line(before), after: line(after) };
}
