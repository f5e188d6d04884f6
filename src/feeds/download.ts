/**
 * Downloads the content of a feed to a temporary file, so that a slow server holds up neither the database nor other feeds, and so that its
 * digest is known before anything is imported.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, open, statfs, unlink } from 'node:fs/promises';
import type { LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FETCH_LIMITS } from '../import/readers/source.ts';
import { type ByteStream, openWebSource, type Validators } from '../import/readers/web-source.ts';
import { BrokenFeed } from '../import/reject.ts';
import { byteSize } from '../values/byte-size.ts';
import type { Headers } from './seal-headers.ts';

export interface DownloadRequest {
  url: string;
  headers: Headers;
  /** The version that is known already. */
  known: Validators | undefined;
  maxBytes: number;
  isPrivateAllowed: boolean;
  /** The longest time from the first connection to the last byte. */
  totalMs: number;
  signal: AbortSignal;
  lookup?: LookupFunction | undefined;
}

/** The content of a feed, in a file that no longer has a name: it is gone when it is closed, or when the process ends. */
export interface Download extends Validators {
  bytes: number;
  /** SHA-256 of the content in hexadecimal. */
  digest: string;
  /** Reads the content from its start. */
  read(): ByteStream;
  close(): Promise<void>;
}

// Left free on the disk for temporary files.
const LEAST_FREE = 256 * 1024 ** 2;
const CHECK_EVERY = 64 * 1024 ** 2;

/**
 * Downloads a feed; `undefined` if the server says that it is unchanged.
 * @throws {BrokenFeed} as `openWebSource` does, and when the content is larger than `maxBytes` or the disk is full.
 */
export async function downloadFeed(request: DownloadRequest): Promise<Download | undefined> {
  const { url, maxBytes, signal, lookup, ...options } = request;
  const limits = { ...FETCH_LIMITS, ...options, maxBytes, signal, ...(lookup && { lookup }) };
  const source = await openWebSource(url, limits);
  if (source.isUnchanged) return undefined;
  const file = await openUnnamed();
  try {
    const hash = createHash('sha256');
    let length = 0;
    let checkedAt = Number.NEGATIVE_INFINITY;
    for await (const chunk of source.bytes) {
      length += chunk.length;
      if (length > maxBytes) {
        throw new BrokenFeed(
          `the feed is larger than ${byteSize(maxBytes)}, so nothing was changed; raise its limit with \`pda feeds edit --max-bytes\``,
        );
      }
      if (length - checkedAt > CHECK_EVERY) {
        checkedAt = length;
        await requireRoom();
      }
      hash.update(chunk);
      // Unlike `write`, it writes all of the chunk: a disk that fills up takes a part first, and fails with the next one.
      await file.appendFile(chunk);
    }
    const { etag, lastModified } = source;
    return {
      bytes: length,
      digest: hash.digest('hex'),
      etag,
      lastModified,
      read: () => ({
        bytes: file.createReadStream({ start: 0, autoClose: false, highWaterMark: 256 * 1024 }),
        totalBytes: length,
      }),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Opens a file and removes its name, so that the system frees it even if this process is killed. */
async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `pda-feed-${randomBytes(8).toString('hex')}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

async function requireRoom(): Promise<void> {
  const { bavail, bsize } = await statfs(tmpdir());
  if (bavail * bsize >= LEAST_FREE) return;
  throw new Error(
    `The disk for temporary files (${tmpdir()}) has less than ${byteSize(LEAST_FREE)} free: make room, or set TMPDIR to a larger disk.`,
  );
}
