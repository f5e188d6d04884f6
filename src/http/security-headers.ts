/**
 * What every answer tells browsers, whoever has made it (OWASP REST Security Cheat Sheet, "Security Headers"): made once, as
 * names and values in turn, so that an answer costs no more for it.
 */
export interface SecurityLines {
  /** For what has no policy of its own: data, problems, redirects. Opened by itself, it runs, loads and frames nothing. */
  data: readonly string[];
  /** For what has one: pages and pictures. */
  page: readonly string[];
}

/** A year, as the HSTS specification shows it (RFC 6797 §6.1). */
const YEAR_SECONDS = 31_536_000;

/**
 * Makes the lines.
 *
 * @param publicUrl where it begins with `https:`, browsers are told never to come by HTTP again.
 * @param isOpen whether pages of all origins may read answers: then they may show them as pictures, too.
 */
export function securityLines(publicUrl: string, isOpen: boolean): SecurityLines {
  const common = [
    ...['X-Content-Type-Options', 'nosniff'],
    ...['Cross-Origin-Resource-Policy', isOpen ? 'cross-origin' : 'same-origin'],
    ...(publicUrl.startsWith('https:') ? ['Strict-Transport-Security', `max-age=${YEAR_SECONDS}`] : []),
  ];
  return {
    data: [
      ...common,
      ...['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
      // Where a link of a shop has been opened is nobody's business.
      ...['Referrer-Policy', 'no-referrer'],
    ],
    page: common,
  };
}
