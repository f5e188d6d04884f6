/**
 * The sessions of key holders at `/account`. A key opens one; only the digest of its token is stored. It ends with the secret that opened
 * it: with a revocation, an expiry, or the end of the grace period after a rotation. Times are those of the database.
 */
import type { AccessKey } from '../access/keys.ts';
import { digestOf } from '../access/secret.ts';
import { isToken, makeToken } from '../access/token.ts';
import type { Queryable } from '../database/database.ts';

/** When a session ends, even if it is in use. */
export const SESSION_HOURS = 12;
/** The most sessions of a key; the oldest are deleted. */
export const MOST_SESSIONS = 20;

// The secret is looked up again, because the key may have been revoked or rotated since it was checked. Sessions of a former secret would take
// the places of others. Expired sessions of all keys are deleted a few at a time, so that keys that are no longer used leave none behind.
const OPEN = `
  WITH opening AS (
    SELECT secret.id AS secret_id, secret.key_id
    FROM api_key_secret AS secret
    JOIN api_key AS key ON key.id = secret.key_id
    WHERE secret.digest = $1::text
      AND key.revoked_at IS NULL
      AND (key.expires_at > now()) IS NOT FALSE
      AND secret.expires_at IS NULL
      AND NOT EXISTS (SELECT FROM demo_key WHERE key_id = key.id)
  ), ended AS (
    DELETE FROM account_session
    WHERE digest = $4::text
       OR digest IN (
         SELECT digest FROM account_session
         WHERE key_id = (SELECT key_id FROM opening)
         ORDER BY created_at DESC, digest
         OFFSET ${MOST_SESSIONS - 1}
       )
       OR digest IN (SELECT digest FROM account_session WHERE expires_at <= now() ORDER BY expires_at LIMIT 100)
  )
  INSERT INTO account_session (digest, secret_id, key_id, expires_at)
  SELECT $2::text, secret_id, key_id, now() + make_interval(hours => $3::int)
  FROM opening
  RETURNING digest`;

/**
 * Opens a session for the newest secret of a key.
 * @param former the token of the session that the browser had before, which ends.
 * @returns its token; `undefined` if the key is no longer valid, or the secret no longer the newest.
 */
export async function openSession(
  database: Queryable,
  secret: string,
  former: string | undefined,
): Promise<string | undefined> {
  const token = makeToken();
  const rows = await database.query(
    OPEN,
    [digestOf(secret), digestOf(token), SESSION_HOURS, isToken(former) ? digestOf(former) : null],
    { name: 'account_open' },
  );
  return rows.length > 0 ? token : undefined;
}

// By the primary keys.
const FIND = `
  SELECT key.id, secret.id AS "secretId", key.name, key.plan, key.rate_limit AS "rateLimit",
         key.monthly_quota AS "monthlyQuota", LEAST(key.expires_at, secret.expires_at) AS "expiresAt",
         secret.expires_at IS NOT NULL AS "isFormer", FALSE AS "isDemo"
  FROM account_session AS session
  JOIN api_key_secret AS secret ON secret.id = session.secret_id
  JOIN api_key AS key ON key.id = secret.key_id
  WHERE session.digest = $1::text
    AND session.expires_at > now()
    AND key.revoked_at IS NULL
    AND (LEAST(key.expires_at, secret.expires_at) > now()) IS NOT FALSE`;

/** The key of a session, as it is now; `undefined` if the session has ended or never existed. */
export async function keyOfSession(database: Queryable, token: string): Promise<AccessKey | undefined> {
  const [key] = await database.query<AccessKey>(FIND, [digestOf(token)], { name: 'account_session', isCurrent: true });
  return key;
}

const MOVE = `
  UPDATE account_session AS session
  SET secret_id = secret.id
  FROM api_key_secret AS secret
  WHERE session.digest = $1::text AND secret.digest = $2::text AND secret.key_id = session.key_id`;

/** Lets a session outlive the rotation of its key: it ends with the new secret instead. */
export async function moveSession(database: Queryable, token: string, secret: string): Promise<void> {
  await database.query(MOVE, [digestOf(token), digestOf(secret)], { name: 'account_move' });
}

const CLOSE = 'DELETE FROM account_session WHERE digest = $1::text';

/** Ends a session. */
export async function closeSession(database: Queryable, token: string): Promise<void> {
  await database.query(CLOSE, [digestOf(token)], { name: 'account_close' });
}
