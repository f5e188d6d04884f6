/** Lists the claims of shops that contradict the catalogue's identifiers. For operators. */
import type { Queryable } from '../database/database.ts';
import { formatGtin, type Gtin14 } from '../values/gtin.ts';

/** A shop's claim that a GTIN and an ASIN belong to one product, while the catalogue has them at two products. */
export interface OpenDispute {
  asin: string;
  /** The slug of the product that the ASIN leads to now; absent if it leads to none. */
  asinProduct?: string;
  gtin: string;
  gtinProduct?: string;
  merchant: string;
  statedAt: Date;
}

const MOST_LISTED = 1_000;

/** Lists the newest thousand disputes, ordered by ASIN. */
export async function listDisputes(database: Queryable): Promise<OpenDispute[]> {
  const rows = await database.query<{
    asin: string;
    asin_product: string | null;
    gtin: string;
    gtin_product: string | null;
    merchant: string;
    stated_at: Date;
  }>(
    `SELECT dispute.asin, by_asin.slug AS asin_product, dispute.gtin, by_gtin.slug AS gtin_product,
            merchant.name AS merchant, dispute.stated_at
     FROM (SELECT * FROM identifier_dispute ORDER BY stated_at DESC, merchant_id, asin LIMIT ${MOST_LISTED}) AS dispute
     JOIN merchant ON merchant.id = dispute.merchant_id
     LEFT JOIN product_identifier AS asin ON asin.kind = 'asin' AND asin.value = dispute.asin
     LEFT JOIN product AS by_asin ON by_asin.id = asin.product_id
     LEFT JOIN product_identifier AS gtin ON gtin.kind = 'gtin' AND gtin.value = dispute.gtin
     LEFT JOIN product AS by_gtin ON by_gtin.id = gtin.product_id
     WHERE asin.product_id IS DISTINCT FROM gtin.product_id
     ORDER BY dispute.asin, dispute.stated_at, merchant.name`,
  );
  return rows.map(({ asin, asin_product, gtin, gtin_product, merchant, stated_at: statedAt }) => ({
    asin,
    ...(asin_product !== null && { asinProduct: asin_product }),
    gtin: formatGtin(gtin as Gtin14),
    ...(gtin_product !== null && { gtinProduct: gtin_product }),
    merchant,
    statedAt,
  }));
}
