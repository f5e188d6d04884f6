/** The longest address that is stored, in characters. */
export const LONGEST_ADDRESS = 2048;

/**
 * The http or https address that a browser makes of a text: blanks within it are encoded, tabs and line breaks dropped (WHATWG URL
 * Standard §4.4, basic URL parser). `undefined` if it is none, or has a user name, since text before an `@` looks like a host but is none. It
 * may be longer than the text.
 */
export function webAddressOf(text: string): string | undefined {
  const address = text
    .replace(TABS_AND_BREAKS, '')
    .trim()

    .replace(/\s/g, encodeURIComponent);
  if (!WEB_ADDRESS.test(address) || !URL.canParse(address)) return undefined;
  const { username, password } = new URL(address);
  return username === '' && password === '' ? address : undefined;
}

const TABS_AND_BREAKS = /[\t\r\n]/g;
// A scheme and a host, and nothing that would break a header or a line of a file.
const WEB_ADDRESS = /^https?:\/\/[^\s/\\?#\p{Cc}][^\s\p{Cc}]*$/iu;
