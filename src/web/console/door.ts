/** The door of the console: finds the session of a request, opens one for a link, and ends it. */
import type { FreeRequests } from '../../access/free-requests.ts';
import { digestOf } from '../../access/secret.ts';
import { isToken } from '../../access/token.ts';
import { findSession, isLinkValid, type Session, signIn, signOut } from '../../console/sessions.ts';
import type { Database } from '../../database/database.ts';
import type { Exchange } from '../../http/exchange.ts';
import { Problem } from '../../problem.ts';
import { openCookie } from '../forms/cookies.ts';
import { CONSOLE_PATH } from './layout.tsx';

/** A session with the token in its cookie. */
export interface SignedIn {
  session: Session;
  cookie: string;
}

/** @param free limits wrong tokens by address, apart from wrong keys. */
export function openDoor(database: Database, free: Pick<FreeRequests, 'look'>, publicUrl: string) {
  const cookie = openCookie('pda-console', CONSOLE_PATH, publicUrl);

  /** Looks a token up, unless its address has sent too many wrong ones. */
  const look = async <Found>(exchange: Exchange, token: string, read: () => Promise<Found | undefined>) => {
    try {
      return await free.look(digestOf(token), exchange.addressOf(), read, 'console');
    } catch (error) {
      throw error instanceof Problem && error.code === 'rate_limited' ? tooManyTokens(error) : error;
    }
  };

  return {
    /** The session of a request; `undefined` if there is none. @throws {Problem} `rate_limited` after too many wrong tokens. */
    async find(exchange: Exchange): Promise<SignedIn | undefined> {
      const token = cookie.read(exchange);
      if (!isToken(token)) return undefined;
      const session = await look(exchange, token, () => findSession(database, token));
      return session && { session, cookie: token };
    },
    /** Whether a link is valid; it is not used up. @throws as {@link find} does. */
    async isValid(exchange: Exchange, token: string | undefined): Promise<boolean> {
      if (!isToken(token)) return false;
      const read = async () => (await isLinkValid(database, token)) || undefined;
      return (await look(exchange, token, read)) === true;
    },
    /** Uses a link up. @returns the `Set-Cookie` of the new session; `undefined` if the link is not valid. @throws as {@link find} does. */
    async open(exchange: Exchange, token: string | undefined): Promise<string | undefined> {
      if (!isToken(token)) return undefined;
      const opened = await look(exchange, token, () => signIn(database, token, cookie.read(exchange)));
      return opened === undefined ? undefined : cookie.set(opened);
    },
    /** Ends a session. @returns the `Set-Cookie` that deletes its cookie. */
    async close({ session, cookie: token }: SignedIn): Promise<string> {
      await signOut(database, token, session);
      return cookie.clear();
    },
  };
}

function tooManyTokens({ headers, cause }: Problem): Problem {
  const wait = headers['Retry-After'] ?? '60';
  const detail = `Your address has sent too many wrong links: wait ${wait} seconds, then try again.`;
  return new Problem('rate_limited', detail, { headers, cause });
}
