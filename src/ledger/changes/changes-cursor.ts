/** Cursors of the stream of changes: the same for the changes API, exports, subscriptions and webhooks, whatever their filters. */
import { decodeCursor, encodeCursor } from '../../values/cursor.ts';

const LIST = 'changes';

/** The cursor after the change with this number: what comes next is later. */
export const encodeChangesCursor = (seq: bigint): string => encodeCursor(LIST, [String(seq)]);

/** The number of the last change before a cursor; `undefined` if the cursor is damaged or of another list. */
export function decodeChangesCursor(cursor: string): bigint | undefined {
  const place = decodeCursor(LIST, cursor);
  return place === undefined ? undefined : BigInt(place[0] ?? 0);
}
