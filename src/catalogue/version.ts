/**
 * The version of the catalogue, and what its changes affect. Every change raises the version in its transaction, and may record the tags
 * that it affects (catalogue/tags.ts). Caches are valid until a change of their tags.
 */
import type { Queryable } from '../database/database.ts';
import { type Changes, openChanges } from './changes.ts';

export interface CatalogueVersion {
  /** The version that was current less than a second ago; `undefined` if it is unknown or caching is off. It is renewed in advance. */
  known(): bigint | undefined;
  /** As {@link known}, but reads an unknown version from the database; `undefined` if the database is unavailable. */
  look(): Promise<bigint | undefined>;
  /** All changes up to the known version. Entries of caches may be used only while the version is known. */
  changes: Changes;
}

// A change must be visible everywhere within a second, so a version expires after 900 ms.
const LIFE_MS = 900;
const RENEW_MS = 400;
// After more changes than this without a read, everything is discarded: to read their tags would cost more.
const MOST_RAISES = 100;

/** Reads the current version from the database. */
export async function readVersion(database: Queryable): Promise<bigint> {
  const [row] = await database.query<{ version: bigint }>('SELECT version FROM catalogue_version', [], {
    name: 'catalogue_version',
    isCurrent: true,
  });
  return row?.version ?? 0n;
}

interface RaiseRow {
  version: bigint;
  /** The tags of one raise since then, separated by blanks; null if none has recorded any. */
  tags: string | null;
}

// By the primary key of invalidation. One statement, so that both tables are of one moment.
const RAISES = `
  SELECT current.version, array_to_string(invalidation.tags, ' ') AS tags
  FROM catalogue_version AS current
  LEFT JOIN invalidation
    ON invalidation.version > $1::bigint
    AND invalidation.version <= current.version
    AND current.version - $1::bigint <= ${MOST_RAISES}`;

/** The tags that all raises since `before` affect; `undefined` for everything, also if a raise has not recorded its tags. */
function tagsSince(before: bigint, version: bigint, rows: readonly RaiseRow[]): string[] | undefined {
  const recorded = rows.flatMap(({ tags }) => tags ?? []);
  if (BigInt(recorded.length) !== version - before) return undefined;
  return [...new Set(recorded.flatMap((tags) => (tags === '' ? [] : tags.split(' '))))];
}

/** Follows the version in a database. */
export function followVersion(database: Queryable) {
  const changes = openChanges();
  let version: bigint | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<bigint> | undefined;
  // The version noted during a read, whose result may be older.
  let noted: bigint | undefined;

  const ask = async (): Promise<bigint> => {
    // The age counts from the start of the read, because the result may have been delayed.
    const now = performance.now();
    noted = undefined;
    const rows = await database.query<RaiseRow>(RAISES, [version ?? null], {
      name: 'catalogue_changes',
      isCurrent: true,
    });
    const read = rows[0]?.version ?? 0n;
    if (read !== version) {
      // Evicts before the new version is known.
      changes.announce(version === undefined ? undefined : tagsSince(version, read, rows));
      version = read;
    }
    if (noted === undefined || read >= noted) askedAt = now;
    return read;
  };
  /** One read at a time, so that changes are announced in their order. */
  const renew = () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
  // The version expires, and the request itself will get the database's error.
  const tryToRenew = () => renew().catch(() => {});
  const known: CatalogueVersion['known'] = () => {
    const age = performance.now() - askedAt;
    if (age > RENEW_MS) void tryToRenew();
    return age > LIFE_MS ? undefined : version;
  };

  return {
    changes,
    known,
    async look(): ReturnType<CatalogueVersion['look']> {
      if (known() === undefined) await tryToRenew();
      return performance.now() - askedAt > LIFE_MS ? undefined : version;
    },
    /** Records a version that another part of this process has read. No cache is used until its changes have been read too. */
    note(seen: bigint): void {
      if (version !== undefined && seen <= version) return;
      noted = seen;
      askedAt = Number.NEGATIVE_INFINITY;
    },
    /** Reads the version and applies its changes to all caches. @returns the version. @throws the database's error. */
    async catchUp(): Promise<bigint> {
      // A read that is under way may have started before the change that the caller knows of.
      await asking?.catch(() => {});
      return renew();
    },
  };
}

export type FollowedVersion = ReturnType<typeof followVersion>;

/** For deployments without caches: the version is never known. */
export const NEVER_KNOWN: CatalogueVersion = {
  known: () => undefined,
  look: async () => undefined,
  changes: { seen: 0, hasChanged: () => true, watch() {}, announce() {} },
};
