/**
 * Who may use the console: links, each of which opens one session, and the sessions. Tokens are random and only their digests are
 * stored, so a copy of the database opens nothing. Times are those of the database.
 */
import { addAuditEvent, currentActor } from '../access/audit.ts';
import { digestOf } from '../access/secret.ts';
import { isToken, makeToken } from '../access/token.ts';
import type { Database, Queryable } from '../database/database.ts';
import { prismaOf } from '../database/prisma-of.ts';
import { encodeId } from '../values/id.ts';

/** Who may open the console: everybody with a link, only clients on this machine (`local`), or nobody. */
export type ConsoleAccess = 'on' | 'local' | 'off';

/** How long a link is valid. */
export const LINK_MINUTES = 10;
/** When a session ends, even if it is in use. */
export const SESSION_HOURS = 12;
/** When a session ends that nobody uses. */
export const IDLE_MINUTES = 60;
/** The most unused links; the oldest are deleted. */
export const MOST_LINKS = 20;
/** The most sessions; the least recently used are deleted. */
export const MOST_SESSIONS = 100;

/** A session, as requests see it. */
export interface Session {
  /** Such as `ses_3f`. */
  id: string;
  /** Its actor in the audit log: the session, and the operator who made its link. */
  actor: string;
}

interface SessionRow {
  id: bigint;
  createdBy: string;
}

const sessionOf = ({ id, createdBy }: SessionRow): Session => {
  const shown = encodeId('session', id);
  return { id: shown, actor: `console ${shown} of ${createdBy}` };
};

/** Makes the token of a link, and records it in the audit log. */
export async function makeLink(database: Database): Promise<{ token: string; expiresAt: Date }> {
  const token = makeToken();
  const prisma = await prismaOf(database);
  return prisma.$transaction(async (transaction) => {
    const [link] = await transaction.$queryRawUnsafe<{ expiresAt: Date }[]>(
      ADD_LINK,
      digestOf(token),
      currentActor(),
      LINK_MINUTES,
    );
    if (!link) throw new Error('The link was not stored.');
    await transaction.$executeRawUnsafe(DELETE_OLD_LINKS, MOST_LINKS);
    await addAuditEvent(transaction, { action: 'console.link' });
    return { token, expiresAt: link.expiresAt };
  });
}

const ADD_LINK = `
  INSERT INTO console_link (digest, created_by, expires_at)
  VALUES ($1::text, $2::text, now() + make_interval(mins => $3::int))
  RETURNING expires_at AS "expiresAt"`;

const DELETE_OLD_LINKS = `
  DELETE FROM console_link
  WHERE expires_at <= now()
     OR digest IN (SELECT digest FROM console_link ORDER BY expires_at DESC, digest OFFSET $1::int)`;

/** Whether a link is valid. It stays valid. */
export async function isLinkValid(database: Queryable, token: string): Promise<boolean> {
  const rows = await database.query(FIND_LINK, [digestOf(token)], { name: 'console_link', isCurrent: true });
  return rows.length > 0;
}

const FIND_LINK = 'SELECT 1 FROM console_link WHERE digest = $1::text AND expires_at > now()';

/**
 * Uses a link up and opens a session with a new token.
 * @param former the token of the session that the browser had before, which ends.
 * @returns the token of the session; `undefined` if the link is not valid.
 */
export async function signIn(
  database: Database,
  token: string,
  former: string | undefined,
): Promise<string | undefined> {
  const session = makeToken();
  const prisma = await prismaOf(database);
  return prisma.$transaction(async (transaction) => {
    const opened = await transaction.$queryRawUnsafe<SessionRow[]>(
      OPEN_SESSION,
      digestOf(token),
      digestOf(session),
      SESSION_HOURS,
    );
    const [row] = opened;
    if (!row) return undefined;
    await transaction.$executeRawUnsafe(
      DELETE_OLD_SESSIONS,
      IDLE_MINUTES,
      MOST_SESSIONS,
      isToken(former) ? digestOf(former) : null,
    );
    await addAuditEvent(transaction, { action: 'console.sign-in', actor: sessionOf(row).actor });
    return session;
  });
}

// The deletion returns the link to one statement only, so a link opens one session even if it is used twice at once.
const OPEN_SESSION = `
  WITH link AS (
    DELETE FROM console_link
    WHERE digest = $1::text AND expires_at > now()
    RETURNING created_by
  )
  INSERT INTO console_session (digest, created_by, expires_at)
  SELECT $2::text, created_by, now() + make_interval(hours => $3::int)
  FROM link
  RETURNING id, created_by AS "createdBy"`;

const DELETE_OLD_SESSIONS = `
  DELETE FROM console_session
  WHERE expires_at <= now()
     OR last_seen_at <= now() - make_interval(mins => $1::int)
     OR id IN (SELECT id FROM console_session ORDER BY last_seen_at DESC, id DESC OFFSET $2::int)
     OR digest = $3::text`;

/** The session of a token; `undefined` if it has ended or never existed. Notes that it is in use. */
export async function findSession(database: Queryable, token: string): Promise<Session | undefined> {
  const [row] = await database.query<SessionRow & { isFresh: boolean }>(FIND_SESSION, [digestOf(token), IDLE_MINUTES], {
    name: 'console_session',
    isCurrent: true,
  });
  if (!row) return undefined;
  if (!row.isFresh) await database.query(TOUCH_SESSION, [row.id], { name: 'console_session', isRepeatable: true });
  return sessionOf(row);
}

const FIND_SESSION = `
  SELECT id, created_by AS "createdBy", last_seen_at > now() - INTERVAL '1 minute' AS "isFresh"
  FROM console_session
  WHERE digest = $1::text
    AND expires_at > now()
    AND last_seen_at > now() - make_interval(mins => $2::int)`;

const TOUCH_SESSION = 'UPDATE console_session SET last_seen_at = now() WHERE id = $1::bigint';

/** Ends a session. */
export async function signOut(database: Database, token: string, { actor }: Session): Promise<void> {
  const prisma = await prismaOf(database);
  await prisma.$transaction(async (transaction) => {
    const { count } = await transaction.consoleSession.deleteMany({ where: { digest: digestOf(token) } });
    if (count > 0) await addAuditEvent(transaction, { action: 'console.sign-out', actor });
  });
}

/** Ends all sessions and deletes all unused links. @returns how many there were; some may have expired. */
export async function signEverybodyOut(database: Database): Promise<{ sessions: number; links: number }> {
  const prisma = await prismaOf(database);
  return prisma.$transaction(async (transaction) => {
    const { count: sessions } = await transaction.consoleSession.deleteMany();
    const { count: links } = await transaction.consoleLink.deleteMany();
    await addAuditEvent(transaction, { action: 'console.sign-out', after: { sessions, links } });
    return { sessions, links };
  });
}
