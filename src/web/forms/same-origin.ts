/**
 * Refuses forms that other sites send in a visitor's name (OWASP, Cross-Site Request Forgery Prevention). The cookie is `SameSite=Strict`;
 * in addition, the browser must not name another origin, and the form must contain the token of its session.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Exchange, headerOf } from '../../http/exchange.ts';
import { Problem } from '../../problem.ts';
import type { Fields } from './fields.ts';

/** The name of the field with the token. */
export const TOKEN_FIELD = 'csrf';

/** The token in the forms of a session. It reveals nothing of the session's cookie. @param session the value of the cookie. */
export function formTokenOf(session: string): string {
  return createHmac('sha256', session).update('form').digest('base64url');
}

/**
 * Checks that a form was sent by a page of this site.
 * @param session the value of the session's cookie; leave it out for forms without a session, such as the one to sign in.
 * @throws {Problem} `origin_not_allowed`
 */
export function requireOwnForm(exchange: Exchange, publicUrl: string, fields: Fields, session?: string): void {
  if (!isFromHere(exchange, publicUrl)) throw foreign('Another site sent this form');
  if (session === undefined) return;
  const expected = Buffer.from(formTokenOf(session));
  const sent = Buffer.from(fields.get(TOKEN_FIELD) ?? '');
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) {
    throw foreign('This form belongs to another session, or has no token');
  }
}

/** Whether the browser names no other origin than this site's, by its public URL or by the host that it asked. */
function isFromHere(exchange: Exchange, publicUrl: string): boolean {
  const site = headerOf(exchange, 'sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') return false;
  const origin = headerOf(exchange, 'origin');
  if (origin === undefined) return true; // Not a browser, or an old one; the token decides.
  if (!URL.canParse(origin)) return false; // Also `null`, the origin of sandboxed pages.
  const { host, origin: parsed } = new URL(origin);
  return parsed === new URL(publicUrl).origin || host === headerOf(exchange, 'host')?.toLowerCase();
}

const foreign = (what: string) =>
  new Problem(
    'origin_not_allowed',
    `${what}, so nothing was changed: open the page again, and send its form from there.`,
  );
