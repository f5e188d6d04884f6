/** The security headers of all answers (OWASP REST Security Cheat Sheet), made once as names and values, so that they cost no time. */
export type SecurityLines = ReturnType<typeof securityLines>;

/** A year, as in the HSTS specification's example (RFC 6797 §6.1). */
const YEAR_SECONDS = 31_536_000;

/** Makes the headers. HTTPS-only if `publicUrl` is `https:`. @param isOpen whether pages of all origins may read and embed answers. */
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
