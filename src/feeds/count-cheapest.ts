/** Counts the offers of a shop that no other shop undercuts. In steps, so that no statement takes long, however many offers it has. */
import type { Queryable } from '../database/database.ts';
import type { RunReport } from './run-report.ts';

const OFFERS_A_STEP = 1_000;

interface Step {
  last: string | null;
  listed: number;
  cheapest: number;
  alone: number;
}

/** Counts a shop's offers after an import, and adds the figures to the report of the run. @param signal ends the work between two steps. */
export async function recordCheapest(
  database: Queryable,
  { runId, shopId, signal }: { runId: bigint; shopId: bigint; signal?: AbortSignal },
): Promise<void> {
  const offers = await countCheapest(database, shopId, signal);
  await database.query(ADD_OFFERS, [runId, JSON.stringify(offers)], { name: 'feed_cheapest' });
}

const ADD_OFFERS = `
  UPDATE feed_run
  SET report = jsonb_set(report, '{offers}', $2::text::jsonb)
  WHERE id = $1 AND report IS NOT NULL`;

/**
 * Counts the listed offers of a shop, those with the lowest total of all shops, and those of them that no other shop lists. Totals with
 * unknown shipping come after all others.
 */
export async function countCheapest(
  database: Queryable,
  merchantId: bigint,
  signal?: AbortSignal,
): Promise<NonNullable<RunReport['offers']>> {
  const sum = { listed: 0, cheapest: 0, alone: 0 };
  for (let after: string | null = ''; after !== null; ) {
    signal?.throwIfAborted();
    const [step]: Step[] = await database.query<Step>(COUNT_STEP, [merchantId, after, OFFERS_A_STEP], {
      name: 'feed_cheapest',
    });
    if (!step) break;
    sum.listed += step.listed;
    sum.cheapest += step.cheapest;
    sum.alone += step.alone;
    after = step.last;
  }
  return { ...sum, countedAt: new Date().toISOString() };
}

// By the unique index on offer (merchant_id, sku), and offer_listed_idx. Withdrawn offers are read too: leaving them out could make a step
// read all of them.
const COUNT_STEP = `
  SELECT max(step.sku) AS last,
         count(product.id)::int AS listed,
         (count(*) FILTER (WHERE product.id IS NOT NULL AND NOT EXISTS (
           SELECT
           FROM offer AS other
           WHERE other.product_id = step.product_id
             AND other.withdrawn_at IS NULL
             AND (other.shipping IS NULL, other.total) < (step.shipping IS NULL, step.total)
         )))::int AS cheapest,
         (count(*) FILTER (WHERE product.popularity = 1))::int AS alone
  FROM (
    SELECT sku, total, shipping, product_id, withdrawn_at
    FROM offer
    WHERE merchant_id = $1 AND sku > $2::text
    ORDER BY sku
    LIMIT $3::int
  ) AS step
  LEFT JOIN product ON product.id = step.product_id AND step.withdrawn_at IS NULL`;
