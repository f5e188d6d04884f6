// Shipping as Google writes it in one column: `country:region:service:price`, several separated by commas; Meta's template has semicolons.
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
 * Reads a shipping column. A comma, semicolon, bar or line break separates two options only where a country and a colon follow, so that
 * `4,90 EUR` stays whole; with fewer than four parts the last one is the price. Parts that Google adds behind the price are times in days.
 * An option with any other part left over has its whole text as the price, which nothing can read: dropping it would make the total too low.
 *
 * @param order as {@link shippingOrderOf} finds it
 * @example parseShippingText('PT::Standard:4.90 EUR') // [{ country: 'PT', price: '4.90 EUR' }]
 */
export function parseShippingText(text: string, order: ShippingOrder = GOOGLE_ORDER): ShippingOption[] {
  const options: ShippingOption[] = [];
  for (const one of divide(text)) {
    const parts = one.split(':').map((part) => part.trim());
    if (parts.slice(order.length).some((part) => !DAYS.test(part))) {
      options.push({ price: one });
      continue;
    }
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

/** The texts of the options. Each separator is looked at once, since a cell may consist of them. */
function divide(text: string): string[] {
  const options: string[] = [];
  let option = '';
  // Every second piece is a separator.
  const pieces = text.split(/([,;|\r\n])/);
  for (let index = 0; index < pieces.length; index += 2) {
    const piece = pieces[index] ?? '';
    if (piece.trim() === '') continue;
    if (option !== '' && START_OF_OPTION.test(piece)) {
      options.push(option);
      option = '';
    }
    option = option === '' ? piece.trim() : `${option}${pieces[index - 1]}${piece.trimEnd()}`;
  }
  return option === '' ? options : [...options, option];
}

const START_OF_OPTION = /^\s*[A-Za-z]{0,3}:/;
const DAYS = /^\d{0,3}$/;

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
