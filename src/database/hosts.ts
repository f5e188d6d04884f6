/** Parses connection URLs with one or several servers, of which one accepts writes: libpq's notation, which `pg` does not support. */

export interface Hosts {
  /** A URL for each server, in their order in the connection URL. */
  urls: readonly string[];
  /** Whether the server must accept writes. */
  mustWrite: boolean;
}

const PARTS = /^(?<scheme>postgres(?:ql)?:\/\/)(?<user>[^@/?#]*@)?(?<hosts>[^@/?#]*)(?<rest>[/?].*)?$/;
const ATTRIBUTES = 'target_session_attrs';

/**
 * Parses a URL such as `postgresql://user@one:5432,two:5432/name` (PostgreSQL, "Connection URIs" and "Specifying Multiple Hosts").
 * `target_session_attrs` may be `read-write` or `primary`, the default for several servers, or `any`, the default for one.
 *
 * @returns `undefined` for other texts.
 */
export function readHosts(url: string): Hosts | undefined {
  const { scheme = '', user = '', hosts = '', rest = '' } = PARTS.exec(url)?.groups ?? {};
  if (scheme === '') return undefined;
  const names = hosts.split(',');
  const urls = names.map((host) => withoutAttributes(`${scheme}${user}${host}${rest}`));
  if (urls.includes(undefined) || (names.length > 1 && names.includes(''))) return undefined;
  const { searchParams } = new URL(`${scheme}${user}${names[0]}${rest}`);
  const wanted = searchParams.get(ATTRIBUTES) ?? (names.length > 1 ? 'read-write' : 'any');
  if (!/^(read-write|primary|any)$/.test(wanted)) return undefined;
  return { urls: urls as string[], mustWrite: wanted !== 'any' };
}

function withoutAttributes(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  if (!parsed.searchParams.has(ATTRIBUTES)) return url; // Unchanged, because parsing and serialising may alter it.
  parsed.searchParams.delete(ATTRIBUTES);
  return parsed.href;
}

/** The servers, for logs: never contains a password. */
export function describeHosts({ urls }: Hosts): string {
  const places = urls.map((url) => {
    const { hostname, port } = new URL(url);
    return `${hostname || 'the local socket'}:${port || 5432}`;
  });
  return `PostgreSQL at ${places.join(', ')}${new URL(urls[0] ?? '').pathname}`;
}
