/** Reads the arguments of subscriptions to prices. */
import { present } from '../../database/batch.ts';
import { ChangeType } from '../../generated/prisma/client.ts';
import { decodeChangesCursor } from '../../ledger/changes/changes-cursor.ts';
import { Problem } from '../../problem.ts';
import { invalid } from '../arguments.ts';
import type { Context } from '../builder.ts';
import { findBrand, findCategories, loadMerchant } from '../product/find-by-slug.ts';
import { findProduct } from '../product/product.ts';
import { MOST_PRODUCTS } from './live-prices.ts';
import type { PriceFilter } from './price-filter.ts';

/** The types of changes that a subscription reports by default. */
export const DEFAULT_TYPES = [ChangeType.price, ChangeType.offer_created, ChangeType.offer_withdrawn];
/** The largest value of `minPercent`. */
export const MOST_PERCENT = 1_000;

/** The arguments as clients send them. */
export interface FilterArguments {
  productIds?: readonly string[] | null | undefined;
  category?: string | null | undefined;
  brand?: string | null | undefined;
  merchant?: string | null | undefined;
  types?: readonly ChangeType[] | null | undefined;
  minPercent?: number | null | undefined;
}

/** Reads a filter. @throws {Problem} `invalid_parameter`, or `not_found` for an unknown product, category, brand or merchant. */
export async function readFilter(given: FilterArguments, context: Context): Promise<PriceFilter> {
  const { productIds, category, brand, merchant, minPercent } = given;
  const types = given.types ?? DEFAULT_TYPES;
  if (productIds == null && category == null && brand == null && merchant == null)
    throw invalid('productIds', 'Send `productIds`, or at least one of `category`, `brand` and `merchant`.');
  if (productIds != null && (productIds.length === 0 || productIds.length > MOST_PRODUCTS)) {
    const detail = `\`productIds\` must have 1 to ${MOST_PRODUCTS} entries: open several subscriptions for more products.`;
    throw invalid('productIds', detail);
  }
  if (types.length === 0 || types.includes(ChangeType.product)) {
    const detail =
      '`types` must name at least one type, and not `product`: read changes of products from `/api/v1/changes`.';
    throw invalid('types', detail);
  }
  if (minPercent != null && !(minPercent > 0 && minPercent <= MOST_PERCENT))
    throw invalid('minPercent', `\`minPercent\` must be above 0 and at most ${MOST_PERCENT}.`);

  const [products, categories, brandRow, merchantRow] = await Promise.all([
    productIds == null ? undefined : findProducts(productIds, context),
    category == null ? undefined : known('category', category, findCategories(category, context)),
    brand == null ? undefined : known('brand', brand, findBrand(brand, context)),
    merchant == null ? undefined : known('merchant', merchant, loadMerchant(merchant, context)),
  ]);
  return {
    productIds: products,
    categoryIds: categories,
    brandId: brandRow?.id,
    merchantId: merchantRow?.id,
    types,
    minPercent: minPercent ?? undefined,
  };
}

async function findProducts(idsOrSlugs: readonly string[], context: Context): Promise<bigint[]> {
  const found = await Promise.all(idsOrSlugs.map((idOrSlug) => findProduct(idOrSlug, context)));
  const unknown = idsOrSlugs.filter((_idOrSlug, index) => !found[index]);
  if (unknown.length > 0) {
    const detail = `No product has the slug or id ${unknown.join(', ')}: get slugs and ids from \`products\` or \`search\`.`;
    throw new Problem('not_found', detail, { parameter: 'productIds' });
  }
  return [...new Set(found.map((product) => present(product).id))];
}

const LISTS = { category: 'categories', brand: 'brands', merchant: 'merchants' };

async function known<Row>(what: keyof typeof LISTS, slugOrId: string, finding: Promise<Row | null | undefined>) {
  const row = await finding;
  if (row != null) return row;
  const detail = `No ${what} has the slug or id ${slugOrId}: get slugs and ids from \`${LISTS[what]}\`.`;
  throw new Problem('not_found', detail, { parameter: what });
}

/**
 * The number of the change after which a client continues; `undefined` if it starts now. The header `Last-Event-ID` wins: an
 * `EventSource` that reconnects sends it with the same URL, whose `after` is older (HTML Standard, Server-sent events).
 * @throws {Problem} `invalid_parameter` for a damaged cursor.
 */
export function readAfter(after: string | null | undefined, { events }: Context): bigint | undefined {
  const header = events?.lastEventId || undefined;
  const cursor = header ?? after;
  if (cursor == null) return undefined;
  const seq = decodeChangesCursor(cursor);
  if (seq !== undefined) return seq;
  const parameter = header === undefined ? 'after' : 'Last-Event-ID';
  throw invalid(parameter, `\`${parameter}\` is not a cursor: send the \`cursor\` of an event, or leave it out.`);
}
