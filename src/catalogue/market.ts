/** The one market that a deployment serves: its currency, and the addresses that its links begin with. */
import { type MinorUnits, toMajor } from './money.ts';

export interface Market {
  /** ISO 4217. */
  currency: string;
  /** The service's own address as clients reach it, without a slash at the end. */
  publicUrl: string;
}

/** An amount as JSON carries it: a number with the currency's own decimals, exact (decisions §1). */
export function amountIn(market: Market, minorUnits: bigint): number {
  return toMajor(Number(minorUnits) as MinorUnits, market.currency);
}

/** The page of a product. */
export function productUrl(market: Market, slug: string): string {
  return `${market.publicUrl}/products/${slug}`;
}
