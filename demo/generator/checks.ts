/** What must hold of the catalogue before it is written: a demo with a wrong identifier would teach something false. */
import { parseFeedGtin } from '../../src/values/gtin.ts';
import type { Product } from './products.ts';
import type { Shop } from './shops.ts';

/** @throws Error that names the first product that is not as the demo promises */
export function checkCatalogue(products: readonly Product[], sellersOf: (product: Product) => readonly Shop[]): void {
  const seen = new Set<string>();
  for (const product of products) {
    const { title, gtin, asin } = product;
    const parsed = gtin === undefined ? undefined : parseFeedGtin(gtin);
    if (parsed?.ok === false) throw new Error(`${title}: ${parsed.detail}`);
    if (gtin === undefined && asin === undefined) throw new Error(`${title} has neither GTIN nor ASIN.`);
    // A GTIN counts as 14 digits: a short one and its long form would be one product.
    for (const identifier of [parsed?.gtin, asin]) {
      if (identifier === undefined) continue;
      if (seen.has(identifier)) throw new Error(`${title}: ${identifier} is another product's.`);
      seen.add(identifier);
    }
    if (sellersOf(product).length === 0) throw new Error(`${title} is sold by nobody.`);
  }
}
