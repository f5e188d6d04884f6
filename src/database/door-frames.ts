/**
 * The protocol of the door between two processes of one user on one machine: frames of a length (4 bytes, big endian) and a value
 * serialised by V8, which preserves dates, numbers and arrays.
 */
import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';
import { z } from 'zod';
import type { RawResult } from './database.ts';

/**
 * A request of a client. All requests between `begin` and `commit` or `rollback` belong to one transaction. `hold` takes the turn of a
 * writer (`Database.writers`) and returns a row if it has it, and `release` ends it.
 */
export const DoorRequest = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['query', 'raw']),
    sql: z.string(),
    parameters: z.array(z.unknown()).readonly(),
    yields: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('script'), sql: z.string(), yields: z.boolean().optional() }),
  z.object({ kind: z.literal('begin'), yields: z.boolean().optional(), keepsPlans: z.boolean().optional() }),
  z.object({ kind: z.enum(['commit', 'rollback']) }),
  z.object({ kind: z.literal('hold'), isPatient: z.boolean() }),
  z.object({ kind: z.literal('release') }),
]);
export type DoorRequest = z.infer<typeof DoorRequest>;

/** The maximum length of a request: enough for 2,000 feed rows with values of maximum length. */
export const LONGEST_REQUEST_BYTES = 256 * 1024 * 1024;
/** The maximum length of an answer: the largest number that fits into the length field. */
export const LONGEST_ANSWER_BYTES = 2 ** 32 - 1;

/** The answer to one request. Answers arrive in the order of the requests. */
export type DoorAnswer = { rows: unknown[] } | { raw: RawResult } | { error: z.infer<typeof DoorError> };

/** The error of a statement, with the PostgreSQL fields that Prisma Client uses to distinguish constraint violations. */
export const DoorError = z
  .object({
    message: z.string(),
    code: z.string(),
    severity: z.string(),
    detail: z.string(),
    table: z.string(),
    column: z.string(),
    constraint: z.string(),
  })
  .partial()
  .required({ message: true });

/** Sends one frame. */
export function sendFrame(socket: Socket, value: DoorRequest | DoorAnswer): void {
  const body = serialize(value);
  const head = Buffer.allocUnsafe(4);
  head.writeUInt32BE(body.length);
  socket.write(Buffer.concat([head, body]));
}

/** A frame is too long or does not contain a value. */
class BrokenFrame extends Error {
  override name = 'BrokenFrame';
}

const HEAD_BYTES = 4;

/**
 * Calls `onFrame` with the value of each complete frame. After a broken frame, calls `onBroken` once and ignores the rest.
 *
 * @param longestBytes the maximum length of a frame; longer frames are not buffered.
 */
export function receiveFrames(
  socket: Socket,
  longestBytes: number,
  onFrame: (value: unknown) => void,
  onBroken: () => void,
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
    // Concatenate once per frame, not once per chunk.
    if (size < needed) return;
    try {
      read();
    } catch (error) {
      if (!(error instanceof BrokenFrame)) throw error;
      isBroken = true;
      pending = [];
      onBroken();
    }
  });
}

function readValue(bytes: Buffer): unknown {
  try {
    return deserialize(bytes);
  } catch (cause) {
    throw new BrokenFrame('A frame does not contain a value.', { cause });
  }
}
