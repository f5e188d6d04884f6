/**
 * Enqueues changed products for the digest (ledger/digest), which refreshes the tables that derive from the ledger. Call this before the
 * catalogue's version is raised: an import may wait here for a step of the digest, and must not block other transactions meanwhile.
 */
import type { Queryable } from '../database/database.ts';

/** Enqueues the products that a feed touched, founded, or gave a brand or a category. */
export async function enqueueChanged(transaction: Queryable): Promise<void> {
  await transaction.query(
    enqueue(`${TOUCHED} UNION SELECT product_id FROM matched WHERE is_founder UNION SELECT product_id FROM filled`),
  );
}

/** Enqueues the products of moved offers. */
export async function enqueueTouched(transaction: Queryable): Promise<void> {
  await transaction.query(enqueue(TOUCHED));
}

/** Enqueues the products in categories, and in all below these, whose places in the tree have changed. */
export async function enqueueBelow(transaction: Queryable, categoryIds: readonly bigint[]): Promise<void> {
  if (categoryIds.length > 0) await transaction.query(ENQUEUE_BELOW, [categoryIds]);
}

const TOUCHED = 'SELECT product_id FROM touched';

// A row that exists already is locked by its update. Otherwise a step of the digest could delete it now without seeing the changes of this
// transaction, which would then never be digested.
const enqueue = (products: string) => `
  INSERT INTO due_product (product_id)
  SELECT product_id
  FROM (${products}) AS changed
  ORDER BY product_id
  ON CONFLICT (product_id) DO UPDATE SET set_aside_until = NULL`;

// Uses the indexes on category (parent_id) and product (category_id).
const ENQUEUE_BELOW = `
  WITH RECURSIVE below AS (
    SELECT unnest($1::bigint[]) AS id
    UNION
    SELECT category.id
    FROM below
    JOIN category ON category.parent_id = below.id
  )
  ${enqueue('SELECT id AS product_id FROM product WHERE category_id IN (SELECT id FROM below)')}`;
