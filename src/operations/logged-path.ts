/** Paths as logs and traces show them. */
import { maskSecrets } from '../access/secret.ts';

// The report of a feed is for whoever has its address (src/web/report).
const REPORT = /^\/feeds\/[^/]+/;

/** The path of a request without the secrets that are part of it. @example loggedPath('/feeds/x8Jk…') // '/feeds/…' */
export function loggedPath(pathname: string): string {
  return pathname.startsWith('/feeds/') ? pathname.replace(REPORT, '/feeds/…') : pathname;
}

/** The same, and without keys that a client has sent there by mistake. */
export const tracedPath = (pathname: string): string => maskSecrets(loggedPath(pathname));
