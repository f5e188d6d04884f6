/** The market that a deployment serves: its currency and country, and the base URLs of its links. */
import { encodeId } from '../values/id.ts';
import { type MinorUnits, toMajor } from '../values/money.ts';

export interface Market {
  /** ISO 4217, upper case. */
  currency: string;
  /** ISO 3166-1 alpha-2, upper case. */
  country: string;
  /** A name of the IANA database; by default the country's only zone, else its capital's. */
  timeZone?: string | undefined;
  /** The service's public base URL, without a trailing slash. */
  publicUrl: string;
  /** The URL of a product's page, with the placeholders `{slug}` and `{id}`; by default the page of this service. */
  productUrlTemplate?: string | undefined;
}

/** An amount for JSON: an exact number with the currency's own decimals (`12.99`, `1299` yen). */
export function amountIn(market: Market, minorUnits: bigint): number {
  return toMajor(Number(minorUnits) as MinorUnits, market.currency);
}

/** The URL of a product's page. */
export function productUrl(
  { publicUrl, productUrlTemplate }: Market,
  { slug, id }: { slug: string; id: bigint },
): string {
  if (productUrlTemplate === undefined) return `${publicUrl}/products/${slug}`;
  return productUrlTemplate.replaceAll('{slug}', slug).replaceAll('{id}', encodeId('product', id));
}
