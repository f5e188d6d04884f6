// The prices of a row: of the goods at the moment of the feed, where the sale price may apply, and of shipping.
import type { Market } from '../catalogue/market.ts';
import { currencyDecimals, type MinorUnits } from '../values/money.ts';
import { isNoPrice, type PriceReading, parsePrice } from '../values/price-text.ts';
import { excerpt } from '../values/printable.ts';
import { timeZoneOf } from '../values/time-zone.ts';
import { parseFeedTimestamp } from '../values/timestamp.ts';
import { unlessPlaceholder } from './field-text.ts';
import type { FeedFields, ShippingOption } from './readers/feed-row.ts';
import type { RejectReason } from './reject.ts';

/** The market a feed is imported for. */
export type FeedMarket = Pick<Market, 'currency' | 'country' | 'timeZone'>;

/** That market at the moment at which the prices of a feed are taken to be true. */
export type MarketAt = FeedMarket & {
  observedAt: Date;
  /** Called with each later moment from which a row states another price. */
  onPriceChange?: (at: Date) => void;
};

/** A reduction that a shop announces: a sale price that applies. */
export interface Sale {
  /** The price of the goods without the sale price. */
  regularPrice: MinorUnits;
  /** When the sale price applies, if the shop names a period. */
  period?: SalePeriod;
}

/** The price that applies at the market's moment, with its sale, or why the row has none. */
export function priceAt(
  fields: FeedFields,
  market: MarketAt,
): { amount: MinorUnits; sale?: Sale } | { reason: RejectReason; detail: string } {
  if (fields.price === undefined) return { reason: 'missing_price', detail: 'The row has no price.' };
  const price = parsePrice(fields.price, market.currency);
  if (!price.ok) return { reason: price.reason, detail: unusable('price', price) };
  if (!statesSale(fields)) return price;

  const sale = parsePrice(fields.sale_price, market.currency);
  if (!sale.ok) return { reason: sale.reason, detail: unusable('sale_price', sale) };
  const written = fields.sale_price_effective_date;
  let period: SalePeriod | undefined;
  if (written !== undefined) {
    period = parseSalePeriod(written, market);
    if (period === undefined) {
      const detail = `The sale_price_effective_date "${excerpt(written)}" is not start/end; write 2025-11-24T00:00+0100/2025-12-01T23:59+0100.`;
      return { reason: 'invalid_sale_period', detail };
    }
    noteChange(period, market);
    if (!isWithin(period, market.observedAt)) return price;
  }
  if (sale.amount >= price.amount) return price;
  return { amount: sale.amount, sale: { regularPrice: price.amount, ...(period && { period }) } };
}

/** Whether a row has a sale price. Feed tools write words for none, zero, or the currency that they add to an empty value. */
function statesSale(fields: FeedFields): fields is FeedFields & { sale_price: string } {
  const written = fields.sale_price;
  return written !== undefined && unlessPlaceholder(written) !== undefined && !isNoPrice(written);
}

/** Notes when a row that is not looked at further states another price, as {@link priceAt} does. */
export function notePriceChange(fields: FeedFields, market: MarketAt): void {
  if (!statesSale(fields) || fields.sale_price_effective_date === undefined) return;
  const period = parseSalePeriod(fields.sale_price_effective_date, market);
  if (period) noteChange(period, market);
}

function noteChange({ start, end }: SalePeriod, { observedAt, onPriceChange }: MarketAt): void {
  if (observedAt < start) onPriceChange?.(start);
  else if (observedAt <= end) onPriceChange?.(new Date(end.getTime() + 1));
}

/** The sentence about an amount of a field that cannot be used. */
export function unusable(field: string, { detail }: PriceReading & { ok: false }): string {
  return `The ${field} cannot be used: ${detail}.`;
}

/** When a sale price applies: from `start` to `end`, both included. */
export interface SalePeriod {
  start: Date;
  end: Date;
}

/**
 * Reads Google's `2025-11-24T00:00+0100/2025-12-01T23:59+0100` (ISO 8601, seconds optional). A time without a zone is in that of the market; a
 * day without a time starts at its first millisecond and ends at its last, as does an end at 23:59. `undefined` for any other text.
 */
export function parseSalePeriod(
  text: string,
  { country, timeZone = timeZoneOf(country) }: Pick<Market, 'country' | 'timeZone'>,
): SalePeriod | undefined {
  const parts = text.split('/');
  if (parts.length !== 2) return undefined;
  const start = parseFeedTimestamp(parts[0] ?? '', timeZone);
  const end = parseFeedTimestamp(parts[1] ?? '', timeZone, true);
  return start === undefined || end === undefined || end < start ? undefined : { start, end };
}

export function isWithin({ start, end }: SalePeriod, moment: Date): boolean {
  return start <= moment && moment <= end;
}

/**
 * The lowest shipping price, or `undefined` if no option applies. An option without a country applies everywhere; one whose
 * `min_order_value` is above the price of the goods does not. An unreadable price returns its fault, as the total would be wrong; so does a
 * country that is no code of ISO 3166-1 alpha-2, unless another option applies.
 */
export function lowestShipping(
  options: readonly ShippingOption[],
  market: Omit<MarketAt, 'observedAt'>,
  goods: MinorUnits,
): PriceReading | undefined {
  let lowest: PriceReading | undefined;
  let unknown: string | undefined;
  for (const option of options) {
    const { country = market.country } = option;
    if (option.price === undefined) continue;
    if (country.toUpperCase() !== market.country.toUpperCase()) {
      if (!COUNTRY_CODE.test(country)) unknown ??= country;
      continue;
    }
    if (option.minOrderValue !== undefined) {
      const minimum = parsePrice(option.minOrderValue, market.currency, { allowZero: true });
      if (!minimum.ok) return minimum;
      if (minimum.amount > goods) continue;
    }
    const price = parsePrice(option.price, market.currency, { allowZero: true });
    if (!price.ok) return /\p{Nd}/u.test(option.price) ? price : withFreeShipping(price, market.currency);
    if (lowest === undefined || !lowest.ok || price.amount < lowest.amount) lowest = price;
  }
  if (lowest !== undefined || unknown === undefined) return lowest;
  const detail = `"${excerpt(unknown)}" is not a country; write its code of two letters, such as ${market.country}`;
  return { ok: false, reason: 'invalid_price', detail };
}

/** The fault of a shipping price without digits, which is often a word for free shipping. */
function withFreeShipping(fault: PriceReading & { ok: false }, currency: string): PriceReading {
  if (fault.reason !== 'invalid_price') return fault;
  return {
    ...fault,
    detail: `${fault.detail}, and free shipping as ${(0).toFixed(currencyDecimals(currency))} ${currency}`,
  };
}

const COUNTRY_CODE = /^[A-Za-z]{2}$/;
