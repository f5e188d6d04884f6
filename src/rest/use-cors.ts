/** Lets browsers of other origins ask and read: all of them, or those that the operator names (Fetch standard, §3.2). */
import type { Plugin } from 'graphql-yoga';

const REQUEST_HEADERS = 'Content-Type, x-api-key, If-None-Match, X-Request-Id';
const READABLE_HEADERS =
  'X-Plan, X-Quota-Limit, X-Quota-Remaining, RateLimit-Policy, RateLimit, Retry-After, X-Request-Id, ETag, Link';

/**
 * @param origins such as `https://shop.example`; `*` for all.
 * @param methodsOf the methods that a path takes.
 */
export function useCors(origins: readonly string[], methodsOf: (path: string) => string): Plugin {
  const isOpen = origins.includes('*');
  return {
    onRequest({ request, url, endResponse }) {
      if (request.method !== 'OPTIONS') return;
      endResponse(new Response(null, { status: 204, headers: { Allow: methodsOf(url.pathname) } }));
    },
    onResponse({ request, response }) {
      const { headers } = response;
      if (!isOpen) headers.set('Vary', [headers.get('vary'), 'Origin'].filter(Boolean).join(', '));
      const origin = request.headers.get('origin');
      if (!isOpen && (origin === null || !origins.includes(origin))) return;
      headers.set('Access-Control-Allow-Origin', isOpen ? '*' : (origin ?? ''));
      headers.set('Access-Control-Expose-Headers', READABLE_HEADERS);
      if (request.method !== 'OPTIONS') return;
      headers.set('Access-Control-Allow-Methods', headers.get('allow') ?? '');
      headers.set('Access-Control-Allow-Headers', REQUEST_HEADERS);
      headers.set('Access-Control-Max-Age', '86400');
    },
  };
}
