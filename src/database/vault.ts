/**
 * Seals the secrets that the service must be able to read again, before they are stored: a reader of the database or of a backup cannot
 * read them without the key, nor move them to another row. AES-256-GCM (NIST SP 800-38D), the place of a value as additional data.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
// NIST SP 800-38D §8.2: the recommended lengths of the nonce and the tag.
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
// Other purposes of the same SECRET_KEY have other keys.
const PURPOSE = 'product-data-api vault v1';
/** The least length of a text from which keys are derived. */
export const LEAST_SECRET = 32;
/** What all sealed values begin with. */
export const PREFIX = 'sealed:';

/** A sealed value cannot be read; the message says what to do. */
export class SecretUnreadable extends Error {
  override name = 'SecretUnreadable';
}

/** The texts from which keys are derived: values are sealed under the present one, and read under all. */
export interface VaultKeys {
  /** Without it, values are stored as they are. */
  present: string | undefined;
  former?: readonly (string | undefined)[];
}

export type Vault = ReturnType<typeof openVault>;

/** Opens a vault. Values that are not sealed are read as they are. */
export function openVault(keys: VaultKeys) {
  const derived = [keys.present, ...(keys.former ?? [])].flatMap((text) => (text === undefined ? [] : [keyOf(text)]));
  const present = keys.present === undefined ? undefined : derived[0];

  return {
    keys,
    /** What sealed values under the present key begin with; `undefined` without one. */
    prefix: present && prefixOf(present),
    /** What sealed values that can be read begin with. */
    prefixes: derived.map(prefixOf),
    /** @param place the table, column and id of the row. */
    seal(text: string, place: string): string {
      if (!present) return text;
      return `${prefixOf(present)}${encrypt(present.key, text, place)}`;
    },
    /** @throws {SecretUnreadable} */
    open(stored: string, place: string): string {
      if (!stored.startsWith(PREFIX)) return stored;
      const [, id, text = ''] = stored.split(':');
      const key = derived.find((each) => each.id === id)?.key;
      if (!key) throw new SecretUnreadable(UNREADABLE);
      try {
        return decrypt(key, text, place);
      } catch (cause) {
        throw new SecretUnreadable(UNREADABLE, { cause });
      }
    },
  };
}

const UNREADABLE =
  'A secret in the database cannot be read, because the key under which it was sealed is missing: see `pda doctor`.';

const prefixOf = ({ id }: { id: string }) => `${PREFIX}${id}:`;

const keyOf = (text: string) => ({
  key: deriveKey(text, PURPOSE),
  id: deriveKey(text, `${PURPOSE} id`, 4).toString('hex'),
});

/** The key of a purpose (RFC 5869). SECRET_KEY has enough entropy, so no salt and no slow derivation is needed. */
export const deriveKey = (secretKey: string, purpose: string, bytes = KEY_BYTES): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', purpose, bytes));

/** Encrypts a text so that it can only be decrypted in the same place. */
export function encrypt(key: Buffer, text: string, place: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(place));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url');
}

/** Decrypts a text. @throws if it was encrypted under another key or in another place. */
export function decrypt(key: Buffer, encrypted: string, place: string): string {
  const bytes = Buffer.from(encrypted, 'base64url');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(place));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

const PLAIN = openVault({ present: undefined });

/** The vault of a database; one without a key if it has none. */
export const vaultOf = ({ vault }: { readonly vault?: Vault }): Vault => vault ?? PLAIN;
