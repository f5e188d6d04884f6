/** The headers of pages of a session: nothing of them may be stored or found by search engines. */

export const PRIVATE_HEADERS: Readonly<Record<string, string>> = {
  // Browsers name the page to this site, which checks the origin of forms, and to no other site.
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
};
