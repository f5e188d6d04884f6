/** The version of the catalogue: caches are valid until it changes. Every change of the catalogue raises it in the same transaction. */
import type { Queryable } from '../database/database.ts';

export interface CatalogueVersion {
  /** The version that was current less than a second ago; `undefined` if it is unknown or caching is off. It is renewed in advance. */
  known(): bigint | undefined;
  /** As {@link known}, but reads an unknown version from the database; `undefined` if the database is unavailable. */
  look(): Promise<bigint | undefined>;
}

// A change must be visible everywhere within a second, so a version expires after 900 ms.
const LIFE_MS = 900;
const RENEW_MS = 400;

/** Reads the current version from the database. */
export async function readVersion(database: Queryable): Promise<bigint> {
  const [row] = await database.query<{ version: bigint }>('SELECT version FROM catalogue_version', [], {
    name: 'catalogue_version',
    isCurrent: true,
  });
  return row?.version ?? 0n;
}

/** Follows the version in a database. */
export function followVersion(database: Queryable) {
  let version: bigint | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;
  // The version noted during a read, whose result may be older.
  let noted: bigint | undefined;

  const ask = async () => {
    // The age counts from the start of the read, because the result may have been delayed.
    const now = performance.now();
    noted = undefined;
    const read = await readVersion(database);
    version = noted !== undefined && noted > read ? noted : read;
    askedAt = now;
  };
  const renew = () => {
    asking ??= ask()
      .catch(() => {}) // The version expires, and the request itself will get the database's error.
      .finally(() => {
        asking = undefined;
      });
    return asking;
  };
  const known: CatalogueVersion['known'] = () => {
    const age = performance.now() - askedAt;
    if (age > RENEW_MS) void renew();
    return age > LIFE_MS ? undefined : version;
  };

  return {
    known,
    async look(): ReturnType<CatalogueVersion['look']> {
      if (known() === undefined) await renew();
      return performance.now() - askedAt > LIFE_MS ? undefined : version;
    },
    /** Records a version that another part of this process has read. */
    note(seen: bigint): void {
      if (version !== undefined && seen <= version) return;
      version = seen;
      noted = seen;
    },
  };
}

export type FollowedVersion = ReturnType<typeof followVersion>;

/** For deployments without caches: the version is never known. */
export const NEVER_KNOWN: CatalogueVersion = { known: () => undefined, look: async () => undefined };
