/** Cursors of the stream of changes: opaque text for the number of the last row that a client knows. Exports start with one. */
import { decodeCursor, encodeCursor } from '../../values/cursor.ts';

const LIST = 'changes';
const POSITION = /^\d{1,18}$/;

export const encodeChangesCursor = (seq: bigint): string => encodeCursor(LIST, [String(seq)]);

/** The number in a cursor; `undefined` if the cursor is damaged or belongs to a list. */
export function decodeChangesCursor(cursor: string): bigint | undefined {
  // The checksum is not a secret, so clients can forge cursors.
  const place: unknown = decodeCursor(LIST, cursor);
  const [seq, ...rest] = Array.isArray(place) ? place : [];
  return typeof seq === 'string' && POSITION.test(seq) && rest.length === 0 ? BigInt(seq) : undefined;
}
