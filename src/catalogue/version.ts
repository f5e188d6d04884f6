/**
 * Which state of the catalogue is current: what is kept in memory is good for as long as this number stays. Every change of the
 * catalogue raises it in its own transaction, whichever process makes it.
 */
import type { Queryable } from '../database/database.ts';

export interface CatalogueVersion {
  /**
   * The version that was current less than a second ago; `undefined` when that is not known, or nothing may be kept. Asks
   * the database ahead of time, so that whoever comes often never waits for it.
   */
  known(): bigint | undefined;
  /** The version as {@link known} gives it, asked for where it is not known; `undefined` when the database is away. */
  look(): Promise<bigint | undefined>;
}

export interface FollowedVersion extends CatalogueVersion {
  /** Takes note of a version that somebody else in this process has read. */
  note(version: bigint): void;
}

// A change must show within a second everywhere: what was read 900 ms ago is not used any more.
const LIFE_MS = 900;
const RENEW_MS = 400;

/** The version as the database has it now. */
export async function readVersion(database: Queryable): Promise<bigint> {
  const [row] = await database.query<{ version: bigint }>('SELECT version FROM catalogue_version', [], {
    isCurrent: true,
  });
  return row?.version ?? 0n;
}

/** Follows the version in a database. */
export function followVersion(database: Queryable): FollowedVersion {
  let version: bigint | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;
  // While a question is under way: what it answers may be older than this.
  let noted: bigint | undefined;

  const ask = async () => {
    // The age counts from the question: the answer may have been on its way for long.
    const now = performance.now();
    noted = undefined;
    const read = await readVersion(database);
    version = noted !== undefined && noted > read ? noted : read;
    askedAt = now;
  };
  const renew = () => {
    asking ??= ask()
      .catch(() => {}) // What is kept runs out, and the request itself meets the fault.
      .finally(() => {
        asking = undefined;
      });
    return asking;
  };
  const known = () => {
    const age = performance.now() - askedAt;
    if (age > RENEW_MS) void renew();
    return age > LIFE_MS ? undefined : version;
  };

  return {
    known,
    async look() {
      if (known() === undefined) await renew();
      return performance.now() - askedAt > LIFE_MS ? undefined : version;
    },
    note(seen) {
      if (version !== undefined && seen <= version) return;
      version = seen;
      noted = seen;
    },
  };
}

/** For deployments that keep nothing: never known. */
export const NEVER_KNOWN: CatalogueVersion = { known: () => undefined, look: async () => undefined };
