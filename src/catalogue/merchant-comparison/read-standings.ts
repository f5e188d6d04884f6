/** Reads how merchants stand in a category or brand. */
import type { Queryable } from '../../database/database.ts';
import type { GroupKind } from '../../ledger/aggregates/groups.ts';

/** The most merchants in a comparison. */
export const MOST_MERCHANTS = 100;

/** Counts of a merchant's products. */
export interface StandingRow {
  merchantId: bigint;
  products: number;
  cheapest: number;
  alone: number;
  outOfStock: number;
  /** The class of the lower median of the distances; null if it has none. */
  median: number | null;
}

// By the primary keys of merchant_standing and merchant_distance.
const STANDINGS = `
  SELECT compared.merchant_id AS "merchantId", compared.products, compared.cheapest, compared.alone, compared.out_of_stock AS "outOfStock",
         (
           SELECT reached.distance
           FROM (
             SELECT distance, sum(products) OVER (ORDER BY distance) AS products, sum(products) OVER () AS known
             FROM merchant_distance
             WHERE kind = $1::price_group AND id = $2::bigint AND merchant_id = compared.merchant_id
           ) AS reached
           WHERE reached.products * 2 >= reached.known AND reached.known > 0
           ORDER BY reached.distance
           LIMIT 1
         ) AS median
  FROM (
    SELECT merchant_id, products, cheapest, alone, out_of_stock
    FROM merchant_standing
    WHERE kind = $1::price_group AND id = $2::bigint AND products > 0
    ORDER BY products DESC, merchant_id
    LIMIT ${MOST_MERCHANTS}
  ) AS compared
  ORDER BY compared.products DESC, compared.merchant_id`;

/** The merchants of a category or brand, most products first. */
export const readStandings = (
  database: Queryable,
  { kind, id }: { kind: GroupKind; id: bigint },
): Promise<StandingRow[]> => database.query<StandingRow>(STANDINGS, [kind, id], { name: 'merchant_comparison' });
