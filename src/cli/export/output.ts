/** Where an exported file goes: standard output, or a file that appears under its name only when it is complete. */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { UsageError } from '../exit.ts';
import { session } from '../session.ts';

export interface Output {
  /** Writes some text or bytes, and waits while the reader is slower. @throws the error of the disk. */
  write(chunk: string | Uint8Array): Promise<void>;
  /** Puts the complete file into its place. */
  complete(): Promise<void>;
  /** Removes what was written, if the export was not completed. */
  discard(): Promise<void>;
}

/** Opens standard output. A reader that leaves early, as `head` does, ends the export. */
export function openStandardOutput(): Output {
  return {
    write: (chunk) => writeTo(session().stdout, chunk),
    async complete() {},
    async discard() {},
  };
}

/** Opens a file. It is written beside its place, under a temporary name. @throws {UsageError} if it cannot be written there. */
export async function openFile(path: string, mode = 0o666): Promise<Output> {
  const target = resolve(path);
  const folder = await stat(dirname(target)).catch(() => undefined);
  if (!folder?.isDirectory()) throw new UsageError(`The folder of ${path} does not exist. Create it first.`);
  if ((await stat(target).catch(() => undefined))?.isDirectory()) {
    throw new UsageError(`${path} is a folder. Choose a file in it.`);
  }
  const temporary = `${target}.${randomBytes(6).toString('hex')}.partial`;
  // Fails if somebody else has made the file, who could read it.
  const stream = createWriteStream(temporary, { mode, flush: true, flags: 'wx' });
  stream.on('error', () => {}); // The writes report it.
  let isComplete = false;
  return {
    write: (chunk) =>
      writeTo(stream, chunk).catch((cause: Error) => {
        throw new Error(`${path} could not be written (${cause.message}): make room, or choose another place.`, {
          cause,
        });
      }),
    async complete() {
      await new Promise<void>((settle, reject) => {
        stream.once('error', reject);
        stream.end(settle);
      });
      await rename(temporary, target);
      isComplete = true;
      const place = await open(dirname(target));
      await place.sync().finally(() => place.close());
    },
    async discard() {
      stream.destroy();
      if (!isComplete) await rm(temporary, { force: true });
    },
  };
}

/** The reader of standard output has left. */
export class ReaderLeft extends Error {
  override name = 'ReaderLeft';
}

function writeTo(stream: Writable, chunk: string | Uint8Array): Promise<void> {
  return new Promise((settle, reject) => {
    stream.write(chunk, (error) => {
      if (!error) settle();
      else reject((error as NodeJS.ErrnoException).code === 'EPIPE' ? new ReaderLeft(error.message) : error);
    });
  });
}
