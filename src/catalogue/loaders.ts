/**
 * What many requests read at once, each thing by one statement for all requests in flight. One set serves the whole
 * process: nothing read here depends on who asks, and nothing is kept after it has been handed out.
 */
import type { Queryable } from '../database/database.ts';
import { brandsById } from './brand.ts';
import { categoriesById } from './category.ts';
import { identifiersByProduct } from './identifier.ts';
import { merchantsById } from './merchant.ts';
import { offersById, offersByProduct } from './offer.ts';
import { productsByIdentifier } from './product.ts';

export type Loaders = ReturnType<typeof openLoaders>;

/** Opens the shared loaders over a database. */
export function openLoaders(database: Queryable) {
  return {
    productByIdentifier: productsByIdentifier(database),
    identifiersOfProduct: identifiersByProduct(database),
    offersOfProduct: offersByProduct(database),
    offer: offersById(database),
    merchant: merchantsById(database),
    brand: brandsById(database),
    category: categoriesById(database),
  };
}
