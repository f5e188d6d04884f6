/**
 * Encrypts the header fields of a feed, which carry the shop's credentials, for storage in the database. Whoever reads the database, or a
 * backup of it, cannot read them without `SECRET_KEY`.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export type Headers = Readonly<Record<string, string>>;

/** The headers cannot be encrypted or decrypted; the message says what to do. */
export class SecretKeyUnusable extends Error {
  override name = 'SecretKeyUnusable';
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
// NIST SP 800-38D §8.2: the recommended lengths of the nonce and the tag.
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
// Names the purpose and the format, so that the same SECRET_KEY gives other keys for other purposes.
const PURPOSE = 'product-data-api feed headers v1';

/** Encrypts headers for one URL: moved to a feed with another URL, they cannot be decrypted. @throws {SecretKeyUnusable} */
export function sealHeaders(headers: Headers, url: string, secretKey: string | undefined): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(secretKey), nonce).setAAD(Buffer.from(url));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(headers), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Decrypts headers. @throws {SecretKeyUnusable} also if they were encrypted under another key or for another URL. */
export function openHeaders(text: string, url: string, secretKey: string | undefined): Headers {
  const key = keyOf(secretKey);
  const bytes = Buffer.from(text, 'base64url');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, key, nonce).setAAD(Buffer.from(url)).setAuthTag(tag);
    const opened = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
    return JSON.parse(Buffer.concat(opened).toString('utf8'));
  } catch {
    throw new SecretKeyUnusable(
      'The headers of the feed cannot be decrypted, because SECRET_KEY is not the one under which they were stored: restore that SECRET_KEY, or give the headers again with `pda feeds edit ID --header`.',
    );
  }
}

// RFC 5869. SECRET_KEY has enough entropy, so no salt and no slow derivation is needed.
function keyOf(secretKey: string | undefined): Buffer {
  if (secretKey === undefined) {
    throw new SecretKeyUnusable(
      'SECRET_KEY is not set. It encrypts the headers of feeds, so they cannot be stored or sent without it: set it to the same random text of at least 32 characters for the server and for pda, such as the output of `openssl rand -base64 32`.',
    );
  }
  return Buffer.from(hkdfSync('sha256', secretKey, '', PURPOSE, KEY_BYTES));
}
