/** Lists the claims of shops that contradict the catalogue's identifiers. For operators. */
import type { Queryable } from '../database/database.ts';
import { formatGtin, type Gtin14 } from '../values/gtin.ts';
import { withoutNulls } from './without-nulls.ts';

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
  const rows = await database.query<OpenDispute & { gtin: Gtin14 }>(
    `SELECT dispute.asin, by_asin.slug AS "asinProduct", dispute.gtin, by_gtin.slug AS "gtinProduct",
            merchant.name AS merchant, dispute.stated_at AS "statedAt"
     FROM (SELECT * FROM identifier_dispute ORDER BY stated_at DESC, merchant_id, asin LIMIT ${MOST_LISTED}) AS dispute
     JOIN merchant ON merchant.id = dispute.merchant_id
     LEFT JOIN product_identifier AS asin ON asin.kind = 'asin' AND asin.value = dispute.asin
     LEFT JOIN product AS by_asin ON by_asin.id = asin.product_id
     LEFT JOIN product_identifier AS gtin ON gtin.kind = 'gtin' AND gtin.value = dispute.gtin
     LEFT JOIN product AS by_gtin ON by_gtin.id = gtin.product_id
     WHERE asin.product_id IS DISTINCT FROM gtin.product_id
     ORDER BY dispute.asin, dispute.stated_at, merchant.name COLLATE "C"`,
  );
  return rows.map((row) => withoutNulls({ ...row, gtin: formatGtin(row.gtin) }));
}
