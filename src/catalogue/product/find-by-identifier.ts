/** Finds the product whose number was typed into a search. */
import { parseAsin } from '../../values/asin.ts';
import { parseFeedGtin } from '../../values/gtin.ts';
import type { Context } from '../builder.ts';
import type { IdentifierKey } from './read-products.ts';

/** The product with the GTIN or ASIN that was typed into a search, with or without spaces and hyphens. */
export async function findByIdentifier(query: string, context: Context): Promise<bigint | undefined> {
  const { productByIdentifier } = context.loaders;
  const found = await Promise.all(identifiersIn(query).map((key) => productByIdentifier.load(key, context)));
  return found.find((each) => each !== undefined)?.product.id;
}

/** The GTIN and the ASIN that typed text may be. */
export function identifiersIn(query: string): IdentifierKey[] {
  const typed = query.trim();
  const gtin = /^[\d\s-]{8,20}$/.test(typed) ? parseFeedGtin(typed) : undefined;
  const asin = parseAsin(typed);
  return [
    ...(gtin?.ok ? [{ kind: 'gtin', value: gtin.gtin } as const] : []),
    ...(asin ? [{ kind: 'asin', value: asin } as const] : []),
  ];
}
