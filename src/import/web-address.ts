/** The longest address that is stored, in characters. */
export const LONGEST_ADDRESS = 2048;

/** Whether the text is an http or https address without a user name: text before an `@` looks like a host but is none. */
export function isWebAddress(text: string): boolean {
  if (!WEB_ADDRESS.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

// A scheme and a host, and nothing that would break a header or a line of a file.
const WEB_ADDRESS = /^https?:\/\/[^\s/\\?#\p{Cc}][^\s\p{Cc}]*$/iu;
