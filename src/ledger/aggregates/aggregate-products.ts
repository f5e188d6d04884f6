/**
 * Keeps the figures for analysts current: price indices and the comparison of merchants. What a product has added before is computed
 * again from the entries of that time, subtracted, and replaced by what it adds now. All figures are sums of integers, so they are at
 * every time those that adding up the whole catalogue would give.
 */
import type { Queryable } from '../../database/database.ts';
import type { DigestedProduct } from '../digest/consumer.ts';
import type { OfferEntries } from '../entry.ts';
import { withoutOutliers } from '../outliers.ts';
import { latestImport, recordedThrough } from '../recorded.ts';
import { type Membership, type Parts, partsOf } from './parts.ts';
import { sumOfChanges } from './sum-of-changes.ts';
import { writeSums } from './write-sums.ts';

/** Which entries and groups of a product are part of the figures. */
interface AggregatedRow extends Membership {
  productId: bigint;
  /** The last import whose entries are included. */
  through: bigint;
  /** When the judgement of their outliers changes; null for never. */
  judgedUntil: Date | null;
}

// By the primary key.
const AGGREGATED = `
  SELECT product_id AS "productId", through, judged_until AS "judgedUntil", brand_id AS "brandId", category_ids AS "categoryIds"
  FROM aggregated_product
  WHERE product_id = ANY ($1::bigint[])`;

// Arrays of arrays must be rectangular, so those of categories are sent as texts such as {1,2}.
const SET_AGGREGATED = `
  INSERT INTO aggregated_product (product_id, through, judged_until, brand_id, category_ids)
  SELECT product_id, through, judged_until, brand_id, category_ids::bigint[]
  FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::bigint[], $5::text[])
    AS changed (product_id, through, judged_until, brand_id, category_ids)
  ORDER BY product_id
  ON CONFLICT (product_id) DO UPDATE
  SET through = excluded.through, judged_until = excluded.judged_until, brand_id = excluded.brand_id, category_ids = excluded.category_ids`;

/**
 * Brings the figures up to date with products. A product whose entries, outliers, brand and category are the same costs only reading its
 * state.
 */
export async function aggregateProducts(transaction: Queryable, products: readonly DigestedProduct[]): Promise<void> {
  const rows = await transaction.query<AggregatedRow>(AGGREGATED, [products.map(({ id }) => id)], {
    name: 'aggregates_read',
  });
  const known = new Map(rows.map((row) => [row.productId, row]));
  const changes: { before: Parts | undefined; after: Parts }[] = [];
  const states: AggregatedRow[] = [];
  for (const product of products) {
    const state = {
      productId: product.id,
      through: latestImport(product.offers),
      judgedUntil: Number.isFinite(product.judged.changesAt) ? new Date(product.judged.changesAt) : null,
      brandId: product.brandId,
      categoryIds: product.categoryIds,
    };
    const before = known.get(product.id);
    if (before && isSame(before, state) && !(before.judgedUntil && before.judgedUntil.getTime() <= product.now))
      continue;
    changes.push({
      before: before && partsOf(judgedAs(before, product.offers), before),
      after: partsOf(product.judged.offers, state),
    });
    states.push(state);
  }
  if (states.length === 0) return;
  await writeSums(transaction, sumOfChanges(changes));
  const columns = [
    states.map(({ productId }) => productId),
    states.map(({ through }) => through),
    states.map(({ judgedUntil }) => judgedUntil?.toISOString() ?? null),
    states.map(({ brandId }) => brandId),
    states.map(({ categoryIds }) => `{${categoryIds}}`),
  ];
  await transaction.query(SET_AGGREGATED, columns, { name: 'aggregates_write' });
}

/** The entries that were part of the figures, without those that were outliers then. */
function judgedAs({ through, judgedUntil }: AggregatedRow, offers: readonly OfferEntries[]): readonly OfferEntries[] {
  // The judgement was the same until the instant before it changed.
  const then = judgedUntil ? judgedUntil.getTime() - 1 : Number.POSITIVE_INFINITY;
  return withoutOutliers(recordedThrough(offers, through), then).offers;
}

const isSame = (one: AggregatedRow, other: AggregatedRow) =>
  one.through === other.through &&
  one.brandId === other.brandId &&
  String(one.categoryIds) === String(other.categoryIds);
