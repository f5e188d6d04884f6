/** Cursors of the stream of changes: opaque text for the number of the last row that a client knows. Exports start with one. */
import { decodeCursor, encodeCursor } from '../../values/cursor.ts';

const LIST = 'changes';

export const encodeChangesCursor = (seq: bigint): string => encodeCursor(LIST, [String(seq)]);

/** The number in a cursor; `undefined` if the cursor is damaged or belongs to a list. */
export function decodeChangesCursor(cursor: string): bigint | undefined {
  const place = decodeCursor(LIST, cursor);
  const [seq] = place ?? [];
  return place?.length === 1 && typeof seq === 'string' && /^\d{1,18}$/.test(seq) ? BigInt(seq) : undefined;
}
