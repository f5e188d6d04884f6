/**
 * The text of an API key: `pda_`, 32 random base62 characters, and 6 characters with a CRC-32 of the preceding text. The checksum lets
 * the service refuse a mistyped key without a database read, and secret scanners recognise a leaked one.
 */
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE = /^pda_[0-9A-Za-z]{38}$/;
const CHECKSUM_LENGTH = 6;

/** Makes a new key from the system's secure random source. */
export function makeSecret(): string {
  let random = '';
  while (random.length < 32) {
    for (const byte of randomBytes(48)) {
      // 248 is the largest multiple of 62 in a byte; larger bytes would favour the first characters.
      if (byte < 248 && random.length < 32) random += ALPHABET[byte % 62];
    }
  }
  const body = `pda_${random}`;
  return body + checksum(body);
}

/** Whether a text has a key's shape and checksum. Its duration reveals nothing, since it compares the client's own text. */
export function isWellFormedSecret(text: string): boolean {
  return SHAPE.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** The stored form of a key: its SHA-256 in lower-case hexadecimal. */
export const digestOf = (secret: string): string => hash('sha256', secret, 'hex');

/** The characters of a key that may be stored and shown: the first eight. */
export const prefixOf = (secret: string): string => secret.slice(0, 8);

// Shorter than a key, so that a key with missing characters is hidden too.
const KEYS_WITHIN = /pda_([0-9A-Za-z]{4})[0-9A-Za-z]{20,}/g;

// The characters of keys and `%` itself, percent-encoded any number of times. None of them has a special meaning in JSON.
const ENCODED = /%(?:25)*(25|3\d|[46][1-9a-f]|[57][0-9a]|5f)/gi;

/**
 * Cuts everything that looks like a key, percent-encoded or not, to the eight characters that may be shown.
 * @example maskSecrets('/products/pda%5F0123…') // '/products/pda_0123…'
 */
export function maskSecrets(text: string): string {
  // Decode twice, since the digits of an encoding may be encoded too.
  const plain = text.includes('%') ? decodeKeyCharacters(decodeKeyCharacters(text)) : text;
  const masked = plain.replace(KEYS_WITHIN, 'pda_$1…');
  return masked === plain ? text : masked;
}

function decodeKeyCharacters(text: string): string {
  return text.replace(ENCODED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    text = ALPHABET.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
