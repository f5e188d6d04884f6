/** Lets pages of other origins call the API: all origins, or those that the operator lists (Fetch standard, §3.2). */
import { type Answer, type Exchange, headerOf } from './exchange.ts';

const REQUEST_HEADERS =
  'Content-Type, x-api-key, If-None-Match, Last-Event-ID, X-Request-Id, Authorization, MCP-Protocol-Version, Mcp-Method, Mcp-Name';
const READABLE_HEADERS =
  'X-Plan, X-Quota-Limit, X-Quota-Remaining, RateLimit-Policy, RateLimit, Retry-After, X-Request-Id, ETag, Link, Location, X-Total-Count, Changes-Cursor';

type Asking = Pick<Exchange, 'method' | 'headers' | 'pathname'>;

// Pages with a session, which no other page may read.
const OWN_PAGES = /^\/(?:console|account)(?:[/?]|$)/;

export type Cors = ReturnType<typeof openCors>;

/** Opens access for pages. @param origins such as `https://shop.example`; `*` for all. */
export function openCors(origins: readonly string[]) {
  const isOpen = origins.includes('*');
  /** The value of `Access-Control-Allow-Origin`; empty if the page may not read answers. */
  const allowedOrigin = (exchange: Asking): string => {
    if (isOpen) return '*';
    const origin = headerOf(exchange, 'origin');
    return origin !== undefined && origins.includes(origin) ? origin : '';
  };
  return {
    /** Whether the headers are the same for all pages. */
    isOpen,
    /** The headers of {@link add} that depend on the page, as alternating names and values. */
    linesFor(exchange: Asking): readonly string[] {
      const allowed = allowedOrigin(exchange);
      const expose = ['Access-Control-Expose-Headers', READABLE_HEADERS];
      return allowed === '' ? [] : ['Access-Control-Allow-Origin', allowed, ...expose];
    },
    /** Adds the headers that let pages of other origins read an answer. */
    add(exchange: Asking, { headers }: Answer): void {
      if (OWN_PAGES.test(exchange.pathname)) return;
      const allowed = allowedOrigin(exchange);
      if (!isOpen) headers.Vary = headers.Vary === undefined ? 'Origin' : `${headers.Vary}, Origin`;
      if (allowed === '') return;
      headers['Access-Control-Allow-Origin'] = allowed;
      headers['Access-Control-Expose-Headers'] = READABLE_HEADERS;
      if (exchange.method !== 'OPTIONS') return;
      headers['Access-Control-Allow-Methods'] = headers.Allow ?? '';
      headers['Access-Control-Allow-Headers'] = REQUEST_HEADERS;
      headers['Access-Control-Max-Age'] = '86400';
    },
  };
}
