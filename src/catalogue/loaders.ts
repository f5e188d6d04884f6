/**
 * Loaders that batch the reads of concurrent requests of the whole process, because no row depends on the client.
 * Brands, merchants and categories, which most responses name and few imports change, are cached until they change.
 */
import type { Queryable } from '../database/database.ts';
import { brandsById, brandsBySlug } from './brand/read-brands.ts';
import { openCategoryTree } from './category/category-tree.ts';
import { type Following, followProducts } from './facets/follow-products.ts';
import { keep } from './keep.ts';
import { merchantsById, merchantsBySlug } from './merchant/read-merchants.ts';
import { measuresByProduct } from './offer/read-measures.ts';
import { offersById, offersByProduct } from './offer/read-offers.ts';
import { reductionsByOffer } from './offer/read-reductions.ts';
import { seenByOffer } from './offer/read-seen.ts';
import { openPriceHistories } from './price-history/read-changes.ts';
import { openStatistics } from './price-stats/read-statistics.ts';
import { identifiersByProduct } from './product/read-identifiers.ts';
import { productsById, productsByIdentifier, productsBySlug } from './product/read-products.ts';
import { groupsByProduct, tagsOfGroups, variantsById } from './product/read-variants.ts';
import { tagOf } from './tags.ts';
import { type CatalogueVersion, NEVER_KNOWN } from './version.ts';

export type Loaders = ReturnType<typeof openLoaders>;

// Rows of a few hundred bytes.
const MOST_KEPT = 20_000;
// Rows with the numbers of up to a hundred products.
const MOST_GROUPED = 5_000;

/**
 * Opens the shared loaders over a database.
 * @param version decides how long rows are cached; by default they are not.
 * @param following tells the columns for facets what has changed while the version is not known.
 */
export function openLoaders(database: Queryable, version: CatalogueVersion = NEVER_KNOWN, following?: Following) {
  const trees = openCategoryTree(database, version);
  const ofMerchant = ({ id }: { id: bigint }) => [tagOf('merchantRow', id)];
  const ofBrand = ({ id }: { id: bigint }) => [tagOf('brandRow', id)];
  const merchant = keep(merchantsById(database), version, MOST_KEPT, ofMerchant);
  return {
    product: productsById(database),
    productBySlug: productsBySlug(database),
    productByIdentifier: productsByIdentifier(database, merchant),
    identifiersOfProduct: identifiersByProduct(database),
    offersOfProduct: offersByProduct(database, merchant),
    offer: offersById(database),
    measuresOfProduct: measuresByProduct(database),
    reductionOfOffer: reductionsByOffer(database),
    offerSeenAt: seenByOffer(database),
    groupsOfProduct: keep(groupsByProduct(database), version, MOST_GROUPED, tagsOfGroups),
    variant: variantsById(database),
    merchant,
    /** For numbers from clients. */
    merchantAsked: keep(merchantsById(database, false), version, MOST_KEPT, ofMerchant),
    merchantBySlug: keep(merchantsBySlug(database), version, MOST_KEPT, ofMerchant),
    brand: keep(brandsById(database), version, MOST_KEPT, ofBrand),
    /** For numbers from clients. */
    brandAsked: keep(brandsById(database, false), version, MOST_KEPT, ofBrand),
    brandBySlug: keep(brandsBySlug(database), version, MOST_KEPT, ofBrand),
    categoryTree: trees.known,
    category: {
      // The row that refers to the category may be newer than the known tree.
      load: async (id: bigint) => (await trees.known()).byId.get(id) ?? (await trees.current()).byId.get(id),
    },
    productColumns: followProducts(database, version, following),
    priceHistories: openPriceHistories(database, version),
    statistics: openStatistics(database, version),
  };
}
