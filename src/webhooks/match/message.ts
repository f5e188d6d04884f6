/** The body of a message about a change. */
import { amountIn, type Market, productUrl } from '../../catalogue/market.ts';
import { goUrl } from '../../catalogue/offer/go-url.ts';
import { encodeChangesCursor } from '../../ledger/changes/changes-cursor.ts';
import { encodeId } from '../../values/id.ts';
import { formatTimestamp } from '../../values/timestamp.ts';
import type { WebhookKind } from '../kinds.ts';
import type { Payload } from '../payload.ts';
import type { WebhookEvent } from './events.ts';

interface Named {
  id: bigint;
  slug: string;
  name: string;
}

/** What a message is made from. */
export interface Told {
  webhookId: bigint;
  kind: WebhookKind;
  event: WebhookEvent;
  product: Named;
  /** The shop whose feed caused it; `undefined` if an operator did. */
  merchant: Named | undefined;
  /** The price of the webhook's filter, in minor units. */
  below: bigint | null;
}

/** Makes the body; amounts in major units of the market's currency. */
export function messageOf({ webhookId, kind, event, product, merchant, below }: Told, market: Market): Payload {
  const { row, lowest, code } = event;
  const isOfOffer = kind === 'back_in_stock' || kind === 'offer_withdrawn';
  const amount = <Name extends string>(name: Name, minorUnits: bigint | null | undefined) =>
    minorUnits == null ? {} : ({ [name]: amountIn(market, minorUnits) } as Record<Name, number>);
  return {
    type: kind,
    timestamp: formatTimestamp(new Date()),
    data: {
      webhookId: encodeId('webhook', webhookId),
      product: {
        id: encodeId('product', product.id),
        slug: product.slug,
        name: product.name,
        url: productUrl(market, product),
      },
      currency: market.currency,
      ...amount('previousMin', lowest?.before),
      ...amount('min', lowest?.after),
      ...amount('lowestEver', lowest?.ever),
      ...(kind === 'price_below' && amount('below', below)),
      ...(merchant && {
        merchant: { id: encodeId('merchant', merchant.id), slug: merchant.slug, name: merchant.name },
      }),
      ...(isOfOffer && offerOf(event, market)),
      ...(code !== undefined && { code: code.replace(/^0(?=\d{13}$)/, '') }),
      cursor: encodeChangesCursor(row.seq),
      at: formatTimestamp(row.at),
      observedAt: formatTimestamp(row.observedAt),
    },
  };
}

/** The offer after the change, or before it if it is gone. */
function offerOf({ row }: WebhookEvent, market: Market): Pick<Payload['data'], 'offer'> {
  const { offerId } = row;
  const total = row.totalAfter ?? row.totalBefore;
  const availability = row.availabilityAfter ?? row.availabilityBefore;
  const condition = row.conditionAfter ?? row.conditionBefore;
  if (offerId === null || total === null || availability === null || condition === null) return {};
  const url = market.publicUrl + goUrl(offerId);
  const shippingKnown = (row.totalAfter === null ? row.shippingBefore : row.shippingAfter) !== null;
  const totalPrice = amountIn(market, total);
  return { offer: { id: encodeId('offer', offerId), totalPrice, shippingKnown, availability, condition, url } };
}
