/** The audit log: an append-only record of operators' actions, written in the same transaction as the action. */
import { hostname, userInfo } from 'node:os';
import type { Database, Queryable } from '../database/database.ts';
import { prismaOf } from '../database/prisma-of.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { decodeId, encodeId } from '../values/id.ts';

/** The actions that are recorded. */
export const AUDIT_ACTIONS = [
  'key.create',
  'key.revoke',
  'key.rotate',
  'key.set-plan',
  'key.set-limits',
  'import.force',
  'identifier.move',
  'identifier.detach',
  'identifier.allow',
  'feed.add',
  'feed.edit',
  'feed.pause',
  'feed.resume',
  'feed.run',
  'feed.confirm',
  'feed.new-report-url',
  'feed.remove',
  'synonyms.replace',
  'console.link',
  'console.sign-in',
  'console.sign-out',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export type AuditEntry = Awaited<ReturnType<typeof readAudit>>['entries'][number];

/** The user who runs this process: `user@machine`, preceded by the user who called `sudo`, if any. */
export function currentActor(environment: NodeJS.ProcessEnv = process.env): string {
  const { SUDO_USER: behind } = environment;
  const user = userName();
  return `${behind && behind !== user ? `${behind} as ` : ''}${user}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`; // A container may run as a user without a name.
  }
}

/** An action to record, with the key that it changed, if any. */
interface Deed {
  action: AuditAction;
  /** Who did it; the user of this process by default. Of the console: the `actor` of its session. */
  actor?: string | undefined;
  keyId?: bigint;
  before?: object;
  after?: object;
}

/** Records an action in a transaction of Prisma Client. */
export async function addAuditEvent(
  transaction: Prisma.TransactionClient,
  { action, actor = currentActor(), keyId, before, after }: Deed,
): Promise<void> {
  const asJson = (values: object): Prisma.InputJsonObject => JSON.parse(JSON.stringify(values));
  await transaction.auditEvent.create({
    data: {
      action,
      keyId: keyId ?? null,
      actor,
      ...(before && { before: asJson(before) }),
      ...(after && { after: asJson(after) }),
    },
  });
}

/** Records an action in an importer's transaction, by SQL: its role may not read entries, and Prisma Client reads each row it adds. */
export async function recordAudit(
  transaction: Queryable,
  { action, actor = currentActor(), keyId, before, after }: Deed,
): Promise<void> {
  await transaction.query(
    `INSERT INTO audit_event (action, key_id, actor, before, after)
     VALUES ($1::text, $2::bigint, $3::text, $4::text::jsonb, $5::text::jsonb)`,
    [action, keyId ?? null, actor, before ? JSON.stringify(before) : null, after ? JSON.stringify(after) : null],
  );
}

const MOST_ENTRIES = 1_000;

/** Which entries to read. */
export interface AuditFilter {
  action?: AuditAction | undefined;
  /** Only those about this key. */
  keyId?: bigint | undefined;
  since?: Date | undefined;
}

/** Some entries, newest first. @param before only entries with smaller numbers. @returns `next` if there are more: the `before` of the next page. */
export async function readAudit(
  database: Database,
  { action, keyId, since }: AuditFilter,
  { first, before }: { first: number; before?: bigint | undefined },
) {
  const prisma = await prismaOf(database);
  const events = await prisma.auditEvent.findMany({
    where: {
      ...(action !== undefined && { action }),
      ...(keyId !== undefined && { keyId }),
      ...(since && { at: { gte: since } }),
      ...(before !== undefined && { id: { lt: before } }),
    },
    orderBy: { id: 'desc' },
    take: first + 1,
  });
  const shown = events.slice(0, first);
  const next = events.length > first ? shown.at(-1)?.id : undefined;
  const entries = shown.map(({ at, action: done, keyId: key, actor, role, before: former, after }) => ({
    at,
    action: done,
    ...(key !== null && { key: encodeId('key', key) }),
    actor,
    role,
    ...(former instanceof Object && { before: former }),
    ...(after instanceof Object && { after }),
  }));
  return { entries, ...(next !== undefined && { next }) };
}

/** The newest thousand entries, oldest first; only those of an action, of a key or since a moment, if given. An unknown key has none. */
export async function listAudit(
  database: Database,
  { action, keyId, since }: Omit<AuditFilter, 'keyId'> & { keyId?: string | undefined } = {},
) {
  const number = keyId === undefined ? undefined : decodeId('key', keyId);
  if (keyId !== undefined && number === undefined) return [];
  const { entries } = await readAudit(database, { action, keyId: number, since }, { first: MOST_ENTRIES });
  return entries.reverse();
}
