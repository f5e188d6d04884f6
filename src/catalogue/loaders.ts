/**
 * What many requests read at once, each thing by one statement for all requests in flight. One set serves the whole
 * process: nothing read here depends on who asks, and nothing is kept after it has been handed out.
 */
import type { Queryable } from '../database/database.ts';
import { articlesById } from './article.ts';
import { brandsById, brandsBySlug } from './brand.ts';
import { openCategoryTree } from './category-tree.ts';
import { identifiersByProduct } from './identifier.ts';
import { merchantsById, merchantsBySlug } from './merchant.ts';
import { offersById, offersByProduct } from './offer.ts';
import { openPriceHistories } from './price-history.ts';
import { productsById, productsByIdentifier, productsBySlug } from './product.ts';

export type Loaders = ReturnType<typeof openLoaders>;

/** Opens the shared loaders over a database. */
export function openLoaders(database: Queryable) {
  const categoryTree = openCategoryTree(database);
  return {
    product: productsById(database),
    productBySlug: productsBySlug(database),
    productByIdentifier: productsByIdentifier(database),
    identifiersOfProduct: identifiersByProduct(database),
    offersOfProduct: offersByProduct(database),
    offer: offersById(database),
    merchant: merchantsById(database),
    merchantBySlug: merchantsBySlug(database),
    brand: brandsById(database),
    brandBySlug: brandsBySlug(database),
    categoryTree,
    category: { load: async (id: bigint) => (await categoryTree()).byId.get(id) },
    article: articlesById(database),
    priceChanges: openPriceHistories(database),
  };
}
