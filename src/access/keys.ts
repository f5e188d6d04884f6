/** Looks up the keys that clients send. Cached for two seconds, so that a revocation or a change of plan is in force within five. */
import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../database/database.ts';
import type { Soon } from '../soon.ts';
import { type FreeRequests, openFreeRequests } from './free-requests.ts';
import type { PlanId } from './plans.ts';
import { digestOf, isWellFormedSecret } from './secret.ts';

/** A valid key. */
export interface AccessKey {
  /** The key's number in the database; stays the same when the key is rotated. */
  id: bigint;
  /** The number of the secret that was sent. */
  secretId: bigint;
  name: string;
  plan: PlanId;
  /** Requests a minute, if different from the plan's. */
  rateLimit: number | null;
  /** Requests a month, if different from the plan's; 0 is unlimited. */
  monthlyQuota: number | null;
  /** When the key or this secret of it stops working. */
  expiresAt: Date | null;
  /** Whether a rotation has replaced this secret, so that it only reads (`former-key.ts`). */
  isFormer: boolean;
  /** Whether it is the public key of a demo, which only reads the catalogue, with a limit for each address (`demo-key.ts`). */
  isDemo: boolean;
}

export type KeyDirectory = ReturnType<typeof openKeyDirectory>;

const RECORD_LIFE_MS = 2_000;
const MOST_RECORDS = 50_000;
// In a cache of their own, so that guesses cannot evict valid keys.
const MOST_UNKNOWN = 10_000;

// Uses the unique index on api_key_secret (digest). Measuring the comparison reveals at most digits of a SHA-256 digest, which a client
// cannot choose and from which no key can be derived.
const FIND_KEYS = `
  SELECT secret.digest, secret.id AS "secretId", key.id, key.name, key.plan, key.rate_limit AS "rateLimit",
         key.monthly_quota AS "monthlyQuota", LEAST(key.expires_at, secret.expires_at) AS "expiresAt",
         secret.expires_at IS NOT NULL AS "isFormer", demo.key_id IS NOT NULL AS "isDemo"
  FROM api_key_secret AS secret
  JOIN api_key AS key ON key.id = secret.key_id
  LEFT JOIN demo_key AS demo ON demo.key_id = key.id
  WHERE secret.digest = ANY ($1::text[])
    AND key.revoked_at IS NULL
    AND COALESCE(LEAST(key.expires_at, secret.expires_at) > now(), TRUE)`;

/**
 * Opens the directory of keys over a database.
 * @param free limits guesses; unlimited by default.
 * @param options `hasDemoKey`: whether a demo key is valid.
 */
export function openKeyDirectory(
  database: Queryable,
  free: Pick<FreeRequests, 'look' | 'isKnown'> = openFreeRequests({ requests: 0, guesses: 0 }),
  { hasDemoKey = true }: { hasDemoKey?: boolean } = {},
) {
  let demoDigest: string | undefined;
  const records = new LRUCache<string, { key: AccessKey }>({ max: MOST_RECORDS, ttl: RECORD_LIFE_MS });
  const unknown = new LRUCache<string, true>({ max: MOST_UNKNOWN, ttl: RECORD_LIFE_MS });
  const fromDatabase = new DataLoader<string, AccessKey | undefined>(
    async (digests) => {
      const rows = await database.query<AccessKey & { digest: string }>(FIND_KEYS, [digests], {
        name: 'keys',
        batchSize: digests.length,
      });
      const valid = hasDemoKey ? rows : rows.filter(({ isDemo }) => !isDemo);
      const keys = new Map(valid.map(({ digest, ...key }) => [digest, key]));
      return digests.map((digest) => keys.get(digest));
    },
    { cache: false, batchScheduleFn: setImmediate },
  );

  /** A digest that is known belongs to a well-formed key, so only the others are checked for that. */
  const known = (digest: string): AccessKey | undefined => {
    const key = records.get(digest)?.key;
    return key && unlessExpired(key);
  };
  const readBy = async (secret: string, digest: string, look: (digest: string) => Promise<AccessKey | undefined>) => {
    if (!isWellFormedSecret(secret) || records.has(digest) || unknown.has(digest)) return undefined;
    const key = await look(digest);
    if (key?.isDemo) demoDigest = digest;
    if (key) records.set(digest, { key });
    else unknown.set(digest, true);
    return key && unlessExpired(key);
  };

  return {
    /**
     * The key of a secret; `undefined` when it is unknown, revoked or expired.
     * @param addressOf gives the client's address.
     * @throws {Problem} `rate_limited` when the address has sent too many unknown keys, and this one may be another.
     */
    find(secret: string, addressOf: () => string): Soon<AccessKey | undefined> {
      const digest = digestOf(secret);
      return (
        known(digest) ?? readBy(secret, digest, () => free.look(digest, addressOf(), () => fromDatabase.load(digest)))
      );
    },
    /** The key of a secret that was valid before, such as a subscription's: without the limit on guesses, which others may have used up. */
    findAgain(secret: string): Soon<AccessKey | undefined> {
      const digest = digestOf(secret);
      return known(digest) ?? readBy(secret, digest, () => fromDatabase.load(digest));
    },
    /**
     * The digest of a secret, if it was valid when this process last looked it up within the last hour. Reads no database. The demo key is
     * never known, because everybody has it: its requests get no precedence, and count by their address. Neither are the tokens of reports
     * and sessions, whose lookups are remembered beside those of keys.
     */
    knownDigest(secret: string) {
      const digest = digestOf(secret);
      const isKnown = digest !== demoDigest && free.isKnown(digest) && isWellFormedSecret(secret);
      return isKnown ? digest : undefined;
    },
  };
}

const unlessExpired = (key: AccessKey): AccessKey | undefined =>
  key.expiresAt && key.expiresAt.getTime() <= Date.now() ? undefined : key;
