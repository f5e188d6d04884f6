/** An offer as a line of exports and in the stream of changes: the offer of lists with its product, without `seenAt` and `reduction`. */
import type { Availability, Condition } from '../../generated/prisma/client.ts';
import { encodeId } from '../../values/id.ts';
import { formatTimestamp } from '../../values/timestamp.ts';
import { amountIn, type Market } from '../market.ts';
import type { MerchantRow } from '../merchant/read-merchants.ts';
import { goUrl } from './go-url.ts';
import type { ListedOffer } from './read-offers.ts';

/** An offer as JSON, with amounts in the currency's own decimals. `shipping` is absent if the shop does not state it. */
export interface OfferLine {
  id: string;
  productId: string;
  merchant: { id: string; slug: string; name: string };
  price: number;
  shipping?: number;
  shippingKnown: boolean;
  totalPrice: number;
  currency: string;
  availability: Availability;
  condition: Condition;
  /** The path on this server that redirects to the offer in the shop. */
  url: string;
  /** The time of the last observed change of the offer, RFC 3339. */
  updatedAt: string;
}

/** Renders the stored columns of an offer. @param merchant its shop. */
export function offerLine(
  offer: Omit<ListedOffer, 'merchantId' | 'merchantName'>,
  merchant: Pick<MerchantRow, 'id' | 'slug' | 'name'>,
  market: Market,
): OfferLine {
  const { id, productId, price, shipping, total, availability, condition, updatedAt } = offer;
  return {
    id: encodeId('offer', id),
    productId: encodeId('product', productId),
    merchant: { id: encodeId('merchant', merchant.id), slug: merchant.slug, name: merchant.name },
    price: amountIn(market, price),
    ...(shipping !== null && { shipping: amountIn(market, shipping) }),
    shippingKnown: shipping !== null,
    totalPrice: amountIn(market, total),
    currency: market.currency,
    availability,
    condition,
    url: goUrl(id),
    updatedAt: formatTimestamp(updatedAt),
  };
}
