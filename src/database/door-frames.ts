/**
 * What travels through the door between two processes of one user on one machine: frames of a length (4 bytes, big
 * endian) and a value as V8 serialises it, so that dates, numbers and arrays arrive as they left.
 */
import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';
import { z } from 'zod';
import type { RawResult } from './database.ts';

/** What a visitor asks. Between `begin` and `commit` or `rollback` everything belongs to one transaction. */
export const DoorRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('query'), sql: z.string(), parameters: z.array(z.unknown()).readonly() }),
  z.object({ kind: z.literal('raw'), sql: z.string(), parameters: z.array(z.unknown()).readonly() }),
  z.object({ kind: z.literal('script'), sql: z.string() }),
  z.object({ kind: z.literal('begin') }),
  z.object({ kind: z.literal('commit') }),
  z.object({ kind: z.literal('rollback') }),
]);
export type DoorRequest = z.infer<typeof DoorRequest>;

/** How long a request may be, in bytes: more than 2,000 rows of a feed take whose values are all as long as may be. */
export const LONGEST_REQUEST_BYTES = 256 * 1024 * 1024;
/** How long an answer may be, in bytes: as long as a length can say. */
export const LONGEST_ANSWER_BYTES = 2 ** 32 - 1;

/** The answer to one request; answers come in the order of the requests. */
export type DoorAnswer = { rows: unknown[] } | { raw: RawResult } | { error: DoorError };

/** The error of a statement: PostgreSQL's own fields, by which Prisma Client tells constraint violations apart. */
export const DoorError = z.object({
  message: z.string(),
  code: z.string().optional(),
  severity: z.string().optional(),
  detail: z.string().optional(),
  table: z.string().optional(),
  column: z.string().optional(),
  constraint: z.string().optional(),
});
export type DoorError = z.infer<typeof DoorError>;

/** Sends one frame. */
export function sendFrame(socket: Socket, value: DoorRequest | DoorAnswer): void {
  const body = serialize(value);
  const head = Buffer.allocUnsafe(4);
  head.writeUInt32BE(body.length);
  socket.write(Buffer.concat([head, body]));
}

/** A frame is longer than may be sent, or is no value. */
export class BrokenFrame extends Error {
  override name = 'BrokenFrame';
}

const HEAD_BYTES = 4;

/**
 * Calls `onFrame` with the value of each whole frame that arrives, and after a broken one `onBroken`, once, and nothing else.
 *
 * @param longestBytes how long a frame may be: more than that is never held in memory.
 */
export function receiveFrames(
  socket: Socket,
  longestBytes: number,
  onFrame: (value: unknown) => void,
  onBroken: (error: BrokenFrame) => void,
): void {
  let pending: Buffer[] = [];
  let size = 0;
  let needed = HEAD_BYTES;
  let isBroken = false;

  const read = () => {
    let bytes = Buffer.concat(pending);
    while (bytes.length >= HEAD_BYTES) {
      const length = bytes.readUInt32BE(0);
      if (length > longestBytes) throw new BrokenFrame(`A frame of ${length} bytes is longer than ${longestBytes}.`);
      needed = HEAD_BYTES + length;
      if (bytes.length < needed) break;
      onFrame(readValue(bytes.subarray(HEAD_BYTES, needed)));
      bytes = bytes.subarray(needed);
      needed = HEAD_BYTES;
    }
    pending = [bytes];
    size = bytes.length;
  };

  socket.on('data', (chunk: Buffer) => {
    if (isBroken) return;
    pending.push(chunk);
    size += chunk.length;
    // Put together once for each frame, not once for each of the chunks that it comes in.
    if (size < needed) return;
    try {
      read();
    } catch (error) {
      if (!(error instanceof BrokenFrame)) throw error;
      isBroken = true;
      pending = [];
      onBroken(error);
    }
  });
}

function readValue(bytes: Buffer): unknown {
  try {
    return deserialize(bytes);
  } catch (cause) {
    throw new BrokenFrame('A frame is no value.', { cause });
  }
}
