/** The security headers of pages: what a page may load, and who may embed it. */

/** The directives of a Content-Security-Policy that a page may change. */
export type Policy = Partial<Record<`${'script' | 'style' | 'img' | 'font' | 'connect' | 'worker'}-src`, string>>;

// Product images come from the shops. Everything else comes from this server, and nothing is inline.
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

/** The security headers of an HTML page (CSP Level 3, Referrer Policy). @param policy its exceptions; the caller says why it needs them. */
export function securityHeaders(policy: Policy = {}): Record<string, string> {
  return {
    'Content-Security-Policy': Object.entries({ ...STRICT, ...policy })
      .map(([directive, sources]) => `${directive} ${sources}`)
      .join('; '),
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
}
