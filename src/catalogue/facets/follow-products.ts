/** Keeps the columns for facets in memory, and brings them up to date with the changes of the catalogue when facets are counted. */
import type { Queryable } from '../../database/database.ts';
import { TAG, TAG_PREFIX } from '../tags.ts';
import type { CatalogueVersion, FollowedVersion } from '../version.ts';
import {
  BYTES_OF_DISCOUNTS,
  CODE_OF_OFFER,
  type FacetRow,
  MOST_ATTRIBUTE_VALUES,
  ProductColumns,
} from './product-columns.ts';

// What a statement reads takes a few milliseconds to store, while other requests wait.
const PAGE = 2_500;
// Beyond, reading all again is not much more work.
const MOST_CHANGED = 20_000;
/** How long columns from before a change of everything are served while all is read again. */
export const LONGEST_OLD_MS = 60_000;
const MOST_WASTED = 1_000_000;

// By the primary key of product, and offer_listed_idx.
const columnsOf = (products: string, offers: string) => `
  WITH read AS MATERIALIZED (
    SELECT id, brand_id, category_id, min_total, discount, attributes
    FROM product
    WHERE ${products}
    ORDER BY id
    LIMIT ${PAGE}
  ), listed AS (
    SELECT offer.product_id, string_agg((${CODE_OF_OFFER})::text, ',') AS offers
    FROM offer
    WHERE ${offers}
      AND offer.withdrawn_at IS NULL
    GROUP BY offer.product_id
  )
  SELECT read.id, read.brand_id AS "brandId", read.category_id AS "categoryId", read.min_total AS "minTotal", read.discount,
         read.attributes, listed.offers
  FROM read
  LEFT JOIN listed ON listed.product_id = read.id
  ORDER BY read.id`;

const NEXT_PRODUCTS = columnsOf(
  'id > $1::bigint',
  'offer.product_id > $1::bigint AND offer.product_id <= (SELECT max(id) FROM read)',
);
const THESE_PRODUCTS = columnsOf('id = ANY ($1::bigint[])', 'offer.product_id = ANY ($1::bigint[])');

// By product_discount_idx.
const DISCOUNTS = `
  SELECT ${BYTES_OF_DISCOUNTS} AS pairs
  FROM product
  WHERE product.discount > 0`;

const PRODUCT_TAG = `${TAG_PREFIX.product}:`;

/** Where to learn of changes if the version is not known, which is so without caches. */
export type Following = Pick<FollowedVersion, 'changes' | 'catchUp'>;

/** The columns, and the moment whose catalogue they show if they may be older than the version that this process knows. */
export interface KnownColumns {
  columns: ProductColumns;
  asOf?: Date;
}

/**
 * Opens the columns over a database. Nothing is read before facets are counted for the first time.
 * @param following without it, the columns are read again for each count while the version is not known.
 * @param mostAttributeValues as {@link ProductColumns} takes it.
 */
export function followProducts(
  database: Queryable,
  version: CatalogueVersion,
  following?: Following,
  mostAttributeValues = MOST_ATTRIBUTE_VALUES,
) {
  let columns: ProductColumns | undefined;
  let changed: Set<bigint> | 'all' = 'all';
  // Discounts that change with the day name no products. They are read again when they are asked for.
  let areDiscountsOld = false;
  let refreshing: Promise<void> | undefined;
  let currentAt = new Date();
  /** Since when the columns lack a change of everything, by the clock of the process. */
  let oldSince: number | undefined;
  let hasServedOld = false;
  const { changes } = following ?? version;

  const note = (ids: Iterable<bigint> | 'all') => {
    if (changed === 'all') return;
    if (ids !== 'all') for (const id of ids) changed.add(id);
    if (ids === 'all' || changed.size > MOST_CHANGED) changed = 'all';
  };
  changes.watch((tags) => {
    const ofProducts = tags?.filter((tag) => tag.startsWith(PRODUCT_TAG));
    if (tags?.includes(TAG.discounts)) areDiscountsOld = true;
    note(ofProducts ? ofProducts.map((tag) => BigInt(tag.slice(PRODUCT_TAG.length))) : 'all');
    if (changed === 'all') oldSince ??= performance.now();
  });

  /** Reads what has changed so far. A change that becomes known meanwhile is noted for the next time. */
  const refresh = async (needsDiscounts: boolean) => {
    const due = changed;
    const hadOldDiscounts = areDiscountsOld;
    const [startedAt, started] = [new Date(), performance.now()];
    changed = new Set();
    if (needsDiscounts || due === 'all') areDiscountsOld = false;
    try {
      const isKept = due !== 'all' && columns !== undefined && (await readSome(database, columns, [...due]));
      if (!isKept || !columns) columns = await readAll(database, new ProductColumns(mostAttributeValues));
      else if (needsDiscounts && hadOldDiscounts) await readDiscounts(database, columns);
      currentAt = startedAt;
      oldSince = isAllOld() ? started : undefined;
      if (columns.offers.wasted + columns.attributes.wasted > MOST_WASTED) changed = 'all';
    } catch (error) {
      note(due);
      areDiscountsOld ||= hadOldDiscounts;
      throw error;
    } finally {
      // Answers with old columns are not kept any longer, also if reading failed: the next request tries again.
      if (hasServedOld) changes.announce([TAG.facetColumns]);
      hasServedOld = false;
    }
  };
  const isAllOld = () => changed === 'all';
  const refreshSoon = (needsDiscounts: boolean) => {
    refreshing ??= refresh(needsDiscounts).finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  };
  const isCurrent = (needsDiscounts: boolean) =>
    columns !== undefined &&
    refreshing === undefined &&
    changed !== 'all' &&
    changed.size === 0 &&
    !(needsDiscounts && areDiscountsOld);

  const look = async () => {
    if (version.known() !== undefined || (await version.look()) !== undefined) return;
    if (following) await following.catchUp();
    else note('all');
  };

  return {
    /**
     * The columns, at least as new as the version of the catalogue that this process knows, or older ones for at most a minute while all is
     * read again. Answers with older ones depend on `TAG.facetColumns`.
     * @param needsDiscounts whether that must include the discounts.
     */
    async orOld(needsDiscounts: boolean): Promise<KnownColumns> {
      await look();
      if (!isCurrent(needsDiscounts)) {
        if (columns && oldSince !== undefined && performance.now() - oldSince < LONGEST_OLD_MS) {
          hasServedOld = true;
          refreshSoon(needsDiscounts).catch(() => {}); // A request that has to wait reports it.
          return { columns, asOf: currentAt };
        }
        // What is being read may be older than what this caller must see.
        await refreshing?.catch(() => {});
        if (!isCurrent(needsDiscounts)) await refreshSoon(needsDiscounts);
      } else currentAt = new Date();
      if (!columns) throw new Error('The columns have not been read.');
      return { columns };
    },
    /** The columns as {@link orOld} returns them if they are current; `undefined` while all is read. */
    async ifCurrent(needsDiscounts: boolean): Promise<ProductColumns | undefined> {
      await look();
      if (!isCurrent(needsDiscounts)) {
        const isReading = refreshSoon(needsDiscounts).catch(() => {});
        if (!columns || oldSince !== undefined || isAllOld()) return undefined;
        await isReading;
      }
      return isCurrent(needsDiscounts) ? columns : undefined;
    },
  };
}

async function readAll(database: Queryable, columns: ProductColumns): Promise<ProductColumns> {
  for (let last = 0n; ; ) {
    const rows = await database.query<FacetRow>(NEXT_PRODUCTS, [last], { name: 'facet_columns' });
    for (const row of rows) columns.put(row);
    if (rows.length < PAGE) return columns;
    last = rows.at(-1)?.id ?? last;
  }
}

async function readDiscounts(database: Queryable, columns: ProductColumns): Promise<void> {
  const [row] = await database.query<{ pairs: string | null }>(DISCOUNTS, [], { name: 'facet_columns' });
  columns.putDiscounts(row?.pairs ?? '');
}

/** Reads some products again. @returns false if all must be read. */
async function readSome(database: Queryable, columns: ProductColumns, ids: readonly bigint[]): Promise<boolean> {
  for (let from = 0; from < ids.length; from += PAGE) {
    const some = ids.slice(from, from + PAGE);
    const rows = await database.query<FacetRow>(THESE_PRODUCTS, [some], { name: 'facet_columns' });
    const missing = new Set(some);
    for (const row of rows) {
      missing.delete(row.id);
      if (!columns.put(row)) return false;
    }
    for (const id of missing) columns.remove(id);
  }
  return true;
}
