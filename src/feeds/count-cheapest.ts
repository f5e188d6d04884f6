/** Counts the offers of a shop that no other shop undercuts. In steps, so that no statement takes long, however many offers it has. */
import type { Queryable } from '../database/database.ts';
import type { RunReport } from './run-report.ts';

const OFFERS_A_STEP = 2_000;

interface Step {
  last: string | null;
  listed: number;
  cheapest: number;
  alone: number;
}

/** Counts the listed offers of a shop, those with the lowest total of all shops, and those of them that no other shop lists. */
export async function countCheapest(
  database: Queryable,
  merchantId: bigint,
): Promise<NonNullable<RunReport['offers']>> {
  const sum = { listed: 0, cheapest: 0, alone: 0 };
  for (let after: string | null = ''; after !== null; ) {
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

// By the unique index on offer (merchant_id, sku). Withdrawn offers are read too: leaving them out could make a step read all of them.
const COUNT_STEP = `
  SELECT max(step.sku) AS last,
         count(product.id)::int AS listed,
         (count(*) FILTER (WHERE step.total = product.min_total))::int AS cheapest,
         (count(*) FILTER (WHERE product.popularity = 1))::int AS alone
  FROM (
    SELECT sku, total, product_id, withdrawn_at
    FROM offer
    WHERE merchant_id = $1 AND sku > $2::text
    ORDER BY sku
    LIMIT $3::int
  ) AS step
  LEFT JOIN product ON product.id = step.product_id AND step.withdrawn_at IS NULL`;
