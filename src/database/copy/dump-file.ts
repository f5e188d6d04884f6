/** A dump as a file: each message after its length and its CRC-32, compressed by gzip, whose end says that the file is complete. */
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createGunzip, createGzip } from 'node:zlib';
import { CannotCopy } from './dump.ts';

// Higher levels are slower than PostgreSQL.
const GZIP_LEVEL = 1;
const HEAD_BYTES = 8;
const MOST_BYTES = 2 ** 20;
// The errors of gzip and of files.
const UNREADABLE = /^(Z_.*|ENOENT|EACCES|EISDIR)$/;

/** Compresses a dump, as fast as `write` takes it. */
export async function packDump(
  messages: AsyncIterable<Uint8Array>,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  for await (const chunk of through(framed(messages), createGzip({ level: GZIP_LEVEL }))) await write(chunk);
}

/** Reads a compressed dump. @throws {CannotCopy} when it is damaged or incomplete. */
export async function unpackDump<Result>(
  file: Readable,
  use: (messages: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> {
  try {
    return await use(unframed(through(file, createGunzip())));
  } catch (error) {
    if (!(error instanceof Error && UNREADABLE.test((error as { code?: string }).code ?? ''))) throw error;
    throw new CannotCopy(`The backup cannot be read (${error.message}): use another one.`);
  }
}

function through(source: AsyncIterable<Uint8Array>, transform: Transform): AsyncIterable<Buffer> {
  pipeline(source, transform).catch(() => {}); // The reader of the result gets its errors.
  return transform;
}

async function* framed(messages: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const message of messages) {
    if (message.length > MOST_BYTES) throw new Error('A message is longer than a file may have.');
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32BE(message.length, 0);
    head.writeUInt32BE(crc32(message), 4);
    yield head;
    yield message;
  }
}

async function* unframed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= HEAD_BYTES) {
      const length = rest.readUInt32BE(0);
      if (length > MOST_BYTES) throw new CannotCopy('The backup is damaged: use another one.');
      const end = HEAD_BYTES + length;
      if (rest.length < end) break;
      const message = rest.subarray(HEAD_BYTES, end);
      if (crc32(message) !== rest.readUInt32BE(4)) throw new CannotCopy('The backup is damaged: use another one.');
      yield message;
      rest = rest.subarray(end);
    }
  }
  if (rest.length > 0) throw new CannotCopy('The backup ends early: use another one.');
}
