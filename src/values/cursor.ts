/**
 * Cursors: where in a list an item stands, as an opaque text. It holds the item's place in the list's order, and a checksum
 * over that and the list's own description, so that a damaged cursor and one of another list are told apart from a right one.
 */
import { crc32 } from 'node:zlib';

/** A place in an order: the values that it orders by, the id last. */
export type Place = readonly (string | number)[];

/** @param list what tells this list from all others: its name, order and filter. */
export function encodeCursor(list: string, place: Place): string {
  const text = JSON.stringify(place);
  return Buffer.from(`${checksum(list, text)}${text}`).toString('base64url');
}

/** The place in a cursor; `undefined` when it is damaged or of another list. */
export function decodeCursor(list: string, cursor: string): Place | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  // The decoder passes over what is no letter of its alphabet, and over the bits behind the last whole byte.
  if (bytes.toString('base64url') !== cursor) return undefined;
  const decoded = bytes.toString();
  const text = decoded.slice(CHECKSUM_LENGTH);
  if (decoded.slice(0, CHECKSUM_LENGTH) !== checksum(list, text)) return undefined;
  try {
    return JSON.parse(text) as Place;
  } catch {
    return undefined; // No text of ours, whatever its checksum.
  }
}

const CHECKSUM_LENGTH = 8;

function checksum(list: string, text: string): string {
  return crc32(`${list} ${text}`).toString(16).padStart(CHECKSUM_LENGTH, '0');
}
