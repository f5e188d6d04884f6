/** Lets pages of other origins call the API: all origins, or those that the operator lists (Fetch standard, §3.2). */
import { type Answer, type Exchange, headerOf } from './exchange.ts';

const REQUEST_HEADERS =
  'Content-Type, x-api-key, If-None-Match, X-Request-Id, Authorization, MCP-Protocol-Version, Mcp-Method, Mcp-Name';
const READABLE_HEADERS =
  'X-Plan, X-Quota-Limit, X-Quota-Remaining, RateLimit-Policy, RateLimit, Retry-After, X-Request-Id, ETag, Link, X-Total-Count';

/** Adds the headers that let pages of other origins read an answer. */
export type AddCors = (exchange: Pick<Exchange, 'method' | 'headers'>, answer: Answer) => void;

/** Makes the function that adds the headers. @param origins such as `https://shop.example`; `*` for all. */
export function openCors(origins: readonly string[]): AddCors {
  const isOpen = origins.includes('*');
  return (exchange, { headers }) => {
    const origin = headerOf(exchange, 'origin');
    if (!isOpen) headers.Vary = headers.Vary === undefined ? 'Origin' : `${headers.Vary}, Origin`;
    if (!isOpen && (origin === undefined || !origins.includes(origin))) return;
    headers['Access-Control-Allow-Origin'] = isOpen ? '*' : (origin ?? '');
    headers['Access-Control-Expose-Headers'] = READABLE_HEADERS;
    if (exchange.method !== 'OPTIONS') return;
    headers['Access-Control-Allow-Methods'] = headers.Allow ?? '';
    headers['Access-Control-Allow-Headers'] = REQUEST_HEADERS;
    headers['Access-Control-Max-Age'] = '86400';
  };
}
