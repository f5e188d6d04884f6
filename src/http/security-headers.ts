/**
 * The security headers of all answers (OWASP REST Security Cheat Sheet, "Security Headers"), made once as alternating names and
 * values, so that they cost no time per answer.
 */
export type SecurityLines = ReturnType<typeof securityLines>;

/** A year, as in the HSTS specification's example (RFC 6797 §6.1). */
const YEAR_SECONDS = 31_536_000;

/**
 * Makes the headers.
 *
 * @param publicUrl if it starts with `https:`, browsers are told to use only HTTPS.
 * @param isOpen whether pages of all origins may read answers; if so, they may also embed them as images.
 */
export function securityLines(publicUrl: string, isOpen: boolean) {
  const common = [
    ...['X-Content-Type-Options', 'nosniff'],
    ...['Cross-Origin-Resource-Policy', isOpen ? 'cross-origin' : 'same-origin'],
    ...(publicUrl.startsWith('https:') ? ['Strict-Transport-Security', `max-age=${YEAR_SECONDS}`] : []),
  ];
  return {
    /** For answers without a content security policy: data, problems, redirects. In a browser they run, load and frame nothing. */
    data: [
      ...common,
      ...['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
      // Shops must not learn on which page a link to them was opened.
      ...['Referrer-Policy', 'no-referrer'],
    ],
    /** For answers with their own policy: pages and pictures. */
    page: common,
  };
}
