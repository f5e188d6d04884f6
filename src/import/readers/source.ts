// Opens a feed (a file, standard input, a web address) as one stream of unpacked bytes.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { LookupFunction } from 'node:net';
import { DEFAULT_LIMITS } from '../import-limits.ts';
import { BrokenFeed } from '../reject.ts';
import { unreadable } from '../unreadable.ts';
import { gunzipIfNeeded } from './gunzip.ts';
import { type ByteStream, openWebSource, type WebSourceOptions } from './web-source.ts';

/** An open feed. */
export interface FeedSource {
  /** The feed, unpacked if it was gzip. Can be read once; leaving early closes what was open. */
  bytes: AsyncIterable<Uint8Array>;
  /** Size in bytes as it lies there (packed), where known; `bytesRead` counts up to it. */
  totalBytes?: number;
  /** Bytes read so far, as they lie there (packed). */
  bytesRead(): number;
}

/** Bounds on opening and reading. */
export interface OpenFeedOptions {
  /** The most bytes a feed may have after unpacking; 2 GiB by default. */
  maxBytes?: number;
  /** The longest wait for a web server, first for its answer and then for each piece; 30,000 by default. */
  timeoutMs?: number;
  /** The longest time that a web server may take for all of it; two hours by default. */
  totalMs?: number;
  /** Fetches also from an address that is not on the public internet, where `location` names it; redirects may not. */
  isPrivateAllowed?: boolean;
  /** How names of web servers become addresses; the system's resolver by default. */
  lookup?: LookupFunction;
}

/**
 * Opens the feed at `location`: a path, `-` for standard input, or an `http://` or `https://` address.
 *
 * @throws BrokenFeed when it is not there or may not be read; its `bytes` throw it when it is cut off or too large
 */
export async function openFeed(location: string, options: OpenFeedOptions = {}): Promise<FeedSource> {
  const {
    maxBytes = DEFAULT_LIMITS.maxBytes,
    timeoutMs = 30_000,
    totalMs = 2 * 60 * 60_000,
    isPrivateAllowed = false,
  } = options;
  const stream = await openStream(location, { ...options, maxBytes, timeoutMs, totalMs, isPrivateAllowed });
  let read = 0;

  async function* count(): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream.bytes) {
      read += chunk.length;
      yield chunk;
    }
  }

  const source: FeedSource = { bytes: gunzipIfNeeded(count(), { maxBytes }), bytesRead: () => read };
  if (stream.totalBytes !== undefined) source.totalBytes = stream.totalBytes;
  return source;
}

async function openStream(location: string, options: WebSourceOptions): Promise<ByteStream> {
  if (location === '-') return { bytes: process.stdin };
  if (/^https?:\/\//i.test(location)) {
    if (!URL.canParse(location)) throw new BrokenFeed('the address of the feed is not a valid URL; check it');
    return openWebSource(location, options);
  }
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(location) ?? [];
  if (scheme !== undefined) {
    throw new BrokenFeed(
      `feeds are not fetched by ${scheme}; give an http:// or https:// address, a path, or - for standard input`,
    );
  }
  return openFile(location);
}

async function openFile(path: string): Promise<ByteStream> {
  const status = await stat(path).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  if (status.isDirectory()) throw unreadable(path, { code: 'EISDIR' });
  const bytes = readFile(path);
  return status.isFile() ? { bytes, totalBytes: status.size } : { bytes };
}

async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: 256 * 1024 });
  } catch (cause) {
    throw unreadable(path, cause);
  }
}
