/** What operators have done, and who did it: an append-only record, written in the transaction of the deed itself. */
import { hostname, userInfo } from 'node:os';
import type { Queryable } from '../database/database.ts';
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
  action: AuditAction;
  /** The key that it was done to. */
  key?: string;
  /** The operating system's user and machine. */
  actor: string;
  /** The database's role. */
  role: string;
  /** What was so before; absent where there was nothing. */
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
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

/** Records what has been done on this transaction. */
export async function recordAudit(
  transaction: Queryable,
  {
    action,
    keyId,
    actor = currentActor(),
    before,
    after,
  }: { action: AuditAction; keyId?: bigint; actor?: string; before?: object; after?: object },
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
  database: Queryable,
  { keyId, since }: { keyId?: string | undefined; since?: Date | undefined } = {},
): Promise<AuditEntry[]> {
  const number = keyId === undefined ? null : decodeId('key', keyId);
  if (number === undefined) return [];
  const rows = await database.query<{
    at: Date;
    action: AuditAction;
    key_id: bigint | null;
    actor: string;
    role: string;
    before: Record<string, unknown> | null;
    after: Record<string, unknown> | null;
  }>(
    `SELECT at, action, key_id, actor, role, before, after
     FROM audit_event
     WHERE ($1::bigint IS NULL OR key_id = $1::bigint)
       AND ($2::timestamptz IS NULL OR at >= $2::timestamptz)
     ORDER BY id DESC
     LIMIT $3::int`,
    [number, since ?? null, MOST_ENTRIES],
  );
  return rows.reverse().map(({ at, action, key_id: key, actor, role, before, after }) => ({
    at,
    action,
    ...(key !== null && { key: encodeId('key', key) }),
    actor,
    role,
    ...(before !== null && { before }),
    ...(after !== null && { after }),
  }));
}
