/** The filter of a list of products: as clients send it, and as SQL conditions. */
import { Availability } from '../../generated/prisma/client.ts';
import { parseAsin } from '../../values/asin.ts';
import { parseFeedGtin } from '../../values/gtin.ts';
import { decodeId } from '../../values/id.ts';
import { currencyDecimals, fromMajor } from '../../values/money.ts';
import { isSlug } from '../../values/slug.ts';
import { invalid } from '../arguments.ts';
import { builder, type Context } from '../builder.ts';
import { withAllBelow } from '../category/category-tree.ts';
import { AvailabilityType } from '../offer/offer.ts';
import type { Bind } from '../read-page.ts';
import { readQuery, tiersOf } from '../search/text-search.ts';
import { TAG, type Tag, tagOf } from '../tags.ts';
import type { IdentifierKey } from './read-products.ts';

/** The products that a filter selects, as SQL on `product`, and on `product_search` if the filter has words. */
export interface ProductSelection {
  from: string;
  conditions(bind: Bind): string[];
  /** Whether the filter is for a brand with so few products that to sort them all is cheaper than to find them in an order. */
  hasFew: boolean;
  /** The ways to match the words, best first; empty if the filter has no words. */
  tiers: readonly string[];
  /** What the selection and the figures of its products depend on. */
  dependsOn: readonly Tag[];
}

export const ProductFilter = builder.inputType('ProductFilter', {
  description: 'Selects products. All conditions must match. An unknown category, brand or merchant matches nothing.',
  fields: (t) => ({
    query: t.string({
      description:
        'Words from the name, brand or category, in any order; or a GTIN, an ASIN or an MPN. Accents are ignored, prefixes match too, and each word of four letters or more may contain one typing error.',
    }),
    category: t.string({ description: 'The slug or id of a category, including its subcategories.' }),
    brand: t.string({ description: 'The slug or id of a brand.' }),
    merchant: t.string({ description: 'The slug or id of a merchant with a current offer.' }),
    minPrice: t.float({ description: 'The minimum of the lowest total price.' }),
    maxPrice: t.float({ description: 'The maximum of the lowest total price.' }),
    availability: t.field({
      type: AvailabilityType,
      description: "At least one offer has this availability; with `merchant`, that merchant's offer.",
    }),
  }),
});

/** The filter as clients send it; absent members do not restrict the list. */
export type ProductFilterInput = typeof ProductFilter.$inferInput;

/** The lowest price, for the ascending and the descending order: a product without one comes last in both. */
export const CHEAPEST = 'COALESCE(product.min_total, 9223372036854775807)';
export const DEAREST = 'COALESCE(product.min_total, -1)';
// Their entries in product_brand_idx are read and sorted in at most about 25 milliseconds.
const FEW = 50_000;
const HIGHEST_PRICE = 2n ** 63n - 2n;

/**
 * Reads a filter; `undefined` if it cannot match any product.
 * @param priced the price of an order by price, so that one index serves both.
 * @throws {Problem} `invalid_parameter` for a price below 0 or with too many decimals, `minPrice` above `maxPrice`, and a bad query.
 */
export async function selectProducts(
  filter: ProductFilterInput,
  context: Context,
  priced: typeof CHEAPEST | typeof DEAREST = CHEAPEST,
): Promise<ProductSelection | undefined> {
  const query = readQuery(filter.query);
  const [found, productId] = await Promise.all([
    findFiltered(filter, context),
    query === undefined ? undefined : findByIdentifier(query, context),
  ]);
  if (!found) return undefined;
  const { prices, brand, merchantId } = found;
  const tiers = query === undefined || productId !== undefined ? [] : await tiersOf(context.catalogue, query);
  if (query !== undefined && productId === undefined && tiers.length === 0) return undefined;

  return {
    from: tiers.length === 0 ? 'product' : 'product JOIN product_search ON product_search.product_id = product.id',
    tiers,
    dependsOn: tagsOfFilter(filter, found),
    hasFew: brand !== undefined && brand.productCount <= FEW,
    conditions: (bind) => [
      ...(productId === undefined ? [] : [`product.id = ${bind(productId)}`]),
      ...groupConditions(found, bind),
      ...priceConditions(prices, priced, bind),
      ...offerConditions(merchantId, filter.availability ?? undefined, bind),
      ...(tiers.length === 0 ? [] : [`product_search.search @@ ${bind(tiers.at(-1))}::tsquery`]),
    ],
  };
}

/** What a filter names, by number. Members that do not restrict the list are absent. */
export interface Filtered {
  categoryIds: bigint[] | undefined;
  brand: { id: bigint; productCount: number } | undefined;
  merchantId: bigint | undefined;
  /** In minor units. */
  prices: PriceRange;
}

/** A range of prices in minor units, both ends included. */
export interface PriceRange {
  least: bigint | undefined;
  most: bigint | undefined;
}

/**
 * Looks up what a filter names, except for its words; `undefined` if the category, brand or merchant is unknown.
 * @throws {Problem} `invalid_parameter` for a price below 0 or with too many decimals, and `minPrice` above `maxPrice`.
 */
export async function findFiltered(
  filter: ProductFilterInput,
  context: Pick<Context, 'loaders' | 'market'>,
): Promise<Filtered | undefined> {
  const prices = readPrices(filter, context);
  const [categoryIds, brand, merchantId] = await Promise.all([
    filter.category == null ? undefined : findCategories(filter.category, context),
    filter.brand == null ? undefined : findBrand(filter.brand, context),
    filter.merchant == null ? undefined : findMerchant(filter.merchant, context),
  ]);
  if ((filter.category != null && !categoryIds) || (filter.brand != null && !brand)) return undefined;
  if (filter.merchant != null && merchantId === undefined) return undefined;
  return { categoryIds, brand, merchantId, prices };
}

/** What the list of a filter depends on: the fewest products that include all that are, or could come to be, in the list. */
export async function listTags(filter: ProductFilterInput, context: Context): Promise<readonly Tag[]> {
  return tagsOfFilter(filter, (await findFiltered(filter, context)) ?? NONE_FOUND);
}

const NONE_FOUND = { categoryIds: undefined, brand: undefined, merchantId: undefined };

// One filter is enough: a product that comes into the list, changes in it or leaves it has the brand and the category of the list, which it
// never changes, and an offer of the merchant before or after. Typed identifiers find a product of any brand, which decides whether the
// words of the query count.
function tagsOfFilter(
  { query }: ProductFilterInput,
  { categoryIds, brand, merchantId }: Omit<Filtered, 'prices'>,
): readonly Tag[] {
  const [categoryId] = categoryIds ?? [];
  if (query != null && identifiersIn(query).length > 0) return [TAG.products];
  if (brand) return [tagOf('ofBrand', brand.id)];
  if (categoryId !== undefined) return [tagOf('ofCategory', categoryId)];
  return [merchantId === undefined ? TAG.products : tagOf('ofMerchant', merchantId)];
}

/** The conditions on the brand and the category of `product`. */
export function groupConditions({ categoryIds, brand }: Pick<Filtered, 'categoryIds' | 'brand'>, bind: Bind): string[] {
  return [
    ...(categoryIds ? [`product.category_id = ANY (${bind(categoryIds)}::bigint[])`] : []),
    ...(brand === undefined ? [] : [`product.brand_id = ${bind(brand.id)}`]),
  ];
}

/** The conditions on a price. @param priced its SQL. A product without a price is in no price range: both orders put it last. */
export function priceConditions({ least, most }: PriceRange, priced: string, bind: Bind): string[] {
  if (least === undefined && most === undefined) return [];
  return [`${priced} >= ${bind(least ?? 0n)}`, `${priced} <= ${bind(most ?? HIGHEST_PRICE)}`];
}

/**
 * The condition that `product` has a listed offer of a shop, with an availability, or both.
 * By offer_listed_idx, by offer (merchant_id, sku), or by offer_unavailable_idx, whose condition must be repeated here literally.
 */
export function offerConditions(
  merchantId: bigint | undefined,
  availability: Availability | undefined,
  bind: Bind,
): string[] {
  if (merchantId === undefined && availability === undefined) return [];
  const conditions = [
    'offer.product_id = product.id',
    'offer.withdrawn_at IS NULL',
    ...(merchantId === undefined ? [] : [`offer.merchant_id = ${bind(merchantId)}`]),
    ...(availability === undefined ? [] : [`offer.availability = '${Availability[availability]}'`]),
  ];
  return [`EXISTS (SELECT FROM offer WHERE ${conditions.join(' AND ')})`];
}

function readPrices(filter: ProductFilterInput, { market }: Pick<Context, 'market'>): PriceRange {
  const read = (parameter: 'minPrice' | 'maxPrice') => {
    const price = filter[parameter];
    if (price == null) return undefined;
    const minorUnits = price < 0 ? undefined : fromMajor(price, market.currency);
    if (minorUnits !== undefined) return BigInt(minorUnits);
    const decimals = currencyDecimals(market.currency);
    const detail = `\`${parameter}\` must be a price of at least 0 with at most ${decimals} decimals (${market.currency}).`;
    throw invalid(parameter, detail);
  };
  const least = read('minPrice');
  const most = read('maxPrice');
  if (least !== undefined && most !== undefined && least > most) {
    throw invalid('minPrice', '`minPrice` is above `maxPrice`: swap them.');
  }
  return { least, most };
}

/** The ids of a category and all its descendants; `undefined` for an unknown slug or id. */
export async function findCategories(
  slugOrId: string,
  { loaders }: Pick<Context, 'loaders'>,
): Promise<bigint[] | undefined> {
  const category = (await loaders.categoryTree()).find(slugOrId);
  return category && withAllBelow(category);
}

/** A brand by slug or id. */
export async function findBrand(slugOrId: string, { loaders }: Pick<Context, 'loaders'>) {
  const id = decodeId('brand', slugOrId);
  if (id !== undefined) return loaders.brandAsked.load(id);
  return isSlug(slugOrId) ? loaders.brandBySlug.load(slugOrId) : undefined;
}

/** The number of a merchant by slug or id. An id is not checked, since no row has the number of an unknown one. */
export async function findMerchant(slugOrId: string, { loaders }: Pick<Context, 'loaders'>) {
  const id = decodeId('merchant', slugOrId);
  if (id !== undefined || !isSlug(slugOrId)) return id;
  return (await loaders.merchantBySlug.load(slugOrId))?.id;
}

/** The merchant with a slug or id; `undefined` if there is none. */
export async function loadMerchant(slugOrId: string, { loaders }: Pick<Context, 'loaders'>) {
  const id = decodeId('merchant', slugOrId);
  if (id !== undefined) return loaders.merchantAsked.load(id);
  return isSlug(slugOrId) ? loaders.merchantBySlug.load(slugOrId) : undefined;
}

/** The product with the GTIN or ASIN that was typed into a search, with or without spaces and hyphens. */
export async function findByIdentifier(query: string, context: Context): Promise<bigint | undefined> {
  const { productByIdentifier } = context.loaders;
  const found = await Promise.all(identifiersIn(query).map((key) => productByIdentifier.load(key, context)));
  return found.find((each) => each !== undefined)?.product.id;
}

/** The GTIN and the ASIN that typed text may be. */
function identifiersIn(query: string): IdentifierKey[] {
  const typed = query.trim();
  const gtin = /^[\d\s-]{8,20}$/.test(typed) ? parseFeedGtin(typed) : undefined;
  const asin = parseAsin(typed);
  return [
    ...(gtin?.ok ? [{ kind: 'gtin', value: gtin.gtin } as const] : []),
    ...(asin ? [{ kind: 'asin', value: asin } as const] : []),
  ];
}
