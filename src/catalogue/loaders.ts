/**
 * What many requests read at once, each thing by one statement for all requests in flight. One set serves the whole
 * process: nothing read here depends on who asks. What nearly every answer names and few imports change is kept while the
 * catalogue's version stays; nothing else is, after it has been handed out.
 */
import type { Queryable } from '../database/database.ts';
import { brandsById, brandsBySlug } from './brand/read-brands.ts';
import { openCategoryTree } from './category/category-tree.ts';
import { keep } from './keep.ts';
import { merchantsById, merchantsBySlug } from './merchant/read-merchants.ts';
import { offersById, offersByProduct } from './offer/read-offers.ts';
import { openPriceHistories } from './price-history/read-changes.ts';
import { identifiersByProduct } from './product/read-identifiers.ts';
import { productsById, productsByIdentifier, productsBySlug } from './product/read-products.ts';
import { type CatalogueVersion, NEVER_KNOWN } from './version.ts';

export type Loaders = ReturnType<typeof openLoaders>;

// Rows of a few hundred bytes.
const MOST_KEPT = 20_000;

/** Opens the shared loaders over a database. @param version what says how long a row may be kept; by default nothing is. */
export function openLoaders(database: Queryable, version: CatalogueVersion = NEVER_KNOWN) {
  const trees = openCategoryTree(database, version);
  return {
    product: productsById(database),
    productBySlug: productsBySlug(database),
    productByIdentifier: productsByIdentifier(database),
    identifiersOfProduct: identifiersByProduct(database),
    offersOfProduct: offersByProduct(database),
    offer: offersById(database),
    merchant: keep(merchantsById(database), version, MOST_KEPT),
    merchantBySlug: merchantsBySlug(database),
    brand: keep(brandsById(database), version, MOST_KEPT),
    brandBySlug: brandsBySlug(database),
    categoryTree: trees.known,
    category: {
      // Who names it may have been read after the tree that is known.
      load: async (id: bigint) => (await trees.known()).byId.get(id) ?? (await trees.current()).byId.get(id),
    },
    priceChanges: openPriceHistories(database),
  };
}
