/** The one market that a deployment serves: its currency, and the addresses that its links begin with. */
import { encodeId } from '../values/id.ts';
import { type MinorUnits, toMajor } from '../values/money.ts';

export interface Market {
  /** ISO 4217. */
  currency: string;
  /** The service's own address as clients reach it, without a slash at the end. */
  publicUrl: string;
  /** Where products are shown, with `{slug}` and `{id}` where they go; by default the pages of this service. */
  productUrlTemplate?: string | undefined;
}

/** An amount as JSON carries it: a number with the currency's own decimals, exact (decisions §1). */
export function amountIn(market: Market, minorUnits: bigint): number {
  return toMajor(Number(minorUnits) as MinorUnits, market.currency);
}

/** The address of a product, for people. */
export function productUrl(
  { publicUrl, productUrlTemplate }: Market,
  { slug, id }: { slug: string; id: bigint },
): string {
  if (productUrlTemplate === undefined) return `${publicUrl}/products/${slug}`;
  return productUrlTemplate.replaceAll('{slug}', slug).replaceAll('{id}', encodeId('product', id));
}
