/** What an operator does with keys: make, list, revoke, rotate, move to another plan, and see their use. */

import type { Database, Queryable } from '../database/database.ts';
import { dayOf, monthOfDay } from '../values/day.ts';
import { decodeId, encodeId } from '../values/id.ts';
import { currentActor, recordAudit } from './audit.ts';
import { monthOf } from './meter.ts';
import { allowanceOf, PLAN_IDS, type PlanId, UNLIMITED } from './plans.ts';
import { digestOf, makeSecret, prefixOf } from './secret.ts';
import { type DayUsage, daysOfMonth } from './usage-days.ts';

/** There is no such key. */
export class KeyNotFound extends Error {
  override name = 'KeyNotFound';

  constructor(id: string) {
    super(`There is no key ${id}: \`pda keys list\` shows all.`);
  }
}

/** What was asked of a key cannot be done; the message says what to do instead. */
export class KeyRefused extends Error {
  override name = 'KeyRefused';
}

export interface NewKey {
  /** 1 to 100 characters on one line. */
  name: string;
  plan: PlanId;
  /** Requests a minute, where the key differs from its plan. */
  rateLimit?: number | undefined;
  expiresAt?: Date | undefined;
}

/** A key that has just been made or rotated: the only time that its text is seen. */
export interface IssuedKey {
  id: string;
  key: string;
  plan: PlanId;
  name: string;
}

/** A key as lists show it; moments in UTC. */
export interface KeyRecord {
  id: string;
  name: string;
  plan: PlanId;
  /** The first characters of its secrets that work now. */
  prefixes: string[];
  rateLimit?: number;
  createdAt: Date;
  expiresAt?: Date;
  revokedAt?: Date;
}

export interface KeyUsage {
  id: string;
  name: string;
  plan: PlanId;
  month: string;
  used: number;
  /** Requests a month; 0 is unlimited. */
  quota: number;
  /** Requests left; absent when unlimited. */
  remaining?: number;
  /** Each day of the month until today. */
  days: DayUsage[];
}

/**
 * Makes a key with its first secret, in one statement: within a transaction, several keys are made together or not at all.
 *
 * @throws {KeyRefused} when the name or the plan cannot be used.
 */
export async function createKey(database: Queryable, { name, plan, rateLimit, expiresAt }: NewKey): Promise<IssuedKey> {
  checkName(name);
  checkPlan(plan);
  const secret = makeSecret();
  const [row] = await database.query<{ id: bigint }>(
    `WITH key AS (
       INSERT INTO api_key (name, plan, rate_limit, expires_at)
       VALUES ($1::text, $2::text::plan_id, $3::int, $4::timestamptz)
       RETURNING id
     ), secret AS (
       INSERT INTO api_key_secret (key_id, digest, prefix)
       SELECT id, $5::text, $6::text
       FROM key
     )
     INSERT INTO audit_event (action, key_id, actor, after)
     SELECT 'key.create', id, $7::text, $8::text::jsonb
     FROM key
     RETURNING key_id AS id`,
    [
      name.trim(),
      plan,
      rateLimit ?? null,
      expiresAt ?? null,
      digestOf(secret),
      prefixOf(secret),
      currentActor(),
      JSON.stringify({ name: name.trim(), plan, rateLimit, expiresAt, prefix: prefixOf(secret) }),
    ],
  );
  if (!row) throw new Error('The key was not made.');
  return { id: encodeId('key', row.id), key: secret, plan, name: name.trim() };
}

/** All keys, the oldest first. */
export async function listKeys(database: Queryable): Promise<KeyRecord[]> {
  return (await database.query<Row>(`${SELECT_KEYS} GROUP BY key.id ORDER BY key.id`)).map(asRecord);
}

/** One key. @throws {KeyNotFound} */
export async function showKey(database: Queryable, id: string): Promise<KeyRecord> {
  const [row] = await database.query<Row>(`${SELECT_KEYS} WHERE key.id = $1 GROUP BY key.id`, [numberOf(id)]);
  if (!row) throw new KeyNotFound(id);
  return asRecord(row);
}

/** Ends a key; in force everywhere within five seconds. Revoking it again changes nothing. @throws {KeyNotFound} */
export async function revokeKey(database: Queryable, id: string): Promise<KeyRecord> {
  await database.query(
    `WITH revoked AS (
       UPDATE api_key
       SET revoked_at = now()
       WHERE id = $1::bigint AND revoked_at IS NULL
       RETURNING id
     )
     INSERT INTO audit_event (action, key_id, actor)
     SELECT 'key.revoke', id, $2::text
     FROM revoked`,
    [numberOf(id), currentActor()],
  );
  return showKey(database, id);
}

/**
 * Gives a key a new secret. The old one works for `graceHours` more; plan, limits and usage stay as they are.
 *
 * @throws {KeyNotFound}
 * @throws {KeyRefused} when the key is revoked or has expired: no secret of it would work.
 */
export async function rotateKey(database: Database, id: string, graceHours: number): Promise<IssuedKey> {
  const { name, plan, prefixes, revokedAt, expiresAt } = await showKey(database, id);
  const isOver = revokedAt ? 'is revoked' : expiresAt && expiresAt.getTime() <= Date.now() ? 'has expired' : undefined;
  if (isOver) throw new KeyRefused(`The key ${id} ${isOver}: make a new one with \`pda keys create\`.`);
  const secret = makeSecret();
  await database.transaction(async (transaction) => {
    await transaction.query(
      `UPDATE api_key_secret
       SET expires_at = LEAST(expires_at, now() + make_interval(secs => $2::float8 * 3600))
       WHERE key_id = $1`,
      [numberOf(id), graceHours],
    );
    await transaction.query(
      'INSERT INTO api_key_secret (key_id, digest, prefix) VALUES ($1::bigint, $2::text, $3::text)',
      [numberOf(id), digestOf(secret), prefixOf(secret)],
    );
    await recordAudit(transaction, {
      action: 'key.rotate',
      keyId: numberOf(id),
      before: { prefixes },
      after: { prefix: prefixOf(secret), graceHours },
    });
  });
  return { id, key: secret, plan, name };
}

/** Moves a key to another plan; in force everywhere within five seconds. @throws {KeyNotFound} */
export async function setPlan(database: Queryable, id: string, plan: PlanId): Promise<KeyRecord> {
  checkPlan(plan);
  await database.query(
    `WITH former AS (
       SELECT id, plan
       FROM api_key
       WHERE id = $1::bigint AND plan <> $2::text::plan_id
       FOR UPDATE
     ), moved AS (
       UPDATE api_key
       SET plan = $2::text::plan_id
       FROM former
       WHERE api_key.id = former.id
       RETURNING former.id, former.plan
     )
     INSERT INTO audit_event (action, key_id, actor, before, after)
     SELECT 'key.set-plan', id, $3::text, jsonb_build_object('plan', plan), jsonb_build_object('plan', $2::text)
     FROM moved`,
    [numberOf(id), plan, currentActor()],
  );
  return showKey(database, id);
}

/**
 * What keys have used in a month (`YYYY-MM`, UTC; by default the current one): of one key, or of all. A month that is over
 * is told by the allowance that was in force at its last count, whatever the key's plan is today.
 */
export async function usageOf(
  database: Queryable,
  { keyId, month = monthOf(new Date()) }: { keyId?: string | undefined; month?: string | undefined } = {},
): Promise<KeyUsage[]> {
  if (keyId !== undefined) await showKey(database, keyId);
  const rows = await database.query<{
    id: bigint;
    name: string;
    plan: PlanId;
    used: bigint | null;
    quota: bigint | null;
    starts: (number | null)[];
  }>(
    `SELECT key.id, key.name, key.plan, counter.used, counter.quota,
            to_jsonb(ARRAY(SELECT counter.day_starts[day] FROM generate_series(1, 31) AS day ORDER BY day)) AS starts
     FROM api_key AS key
     LEFT JOIN usage_counter AS counter ON counter.key_id = key.id AND counter.month = $1::text
     WHERE $2::bigint IS NULL OR key.id = $2::bigint
     ORDER BY key.id`,
    [month, keyId === undefined ? null : numberOf(keyId)],
  );
  const today = dayOf(Date.now());
  const isOver = month < monthOfDay(today);
  return rows.map(({ id, name, plan, used, quota, starts }) => {
    const allowance = isOver && quota !== null ? Number(quota) : allowanceOf(plan);
    const spent = Number(used ?? 0);
    return {
      id: encodeId('key', id),
      name,
      plan,
      month,
      used: spent,
      ...(allowance === UNLIMITED ? { quota: 0 } : { quota: allowance, remaining: Math.max(0, allowance - spent) }),
      days: daysOfMonth(starts, spent, month, today),
    };
  });
}

interface Row {
  id: bigint;
  name: string;
  plan: PlanId;
  prefixes: string[] | null;
  rate_limit: number | null;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
}

const SELECT_KEYS = `
  SELECT key.id, key.name, key.plan, key.rate_limit, key.created_at, key.expires_at, key.revoked_at,
         array_agg(secret.prefix ORDER BY secret.id)
           FILTER (WHERE secret.expires_at IS NULL OR secret.expires_at > now()) AS prefixes
  FROM api_key AS key
  JOIN api_key_secret AS secret ON secret.key_id = key.id`;

function asRecord(row: Row): KeyRecord {
  return {
    id: encodeId('key', row.id),
    name: row.name,
    plan: row.plan,
    prefixes: row.prefixes ?? [],
    ...(row.rate_limit !== null && { rateLimit: row.rate_limit }),
    createdAt: row.created_at,
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    ...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
  };
}

function numberOf(id: string): bigint {
  const number = decodeId('key', id);
  if (number === undefined) throw new KeyNotFound(id);
  return number;
}

/** Names are shown on terminals, which would obey what is not text. */
function checkName(name: string): void {
  const shown = name.trim();
  if (shown === '' || name.length > 100) throw new KeyRefused('A key needs a name of 1 to 100 characters.');
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(shown)) {
    throw new KeyRefused('The name of a key is one line of text: leave out line breaks and other control characters.');
  }
}

function checkPlan(plan: string): void {
  if (!PLAN_IDS.some((id) => id === plan)) {
    throw new KeyRefused(`There is no plan ${plan}: choose one of ${PLAN_IDS.join(', ')}.`);
  }
}
