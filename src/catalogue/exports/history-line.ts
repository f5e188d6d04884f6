/** An entry of the ledger as a line of the export of the price history. */
import type { Availability, Condition } from '../../generated/prisma/client.ts';
import { decodeCursor, encodeCursor } from '../../values/cursor.ts';
import { encodeId } from '../../values/id.ts';
import { formatTimestamp } from '../../values/timestamp.ts';
import { amountIn, type Market } from '../market.ts';
import { type MerchantNames, merchantOf } from './merchant-names.ts';
import type { Place } from './walk.ts';

/** The facts about an offer from `observedAt` on. Facts that were not recorded are absent. */
export interface HistoryLine {
  /** The place of the entry in the export. */
  id: string;
  productId: string;
  offerId: string;
  merchant: { id: string; slug: string; name: string };
  /** RFC 3339. */
  observedAt: string;
  /** False if the offer ended at the product: the shop withdrew it, or it moved to another product. */
  listed: boolean;
  price?: number;
  shipping?: number;
  totalPrice?: number;
  /** The price without the sale price that applied. */
  regularPrice?: number;
  currency: string;
  availability?: Availability;
  condition?: Condition;
}

/** A row of the ledger, with its shop. Amounts are in minor units. */
export interface HistoryRow extends MerchantNames {
  productId: bigint;
  offerId: bigint;
  observedAt: Date;
  importRunId: bigint;
  total: bigint | null;
  price: bigint | null;
  shipping: bigint | null;
  regularPrice: bigint | null;
  availability: Availability | null;
  condition: Condition | null;
}

export function historyLine(row: HistoryRow, market: Market): HistoryLine {
  const { productId, offerId, observedAt, importRunId, total, price, shipping, regularPrice } = row;
  const { id, slug, name } = merchantOf(row);
  return {
    id: encodeCursor(LIST, [String(productId), String(offerId), observedAt.getTime(), String(importRunId)]),
    productId: encodeId('product', productId),
    offerId: encodeId('offer', offerId),
    merchant: { id: encodeId('merchant', id), slug, name },
    observedAt: formatTimestamp(observedAt),
    listed: total !== null,
    ...(price !== null && { price: amountIn(market, price) }),
    ...(shipping !== null && { shipping: amountIn(market, shipping) }),
    ...(total !== null && { totalPrice: amountIn(market, total) }),
    ...(regularPrice !== null && { regularPrice: amountIn(market, regularPrice) }),
    currency: market.currency,
    ...(row.availability !== null && { availability: row.availability }),
    ...(row.condition !== null && { condition: row.condition }),
  };
}

/** The place of the line with an id; `undefined` for any other text. */
export function placeOfEntry(id: string): Place | undefined {
  const place: unknown = decodeCursor(LIST, id);
  // The checksum is not a secret, so clients can forge ids.
  if (!Array.isArray(place) || place.length !== 4) return undefined;
  const [productId, offerId, at, importRunId] = place;
  // PostgreSQL has no times as early as JavaScript's earliest. Nothing was observed before 1970.
  const moment = new Date(typeof at === 'number' && at >= 0 ? at : Number.NaN);
  if (![productId, offerId, importRunId].every(isNumber) || Number.isNaN(moment.getTime())) return undefined;
  return [BigInt(productId), BigInt(offerId), moment, BigInt(importRunId)];
}

const isNumber = (text: unknown) => typeof text === 'string' && /^\d{1,18}$/.test(text);

const LIST = 'history';
