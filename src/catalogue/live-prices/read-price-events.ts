/** Reads price events from the stream of changes, in the order of commits and in pages of a bounded size. */
import type { Queryable } from '../../database/database.ts';
import type { PriceEvent } from './event-record.ts';
import type { PriceFilter } from './price-filter.ts';

/** What a statement reads: the events that match any of the ids. */
export interface PriceSelection {
  productIds: readonly bigint[];
  categoryIds: readonly bigint[];
  brandIds: readonly bigint[];
  merchantIds: readonly bigint[];
  /** Whether a filter asks for the category or the brand of products. */
  isGrouped: boolean;
}

/** The most rows of the stream that a statement passes over. */
export const WINDOW = 10_000n;

/** A selection that includes all events of the filters. It may be wider: each filter counts with one of its conditions. */
export function selectFor(filters: Iterable<PriceFilter>): PriceSelection {
  const productIds = new Set<bigint>();
  const categoryIds = new Set<bigint>();
  const brandIds = new Set<bigint>();
  const merchantIds = new Set<bigint>();
  let isGrouped = false;
  for (const filter of filters) {
    isGrouped ||= filter.categoryIds !== undefined || filter.brandId !== undefined;
    if (filter.productIds) for (const id of filter.productIds) productIds.add(id);
    else if (filter.categoryIds) for (const id of filter.categoryIds) categoryIds.add(id);
    else if (filter.brandId !== undefined) brandIds.add(filter.brandId);
    else if (filter.merchantId !== undefined) merchantIds.add(filter.merchantId);
  }
  return {
    productIds: [...productIds],
    categoryIds: [...categoryIds],
    brandIds: [...brandIds],
    merchantIds: [...merchantIds],
    isGrouped,
  };
}

const columns = (isGrouped: boolean) => `
  change.seq, change.types::text[] AS types, change.product_id AS "productId", change.merchant_id AS "merchantId",
  change.total_before AS "previousMin", change.total_after AS min,
  change.observed_at AS "observedAt", change.at AS "committedAt"
  ${isGrouped ? ', product.category_id AS "categoryId", product.brand_id AS "brandId"' : ''}`;

const joinProduct = (isGrouped: boolean) => (isGrouped ? 'JOIN product ON product.id = change.product_id' : '');

// By the primary key.
const inWindow = (isGrouped: boolean) => `
  SELECT ${columns(isGrouped)}
  FROM change
  ${joinProduct(isGrouped)}
  WHERE change.seq > $1::bigint
    AND change.seq <= $2::bigint
    AND change.kind = 'figures'
    AND (
      change.product_id = ANY ($4::bigint[])
      OR change.merchant_id = ANY ($5::bigint[])
      OR (change.merchant_id IS NULL AND cardinality($5::bigint[]) > 0)
      ${isGrouped ? 'OR product.category_id = ANY ($6::bigint[]) OR product.brand_id = ANY ($7::bigint[])' : ''}
    )
  ORDER BY change.seq
  LIMIT $3::int`;

// By change_figures_idx, for each product by itself: over weeks, a few products have few of the rows.
const ofProducts = (isGrouped: boolean) => `
  SELECT ${columns(isGrouped)}
  FROM unnest($4::bigint[]) AS wanted (product_id)
  CROSS JOIN LATERAL (
    SELECT *
    FROM change
    WHERE change.product_id = wanted.product_id
      AND change.kind = 'figures'
      AND change.seq > $1::bigint
      AND change.seq <= $2::bigint
    ORDER BY change.seq
    LIMIT $3::int
  ) AS change
  ${joinProduct(isGrouped)}
  ORDER BY change.seq
  LIMIT $3::int`;

const STATEMENTS = {
  window: inWindow(false),
  windowGrouped: inWindow(true),
  products: ofProducts(false),
  productsGrouped: ofProducts(true),
};

/** A page of events, and the number up to which all events were read. */
interface Page {
  events: PriceEvent[];
  reached: bigint;
}

const pageOf = (events: PriceEvent[], until: bigint, limit: number): Page => {
  const last = events.at(-1);
  return { events, reached: last && events.length >= limit ? last.seq : until };
};

/** Reads the first events with `after < seq <= until`, at most `limit`, from at most {@link WINDOW} rows of the stream. */
export async function readWindow(
  database: Queryable,
  { isGrouped, productIds, merchantIds, categoryIds, brandIds }: PriceSelection,
  after: bigint,
  until: bigint,
  limit: number,
): Promise<Page> {
  const end = after + WINDOW < until ? after + WINDOW : until;
  const grouped = isGrouped ? [categoryIds, brandIds] : [];
  const events = await database.query<PriceEvent>(
    isGrouped ? STATEMENTS.windowGrouped : STATEMENTS.window,
    [after, end, limit, productIds, merchantIds, ...grouped],
    { name: 'live_prices', isCurrent: true },
  );
  return pageOf(events, end, limit);
}

/** Reads the first events of the products with `after < seq <= until`, at most `limit`. */
export async function readOfProducts(
  database: Queryable,
  { isGrouped, productIds }: PriceSelection,
  after: bigint,
  until: bigint,
  limit: number,
): Promise<Page> {
  const events = await database.query<PriceEvent>(
    isGrouped ? STATEMENTS.productsGrouped : STATEMENTS.products,
    [after, until, limit, productIds],
    { name: 'past_prices', isCurrent: true },
  );
  return pageOf(events, until, limit);
}
