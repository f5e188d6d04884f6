/** Finds keys for an operator by a part of their name, by their first characters, or by their id; newest first, page by page. */
import type { Database } from '../database/database.ts';
import { decodeCursor, encodeCursor } from '../values/cursor.ts';
import { decodeId } from '../values/id.ts';
import { type KeyRecord, listKeys } from './key-admin.ts';
import { prefixOf } from './secret.ts';

/** How many keys a page has. */
const KEYS_OF_PAGE = 50;
/** The longest text to search for, as long as a name may be. */
export const LONGEST_KEY_QUERY = 100;

export interface KeyPage {
  keys: KeyRecord[];
  /** The cursor of the next page; absent on the last one. */
  next?: string;
}

/** The text is cut to the characters of a key that may be stored and shown, so that a whole key is found, too. */
export const queryOf = (text: string): string =>
  /^pda_\w{4,}$/.test(text.trim()) ? prefixOf(text.trim()) : text.trim();

/**
 * Finds the keys that a text names; all of them for an empty text. No index serves a part of a name, so the keys are read until the page is
 * full: about 0.1 s for 100,000 keys without a match. Only operators search, and an index would cost each new key more than they gain.
 * @param cursor as in {@link KeyPage.next}.
 * @returns `undefined` for a damaged cursor, or one of another search.
 */
export async function findKeys(
  database: Database,
  text: string,
  cursor?: string | undefined,
): Promise<KeyPage | undefined> {
  const query = queryOf(text);
  const list = `console keys ${query}`;
  const place = cursor === undefined ? undefined : decodeCursor(list, cursor);
  const below = place && decodeId('key', String(place[0]));
  if (cursor !== undefined && below === undefined) return undefined;
  const id = decodeId('key', query);
  const found = await listKeys(database, {
    where: `($1::bigint IS NULL OR key.id < $1)
       AND ($2::text = '' OR key.name ILIKE $3::text OR key.id = $4::bigint
            OR EXISTS (SELECT FROM api_key_secret AS any_secret
                       WHERE any_secret.key_id = key.id AND starts_with(any_secret.prefix, $2)))`,
    parameters: [below ?? null, query, `%${query.replace(/[\\%_]/g, '\\$&')}%`, id ?? null],
    newest: KEYS_OF_PAGE + 1,
  });
  const keys = found.slice(0, KEYS_OF_PAGE);
  const last = keys.at(-1);
  return { keys, ...(found.length > KEYS_OF_PAGE && last && { next: encodeCursor(list, [last.id]) }) };
}
