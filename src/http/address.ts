/** Splits host and request target into path and query (RFC 9112 §3.2, the URL standard). */
import { LRUCache } from 'lru-cache';

export interface Address {
  pathname: string;
  /** The query with its `?`; empty without one. */
  search: string;
}

// Paths and queries that the URL standard leaves unchanged, as nearly all are.
const PLAIN_PATH = /^\/[\w/-]*$/;
const PLAIN_SEARCH = /^[\x21\x24-\x26\x28-\x3b\x3d\x3f-\x7e]*$/;

const readableHosts = new LRUCache<string, boolean>({ max: 1_000 });

/** Reads the address; `undefined` if host and target do not form a valid URL. */
export function readAddress(target: string, host: string): Address | undefined {
  if (!isReadableHost(host)) return undefined;
  const mark = target.indexOf('?');
  const pathname = mark < 0 ? target : target.slice(0, mark);
  const search = mark < 0 || mark === target.length - 1 ? '' : target.slice(mark);
  if (PLAIN_PATH.test(pathname) && PLAIN_SEARCH.test(search)) return { pathname, search };
  // A target that starts with two slashes is a path too; as a relative reference it would name another host (RFC 9112 §3.2.1, RFC 3986 §4.2).
  const reference = target.startsWith('/') ? `http://localhost${target}` : target;
  const base = `http://${host}`;
  if (!URL.canParse(reference, base)) return undefined;
  const url = new URL(reference, base);
  return { pathname: url.pathname, search: url.search };
}

/** Whether a request has several `Host` headers, even equal ones (RFC 9112 §3.2): a proxy may use the last, while Node uses the first. */
export function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

function isReadableHost(host: string): boolean {
  let isReadable = readableHosts.get(host);
  if (isReadable === undefined) {
    isReadable = URL.canParse(`http://${host}`);
    readableHosts.set(host, isReadable);
  }
  return isReadable;
}
