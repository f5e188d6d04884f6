/**
 * Checks that an import has room on the disks that it writes to. The embedded database stops when it cannot write its log, and the
 * server with it, so an import stops while the server still has room.
 */
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { byteSize, wholeMebibytes } from '../values/byte-size.ts';

/** A disk has too little room for the import; the message says how much is free, how much is needed, and what to do. */
export class DiskTooFull extends Error {
  override name = 'DiskTooFull';
}

export interface DiskGuard {
  /**
   * Checks that the reserve stays free when the import writes so many more bytes.
   *
   * @throws {DiskTooFull} when it would not.
   */
  requireRoom(data: number, rejectedRows: number): Promise<void>;
}

export interface GuardedFolders {
  /** The folder of the embedded database, also where a running server has it open; absent on PostgreSQL. */
  dataFolder?: string | undefined;
  rejectsFile?: string | undefined;
}

// The longest lines have an id of 128 characters and a sentence with an excerpt of 60.
const BYTES_A_REJECTED_ROW = 512;

/** Watches the disks of an import. @param minFreeBytes the reserve; 0 watches nothing. */
export function openDiskGuard({ dataFolder, rejectsFile }: GuardedFolders, minFreeBytes: number): DiskGuard {
  return {
    async requireRoom(data, rejectedRows) {
      if (minFreeBytes === 0) return;
      if (dataFolder !== undefined) {
        const free = await freeBytes(resolve(dataFolder));
        if (free !== undefined && free < minFreeBytes + data) {
          throw new DiskTooFull(
            `The disk of the database in ${dataFolder} has ${wholeMebibytes(free)} free, and the import needs ` +
              `${data === 0 ? '' : `about ${wholeMebibytes(data)} and `}a reserve of ${byteSize(minFreeBytes)}: nothing was changed. ` +
              'Make room and run this again, or choose a smaller reserve with --min-free.',
          );
        }
      }
      if (rejectsFile === undefined) return;
      const needed = Math.min(rejectedRows * BYTES_A_REJECTED_ROW, minFreeBytes);
      const free = await freeBytes(dirname(resolve(rejectsFile)));
      if (free !== undefined && free < needed) {
        throw new DiskTooFull(
          `The disk of the rejects file ${rejectsFile} has ${wholeMebibytes(free)} free, and it may need ${wholeMebibytes(needed)}: ` +
            'nothing was changed. Make room, name another file with --rejects, or write fewer rows with --max-rejects.',
        );
      }
    },
  };
}

async function freeBytes(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return undefined; // Some file systems do not say. The write itself then fails if there is no room.
  }
}
