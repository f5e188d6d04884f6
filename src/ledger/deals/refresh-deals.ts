/** Keeps the table `deal` current, as a consumer of the digest. */
import type { Queryable } from '../../database/database.ts';
import type { DigestedProduct } from '../digest/consumer.ts';
import { dealsOf } from './deals.ts';

/** In `deal`, no merchant has this number: it stands for all shops. */
export const ALL_MERCHANTS = 0n;

/** Replaces the deals of products. Rows that stay as they are are not written. */
export async function refreshDeals(transaction: Queryable, products: readonly DigestedProduct[]): Promise<void> {
  const rows = products.flatMap(({ id, brandId, categoryIds, judged }) =>
    dealsOf(judged.offers).map((deal) => [
      id,
      deal.condition,
      deal.merchantId ?? ALL_MERCHANTS,
      deal.offerId,
      deal.price,
      deal.previous,
      deal.remaining,
      new Date(deal.since).toISOString(),
      deal.lowerUntil === undefined ? null : new Date(deal.lowerUntil).toISOString(),
      brandId,
      categoryIds[0] ?? null,
      deal.shippingKnown,
    ]),
  );
  const columns = COLUMNS.map((_, index) => rows.map((row) => row[index]));
  await transaction.query(DELETE_OTHERS, [products.map(({ id }) => id), ...columns.slice(0, 3)], {
    name: 'deal_delete',
  });
  if (rows.length > 0) await transaction.query(UPSERT, columns, { name: 'deal_upsert' });
}

const COLUMNS = [
  { name: 'product_id', type: 'bigint' },
  { name: 'condition', type: 'text' },
  { name: 'merchant_id', type: 'bigint' },
  { name: 'offer_id', type: 'bigint' },
  { name: 'price', type: 'bigint' },
  { name: 'previous', type: 'bigint' },
  { name: 'remaining', type: 'int' },
  { name: 'since', type: 'timestamptz' },
  { name: 'lower_until', type: 'timestamptz' },
  { name: 'brand_id', type: 'bigint' },
  { name: 'category_id', type: 'bigint' },
  { name: 'shipping_known', type: 'boolean' },
];
const FACTS = COLUMNS.slice(3).map(({ name }) => name);

// By the primary key.
const DELETE_OTHERS = `
  DELETE FROM deal
  WHERE product_id = ANY ($1::bigint[])
    AND (product_id, condition::text, merchant_id) NOT IN (SELECT * FROM unnest($2::bigint[], $3::text[], $4::bigint[]))`;

const UPSERT = `
  INSERT INTO deal (${COLUMNS.map(({ name }) => name).join(', ')})
  SELECT ${COLUMNS.map(({ name }) => (name === 'condition' ? 'condition::condition' : name)).join(', ')}
  FROM unnest(${COLUMNS.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ')})
    AS found (${COLUMNS.map(({ name }) => name).join(', ')})
  ON CONFLICT (product_id, condition, merchant_id) DO UPDATE
  SET (${FACTS.join(', ')}) = (${FACTS.map((name) => `excluded.${name}`).join(', ')})
  WHERE (${FACTS.map((name) => `deal.${name}`).join(', ')})
        IS DISTINCT FROM
        (${FACTS.map((name) => `excluded.${name}`).join(', ')})`;
