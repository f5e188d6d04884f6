// Written by `npm run codegen`: do not change it by hand.

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type ArticleFilter = {
  category?: string | null | undefined;
  query?: string | null | undefined;
  slug?: string | null | undefined;
};

export type AttributeFilter = {
  name: string;
  values: Array<string>;
};

export type Availability = 'backorder' | 'in_stock' | 'out_of_stock' | 'preorder';

export type BaseUnit = 'ct' | 'kg' | 'l' | 'm' | 'm2' | 'm3';

export type ChangeType = 'availability' | 'offer' | 'offer_created' | 'offer_withdrawn' | 'price' | 'product';

export type CodeKind = 'asin' | 'digital_link' | 'ean8' | 'ean13' | 'element_string' | 'gtin14' | 'isbn10' | 'isbn13' | 'issn' | 'upca' | 'upce';

export type CodeMatch = 'case_of' | 'exact' | 'isbn10' | 'padded' | 'upce';

export type Condition = 'new' | 'refurbished' | 'used';

export type DealFilter = {
  brand?: string | null | undefined;
  category?: string | null | undefined;
  condition?: Condition | null | undefined;
  low?: DealLow | null | undefined;
  merchant?: string | null | undefined;
  minPercent?: number | null | undefined;
  shipping?: ShippingFilter | null | undefined;
};

export type DealLow = 'all' | 'days_30' | 'days_90';

export type HistoryInterval = 'day' | 'month' | 'week';

export type IdentifierInput = {
  asin?: string | null | undefined;
  ean?: string | null | undefined;
};

export type LookupEntry = {
  asin?: string | null | undefined;
  code?: string | null | undefined;
  ean?: string | null | undefined;
};

export type LookupStatus = 'ambiguous' | 'found' | 'invalid' | 'not_found';

export type NewWebhookInput = {
  filter?: WebhookFilterInput | null | undefined;
  kinds: Array<WebhookKind>;
  url: string;
};

export type PlanId = 'enterprise' | 'free' | 'pro' | 'starter';

export type ProductFilter = {
  attributes?: Array<AttributeFilter> | null | undefined;
  availabilities?: Array<Availability> | null | undefined;
  availability?: Availability | null | undefined;
  brand?: string | null | undefined;
  brands?: Array<string> | null | undefined;
  categories?: Array<string> | null | undefined;
  category?: string | null | undefined;
  conditions?: Array<Condition> | null | undefined;
  inStock?: boolean | null | undefined;
  maxPrice?: number | null | undefined;
  merchant?: string | null | undefined;
  merchants?: Array<string> | null | undefined;
  minDiscount?: number | null | undefined;
  minPrice?: number | null | undefined;
  query?: string | null | undefined;
};

export type ProductSort = 'discount' | 'name' | 'newest' | 'popularity' | 'price_asc' | 'price_desc' | 'relevance' | 'unit_price_asc';

export type ShippingFilter = 'known';

export type SuggestionType = 'brand' | 'category' | 'product';

export type WebhookChangeInput = {
  enabled?: boolean | null | undefined;
  filter?: WebhookFilterInput | null | undefined;
  kinds?: Array<WebhookKind> | null | undefined;
  url?: string | null | undefined;
};

export type WebhookDeliveryState = 'delivered' | 'given_up' | 'waiting';

export type WebhookFilterInput = {
  below?: number | null | undefined;
  brand?: string | null | undefined;
  category?: string | null | undefined;
  codes?: Array<string> | null | undefined;
  merchant?: string | null | undefined;
  minPercent?: number | null | undefined;
  product?: string | null | undefined;
};

export type WebhookKind = 'back_in_stock' | 'low_equalled' | 'new_low' | 'offer_withdrawn' | 'price_below' | 'price_changed' | 'product_found';

export type LookupQueryVariables = Exact<{
  ean?: string | null | undefined;
  asin?: string | null | undefined;
}>;

export type LookupQuery = { data: { identifier: { ean: string | null, asin: string | null, mpn: string | null }, product: { name: string, url: string, _slug: string, _id: string, brand: string | null }, priceStats: { currency: string, min: number | null, max: number | null, lowestEver: number | null, offerCount: number }, offers: Array<{ totalPrice: number, availability: Availability, url: string, merchant: string }> } | null };

export type LookupBatchQueryVariables = Exact<{
  identifiers: Array<LookupEntry> | LookupEntry;
  offers?: number | null | undefined;
}>;

export type LookupBatchQuery = { data: Array<{ status: LookupStatus, input: { ean: string | null, asin: string | null, code: string | null }, problem: { type: string, title: string, status: number, detail: string, code: string, parameter: string | null } | null, result: { identifier: { ean: string | null, asin: string | null, mpn: string | null }, product: { name: string, url: string, brand: string | null }, priceStats: { currency: string, min: number | null, max: number | null, lowestEver: number | null, offerCount: number }, offers: Array<{ totalPrice: number, availability: Availability, url: string, merchant: string }> } | null }> };

export type ResolveQueryVariables = Exact<{
  code: string;
}>;

export type ResolveQuery = { data: { input: string, readings: Array<{ kind: CodeKind, normalized: string }>, candidates: Array<{ match: CodeMatch, product: { id: string, slug: string, name: string, image: string | null, url: string, brand: string | null, category: { id: string, slug: string, name: string } | null, identifier: { ean: string | null, asin: string | null, mpn: string | null }, priceStats: { currency: string, min: number | null, max: number | null, lowestEver: number | null, offerCount: number }, unitPrice: { amount: number, per: BaseUnit } | null } }>, suggestion: { normalized: string, detail: string } | null } };

export type ProductsQueryVariables = Exact<{
  filter?: ProductFilter | null | undefined;
  sort?: ProductSort | null | undefined;
  limit?: number | null | undefined;
  cursor?: string | null | undefined;
}>;

export type ProductsQuery = { data: { totalCount: number, totalIsExact: boolean, nodes: Array<{ id: string, slug: string, name: string, image: string | null, url: string, brand: string | null, category: { id: string, slug: string, name: string } | null, identifier: { ean: string | null, asin: string | null, mpn: string | null }, priceStats: { currency: string, min: number | null, max: number | null, lowestEver: number | null, offerCount: number }, unitPrice: { amount: number, per: BaseUnit } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type ProductFacetsQueryVariables = Exact<{
  filter?: ProductFilter | null | undefined;
}>;

export type ProductFacetsQuery = { data: { asOf: string | null, categories: Array<{ slug: string, name: string, count: number }>, brands: Array<{ slug: string, name: string, count: number }>, merchants: Array<{ slug: string, name: string, count: number }>, availability: Array<{ count: number, value: Availability }>, condition: Array<{ count: number, value: Condition }>, priceRanges: Array<{ min: number, max: number, count: number }>, attributes: Array<{ name: string, values: Array<{ value: string, count: number }> }> } };

export type ProductDetailQueryVariables = Exact<{
  slug: string;
}>;

export type ProductDetailQuery = { data: { id: string, slug: string, name: string, image: string | null, url: string, description: string | null, createdAt: string, updatedAt: string, brand: string | null, category: { id: string, slug: string, name: string } | null, identifier: { ean: string | null, asin: string | null, mpn: string | null }, priceStats: { currency: string, min: number | null, max: number | null, lowestEver: number | null, offerCount: number }, unitPrice: { amount: number, per: BaseUnit } | null, attributes: Array<{ name: string, value: string }> | null, categoryPath: Array<{ id: string, slug: string, name: string }>, identifiers: { ean: Array<string>, asin: Array<string>, mpn: string | null }, offers: Array<{ id: string, price: number, shipping: number | null, shippingKnown: boolean, totalPrice: number, currency: string, availability: Availability, condition: Condition, url: string, updatedAt: string, seenAt: string, merchant: { id: string, slug: string, name: string }, unitPrice: { amount: number, per: BaseUnit } | null, reduction: { since: string, regularPrice: number, priorPrice: number | null, priorPriceProgressive: number | null, percent: number | null } | null }>, variants: Array<{ id: string, slug: string, name: string, image: string | null, url: string, availability: Availability | null, identifier: { ean: string | null, asin: string | null, mpn: string | null }, priceStats: { currency: string, min: number | null, max: number | null, lowestEver: number | null, offerCount: number }, differs: Array<{ name: string, value: string }> }> } | null };

export type OffersQueryVariables = Exact<{
  id: string;
  shipping?: ShippingFilter | null | undefined;
}>;

export type OffersQuery = { data: { _id: string, offers: Array<{ id: string, price: number, shipping: number | null, shippingKnown: boolean, totalPrice: number, currency: string, availability: Availability, condition: Condition, url: string, updatedAt: string, seenAt: string, merchant: { id: string, slug: string, name: string }, unitPrice: { amount: number, per: BaseUnit } | null, reduction: { since: string, regularPrice: number, priorPrice: number | null, priorPriceProgressive: number | null, percent: number | null } | null }> } | null };

export type PriceHistoryQueryVariables = Exact<{
  id: string;
  days?: number | null | undefined;
  from?: string | null | undefined;
  to?: string | null | undefined;
  interval?: HistoryInterval | null | undefined;
  merchant?: string | null | undefined;
  condition?: Condition | null | undefined;
  availability?: Availability | null | undefined;
}>;

export type PriceHistoryQuery = { data: { _name: string, priceHistory: { currency: string, interval: HistoryInterval, from: string, to: string, lowestEver: { price: number, date: string } | null, points: Array<{ date: string, min: number, max: number, avg: number, offerCount: number, inStock: number | null, minInStock: number | null }> } } | null };

export type PriceStatisticsQueryVariables = Exact<{
  id: string;
  condition?: Condition | null | undefined;
  availability?: Availability | null | undefined;
  merchant?: string | null | undefined;
  shipping?: ShippingFilter | null | undefined;
  days?: number | null | undefined;
  from?: string | null | undefined;
  to?: string | null | undefined;
}>;

export type PriceStatisticsQuery = { data: { statistics: { currency: string, current: number | null, shippingKnown: boolean | null, percentile: number | null, isLowest: boolean | null, isLowest90: boolean | null, drops: number | null, observations: number, excluded: number, low: { price: number, firstDay: string, lastDay: string, merchants: Array<string> } | null, high: { price: number, firstDay: string, lastDay: string, merchants: Array<string> } | null, windows: Array<{ days: number | null, min: number | null, max: number | null, avg: number | null, median: number | null, outOfStockPercent: number | null }>, currentExcluded: { reason: string, offer: { id: string, price: number, shipping: number | null, shippingKnown: boolean, totalPrice: number, currency: string, availability: Availability, condition: Condition, url: string, updatedAt: string, seenAt: string, merchant: { id: string, slug: string, name: string }, unitPrice: { amount: number, per: BaseUnit } | null, reduction: { since: string, regularPrice: number, priorPrice: number | null, priorPriceProgressive: number | null, percent: number | null } | null } } | null } } | null };

export type PriceIndexQueryVariables = Exact<{
  category?: string | null | undefined;
  brand?: string | null | undefined;
  merchant?: string | null | undefined;
  days?: number | null | undefined;
  from?: string | null | undefined;
  to?: string | null | undefined;
  interval?: HistoryInterval | null | undefined;
}>;

export type PriceIndexQuery = { data: { interval: HistoryInterval, from: string, to: string, category: { id: string, slug: string, name: string } | null, brand: { id: string, slug: string, name: string } | null, merchant: { id: string, slug: string, name: string } | null, points: Array<{ date: string, index: number, productCount: number, offerCount: number }> } };

export type MerchantComparisonQueryVariables = Exact<{
  category?: string | null | undefined;
  brand?: string | null | undefined;
}>;

export type MerchantComparisonQuery = { data: Array<{ productCount: number, cheapestPercent: number, soleSellerPercent: number, medianDistancePercent: number | null, outOfStockPercent: number, merchant: { id: string, slug: string, name: string } }> };

export type DealsQueryVariables = Exact<{
  filter?: DealFilter | null | undefined;
  limit?: number | null | undefined;
  cursor?: string | null | undefined;
}>;

export type DealsQuery = { data: { totalCount: number, totalIsExact: boolean, nodes: Array<{ price: number, previous: number, percent: number, since: string, product: { id: string, slug: string, name: string, image: string | null, url: string, brand: string | null, category: { id: string, slug: string, name: string } | null, identifier: { ean: string | null, asin: string | null, mpn: string | null }, priceStats: { currency: string, min: number | null, max: number | null, lowestEver: number | null, offerCount: number }, unitPrice: { amount: number, per: BaseUnit } | null }, offer: { id: string, price: number, shipping: number | null, shippingKnown: boolean, totalPrice: number, currency: string, availability: Availability, condition: Condition, url: string, updatedAt: string, seenAt: string, merchant: { id: string, slug: string, name: string }, unitPrice: { amount: number, per: BaseUnit } | null, reduction: { since: string, regularPrice: number, priorPrice: number | null, priorPriceProgressive: number | null, percent: number | null } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type ChangesQueryVariables = Exact<{
  after?: string | null | undefined;
  first?: number | null | undefined;
  types?: Array<ChangeType> | ChangeType | null | undefined;
  merchant?: string | null | undefined;
  category?: string | null | undefined;
  brand?: string | null | undefined;
  products?: Array<string> | string | null | undefined;
}>;

export type ChangesQuery = { data: { nextCursor: string, hasMore: boolean, nodes: Array<{ seq: number, at: string, observedAt: string, types: Array<ChangeType>, productId: string, offerId: string | null, before:
        | { id: string, productId: string, price: number, shipping: number | null, shippingKnown: boolean, totalPrice: number, currency: string, availability: Availability, condition: Condition, url: string, updatedAt: string, merchant: { id: string, slug: string, name: string } }
        | { id: string, slug: string, name: string, brand: string | null, description: string | null, image: string | null, url: string, createdAt: string, category: { id: string, slug: string, name: string } | null, identifier: { ean: string | null, asin: string | null, mpn: string | null }, identifiers: { ean: Array<string>, asin: Array<string> }, attributes: Array<{ name: string, value: string }> | null }
       | null, after:
        | { id: string, productId: string, price: number, shipping: number | null, shippingKnown: boolean, totalPrice: number, currency: string, availability: Availability, condition: Condition, url: string, updatedAt: string, merchant: { id: string, slug: string, name: string } }
        | { id: string, slug: string, name: string, brand: string | null, description: string | null, image: string | null, url: string, createdAt: string, category: { id: string, slug: string, name: string } | null, identifier: { ean: string | null, asin: string | null, mpn: string | null }, identifiers: { ean: Array<string>, asin: Array<string> }, attributes: Array<{ name: string, value: string }> | null }
       | null }> } };

export type CategoriesQueryVariables = Exact<{
  root?: string | null | undefined;
  depth?: number | null | undefined;
  nonEmpty?: boolean | null | undefined;
}>;

export type CategoriesQuery = { data: Array<{ id: string, slug: string, name: string, productCount: number, children: Array<{ id: string, slug: string, name: string, productCount: number, children: Array<{ id: string, slug: string, name: string, productCount: number, children: Array<{ id: string, slug: string, name: string, productCount: number, children: Array<{ id: string, slug: string, name: string, productCount: number, children: Array<{ id: string, slug: string, name: string, productCount: number, children: Array<{ id: string, slug: string, name: string, productCount: number, children: Array<{ id: string, slug: string, name: string, productCount: number }> }> }> }> }> }> }> }> };

export type BrandsQueryVariables = Exact<{
  q?: string | null | undefined;
  limit?: number | null | undefined;
  cursor?: string | null | undefined;
}>;

export type BrandsQuery = { data: { nodes: Array<{ id: string, slug: string, name: string, productCount: number }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type MerchantsQueryVariables = Exact<{
  q?: string | null | undefined;
  limit?: number | null | undefined;
  cursor?: string | null | undefined;
}>;

export type MerchantsQuery = { data: { nodes: Array<{ id: string, slug: string, name: string, offerCount: number, url: string | null, observedAt: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type SearchQueryVariables = Exact<{
  q: string;
  limit?: number | null | undefined;
}>;

export type SearchQuery = { data: Array<{ type: SuggestionType, id: string, slug: string, name: string, url: string }> };

export type ArticlesQueryVariables = Exact<{
  filter?: ArticleFilter | null | undefined;
  limit?: number | null | undefined;
  cursor?: string | null | undefined;
}>;

export type ArticlesQuery = { data: { nodes: Array<{ id: string, slug: string, title: string, summary: string, body: string, publishedAt: string, updatedAt: string, url: string, products: Array<string>, category: { id: string, slug: string, name: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type UsageQueryVariables = Exact<{
  days?: number | null | undefined;
}>;

export type UsageQuery = { data: { plan: PlanId, requestsPerMinute: number, quota: { limit: number, used: number, remaining: number, resetsAt: string }, days: Array<{ date: string, requests: number }> } };

export type RotateKeyMutationVariables = Exact<{
  graceHours?: number | null | undefined;
}>;

export type RotateKeyMutation = { data: { id: string, name: string, plan: PlanId, key: string, formerKeysEnd: string } };

export type WebhooksQueryVariables = Exact<{
  limit?: number | null | undefined;
  cursor?: string | null | undefined;
}>;

export type WebhooksQuery = { data: { nodes: Array<{ id: string, url: string, kinds: Array<WebhookKind>, enabled: boolean, confirmed: boolean, disabledAt: string | null, disabledReason: string | null, failingSince: string | null, createdAt: string, filter: { product: string | null, category: string | null, brand: string | null, merchant: string | null, minPercent: number | null, below: number | null, codes: Array<string> | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type CreateWebhookMutationVariables = Exact<{
  input: NewWebhookInput;
}>;

export type CreateWebhookMutation = { data: { id: string, url: string, kinds: Array<WebhookKind>, enabled: boolean, confirmed: boolean, disabledAt: string | null, disabledReason: string | null, failingSince: string | null, createdAt: string, secret: string | null, filter: { product: string | null, category: string | null, brand: string | null, merchant: string | null, minPercent: number | null, below: number | null, codes: Array<string> | null } } | null };

export type WebhookQueryVariables = Exact<{
  id: string;
}>;

export type WebhookQuery = { data: { id: string, url: string, kinds: Array<WebhookKind>, enabled: boolean, confirmed: boolean, disabledAt: string | null, disabledReason: string | null, failingSince: string | null, createdAt: string, filter: { product: string | null, category: string | null, brand: string | null, merchant: string | null, minPercent: number | null, below: number | null, codes: Array<string> | null } } | null };

export type UpdateWebhookMutationVariables = Exact<{
  id: string;
  input: WebhookChangeInput;
}>;

export type UpdateWebhookMutation = { data: { id: string, url: string, kinds: Array<WebhookKind>, enabled: boolean, confirmed: boolean, disabledAt: string | null, disabledReason: string | null, failingSince: string | null, createdAt: string, filter: { product: string | null, category: string | null, brand: string | null, merchant: string | null, minPercent: number | null, below: number | null, codes: Array<string> | null } } | null };

export type DeleteWebhookMutationVariables = Exact<{
  id: string;
}>;

export type DeleteWebhookMutation = { data: string | null };

export type WebhookDeliveriesQueryVariables = Exact<{
  id: string;
  limit?: number | null | undefined;
  cursor?: string | null | undefined;
}>;

export type WebhookDeliveriesQuery = { data: { deliveries: { nodes: Array<{ id: string, messageId: string, kind: WebhookKind, productId: string | null, state: WebhookDeliveryState, attempts: number, lastStatus: number | null, lastError: string | null, nextAttemptAt: string | null, createdAt: string, lastAttemptAt: string | null, deliveredAt: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type TestWebhookMutationVariables = Exact<{
  id: string;
}>;

export type TestWebhookMutation = { data: { id: string, messageId: string, kind: WebhookKind, productId: string | null, state: WebhookDeliveryState, attempts: number, lastStatus: number | null, lastError: string | null, nextAttemptAt: string | null, createdAt: string, lastAttemptAt: string | null, deliveredAt: string | null } | null };

export type ReplayWebhookMutationVariables = Exact<{
  id: string;
  from?: string | null | undefined;
  deliveries?: Array<string> | string | null | undefined;
}>;

export type ReplayWebhookMutation = { data: { count: number, nextFrom: string | null, remaining: Array<string> | null } | null };

export type PlansQueryVariables = Exact<{ [key: string]: never; }>;

export type PlansQuery = { data: Array<{ id: PlanId, name: string, monthlyQuota: number, priceEur: number | null, description: string }> };

export type FrontDealsQueryVariables = Exact<{
  limit?: number | null | undefined;
}>;

export type FrontDealsQuery = { deals: { nodes: Array<{ price: number, previous: number, percent: number, product: { name: string, brandName: string | null, url: string, image: string | null }, offer: { id: string, merchantName: string, shippingKnown: boolean, url: string } }> } };

export type ProductPageQueryVariables = Exact<{
  slug: string;
  days: number;
}>;

export type ProductPageQuery = { product: { id: string, name: string, brandName: string | null, url: string, image: string | null, description: string | null, attributes: Array<{ name: string, value: string }> | null, categoryPath: Array<{ name: string }>, identifiers: { ean: Array<string>, asin: Array<string>, mpn: string | null }, priceStats: { currency: string, min: number | null, minShippingKnown: boolean | null, max: number | null, lowestEver: number | null, offerCount: number }, offers: Array<{ id: string, merchantName: string, price: number, shipping: number | null, shippingKnown: boolean, totalPrice: number, availability: Availability, condition: Condition, url: string, unitPrice: { amount: number, per: BaseUnit } | null }>, variants: Array<{ id: string, name: string, url: string, availability: Availability | null, priceStats: { currency: string, min: number | null, minShippingKnown: boolean | null }, differs: Array<{ name: string, value: string }> }>, priceHistory: { currency: string, interval: HistoryInterval, from: string, to: string, lowestEver: { price: number, date: string } | null, points: Array<{ date: string, min: number, max: number, avg: number, inStock: number | null, minInStock: number | null }> }, historyInStock: { lowestEver: { price: number, date: string } | null } } | null };

export type SearchResultsQueryVariables = Exact<{
  filter?: ProductFilter | null | undefined;
  limit?: number | null | undefined;
  cursor?: string | null | undefined;
}>;

export type SearchResultsQuery = { products: { totalCount: number, totalIsExact: boolean, nodes: Array<{ id: string, name: string, brandName: string | null, url: string, image: string | null, priceStats: { currency: string, min: number | null, minShippingKnown: boolean | null, offerCount: number } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type SuggestionsQueryVariables = Exact<{
  query: string;
  limit: number;
}>;

export type SuggestionsQuery = { search: Array<{ type: SuggestionType, name: string, slug: string, url: string, product: { id: string, brandName: string | null, image: string | null, priceStats: { currency: string, min: number | null, minShippingKnown: boolean | null } } | null }> };

export type ConsoleProductsQueryVariables = Exact<{
  query?: string | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;

export type ConsoleProductsQuery = { products: { nodes: Array<{ id: string, name: string, brandName: string | null, identifiers: { ean: Array<string>, asin: Array<string>, mpn: string | null }, priceStats: { currency: string, min: number | null, offerCount: number } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type ConsoleProductByIdQueryVariables = Exact<{
  id: string;
}>;

export type ConsoleProductByIdQuery = { product: { id: string, name: string, brandName: string | null, identifiers: { ean: Array<string>, asin: Array<string>, mpn: string | null }, priceStats: { currency: string, min: number | null, offerCount: number } } | null };

export type ConsoleProductPageQueryVariables = Exact<{
  id: string;
  days: number;
}>;

export type ConsoleProductPageQuery = { product: { brandName: string | null, categoryPath: Array<{ name: string }>, identifiers: { mpn: string | null }, priceHistory: { currency: string, interval: HistoryInterval, from: string, to: string, lowestEver: { price: number, date: string } | null, points: Array<{ date: string, min: number, max: number, avg: number, inStock: number | null, minInStock: number | null }> } } | null };

export type PageOfProductsQueryVariables = Exact<{
  filter?: ProductFilter | null | undefined;
  sort?: ProductSort | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;

export type PageOfProductsQuery = { products: { totalCount: number, totalIsExact: boolean, edges: Array<{ cursor: string, node: { id: string, name: string } }>, nodes: Array<{ name: string }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } };

export type OtherListsQueryVariables = Exact<{ [key: string]: never; }>;

export type OtherListsQuery = { brands: { totalCount: number, nodes: Array<{ name: string, productCount: number }> }, merchants: { totalCount: number, nodes: Array<{ name: string, offerCount: number, observedAt: string | null }>, pageInfo: { hasNextPage: boolean } }, articles: { totalCount: number, nodes: Array<{ title: string }> } };

export type FacetsQueryVariables = Exact<{
  filter?: ProductFilter | null | undefined;
}>;

export type FacetsQuery = { products: { facets: { isExact: boolean, categories: Array<{ count: number, category: { slug: string } }>, brands: Array<{ count: number, brand: { name: string } }>, merchants: Array<{ count: number, merchant: { name: string } }>, availability: Array<{ availability: Availability, count: number }>, priceRanges: Array<{ min: number, max: number, count: number }> } } };

export type ManyLookupsQueryVariables = Exact<{
  identifiers: Array<IdentifierInput> | IdentifierInput;
}>;

export type ManyLookupsQuery = { lookups: Array<{ product: { name: string }, offers: Array<{ totalPrice: number }> } | null> };

/** The types of each document, by its text. */
export interface Documents {
  "\n        query Lookup($ean: String, $asin: String) {\n          data: lookup(ean: $ean, asin: $asin) {\n            identifier { ean asin mpn }\n            product { _slug: slug _id: id name brand: brandName url }\n            priceStats { ...PriceStatistics }\n            offers { merchant: merchantName totalPrice availability url }\n          }\n        }\n        fragment PriceStatistics on PriceStats { currency min max lowestEver offerCount }": { result: LookupQuery; variables: LookupQueryVariables };
  "\n        query LookupBatch($identifiers: [LookupEntry!]!, $offers: Int) {\n          data: lookupBatch(identifiers: $identifiers, offers: $offers) {\n            input { ean asin code }\n            status\n            problem { type title status detail code parameter }\n            result {\n              identifier { ean asin mpn }\n              product { name brand: brandName url }\n              priceStats { ...PriceStatistics }\n              offers { merchant: merchantName totalPrice availability url }\n            }\n          }\n        }\n        fragment PriceStatistics on PriceStats { currency min max lowestEver offerCount }": { result: LookupBatchQuery; variables: LookupBatchQueryVariables };
  "\n        query Resolve($code: String!) {\n          data: resolve(code: $code) {\n            input\n            readings { kind normalized }\n            candidates {\n              match\n              product { ...Product }\n            }\n            suggestion { normalized detail }\n          }\n        }\n        \n  fragment Product on Product {\n    id\n    slug\n    name\n    brand: brandName\n    category { ...CategoryReference }\n    identifier { ean asin mpn }\n    image\n    url\n    priceStats { ...PriceStatistics }\n    unitPrice { ...UnitPrice }\n  }\n  fragment CategoryReference on Category { id slug name }\n  fragment PriceStatistics on PriceStats { currency min max lowestEver offerCount }\n  fragment UnitPrice on UnitPrice { amount per }": { result: ResolveQuery; variables: ResolveQueryVariables };
  "\n        query Products($filter: ProductFilter, $sort: ProductSort, $limit: Int, $cursor: String) {\n          data: products(filter: $filter, sort: $sort, first: $limit, after: $cursor) {\n            nodes { ...Product }\n            pageInfo { hasNextPage endCursor }\n            totalCount\n            totalIsExact\n          }\n        }\n        \n  fragment Product on Product {\n    id\n    slug\n    name\n    brand: brandName\n    category { ...CategoryReference }\n    identifier { ean asin mpn }\n    image\n    url\n    priceStats { ...PriceStatistics }\n    unitPrice { ...UnitPrice }\n  }\n  fragment CategoryReference on Category { id slug name }\n  fragment PriceStatistics on PriceStats { currency min max lowestEver offerCount }\n  fragment UnitPrice on UnitPrice { amount per }": { result: ProductsQuery; variables: ProductsQueryVariables };
  "\n        query ProductFacets($filter: ProductFilter) {\n          data: facets(filter: $filter) {\n            asOf\n            categories { ...CategoryCount }\n            brands { ...BrandCount }\n            merchants { ...MerchantCount }\n            availability { ...AvailabilityCount }\n            condition: conditions { ...ConditionCount }\n            priceRanges { ...PriceRange }\n            attributes { ...AttributeFacet }\n          }\n        }\n        fragment CategoryCount on CategoryFacet { slug name count }\n        fragment BrandCount on BrandFacet { slug name count }\n        fragment MerchantCount on MerchantFacet { slug name count }\n        fragment AvailabilityCount on AvailabilityFacet { value: availability count }\n        fragment ConditionCount on ConditionFacet { value: condition count }\n        fragment PriceRange on PriceRange { min max count }\n        fragment AttributeFacet on AttributeFacet { name values { value count } }": { result: ProductFacetsQuery; variables: ProductFacetsQueryVariables };
  "\n        query ProductDetail($slug: ID!) {\n          data: product(id: $slug) {\n            ...Product\n            description\n            attributes { name value }\n            categoryPath { ...CategoryReference }\n            identifiers { ean asin mpn }\n            offers { ...Offer }\n            variants { ...Variant }\n            createdAt\n            updatedAt\n          }\n        }\n        \n  fragment Product on Product {\n    id\n    slug\n    name\n    brand: brandName\n    category { ...CategoryReference }\n    identifier { ean asin mpn }\n    image\n    url\n    priceStats { ...PriceStatistics }\n    unitPrice { ...UnitPrice }\n  }\n  fragment CategoryReference on Category { id slug name }\n  fragment PriceStatistics on PriceStats { currency min max lowestEver offerCount }\n  fragment UnitPrice on UnitPrice { amount per }\n        \n  fragment Offer on Offer {\n    id\n    merchant { id slug name }\n    price\n    shipping\n    shippingKnown\n    totalPrice\n    unitPrice { ...UnitPrice }\n    currency\n    availability\n    condition\n    url\n    updatedAt\n    seenAt\n    reduction { ...Reduction }\n  }\n  fragment Reduction on Reduction { since regularPrice priorPrice priorPriceProgressive percent }\n        \n  fragment Variant on Variant {\n    id\n    slug\n    name\n    identifier { ean asin mpn }\n    image\n    url\n    priceStats { ...PriceStatistics }\n    availability\n    differs { name value }\n  }": { result: ProductDetailQuery; variables: ProductDetailQueryVariables };
  "\n        query Offers($id: ID!, $shipping: ShippingFilter) {\n          data: product(id: $id) { _id: id offers(shipping: $shipping) { ...Offer } }\n        }\n        fragment UnitPrice on UnitPrice { amount per }\n        \n  fragment Offer on Offer {\n    id\n    merchant { id slug name }\n    price\n    shipping\n    shippingKnown\n    totalPrice\n    unitPrice { ...UnitPrice }\n    currency\n    availability\n    condition\n    url\n    updatedAt\n    seenAt\n    reduction { ...Reduction }\n  }\n  fragment Reduction on Reduction { since regularPrice priorPrice priorPriceProgressive percent }": { result: OffersQuery; variables: OffersQueryVariables };
  "\n        query PriceHistory($id: ID!, $days: Int, $from: Day, $to: Day, $interval: HistoryInterval, $merchant: String, $condition: Condition, $availability: Availability) {\n          data: product(id: $id) {\n            _name: name\n            priceHistory(days: $days, from: $from, to: $to, interval: $interval, merchant: $merchant, condition: $condition, availability: $availability) {\n              currency\n              interval\n              from\n              to\n              lowestEver { price date }\n              points { ...PricePoint }\n            }\n          }\n        }\n        fragment PricePoint on PricePoint { date min max avg offerCount inStock minInStock }": { result: PriceHistoryQuery; variables: PriceHistoryQueryVariables };
  "\n        query PriceStatistics(\n          $id: ID!\n          $condition: Condition\n          $availability: Availability\n          $merchant: String\n          $shipping: ShippingFilter\n          $days: Int\n          $from: Day\n          $to: Day\n        ) {\n          data: product(id: $id) {\n            statistics(\n              condition: $condition\n              availability: $availability\n              merchant: $merchant\n              shipping: $shipping\n              days: $days\n              from: $from\n              to: $to\n            ) {\n              currency\n              current\n              shippingKnown\n              low { ...PriceExtreme }\n              high { ...PriceExtreme }\n              windows { ...PriceWindow }\n              percentile\n              isLowest\n              isLowest90\n              drops\n              observations\n              excluded\n              currentExcluded { offer { ...Offer } reason }\n            }\n          }\n        }\n        fragment PriceExtreme on PriceExtreme { price firstDay lastDay merchants }\n        fragment PriceWindow on PriceWindow { days min max avg median outOfStockPercent }\n        fragment UnitPrice on UnitPrice { amount per }\n        \n  fragment Offer on Offer {\n    id\n    merchant { id slug name }\n    price\n    shipping\n    shippingKnown\n    totalPrice\n    unitPrice { ...UnitPrice }\n    currency\n    availability\n    condition\n    url\n    updatedAt\n    seenAt\n    reduction { ...Reduction }\n  }\n  fragment Reduction on Reduction { since regularPrice priorPrice priorPriceProgressive percent }": { result: PriceStatisticsQuery; variables: PriceStatisticsQueryVariables };
  "\n        query PriceIndex(\n          $category: String\n          $brand: String\n          $merchant: String\n          $days: Int\n          $from: Day\n          $to: Day\n          $interval: HistoryInterval\n        ) {\n          data: priceIndex(\n            category: $category\n            brand: $brand\n            merchant: $merchant\n            days: $days\n            from: $from\n            to: $to\n            interval: $interval\n          ) {\n            category { ...CategoryReference }\n            brand { ...BrandReference }\n            merchant { ...MerchantReference }\n            interval\n            from\n            to\n            points { ...PriceIndexPoint }\n          }\n        }\n        fragment PriceIndexPoint on PriceIndexPoint { date index productCount offerCount }\n        fragment BrandReference on Brand { id slug name }\n        fragment MerchantReference on Merchant { id slug name }\n        fragment CategoryReference on Category { id slug name }": { result: PriceIndexQuery; variables: PriceIndexQueryVariables };
  "\n        query MerchantComparison($category: String, $brand: String) {\n          data: merchantComparison(category: $category, brand: $brand) { ...MerchantStanding }\n        }\n        fragment MerchantStanding on MerchantStanding {\n          merchant { ...MerchantReference }\n          productCount\n          cheapestPercent\n          soleSellerPercent\n          medianDistancePercent\n          outOfStockPercent\n        }\n        fragment MerchantReference on Merchant { id slug name }": { result: MerchantComparisonQuery; variables: MerchantComparisonQueryVariables };
  "\n        query Deals($filter: DealFilter, $limit: Int, $cursor: String) {\n          data: deals(filter: $filter, first: $limit, after: $cursor) {\n            nodes { ...Deal }\n            pageInfo { hasNextPage endCursor }\n            totalCount\n            totalIsExact\n          }\n        }\n        fragment Deal on Deal { product { ...Product } offer { ...Offer } price previous percent since }\n        \n  fragment Product on Product {\n    id\n    slug\n    name\n    brand: brandName\n    category { ...CategoryReference }\n    identifier { ean asin mpn }\n    image\n    url\n    priceStats { ...PriceStatistics }\n    unitPrice { ...UnitPrice }\n  }\n  fragment CategoryReference on Category { id slug name }\n  fragment PriceStatistics on PriceStats { currency min max lowestEver offerCount }\n  fragment UnitPrice on UnitPrice { amount per }\n        \n  fragment Offer on Offer {\n    id\n    merchant { id slug name }\n    price\n    shipping\n    shippingKnown\n    totalPrice\n    unitPrice { ...UnitPrice }\n    currency\n    availability\n    condition\n    url\n    updatedAt\n    seenAt\n    reduction { ...Reduction }\n  }\n  fragment Reduction on Reduction { since regularPrice priorPrice priorPriceProgressive percent }": { result: DealsQuery; variables: DealsQueryVariables };
  "\n        query Changes(\n          $after: String\n          $first: Int\n          $types: [ChangeType!]\n          $merchant: String\n          $category: String\n          $brand: String\n          $products: [ID!]\n        ) {\n          data: changes(\n            after: $after\n            first: $first\n            types: $types\n            merchant: $merchant\n            category: $category\n            brand: $brand\n            products: $products\n          ) {\n            nodes { ...Change }\n            nextCursor\n            hasMore\n          }\n        }\n        fragment Change on Change {\n          seq\n          at\n          observedAt\n          types\n          productId\n          offerId\n          before { ...OfferState ...ProductState }\n          after { ...OfferState ...ProductState }\n        }\n        fragment OfferState on OfferState {\n          id\n          productId\n          merchant { ...MerchantReference }\n          price\n          shipping\n          shippingKnown\n          totalPrice\n          currency\n          availability\n          condition\n          url\n          updatedAt\n        }\n        fragment ProductState on ProductState {\n          id\n          slug\n          name\n          brand\n          category { id slug name }\n          identifier { ean asin mpn }\n          identifiers { ean asin }\n          description\n          attributes { name value }\n          image\n          url\n          createdAt\n        }\n        fragment MerchantReference on Merchant { id slug name }": { result: ChangesQuery; variables: ChangesQueryVariables };
  "\n        query Categories($root: ID, $depth: Int, $nonEmpty: Boolean) {\n          data: categories(root: $root, depth: $depth, nonEmpty: $nonEmpty) {\n            ...CategoryNode children { ...CategoryNode children { ...CategoryNode children { ...CategoryNode\n            children { ...CategoryNode children { ...CategoryNode children { ...CategoryNode children { ...CategoryNode }}}}}}}\n          }\n        }\n        fragment CategoryNode on Category { id slug name productCount }": { result: CategoriesQuery; variables: CategoriesQueryVariables };
  "\n        query Brands($q: String, $limit: Int, $cursor: String) {\n          data: brands(query: $q, first: $limit, after: $cursor) {\n            nodes { ...Brand }\n            pageInfo { hasNextPage endCursor }\n          }\n        }\n        fragment Brand on Brand { id slug name productCount }": { result: BrandsQuery; variables: BrandsQueryVariables };
  "\n        query Merchants($q: String, $limit: Int, $cursor: String) {\n          data: merchants(query: $q, first: $limit, after: $cursor) {\n            nodes { ...Merchant }\n            pageInfo { hasNextPage endCursor }\n          }\n        }\n        fragment Merchant on Merchant { id slug name offerCount url observedAt }": { result: MerchantsQuery; variables: MerchantsQueryVariables };
  "\n        query Search($q: String!, $limit: Int) {\n          data: search(query: $q, limit: $limit) { ...Suggestion }\n        }\n        fragment Suggestion on Suggestion { type id slug name url }": { result: SearchQuery; variables: SearchQueryVariables };
  "\n        query Articles($filter: ArticleFilter, $limit: Int, $cursor: String) {\n          data: articles(filter: $filter, first: $limit, after: $cursor) {\n            nodes { ...Article }\n            pageInfo { hasNextPage endCursor }\n          }\n        }\n        fragment Article on Article {\n          id\n          slug\n          title\n          summary\n          body\n          category { ...CategoryReference }\n          products: productSlugs\n          publishedAt\n          updatedAt\n          url\n        }\n        fragment CategoryReference on Category { id slug name }": { result: ArticlesQuery; variables: ArticlesQueryVariables };
  "\n        query Usage($days: Int) {\n          data: usage(days: $days) {\n            plan\n            quota { limit used remaining resetsAt }\n            requestsPerMinute\n            days { date requests }\n          }\n        }": { result: UsageQuery; variables: UsageQueryVariables };
  "\n        mutation RotateKey($graceHours: Float) {\n          data: rotateKey(graceHours: $graceHours) { id name plan key formerKeysEnd }\n        }": { result: RotateKeyMutation; variables: RotateKeyMutationVariables };
  "\n        query Webhooks($limit: Int, $cursor: String) {\n          data: webhooks(first: $limit, after: $cursor) {\n            nodes { ...Webhook }\n            pageInfo { hasNextPage endCursor }\n          }\n        }\n        \n  fragment Webhook on Webhook {\n    id\n    url\n    kinds\n    filter { ...WebhookFilter }\n    enabled\n    confirmed\n    disabledAt\n    disabledReason\n    failingSince\n    createdAt\n  }\n  fragment WebhookFilter on WebhookFilter { product category brand merchant minPercent below codes }": { result: WebhooksQuery; variables: WebhooksQueryVariables };
  "\n        mutation CreateWebhook($input: NewWebhookInput!) {\n          data: createWebhook(input: $input) { ...Webhook secret }\n        }\n        \n  fragment Webhook on Webhook {\n    id\n    url\n    kinds\n    filter { ...WebhookFilter }\n    enabled\n    confirmed\n    disabledAt\n    disabledReason\n    failingSince\n    createdAt\n  }\n  fragment WebhookFilter on WebhookFilter { product category brand merchant minPercent below codes }": { result: CreateWebhookMutation; variables: CreateWebhookMutationVariables };
  "\n        query Webhook($id: ID!) {\n          data: webhook(id: $id) { ...Webhook }\n        }\n        \n  fragment Webhook on Webhook {\n    id\n    url\n    kinds\n    filter { ...WebhookFilter }\n    enabled\n    confirmed\n    disabledAt\n    disabledReason\n    failingSince\n    createdAt\n  }\n  fragment WebhookFilter on WebhookFilter { product category brand merchant minPercent below codes }": { result: WebhookQuery; variables: WebhookQueryVariables };
  "\n        mutation UpdateWebhook($id: ID!, $input: WebhookChangeInput!) {\n          data: updateWebhook(id: $id, input: $input) { ...Webhook }\n        }\n        \n  fragment Webhook on Webhook {\n    id\n    url\n    kinds\n    filter { ...WebhookFilter }\n    enabled\n    confirmed\n    disabledAt\n    disabledReason\n    failingSince\n    createdAt\n  }\n  fragment WebhookFilter on WebhookFilter { product category brand merchant minPercent below codes }": { result: UpdateWebhookMutation; variables: UpdateWebhookMutationVariables };
  "\n        mutation DeleteWebhook($id: ID!) {\n          data: deleteWebhook(id: $id)\n        }": { result: DeleteWebhookMutation; variables: DeleteWebhookMutationVariables };
  "\n        query WebhookDeliveries($id: ID!, $limit: Int, $cursor: String) {\n          data: webhook(id: $id) {\n            deliveries(first: $limit, after: $cursor) {\n              nodes { ...WebhookDelivery }\n              pageInfo { hasNextPage endCursor }\n            }\n          }\n        }\n        \n  fragment WebhookDelivery on WebhookDelivery {\n    id\n    messageId\n    kind\n    productId\n    state\n    attempts\n    lastStatus\n    lastError\n    nextAttemptAt\n    createdAt\n    lastAttemptAt\n    deliveredAt\n  }": { result: WebhookDeliveriesQuery; variables: WebhookDeliveriesQueryVariables };
  "\n        mutation TestWebhook($id: ID!) {\n          data: testWebhook(id: $id) { ...WebhookDelivery }\n        }\n        \n  fragment WebhookDelivery on WebhookDelivery {\n    id\n    messageId\n    kind\n    productId\n    state\n    attempts\n    lastStatus\n    lastError\n    nextAttemptAt\n    createdAt\n    lastAttemptAt\n    deliveredAt\n  }": { result: TestWebhookMutation; variables: TestWebhookMutationVariables };
  "\n        mutation ReplayWebhook($id: ID!, $from: String, $deliveries: [ID!]) {\n          data: replayWebhook(id: $id, from: $from, deliveries: $deliveries) { count nextFrom remaining }\n        }": { result: ReplayWebhookMutation; variables: ReplayWebhookMutationVariables };
  "\n        query Plans {\n          data: plans { ...Plan }\n        }\n        fragment Plan on Plan { id name monthlyQuota priceEur description }": { result: PlansQuery; variables: PlansQueryVariables };
  "\n  query FrontDeals($limit: Int) {\n    deals(first: $limit) {\n      nodes {\n        price\n        previous\n        percent\n        product { name brandName url image }\n        offer { id merchantName shippingKnown url }\n      }\n    }\n  }": { result: FrontDealsQuery; variables: FrontDealsQueryVariables };
  "\n  query ProductPage($slug: ID!, $days: Int!) {\n    product(id: $slug) {\n      id\n      name\n      brandName\n      url\n      image\n      description\n      attributes { name value }\n      categoryPath { name }\n      identifiers { ean asin mpn }\n      priceStats { currency min minShippingKnown max lowestEver offerCount }\n      offers {\n        id\n        merchantName\n        price\n        shipping\n        shippingKnown\n        totalPrice\n        unitPrice { amount per }\n        availability\n        condition\n        url\n      }\n      variants {\n        id\n        name\n        url\n        priceStats { currency min minShippingKnown }\n        availability\n        differs { name value }\n      }\n      priceHistory(days: $days) {\n        currency\n        interval\n        from\n        to\n        lowestEver { price date }\n        points { date min max avg inStock minInStock }\n      }\n      historyInStock: priceHistory(days: $days, availability: in_stock) {\n        lowestEver { price date }\n      }\n    }\n  }": { result: ProductPageQuery; variables: ProductPageQueryVariables };
  "\n  query SearchResults($filter: ProductFilter, $limit: Int, $cursor: String) {\n    products(filter: $filter, first: $limit, after: $cursor) {\n      nodes { id name brandName url image priceStats { currency min minShippingKnown offerCount } }\n      pageInfo { hasNextPage endCursor }\n      totalCount\n      totalIsExact\n    }\n  }": { result: SearchResultsQuery; variables: SearchResultsQueryVariables };
  "\n  query Suggestions($query: String!, $limit: Int!) {\n    search(query: $query, limit: $limit) {\n      type\n      name\n      slug\n      url\n      product { id brandName image priceStats { currency min minShippingKnown } }\n    }\n  }": { result: SuggestionsQuery; variables: SuggestionsQueryVariables };
  "\n  query ConsoleProducts($query: String, $first: Int!, $after: String) {\n    products(filter: { query: $query }, first: $first, after: $after) {\n      nodes { id name brandName identifiers { ean asin mpn } priceStats { currency min offerCount } }\n      pageInfo { hasNextPage endCursor }\n    }\n  }": { result: ConsoleProductsQuery; variables: ConsoleProductsQueryVariables };
  "\n  query ConsoleProductById($id: ID!) {\n    product(id: $id) { id name brandName identifiers { ean asin mpn } priceStats { currency min offerCount } }\n  }": { result: ConsoleProductByIdQuery; variables: ConsoleProductByIdQueryVariables };
  "\n  query ConsoleProductPage($id: ID!, $days: Int!) {\n    product(id: $id) {\n      brandName\n      categoryPath { name }\n      identifiers { mpn }\n      priceHistory(days: $days) {\n        currency\n        interval\n        from\n        to\n        lowestEver { price date }\n        points { date min max avg inStock minInStock }\n      }\n    }\n  }": { result: ConsoleProductPageQuery; variables: ConsoleProductPageQueryVariables };
  "\n  query PageOfProducts($filter: ProductFilter, $sort: ProductSort, $first: Int, $after: String, $last: Int, $before: String) {\n    products(filter: $filter, sort: $sort, first: $first, after: $after, last: $last, before: $before) {\n      totalCount\n      totalIsExact\n      edges { cursor node { id name } }\n      nodes { name }\n      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }\n    }\n  }": { result: PageOfProductsQuery; variables: PageOfProductsQueryVariables };
  "\n      query OtherLists {\n        brands(query: \"a\", first: 5) { totalCount nodes { name productCount } }\n        merchants(first: 2) { totalCount nodes { name offerCount observedAt } pageInfo { hasNextPage } }\n        articles { totalCount nodes { title } }\n      }": { result: OtherListsQuery; variables: OtherListsQueryVariables };
  "\n        query Facets($filter: ProductFilter) {\n          products(filter: $filter, first: 1) {\n            facets {\n              isExact\n              categories { category { slug } count }\n              brands { brand { name } count }\n              merchants { merchant { name } count }\n              availability { availability count }\n              priceRanges { min max count }\n            }\n          }\n        }": { result: FacetsQuery; variables: FacetsQueryVariables };
  "\n    query ManyLookups($identifiers: [IdentifierInput!]!) {\n      lookups(identifiers: $identifiers) { product { name } offers { totalPrice } }\n    }": { result: ManyLookupsQuery; variables: ManyLookupsQueryVariables };
}
