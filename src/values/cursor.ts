/**
 * Cursors: the position of an item in a list, as opaque text. A cursor contains the item's place in the list's order and a checksum
 * over the place and the list's description, so that damaged cursors and cursors of other lists are detected.
 */
import { crc32 } from 'node:zlib';

/** A place in an order: the values of the sort key, ending with the id. */
export type Place = readonly (string | number)[];

/** @param list identifies the list: its name, order and filter. */
export function encodeCursor(list: string, place: Place): string {
  const text = JSON.stringify(place);
  return Buffer.from(`${checksum(list, text)}${text}`).toString('base64url');
}

/** The place in a cursor; `undefined` if the cursor is damaged or belongs to another list. */
export function decodeCursor(list: string, cursor: string): Place | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  // The decoder ignores characters outside its alphabet, and bits after the last whole byte.
  if (bytes.toString('base64url') !== cursor) return undefined;
  const decoded = bytes.toString();
  const text = decoded.slice(CHECKSUM_LENGTH);
  if (decoded.slice(0, CHECKSUM_LENGTH) !== checksum(list, text)) return undefined;
  try {
    return JSON.parse(text) as Place;
  } catch {
    return undefined; // The checksum matches by chance.
  }
}

/** The number that a part of a place has as text; `undefined` if it is none from 0 on that a BIGINT has room for. */
export function bigintIn(part: unknown): bigint | undefined {
  return typeof part === 'string' && /^\d{1,18}$/.test(part) ? BigInt(part) : undefined;
}

/** The moment that a part of a place has in milliseconds; `undefined` if it is none. */
export function momentIn(part: unknown): Date | undefined {
  const moment = typeof part === 'number' ? new Date(part) : undefined;
  return moment && Number.isFinite(moment.getTime()) ? moment : undefined;
}

const CHECKSUM_LENGTH = 8;

const checksum = (list: string, text: string): string =>
  crc32(`${list} ${text}`).toString(16).padStart(CHECKSUM_LENGTH, '0');
