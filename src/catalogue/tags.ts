/**
 * Tags: the parts of the catalogue that cached data depends on. A change of the catalogue names the tags that it affects
 * (import/invalidation.ts), and caches evict what depends on one of them. docs/architecture.md, Caching, lists who writes and reads each.
 */

/** The prefixes of tags with a number. SQL that writes tags takes them from here. */
export const TAG_PREFIX = {
  /** A product: its row, identifiers, offers or history. */
  product: 'product',
  /** A product with an offer that a delta feed listed unchanged. */
  sighted: 'sighted',
  /** Some product of a brand, of a category with all below it, or with an offer of a merchant. */
  ofBrand: 'brand',
  ofCategory: 'category',
  ofMerchant: 'merchant',
  /** The row of a brand or a merchant: its counts and times. */
  brandRow: 'brand-row',
  merchantRow: 'merchant-row',
  /** A merchant whose offers a full feed listed. */
  seenWhole: 'seen-whole',
  /** Which products are in a merchant's group of variants. See {@link GROUP_NUMBER}. */
  group: 'group',
} as const;

type Prefix = (typeof TAG_PREFIX)[keyof typeof TAG_PREFIX];

/** The tags without a number. */
export const TAG = {
  /** Any product. */
  products: 'products',
  /** The rows of brands, of merchants, of categories (their counts), and articles. */
  brands: 'brands',
  merchants: 'merchants',
  categories: 'categories',
  articles: 'articles',
  /** What search suggestions depend on: identifiers, words, ranks and counts. */
  search: 'search',
  /** The columns that facets are counted by, read again after they were served old: only within a process. */
  facetColumns: 'facet-columns',
  /** Discounts that changed with the day. */
  discounts: 'discounts',
  /** Any merchant whose offers a full feed listed. */
  allSeenWhole: 'all-seen-whole',
} as const;

export type Tag = (typeof TAG)[keyof typeof TAG] | `${Prefix}:${bigint}`;

/** The tag of a numbered part. */
export const tagOf = (part: keyof typeof TAG_PREFIX, id: bigint): Tag => `${TAG_PREFIX[part]}:${id}`;

/** SQL for the number of an offer's group in its tag: a hash, since groups have no numbers. Two groups with one number are evicted together. */
export const GROUP_NUMBER = "hashtextextended(offer.merchant_id || ' ' || offer.item_group_id, 0)";

// A product may have hundreds of shops, and each tag of an entry takes memory.
const MOST_MERCHANTS = 50;

/** The tags of a product's offers with the times at which they were last seen. @param merchantIds the merchants of the offers. */
export function sightingTags(productId: bigint, merchantIds: readonly bigint[]): Tag[] {
  const merchants = new Set(merchantIds);
  return [
    tagOf('sighted', productId),
    ...(merchants.size > MOST_MERCHANTS ? [TAG.allSeenWhole] : [...merchants].map((id) => tagOf('seenWhole', id))),
  ];
}
