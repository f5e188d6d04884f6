/** Cursors of the stream of changes: the same for the changes API, exports, subscriptions and webhooks, whatever their filters. */
import { decodeCursor, encodeCursor } from '../../values/cursor.ts';

const LIST = 'changes';
const POSITION = /^\d{1,18}$/;

/** The cursor after the change with this number: what comes next is later. */
export const encodeChangesCursor = (seq: bigint): string => encodeCursor(LIST, [String(seq)]);

/** The number of the last change before a cursor; `undefined` if the cursor is damaged or of another list. */
export function decodeChangesCursor(cursor: string): bigint | undefined {
  // The checksum is not a secret, so clients can forge cursors.
  const place: unknown = decodeCursor(LIST, cursor);
  const [seq, ...rest] = Array.isArray(place) ? place : [];
  return typeof seq === 'string' && POSITION.test(seq) && rest.length === 0 ? BigInt(seq) : undefined;
}
