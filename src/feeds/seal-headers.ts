/**
 * Encrypts the header fields of a feed, which carry the shop's credentials, for storage in the database. Whoever reads the database, or a
 * backup of it, cannot read them without `SECRET_KEY`.
 */
import { decrypt, deriveKey, encrypt } from '../database/vault.ts';

export type Headers = Readonly<Record<string, string>>;

/** The headers cannot be encrypted or decrypted; the message says what to do. */
export class SecretKeyUnusable extends Error {
  override name = 'SecretKeyUnusable';
}

// Names the purpose and the format, so that the same SECRET_KEY gives other keys for other purposes.
const PURPOSE = 'product-data-api feed headers v1';

/** Encrypts headers for one URL: moved to a feed with another URL, they cannot be decrypted. @throws {SecretKeyUnusable} */
export const sealHeaders = (headers: Headers, url: string, secretKey: string | undefined): string =>
  encrypt(keyOf(secretKey), JSON.stringify(headers), url);

/** Decrypts headers. @throws {SecretKeyUnusable} also if they were encrypted under another key or for another URL. */
export function openHeaders(text: string, url: string, secretKey: string | undefined): Headers {
  const key = keyOf(secretKey);
  try {
    return JSON.parse(decrypt(key, text, url));
  } catch {
    throw new SecretKeyUnusable(
      'The headers of the feed cannot be decrypted, because SECRET_KEY is not the one under which they were stored: restore that SECRET_KEY, or give the headers again with `pda feeds edit ID --header`.',
    );
  }
}

function keyOf(secretKey: string | undefined): Buffer {
  if (secretKey === undefined) {
    throw new SecretKeyUnusable(
      'SECRET_KEY is not set. It encrypts the headers of feeds, so they cannot be stored or sent without it: set it to the same random text of at least 32 characters for the server and for pda, such as the output of `openssl rand -base64 32`.',
    );
  }
  return deriveKey(secretKey, PURPOSE);
}
