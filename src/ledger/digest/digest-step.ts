/**
 * A step of the digest: one short transaction that takes products out of the queue `due_product` and refreshes all that derives from their
 * ledger. If it fails, or its process dies, the products stay in the queue. Any number of steps may run at the same time.
 */
import type { Database, Queryable } from '../../database/database.ts';
import { withoutOutliers } from '../outliers.ts';
import { MOST_ENTRIES_AT_ONCE, readLedger, readLengths } from '../read-ledger.ts';
import type { Consumer, DigestedProduct } from './consumer.ts';
import { CONSUMERS } from './consumers.ts';

/** The error of a step, which is its `cause`, with the products that the step had taken. */
export class DigestFailed extends Error {
  override name = 'DigestFailed';
  readonly productIds: readonly bigint[];

  constructor(productIds: readonly bigint[], cause: unknown) {
    super(`Failed to digest the ledger of ${productIds.length} products`, { cause });
    this.productIds = productIds;
  }
}

/**
 * Digests at most `most` due products with numbers above `after`, in the order of their numbers, except those that another transaction
 * is about to change. It takes fewer, but at least one, if their ledgers together have more than {@link MOST_ENTRIES_AT_ONCE} entries.
 *
 * @returns the numbers of the products, lowest first.
 * @throws {DigestFailed} for all errors.
 */
export async function digestStep(
  database: Database,
  most: number,
  after = 0n,
  consumers: readonly Consumer[] = CONSUMERS,
): Promise<bigint[]> {
  let ids: bigint[] = [];
  try {
    await database.transaction(async (transaction) => {
      const due = await transaction.query<{ productId: bigint }>(LOCK, [after, most], { name: 'digest_lock' });
      if (due.length === 0) return;
      ids = due.map(({ productId }) => productId);
      ids = fewEnough(ids, await readLengths(transaction, ids));
      const products = await readProducts(transaction, ids);
      for (const refresh of consumers) await refresh(transaction, products);
    });
  } catch (error) {
    throw new DigestFailed(ids, error);
  }
  return ids;
}

/** Digests all due products without pauses, for tools that need the figures at once. @throws {DigestFailed} as {@link digestStep} does. */
export async function digestAll(database: Database): Promise<void> {
  while (await hasDueProduct(database)) await digestStep(database, 200);
}

/** Whether a product is due. */
export async function hasDueProduct(database: Queryable): Promise<boolean> {
  const rows = await database.query(DUE, [], { name: 'digest_due', isCurrent: true });
  return rows.length > 0;
}

/** Enqueues products with outliers that count from now on, because their shops go on to state them. @returns whether there are any. */
export async function enqueueJudged(database: Queryable): Promise<boolean> {
  return (await database.query(ENQUEUE_JUDGED, [], { name: 'digest_enqueue_judged' })).length > 0;
}

/** The number of products in the queue: those that wait for a step, and those that are set aside. Counts 100,000 at most. */
export async function queueLength(database: Queryable): Promise<{ waiting: number; setAside: number }> {
  const [length] = await database.query<{ waiting: number; setAside: number }>(LENGTH, [], { name: 'digest_length' });
  return length ?? { waiting: 0, setAside: 0 };
}

/** Keeps a product out of all steps for a day, or until it changes. */
export async function setAside(database: Queryable, productId: bigint): Promise<void> {
  await database.query(SET_ASIDE, [productId], { name: 'digest_set_aside' });
}

/** The first of the products, as many as can be in memory at the same time. */
function fewEnough(ids: readonly bigint[], lengths: ReadonlyMap<bigint, number>): bigint[] {
  let entries = 0;
  return ids.filter((id, index) => {
    entries += lengths.get(id) ?? 0;
    return index === 0 || entries <= MOST_ENTRIES_AT_ONCE;
  });
}

interface TakenRow {
  productId: bigint;
  brandId: bigint | null;
  categoryIds: string | null;
}

async function readProducts(transaction: Queryable, ids: readonly bigint[]): Promise<DigestedProduct[]> {
  const taken = await transaction.query<TakenRow>(TAKE, [ids], { name: 'digest_take', batchSize: ids.length });
  const ledger = await readLedger(transaction, ids);
  const now = Date.now();
  return taken.map(({ productId, brandId, categoryIds }) => {
    const offers = ledger.get(productId) ?? [];
    return {
      id: productId,
      brandId,
      categoryIds: categoryIds === null ? [] : categoryIds.split(',').map(BigInt),
      offers,
      judged: withoutOutliers(offers, now),
      now,
    };
  });
}

const IS_DUE = '(set_aside_until IS NULL OR set_aside_until <= now())';

// By the primary key of due_product. Only later statements read the products and their ledgers: they see everything that was committed
// with a row of the queue, even if it was committed while this statement ran.
const LOCK = `
  SELECT product_id AS "productId"
  FROM due_product
  WHERE product_id > $1::bigint AND ${IS_DUE}
  ORDER BY product_id
  LIMIT $2::int
  FOR UPDATE SKIP LOCKED`;

// By the primary keys of due_product, product and category.
const TAKE = `
  WITH RECURSIVE taken AS (
    DELETE FROM due_product
    WHERE product_id = ANY ($1::bigint[])
    RETURNING product_id
  ), known AS (
    SELECT product.id, product.brand_id, product.category_id
    FROM taken
    JOIN product ON product.id = taken.product_id
  ), lineage AS (
    SELECT DISTINCT category_id AS of_id, category_id AS id, 0 AS height
    FROM known
    WHERE category_id IS NOT NULL
    UNION ALL
    SELECT lineage.of_id, category.parent_id, lineage.height + 1
    FROM lineage
    JOIN category ON category.id = lineage.id
    WHERE category.parent_id IS NOT NULL
  )
  SELECT known.id AS "productId", known.brand_id AS "brandId",
         (
           SELECT string_agg(lineage.id::text, ',' ORDER BY lineage.height)
           FROM lineage
           WHERE lineage.of_id = known.category_id
         ) AS "categoryIds"
  FROM known
  ORDER BY known.id`;

// By the partial index on the times.
const ENQUEUE_JUDGED = `
  INSERT INTO due_product (product_id)
  SELECT product_id FROM aggregated_product WHERE judged_until <= now() ORDER BY judged_until LIMIT 1000
  ON CONFLICT (product_id) DO NOTHING
  RETURNING product_id`;

const DUE = `
  SELECT product_id
  FROM due_product
  WHERE ${IS_DUE}
  LIMIT 1`;

// A sequential scan, which stops at the limit.
const LENGTH = `
  SELECT count(*) FILTER (WHERE ${IS_DUE})::int AS waiting, count(*) FILTER (WHERE NOT ${IS_DUE})::int AS "setAside"
  FROM (SELECT set_aside_until FROM due_product LIMIT 100000) AS counted`;

// By the primary key.
const SET_ASIDE = `
  UPDATE due_product
  SET set_aside_until = now() + INTERVAL '1 day'
  WHERE product_id = $1::bigint`;
