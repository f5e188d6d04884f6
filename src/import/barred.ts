/** Applies operators' detachments to the rows of a feed: identifiers stay off a product, and void claims count as not stated. */
import type { Queryable } from '../database/database.ts';
import { soleValue } from './sole-value.ts';

/** The tables of the transaction that {@link findBarred} fills. */
export const CREATE_BARRED = `
  CREATE TEMPORARY TABLE barred (position INT NOT NULL, kind TEXT NOT NULL, product_id BIGINT) ON COMMIT DROP;
  CREATE TEMPORARY TABLE voided (position INT NOT NULL, kind TEXT NOT NULL, PRIMARY KEY (position, kind)) ON COMMIT DROP`;

/**
 * Finds the rows that state a detached identifier, and returns whether there are any. `barred` gets products to which it must not lead.
 * `voided` gets identifiers to ignore: the shop's claim is void, or the row's other identifier leads to where this one was taken off.
 */
export async function findBarred(transaction: Queryable, table: string, merchantId: bigint): Promise<boolean> {
  if (!(await soleValue(transaction, 'SELECT EXISTS (SELECT FROM identifier_detachment) AS some'))) return false;
  await transaction.script('TRUNCATE barred, voided');
  if ((await soleValue<number>(transaction, findRows(table), [merchantId])) === 0) return false;
  await transaction.query(findVoided(table));
  return true;
}

const findRows = (table: string) => `
  WITH added AS (
    INSERT INTO barred (position, kind, product_id)
    SELECT item.position, 'gtin', detached.product_id
    FROM identifier_detachment AS detached
    JOIN ${table} AS item ON item.gtin = detached.value
    WHERE detached.kind = 'gtin' AND COALESCE(detached.merchant_id, $1) = $1 AND item.fault IS NULL
    UNION ALL
    SELECT item.position, 'asin', detached.product_id
    FROM identifier_detachment AS detached
    JOIN ${table} AS item ON item.asin = detached.value
    WHERE detached.kind = 'asin' AND COALESCE(detached.merchant_id, $1) = $1 AND item.fault IS NULL
    RETURNING 1
  )
  SELECT count(*)::int AS count FROM added`;

// By the unique index on product_identifier (kind, value).
const findVoided = (table: string) => `
  INSERT INTO voided (position, kind)
  SELECT position, kind
  FROM barred
  WHERE product_id IS NULL
  UNION
  SELECT barred.position, barred.kind
  FROM barred
  JOIN ${table} AS item ON item.position = barred.position
  JOIN product_identifier AS other
    ON (other.kind, other.value) IN (('gtin', item.gtin), ('asin', item.asin)) AND other.kind::text <> barred.kind
  WHERE other.product_id = barred.product_id`;

/** SQL for the rows of the feed as matching reads them: without void identifiers, and without MPNs that do not identify. */
export function withoutVoided(table: string, isBarred: boolean, areMpnsShared: boolean): string {
  const read = (kind: string) =>
    isBarred
      ? `CASE WHEN NOT EXISTS (SELECT FROM voided WHERE voided.position = row.position AND voided.kind = '${kind}') THEN row.${kind} END`
      : `row.${kind}`;
  const mpn = areMpnsShared
    ? 'CASE WHEN NOT EXISTS (SELECT FROM shared_mpn WHERE shared_mpn.brand_mpn = row.brand_mpn) THEN row.mpn_key END'
    : 'row.mpn_key';
  return `(
        SELECT row.position, row.sku, row.brand_key, ${mpn} AS mpn_key, row.item_group_id, row.measure, row.fault, row.known_offer,
               ${read('gtin')} AS gtin, ${read('asin')} AS asin, row.gtin AS stated_gtin, row.asin AS stated_asin
        FROM ${table} AS row
      )`;
}

/** SQL that is true if no identifier of the row was taken off a product. @param product an SQL expression. */
export function isNotBarred(position: string, product: string, isBarred: boolean): string {
  if (!isBarred) return 'TRUE';
  return `NOT EXISTS (SELECT FROM barred WHERE barred.position = ${position} AND barred.product_id = ${product})`;
}
