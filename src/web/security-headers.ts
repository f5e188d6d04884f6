/** What a browser is told about a page: where it may load from, and what may be done with it. */

/** The parts of a Content-Security-Policy that a page may have of its own. */
export type Directive = 'script-src' | 'style-src' | 'img-src' | 'font-src' | 'connect-src' | 'worker-src';
export type Policy = Partial<Record<Directive, string>>;

// Pictures of products come from the shops; all else is this server's own, and none of it stands in the page itself.
const STRICT: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data: https:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
};

/**
 * The security headers of an HTML page (Content Security Policy Level 3, Referrer Policy).
 *
 * @param policy what differs on this page from the strictest that works: say why where you ask for it.
 */
export function securityHeaders(policy: Policy = {}): Record<string, string> {
  return {
    'Content-Security-Policy': Object.entries({ ...STRICT, ...policy })
      .map(([directive, sources]) => `${directive} ${sources}`)
      .join('; '),
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
}
