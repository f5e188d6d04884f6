/**
 * Checks that an import has room on the disks that it writes to. The embedded database stops when it cannot write its log, and the
 * server with it, so an import stops while the server still has room.
 */
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Queryable } from '../database/database.ts';
import { byteSize, wholeMebibytes } from '../values/byte-size.ts';
import type { ImportRequest } from './import-request.ts';
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
  { dataFolder, rejectsFile }: Pick<ImportRequest, 'dataFolder' | 'rejectsFile'>,
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

// Measured on the embedded database with 10,000 offers of as many products, tables with indices and write-ahead log together:
// 9,200 bytes for a new offer of a new product; 4,700 to 5,100 for a changed price and 5,500 for a withdrawal, each without its two rows in
// the stream of changes, which add about 1,000. The log makes up most of it.
const BYTES_ADDED = 10 * 1024;
const BYTES_CHANGED = 7 * 1024;
const BYTES_WITHDRAWN = 7 * 1024;

/** Estimates the same before the rows are matched. */
export async function bytesOfChanges(
  database: Queryable,
  { table }: Pick<Staging, 'table'>,
  { added, changed, withdrawn, linkBytes }: { added: number; changed: number; withdrawn: number; linkBytes: number },
): Promise<number> {
  const changes = changed * BYTES_CHANGED + 2 * linkBytes + withdrawn * BYTES_WITHDRAWN;
  if (added === 0) return changes;
  const texts = `SELECT pg_table_size('${table}')::float8 / GREATEST(count(*), 1) AS bytes FROM ${table} WHERE known_offer IS NULL`;
  return changes + added * (BYTES_ADDED + 2 * (await soleValue<number>(database, texts)));
}

/** Estimates the space for the planned changes. The table and the log each get all texts of a new offer, and a changed one's link. */
export async function bytesToWrite(transaction: Queryable, { table }: Pick<Staging, 'table'>): Promise<number> {
  return soleValue(
    transaction,
    `SELECT added.rows * ($1::float8 + 2 * text.bytes) + changed.rows * $2::float8 + 2 * changed.links + gone.rows * $3::float8 AS bytes
     FROM (SELECT count(*) AS rows FROM matched WHERE offer_id IS NULL AND fault IS NULL) AS added,
          (
            SELECT count(*) AS rows, COALESCE(sum(octet_length(item.link)), 0)::float8 AS links
            FROM differing
            JOIN ${table} AS item ON item.position = differing.position
          ) AS changed,
          (SELECT count(*) AS rows FROM gone) AS gone,
          (SELECT pg_table_size('${table}') / GREATEST(count(*), 1) AS bytes FROM matched WHERE NOT is_known) AS text`,
    [BYTES_ADDED, BYTES_CHANGED, BYTES_WITHDRAWN],
  );
}
