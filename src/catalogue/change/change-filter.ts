/** The filter of the stream of changes: as clients send it, and as SQL conditions on `change`. */
import type { ChangeType } from '../../generated/prisma/client.ts';
import { invalid } from '../arguments.ts';
import type { Context } from '../builder.ts';
import { findBrand, findCategories, findMerchant } from '../product/find-by-slug.ts';
import { findProduct } from '../product/product.ts';
import type { Bind } from '../read-page.ts';

/** The most products in a filter. */
export const MOST_PRODUCTS = 100;

/** The filter as clients send it; absent members do not restrict the stream. */
export interface ChangeFilter {
  types?: readonly ChangeType[] | null | undefined;
  merchant?: string | null | undefined;
  category?: string | null | undefined;
  brand?: string | null | undefined;
  products?: readonly string[] | null | undefined;
}

/** The changes that a filter selects. */
export interface ChangeSelection {
  conditions(bind: Bind): string[];
  /** The products whose changes are read, by index; all without it. */
  productIds: readonly bigint[] | undefined;
}

/**
 * Reads a filter; `undefined` if it cannot match any change.
 * @throws {Problem} `invalid_parameter` for more than {@link MOST_PRODUCTS} products.
 */
export async function selectChanges(filter: ChangeFilter, context: Context): Promise<ChangeSelection | undefined> {
  const { types, merchant, category, brand, products } = filter;
  if (products && products.length > MOST_PRODUCTS) {
    const detail = `\`products\` must have at most ${MOST_PRODUCTS} entries; got ${products.length}: use several requests, or no filter.`;
    throw invalid('products', detail);
  }
  const [merchantId, categoryIds, brandRow, productRows] = await Promise.all([
    merchant == null ? undefined : findMerchant(merchant, context),
    category == null ? undefined : findCategories(category, context),
    brand == null ? undefined : findBrand(brand, context),
    products == null ? undefined : Promise.all(products.map((idOrSlug) => findProduct(idOrSlug, context))),
  ]);
  const productIds = productRows?.flatMap((row) => (row ? [row.id] : []));
  const isUnknown =
    (merchant != null && merchantId === undefined) ||
    (category != null && !categoryIds) ||
    (brand != null && !brandRow) ||
    productIds?.length === 0 ||
    types?.length === 0;
  if (isUnknown) return undefined;

  return {
    productIds,
    conditions: (bind) => [
      ...(types == null ? [] : [`change.types && ${bind([...new Set(types)])}::text[]::change_type[]`]),
      ...(merchantId === undefined ? [] : [`change.merchant_id = ${bind(merchantId)}`]),
      ...ofProducts(categoryIds, brandRow?.id, bind),
    ],
  };
}

/** Category and brand are those of the product now. For an offer that moved, one of its two products has to match. */
function ofProducts(categoryIds: readonly bigint[] | undefined, brandId: bigint | undefined, bind: Bind): string[] {
  if (!categoryIds && brandId === undefined) return [];
  const conditions = [
    'product.id IN (change.product_id, change.old_product_id)',
    ...(categoryIds ? [`product.category_id = ANY (${bind(categoryIds)}::bigint[])`] : []),
    ...(brandId === undefined ? [] : [`product.brand_id = ${bind(brandId)}`]),
  ];
  return [`EXISTS (SELECT FROM product WHERE ${conditions.join(' AND ')})`];
}
