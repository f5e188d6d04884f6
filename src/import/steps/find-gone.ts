/** Finds the offers that a full feed withdraws, in pages: how many, before anything is written, and which. */
import type { Queryable } from '../../database/database.ts';
import { IS_CURRENT, VALUE_BEFORE, type Withdrawals } from '../plan-writes.ts';
import type { Place } from './group-rows.ts';
import { OWN_MS, openStepSize } from './step-size.ts';

/** The offers to withdraw, those of a product next to each other. */
export interface Gone extends Withdrawals {
  offers: readonly { id: number; product: number }[];
}

interface Page {
  ms: number;
  last: string | null;
  ids: number[];
  products: number[];
}

/** @param listed the ids of the shop's offers that the feed lists, in ascending order. */
export async function findGone(
  database: Queryable,
  { merchantId, nextFullAt }: Place,
  observedAt: Date,
  listed: Float64Array,
): Promise<Gone> {
  const offers: { id: number; product: number }[] = [];
  const size = openStepSize(1_000);
  let inForce = 0;
  for (let after: string | null = merchantId === null ? null : ''; after !== null; ) {
    const from: string = after;
    const asked = size.rows;
    const [page]: Page[] = await database.query<Page>(PAGE, [merchantId, observedAt, nextFullAt, from, asked]);
    size.learn(asked, page?.ms ?? 0);
    for (const [index, id] of (page?.ids ?? []).entries()) {
      inForce += 1;
      if (!includes(listed, id)) offers.push({ id, product: page?.products[index] ?? 0 });
    }
    after = page?.last ?? null;
  }
  offers.sort((one, other) => one.product - other.product || one.id - other.id);
  return { offers, count: offers.length, inForce };
}

function includes(sorted: Float64Array, value: number): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === value;
}

// What the ledger says of an offer at the feed's moment, where the offer's own row is newer. By the primary key of ledger.
// Only the embedded database runs steps, and its ledger is never distributed: hence the join, unlike in plan-writes.ts.
const PAST = `
  SELECT ledger.*
  FROM ledger
  WHERE NOT ${IS_CURRENT}
    AND ledger.product_id = offer.product_id
    AND ledger.offer_id = offer.id
    AND ledger.observed_at <= $2::timestamptz
  ORDER BY ledger.observed_at DESC, ledger.import_run_id DESC
  LIMIT 1`;

// By the unique index on offer (merchant_id, sku).
const PAGE = `
  SELECT max(sku) AS last, ${OWN_MS} AS ms,
         COALESCE(array_agg(id::float8) FILTER (WHERE value_before IS NOT NULL), '{}') AS ids,
         COALESCE(array_agg(product_id::float8) FILTER (WHERE value_before IS NOT NULL), '{}') AS products
  FROM (
    SELECT offer.id, offer.sku, offer.product_id, ${VALUE_BEFORE} AS value_before
    FROM (SELECT * FROM offer WHERE merchant_id = $1 AND sku > $4::text ORDER BY sku LIMIT $5::int) AS offer
    LEFT JOIN LATERAL (${PAST}) AS past ON TRUE
  ) AS listed`;
