/**
 * Cookies of sessions (RFC 6265, RFC 6265bis): scripts cannot read them, other sites cannot send them, and over HTTPS their name makes
 * browsers refuse one that was set over plain HTTP.
 */
import { type Exchange, headerOf } from '../../http/exchange.ts';

/** A cookie of one part of the site. */
export interface Cookie {
  /** Its name in the headers. */
  name: string;
  /** The value that the browser sent; `undefined` if it sent none, or several. */
  read(exchange: Pick<Exchange, 'headers'>): string | undefined;
  /** The value of `Set-Cookie` that stores it until the browser ends, or for `seconds`. @param value of letters, digits, `-` and `_`. */
  set(value: string, seconds?: number): string;
  /** The value of `Set-Cookie` that deletes it. */
  clear(): string;
}

/**
 * Opens a cookie.
 * @param publicUrl the base URL of the site: if it is `https:`, browsers send the cookie over HTTPS only.
 * @example openCookie('pda-console', '/console', market.publicUrl)
 */
export function openCookie(plainName: string, path: string, publicUrl: string): Cookie {
  const isSecure = publicUrl.startsWith('https:');
  // `__Host-` would demand the path `/`, so that every request for the API would carry the session.
  const name = isSecure ? `__Secure-${plainName}` : plainName;
  const attributes = `Path=${path}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  return {
    name,
    read: (exchange) => onlyValue(headerOf(exchange, 'cookie') ?? '', name),
    set: (value, seconds) =>
      `${name}=${value}; ${attributes}${seconds === undefined ? '' : `; Max-Age=${Math.floor(seconds)}`}`,
    clear: () => `${name}=; ${attributes}; Max-Age=0`,
  };
}

/** The value of the only cookie of this name. Several may be an attempt from another path or subdomain to replace the session. */
function onlyValue(header: string, name: string): string | undefined {
  const values = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 && values[0] !== '' ? values[0] : undefined;
}
