/**
 * What travels through the door between two processes of one user on one machine: frames of a length (4 bytes, big
 * endian) and a value as V8 serialises it, so that dates, numbers and arrays arrive as they left.
 */
import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

/** What a visitor asks. Between `begin` and `commit` or `rollback` everything belongs to one transaction. */
export type DoorRequest =
  | { kind: 'query'; sql: string; parameters: readonly unknown[] }
  | { kind: 'script'; sql: string }
  | { kind: 'begin' }
  | { kind: 'commit' }
  | { kind: 'rollback' };

/** The answer to one request; answers come in the order of the requests. */
export type DoorAnswer = { rows: unknown[] } | { error: { message: string; code?: string; detail?: string } };

/** Sends one frame. */
export function sendFrame(socket: Socket, value: DoorRequest | DoorAnswer): void {
  const body = serialize(value);
  const head = Buffer.allocUnsafe(4);
  head.writeUInt32BE(body.length);
  socket.write(Buffer.concat([head, body]));
}

/** Calls `onFrame` for each whole frame that arrives. */
export function receiveFrames<Frame>(socket: Socket, onFrame: (frame: Frame) => void): void {
  let pending: Buffer[] = [];
  let size = 0;
  socket.on('data', (chunk: Buffer) => {
    pending.push(chunk);
    size += chunk.length;
    if (size < 4) return;
    let bytes = pending.length === 1 ? chunk : Buffer.concat(pending);
    while (bytes.length >= 4 && bytes.length >= 4 + bytes.readUInt32BE(0)) {
      const end = 4 + bytes.readUInt32BE(0);
      onFrame(deserialize(bytes.subarray(4, end)) as Frame);
      bytes = bytes.subarray(end);
    }
    pending = [bytes];
    size = bytes.length;
  });
}
