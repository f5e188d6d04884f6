/** Header fields that an operator gives a feed, such as credentials. */
import { FeedInvalid } from './feed-invalid.ts';
import type { Headers } from './seal-headers.ts';

const MOST = 10;
const LONGEST_VALUE = 4_000;

// RFC 9110 §5.6.2.
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
// RFC 9110 §5.5, without bytes outside of ASCII.
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;

// They describe the connection, the message or the version that is asked for, which is the service's own task.
const OWN = new Set(
  'accept-encoding connection content-length expect host if-match if-modified-since if-none-match if-range if-unmodified-since keep-alive proxy-authorization proxy-connection range te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

/** Reads header fields written as `Name: value`. Messages do not repeat values. @throws {FeedInvalid} */
export function readHeaders(fields: readonly string[]): Headers {
  if (fields.length > MOST)
    throw new FeedInvalid(`A feed may have at most ${MOST} headers; got ${fields.length}.`, 'headers');
  const headers: Record<string, string> = {};
  for (const field of fields) {
    const colon = field.indexOf(':');
    const name = field.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const value = field.slice(colon + 1).trim();
    if (!NAME.test(name)) {
      throw new FeedInvalid(
        'A header must be written as "Name: value", such as "Authorization: Bearer abc".',
        'headers',
      );
    }
    if (OWN.has(name))
      throw new FeedInvalid(`The header ${name} is set by the service itself. Leave it out.`, 'headers');
    if (Object.hasOwn(headers, name)) {
      throw new FeedInvalid(`The header ${name} is given twice. Give it once.`, 'headers');
    }
    if (!VALUE.test(value) || value.length > LONGEST_VALUE) {
      throw new FeedInvalid(
        `The value of the header ${name} must be 1 to ${LONGEST_VALUE} printable ASCII characters on one line.`,
        'headers',
      );
    }
    headers[name] = value;
  }
  return headers;
}
