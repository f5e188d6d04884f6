/** Estimates the disk space that an import needs in the embedded database, before anything is written. */
import type { Queryable } from '../database/database.ts';
import type { Staging } from './staging.ts';

/** The space for a row while it is matched. */
export const BYTES_MATCHED_A_ROW = 512;

// Measured on the embedded database with 10,000 offers of as many products, tables with indices and write-ahead log together:
// 7,100 bytes for a new offer of a new product, 4,700 to 5,100 for a changed price, 5,500 for a withdrawal. The log makes up most of it.
const BYTES_ADDED = 8 * 1024;
const BYTES_CHANGED = 6 * 1024;
const BYTES_WITHDRAWN = 6 * 1024;

/**
 * Estimates the space for the planned changes. Texts are written twice, to the table and to the log: all texts of a new offer, only
 * the link of a changed one.
 */
export async function bytesToWrite(transaction: Queryable, { table }: Staging): Promise<number> {
  const [row] = await transaction.query<{ bytes: number }>(
    `SELECT added.rows * ($1::float8 + 2 * text.bytes) + changed.rows * $2::float8 + 2 * changed.links + gone.rows * $3::float8 AS bytes
     FROM (SELECT count(*) AS rows FROM matched WHERE offer_id IS NULL AND fault IS NULL) AS added,
          (
            SELECT count(*) AS rows, COALESCE(sum(octet_length(item.link)), 0)::float8 AS links
            FROM differing
            JOIN ${table} AS item ON item.position = differing.position
          ) AS changed,
          (SELECT count(*) AS rows FROM gone) AS gone,
          (SELECT pg_table_size('${table}') / GREATEST(count(*), 1) AS bytes FROM matched) AS text`,
    [BYTES_ADDED, BYTES_CHANGED, BYTES_WITHDRAWN],
  );
  return row?.bytes ?? 0;
}
