/** A URL without what may be credentials in it. */

/** The URL for logs, lists and messages: the values of its query are replaced by dots. @example shownUrl('https://a.example/f?key=1') // 'https://a.example/f?key=…' */
export function shownUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  const parameters = search
    .slice(1)
    .split('&')
    .filter((each) => each !== '')
    // A parameter without a name is a value.
    .map((each) => (each.includes('=') ? `${each.slice(0, each.indexOf('='))}=…` : '…'));
  return `${origin}${pathname}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`;
}
