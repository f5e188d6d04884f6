// Shipping as Google writes it in one column: `country:region:service:price`, several separated by commas.
import type { ShippingOption } from './feed-row.ts';

/** The number of parts, and the places of those that are used, or -1: found once, since a column may name thousands of parts. */
export type ShippingOrder = ReturnType<typeof orderOf>;

const orderOf = (parts: readonly string[]) => ({
  length: parts.length,
  country: parts.indexOf('country'),
  price: parts.indexOf('price'),
  minOrderValue: parts.indexOf('min_order_value'),
});

/** The order of the parts where the header does not give another one. */
const GOOGLE_ORDER = orderOf(['country', 'region', 'service', 'price']);

/**
 * Reads a shipping column. A comma separates two options only where a country and a colon follow, so that `4,90 EUR`
 * stays whole; with fewer than four parts the last one is the price.
 *
 * @param order as {@link shippingOrderOf} finds it
 * @example parseShippingText('PT::Standard:4.90 EUR') // [{ country: 'PT', price: '4.90 EUR' }]
 */
export function parseShippingText(text: string, order: ShippingOrder = GOOGLE_ORDER): ShippingOption[] {
  const options: ShippingOption[] = [];
  for (const one of text.split(/,(?=\s*[A-Za-z]{0,3}:)/)) {
    if (one.trim() === '') continue;
    const parts = one.split(':').map((part) => part.trim());
    const priceAt = parts.length < order.length ? parts.length - 1 : order.price;
    const option: ShippingOption = {};
    const country = parts.length === 1 ? undefined : parts[order.country];
    const price = parts[priceAt];
    const minOrderValue = parts[order.minOrderValue];
    if (country) option.country = country;
    if (price) option.price = price;
    if (minOrderValue) option.minOrderValue = minOrderValue;
    options.push(option);
  }
  return options;
}

/** The order of the parts in a header such as `shipping(country:price)`; `undefined` if it is not a shipping column. */
export function shippingOrderOf(header: string): ShippingOrder | undefined {
  if (header === 'shipping') return GOOGLE_ORDER;
  const [, parts] = /^shipping\(([a-z_:]+)\)$/.exec(header) ?? [];
  return parts === undefined ? undefined : orderOf(parts.split(':'));
}

/** The members of a {@link ShippingOption} by the names that feeds use. */
export const SHIPPING_PARTS: ReadonlyMap<string, keyof ShippingOption> = new Map([
  ['country', 'country'],
  ['price', 'price'],
  ['min_order_value', 'minOrderValue'],
]);
