// The price of a row at the moment of its feed: the price itself, or the sale price while it applies.

import type { MinorUnits } from '../values/money.ts';
import { type PriceReading, parsePrice } from '../values/price-text.ts';
import { excerpt } from '../values/printable.ts';
import type { FeedFields } from './readers/feed-row.ts';
import type { RejectReason } from './reject.ts';
import { isWithin, parseSalePeriod } from './sale-period.ts';

/** The market a feed is imported for, and the moment at which its prices are taken to be true. */
export interface Market {
  /** ISO 4217, upper case. */
  currency: string;
  /** ISO 3166-1 alpha-2, upper case. */
  country: string;
  observedAt: Date;
}

/** The price that applies at the market's moment, or why the row has none. */
export function priceAt(
  fields: FeedFields,
  market: Market,
): { amount: MinorUnits } | { reason: RejectReason; detail: string } {
  if (fields.price === undefined) return { reason: 'missing_price', detail: 'The row has no price.' };
  const price = parsePrice(fields.price, market.currency);
  if (!price.ok) return { reason: price.reason, detail: unusable('price', price) };
  if (fields.sale_price === undefined) return price;

  const sale = parsePrice(fields.sale_price, market.currency);
  if (!sale.ok) return { reason: sale.reason, detail: unusable('sale_price', sale) };
  const written = fields.sale_price_effective_date;
  if (written !== undefined) {
    const period = parseSalePeriod(written);
    if (period === undefined) {
      const detail = `The sale_price_effective_date "${excerpt(written)}" is not start/end; write 2025-11-24T00:00+0100/2025-12-01T23:59+0100.`;
      return { reason: 'invalid_sale_period', detail };
    }
    if (!isWithin(period, market.observedAt)) return price;
  }
  return sale.amount < price.amount ? sale : price;
}

/** The sentence about an amount of a field that cannot be used. */
export function unusable(field: string, { detail }: PriceReading & { ok: false }): string {
  return `The ${field} cannot be used: ${detail}.`;
}
