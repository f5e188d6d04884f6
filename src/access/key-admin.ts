/** Administration of keys: create, list, revoke, rotate, and show usage. `find-keys.ts` searches, and `key-limits.ts` changes plans and limits. */
import type { Database } from '../database/database.ts';
import { prismaOf } from '../database/prisma-of.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { dayOf, monthOfDay } from '../values/day.ts';
import { decodeId, encodeId } from '../values/id.ts';
import { addAuditEvent, currentActor } from './audit.ts';
import { formerKeyRefused } from './former-key.ts';
import { monthOf } from './meter.ts';
import { allowanceOf, PLAN_IDS, type PlanId, UNLIMITED } from './plans.ts';
import { digestOf, makeSecret, prefixOf } from './secret.ts';
import { daysOfMonth } from './usage-days.ts';

/** The key does not exist. */
export class KeyNotFound extends Error {
  override name = 'KeyNotFound';

  constructor(id: string) {
    super(`No key has the id ${id}: \`pda keys list\` shows all keys.`);
  }
}

/** The operation on a key is not possible; the message says what to do instead. */
export class KeyRefused extends Error {
  override name = 'KeyRefused';
}

interface NewKey {
  /** 1 to 100 characters on one line. */
  name: string;
  plan: PlanId;
  /** Requests a minute, if different from the plan's. */
  rateLimit?: number | undefined;
  /** Requests a month, if different from the plan's; 0 is unlimited. */
  monthlyQuota?: number | undefined;
  expiresAt?: Date | undefined;
}

/** Who asks for an action. */
export interface By {
  /** For the audit log; the user of this process by default. */
  actor?: string | undefined;
}

/** A key that has just been created or rotated. Its text is shown only now. */
export interface IssuedKey {
  id: string;
  key: string;
  plan: PlanId;
  name: string;
}

/** A key as lists show it; times in UTC. */
export type KeyRecord = Awaited<ReturnType<typeof listKeys>>[number];
export type KeyUsage = Awaited<ReturnType<typeof usageOf>>[number];

/** Creates a key with its first secret. @throws {KeyRefused} when the name or the plan is invalid. */
export async function createKey(database: Database, key: NewKey, by: By = {}): Promise<IssuedKey> {
  const [issued] = await createKeys(database, [key], by);
  if (!issued) throw new Error('The key was not created.');
  return issued;
}

/** Creates several keys, all or none. @throws {KeyRefused} when a name or a plan is invalid. */
export async function createKeys(database: Database, keys: readonly NewKey[], by: By = {}): Promise<IssuedKey[]> {
  for (const { name, plan } of keys) {
    checkName(name);
    checkPlan(plan);
  }
  const prisma = await prismaOf(database);
  return prisma.$transaction(async (transaction) => {
    const issued: IssuedKey[] = [];
    for (const key of keys) issued.push(await insertKey(transaction, { ...key, name: key.name.trim() }, by));
    return issued;
  });
}

/** Creates a key in a transaction. */
export async function insertKey(transaction: Prisma.TransactionClient, key: NewKey, { actor }: By = {}) {
  const { name, plan, rateLimit = null, monthlyQuota = null, expiresAt = null } = key;
  const secret = makeSecret();
  const prefix = prefixOf(secret);
  const { id } = await transaction.apiKey.create({
    data: {
      ...{ name, plan, rateLimit, monthlyQuota, expiresAt },
      secrets: { create: { digest: digestOf(secret), prefix } },
    },
    select: { id: true },
  });
  const after = { ...key, prefix };
  await addAuditEvent(transaction, { action: 'key.create', keyId: id, actor, after });
  return { id: encodeId('key', id), key: secret, plan, name };
}

/** Which keys to list; all of them, oldest first, by default. */
interface KeyList {
  /** A condition on the row `key`, with its parameters. */
  where?: string;
  parameters?: readonly unknown[];
  /** Only so many, newest first. */
  newest?: number;
}

interface KeyRow {
  id: bigint;
  name: string;
  plan: PlanId;
  rateLimit: number | null;
  monthlyQuota: number | null;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  prefixes: string[];
}

/** Lists keys. By SQL, because loading Prisma Client takes longer than the rest of `pda keys list`. */
export async function listKeys(database: Database, { where = 'TRUE', parameters, newest }: KeyList = {}) {
  const keys = await database.query<KeyRow>(
    `SELECT key.id, key.name, key.plan, key.rate_limit AS "rateLimit", key.monthly_quota AS "monthlyQuota",
            key.created_at AS "createdAt", key.expires_at AS "expiresAt", key.revoked_at AS "revokedAt",
            ARRAY(
              SELECT secret.prefix
              FROM api_key_secret AS secret
              WHERE secret.key_id = key.id AND (secret.expires_at IS NULL OR secret.expires_at > now())
              ORDER BY secret.id
            ) AS prefixes
     FROM api_key AS key
     WHERE ${where}
     ORDER BY key.id ${newest === undefined ? '' : `DESC LIMIT ${newest}`}`,
    parameters,
  );
  return keys.map(({ id, name, plan, prefixes, rateLimit, monthlyQuota, createdAt, expiresAt, revokedAt }) => ({
    id: encodeId('key', id),
    name,
    plan,
    /** The first characters of its working secrets. */
    prefixes,
    ...(rateLimit !== null && { rateLimit }),
    ...(monthlyQuota !== null && { monthlyQuota }),
    createdAt,
    ...(expiresAt !== null && { expiresAt }),
    ...(revokedAt !== null && { revokedAt }),
  }));
}

/** One key. @throws {KeyNotFound} */
export async function showKey(database: Database, id: string): Promise<KeyRecord> {
  const [key] = await listKeys(database, { where: 'key.id = $1', parameters: [numberOf(id)] });
  if (!key) throw new KeyNotFound(id);
  return key;
}

/** Revokes a key; in force everywhere within five seconds. Revoking it again changes nothing. @throws {KeyNotFound} */
export async function revokeKey(database: Database, id: string, { actor }: By = {}): Promise<KeyRecord> {
  const keyId = numberOf(id);
  const prisma = await prismaOf(database);
  await prisma.$transaction(async (transaction) => {
    const { count } = await transaction.apiKey.updateMany({
      where: { id: keyId, revokedAt: null },
      data: { revokedAt: await databaseTime(transaction) },
    });
    if (count > 0) await addAuditEvent(transaction, { action: 'key.revoke', keyId, actor });
  });
  return showKey(database, id);
}

/** Who rotates a key, and the limits of clients that rotate their own. */
interface Rotation {
  /** As the audit log shows it; the user who runs this process by default. */
  actor?: string;
  limits?: { working: number; perDay: number } | undefined;
  /** The secret by which a client asks. It must be the newest one, whatever a process remembers of it. */
  secretId?: bigint;
}

/** Why a key was not rotated, and what to do instead. */
const NOT_ROTATED: Record<string, (id: string) => Error> = {
  unknown: (id) => new KeyNotFound(id),
  revoked: (id) => new KeyRefused(`The key ${id} is revoked: create a new one with \`pda keys create\`.`),
  expired: (id) => new KeyRefused(`The key ${id} has expired: create a new one with \`pda keys create\`.`),
  demo: (id) =>
    new KeyRefused(
      `The key ${id} is the public demo key, which the front page contains: revoke it, or set DEMO_KEY=off.`,
    ),
  former: formerKeyRefused,
  ended: (id) => new KeyRefused(`This text of the key ${id} no longer works: use its newest one.`),
  'too many': () => new TooManyRotations('working'),
  'too often': () => new TooManyRotations('perDay'),
};

/** A client has rotated its own key as often as it may; names the limit. */
export class TooManyRotations extends Error {
  override name = 'TooManyRotations';
  readonly limit: keyof NonNullable<Rotation['limits']>;

  constructor(limit: TooManyRotations['limit']) {
    super(`The key was rotated too often: ${limit}.`);
    this.limit = limit;
  }
}

/**
 * Gives a key a new secret. The old one works for `graceHours` more; plan, limits and usage stay as they are.
 * @throws {KeyNotFound}
 * @throws {KeyRefused} when the key is revoked or has expired, so that no secret of it would work, or is the demo key; when `secretId`
 *   has ended.
 * @throws {Problem} `former_key_refused` when `secretId` is in its grace period.
 * @throws {TooManyRotations} beyond the limits, if there are any.
 */
export async function rotateKey(
  database: Database,
  id: string,
  graceHours: number,
  { actor = currentActor(), limits, secretId }: Rotation = {},
): Promise<IssuedKey> {
  const secret = makeSecret();
  // The function of the database also writes the entry of the audit log.
  const [row] = await database.query<{ outcome: string }>(
    `SELECT ${secretId === undefined ? 'rotate_key' : 'rotate_own_key'}(
       $1::bigint, $2::text, $3::text, $4::float8, $5::text, $6::int, $7::int) AS outcome`,
    [
      secretId ?? numberOf(id),
      digestOf(secret),
      prefixOf(secret),
      graceHours,
      actor,
      limits?.working ?? null,
      limits?.perDay ?? null,
    ],
  );
  const refusal = NOT_ROTATED[row?.outcome ?? 'ended'];
  if (refusal) throw refusal(id);
  const { plan, name } = await showKey(database, id);
  return { id, key: secret, plan, name };
}

/** The time by the database's clock, which decides whether a key works; that of its start within a transaction. */
export async function databaseTime(prisma: Prisma.TransactionClient): Promise<Date> {
  const [row] = await prisma.$queryRaw<{ now: Date }[]>`SELECT now()`;
  if (!row) throw new Error('The database did not return its time.');
  return row.now;
}

/** The usage of one key or all in a month (`YYYY-MM`, UTC; by default this one). A past month shows the allowance at its last count. */
export async function usageOf(
  database: Database,
  { keyId, month = monthOf(new Date()) }: { keyId?: string | undefined; month?: string | undefined } = {},
) {
  if (keyId !== undefined) await showKey(database, keyId);
  // SQL, because the array of days starts at the first day with requests, and Prisma drops an array's lower bound.
  const rows = await database.query<{
    id: bigint;
    name: string;
    plan: PlanId;
    monthlyQuota: number | null;
    used: bigint | null;
    quota: bigint | null;
    starts: (number | null)[];
  }>(
    `SELECT key.id, key.name, key.plan, key.monthly_quota AS "monthlyQuota", counter.used, counter.quota,
            to_jsonb(ARRAY(SELECT counter.day_starts[day] FROM generate_series(1, 31) AS day ORDER BY day)) AS starts
     FROM api_key AS key
     LEFT JOIN usage_counter AS counter ON counter.key_id = key.id AND counter.month = $1::text
     WHERE $2::bigint IS NULL OR key.id = $2::bigint
     ORDER BY key.id`,
    [month, keyId === undefined ? null : numberOf(keyId)],
  );
  const today = dayOf(Date.now());
  const isOver = month < monthOfDay(today);
  return rows.map(({ id, name, plan, monthlyQuota, used, quota, starts }) => {
    const allowance = isOver && quota !== null ? Number(quota) : allowanceOf({ plan, monthlyQuota });
    const spent = Number(used ?? 0);
    return {
      id: encodeId('key', id),
      name,
      plan,
      month,
      used: spent,
      /** Requests a month; 0 is unlimited, with nothing remaining to show. */
      quota: allowance === UNLIMITED ? 0 : allowance,
      ...(allowance !== UNLIMITED && { remaining: Math.max(0, allowance - spent) }),
      /** The days of the month until today. */
      days: daysOfMonth(starts, spent, month, today),
    };
  });
}

/** The number of a key. @throws {KeyNotFound} for a text that is no key's id. */
export function numberOf(id: string): bigint {
  const number = decodeId('key', id);
  if (number === undefined) throw new KeyNotFound(id);
  return number;
}

/** Names are shown on terminals, which would interpret control characters. @throws {KeyRefused} */
export function checkName(name: string): void {
  const shown = name.trim();
  if (shown === '' || name.length > 100) throw new KeyRefused('A key needs a name of 1 to 100 characters.');
  if (!/[\p{Cc}\p{Zl}\p{Zp}]/u.test(shown)) return;
  throw new KeyRefused('The name of a key must be one line of text: remove line breaks and other control characters.');
}

/** @throws {KeyRefused} for a text that is no plan's id. */
export function checkPlan(plan: string): void {
  if (!PLAN_IDS.some((id) => id === plan)) {
    throw new KeyRefused(`Unknown plan ${plan}: choose one of ${PLAN_IDS.join(', ')}.`);
  }
}
