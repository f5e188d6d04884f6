/**
 * Checks that an import has room on the disks of this machine that it writes to. A database on a full disk takes no writes, so an import
 * stops while there is room for other writes, such as counts of requests.
 */
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Database, Queryable } from '../database/database.ts';
import { byteSize, wholeMebibytes } from '../values/byte-size.ts';
import { soleValue } from './sole-value.ts';
import type { Staging } from './staging.ts';

/** A disk has too little room for the import; the message says how much is free, how much is needed, and what to do. */
export class DiskTooFull extends Error {
  override name = 'DiskTooFull';
}

export type DiskGuard = ReturnType<typeof openDiskGuard>;

// The longest lines have an id of 128 characters and a sentence with an excerpt of 60.
const BYTES_A_REJECTED_ROW = 512;

/** Watches the disks of an import. @param minFreeBytes the reserve; 0 watches nothing. */
export function openDiskGuard(
  { dataFolder }: Pick<Database, 'dataFolder'>,
  rejectsFile: string | undefined,
  minFreeBytes: number,
) {
  return {
    /** Checks that the reserve stays free when the import writes so much more. @throws {DiskTooFull} when it would not. */
    async requireRoom(dataBytes: number, rejectedRows: number): Promise<void> {
      if (minFreeBytes === 0) return;
      if (dataFolder !== undefined) {
        const free = await freeBytes(resolve(dataFolder));
        if (free < minFreeBytes + dataBytes) {
          throw new DiskTooFull(
            `The disk of the database in ${dataFolder} has ${wholeMebibytes(free)} free, and the import needs ` +
              `${dataBytes === 0 ? '' : `about ${wholeMebibytes(dataBytes)} and `}a reserve of ${byteSize(minFreeBytes)}: nothing was changed. ` +
              'Make room and run this again, or choose a smaller reserve with --min-free.',
          );
        }
      }
      if (rejectsFile === undefined) return;
      const needed = Math.min(rejectedRows * BYTES_A_REJECTED_ROW, minFreeBytes);
      const free = await freeBytes(dirname(resolve(rejectsFile)));
      if (free < needed) {
        throw new DiskTooFull(
          `The disk of the rejects file ${rejectsFile} has ${wholeMebibytes(free)} free, and it may need ${wholeMebibytes(needed)}: ` +
            'nothing was changed. Make room, name another file with --rejects, or write fewer rows with --max-rejects.',
        );
      }
    },
  };
}

async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY; // Some file systems do not say. The write itself then fails if there is no room.
  }
}

/** The space for a row while it is matched. */
export const BYTES_MATCHED_A_ROW = 512;

// Measured with 10,000 offers of as many products, tables with indices and write-ahead log together: 10,200 bytes for a new offer of a new
// product, 6,200 for a changed price, 5,200 for a withdrawal; the latter two have up to 9,600 after a checkpoint, when the log has whole pages.
const BYTES_AN_OFFER = 10 * 1024;

/** Estimates the space for the planned changes. The table and the log each get all texts of a new offer, and a changed one's link. */
export async function bytesToWrite(transaction: Queryable, { table }: Pick<Staging, 'table'>): Promise<number> {
  return soleValue(
    transaction,
    `SELECT (added.rows + changed.rows + gone.rows) * $1::float8 + 2 * (added.rows * text.bytes + changed.links) AS bytes
     FROM (SELECT count(*) AS rows FROM matched WHERE offer_id IS NULL AND fault IS NULL) AS added,
          (
            SELECT count(*) AS rows, COALESCE(sum(octet_length(item.link)), 0)::float8 AS links
            FROM differing
            JOIN ${table} AS item ON item.position = differing.position
          ) AS changed,
          (SELECT count(*) AS rows FROM gone) AS gone,
          (SELECT pg_table_size('${table}') / GREATEST(count(*), 1) AS bytes FROM matched WHERE NOT is_known) AS text`,
    [BYTES_AN_OFFER],
  );
}
