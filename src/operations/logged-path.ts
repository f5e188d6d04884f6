/** Paths as logs and traces show them. */
import { maskSecrets } from '../access/secret.ts';

// The report of a feed is for whoever has its address (src/web/report), also if somebody mistypes the slashes or the case before it.
const REPORT = /^\/+feeds(?:\/|%2f)+[^/]+/i;

/** The path of a request without the secrets that are part of it. @example loggedPath('/feeds/x8Jk…') // '/feeds/…' */
export function loggedPath(pathname: string): string {
  return pathname.replace(REPORT, '/feeds/…');
}

/** The same, and without keys that a client has sent there by mistake. */
export const tracedPath = (pathname: string): string => maskSecrets(loggedPath(pathname));
