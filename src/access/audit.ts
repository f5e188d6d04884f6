/** What operators have done, and who did it: an append-only record, written in the transaction of the deed itself. */
import { hostname, userInfo } from 'node:os';
import type { Database, Queryable } from '../database/database.ts';
import { prismaOf } from '../database/prisma-of.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { decodeId, encodeId } from '../values/id.ts';

/** What is recorded. */
export type AuditAction =
  | 'key.create'
  | 'key.revoke'
  | 'key.rotate'
  | 'key.set-plan'
  | 'import.force'
  | 'identifier.move'
  | 'identifier.detach'
  | 'identifier.allow';

export interface AuditEntry {
  /** When, in UTC. */
  at: Date;
  /** An {@link AuditAction}, or one of a later version. */
  action: string;
  /** The key that it was done to. */
  key?: string;
  /** The operating system's user and machine. */
  actor: string;
  /** The database's role. */
  role: string;
  /** What was so before; absent where there was nothing. */
  before?: object;
  after?: object;
}

/** Who runs this process: `user@machine`, with the user behind `sudo` before it where there is one. */
export function currentActor(environment: NodeJS.ProcessEnv = process.env): string {
  const { SUDO_USER: behind } = environment;
  const user = userName();
  return `${behind && behind !== user ? `${behind} as ` : ''}${user}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`; // A container may run as a user that it has no name for.
  }
}

/** What has been done: to a key, where it was done to one. By default by whoever runs this process. */
export interface Deed {
  action: AuditAction;
  keyId?: bigint;
  actor?: string;
  before?: object;
  after?: object;
}

/** A deed as Prisma Client records it. */
export function auditEvent({
  keyId,
  actor = currentActor(),
  before,
  after,
  action,
}: Deed): Prisma.AuditEventCreateInput {
  const asJson = (values: object): Prisma.InputJsonObject => JSON.parse(JSON.stringify(values));
  return {
    action,
    keyId: keyId ?? null,
    actor,
    ...(before && { before: asJson(before) }),
    ...(after && { after: asJson(after) }),
  };
}

/**
 * Records a deed on an importer's transaction. The importer's role may add entries and read none, which is too little for Prisma
 * Client: it reads each row that it adds.
 */
export async function recordAudit(
  transaction: Queryable,
  { action, keyId, actor = currentActor(), before, after }: Deed,
): Promise<void> {
  await transaction.query(
    `INSERT INTO audit_event (action, key_id, actor, before, after)
     VALUES ($1::text, $2::bigint, $3::text, $4::text::jsonb, $5::text::jsonb)`,
    [action, keyId ?? null, actor, before ? JSON.stringify(before) : null, after ? JSON.stringify(after) : null],
  );
}

const MOST_ENTRIES = 1_000;

/**
 * The newest thousand entries, the oldest of them first: of all keys or of one, from the beginning or from a moment on. Those of
 * a key that there is not are none.
 */
export async function listAudit(
  database: Database,
  { keyId, since }: { keyId?: string | undefined; since?: Date | undefined } = {},
): Promise<AuditEntry[]> {
  const number = keyId === undefined ? undefined : decodeId('key', keyId);
  if (keyId !== undefined && number === undefined) return [];
  const prisma = await prismaOf(database);
  const events = await prisma.auditEvent.findMany({
    where: { ...(number !== undefined && { keyId: number }), ...(since && { at: { gte: since } }) },
    orderBy: { id: 'desc' },
    take: MOST_ENTRIES,
  });
  return events.reverse().map(({ at, action, keyId: key, actor, role, before, after }) => ({
    at,
    action,
    ...(key !== null && { key: encodeId('key', key) }),
    actor,
    role,
    ...(before instanceof Object && { before }),
    ...(after instanceof Object && { after }),
  }));
}
