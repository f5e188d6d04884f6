/** The settings that an operator states of a feed: checked when it is added, and when it is changed. */
import { FeedInvalid } from './feed-invalid.ts';

const LONGEST_NAME = 200;

/** Checks the name of a feed's shop, and returns it without blanks around it. @throws {FeedInvalid} */
export function readMerchant(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= LONGEST_NAME) return name;
  throw new FeedInvalid(`The name of the shop (--merchant) must have 1 to ${LONGEST_NAME} characters.`, 'merchant');
}

/** Checks the name of an encoding. @throws {FeedInvalid} */
export function checkEncoding(encoding: string | undefined): void {
  if (encoding === undefined) return;
  try {
    new TextDecoder(encoding);
  } catch {
    throw new FeedInvalid(
      `The encoding ${encoding.slice(0, 60)} (--encoding) is not known. Use a name such as utf-8 or windows-1252.`,
      'encoding',
    );
  }
}

/** Refuses headers, which may be credentials, that would cross the public internet unencrypted. @throws {FeedInvalid} */
export function refuseOpenHeaders(url: URL, headerNames: readonly string[], allowPrivate: boolean): void {
  if (headerNames.length === 0 || url.protocol !== 'http:' || allowPrivate) return;
  throw new FeedInvalid(
    'The headers of a feed would be sent unencrypted over http://. Use the https:// address, or allow private addresses (--allow-private) for a feed in your own network.',
    'headers',
  );
}
