// Opens a feed (a file, a web address, any bytes) as one stream of unpacked bytes.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { DEFAULT_LIMITS } from '../import-request.ts';
import { BrokenFeed, unreadable } from '../reject.ts';
import { gunzipIfNeeded } from './gunzip.ts';
import { type ByteStream, openWebSource, type WebSourceOptions } from './web-source.ts';

/** Limits on opening and reading; see {@link FETCH_LIMITS} for those that are absent. */
export type OpenFeedOptions = Partial<WebSourceOptions>;

/** The limits of time of a fetch. */
export const FETCH_LIMITS = {
  maxBytes: DEFAULT_LIMITS.maxBytes,
  timeoutMs: 30_000,
  totalMs: 2 * 60 * 60_000,
  isPrivateAllowed: false,
} satisfies WebSourceOptions;

/**
 * Opens the feed at `location`: a path, an `http://` or `https://` address, or bytes that come from elsewhere.
 *
 * @throws BrokenFeed when it does not exist or may not be read; its `bytes` throw it when it is cut off or too large
 */
export async function openFeed(location: string | (() => ByteStream), options: OpenFeedOptions = {}) {
  const limits = { ...FETCH_LIMITS, ...options };
  const { bytes, totalBytes } = typeof location === 'string' ? await openStream(location, limits) : location();
  let read = 0;

  async function* count(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      read += chunk.length;
      yield chunk;
    }
  }

  // Sizes are of the feed as it lies there, before it is unpacked.
  return { bytes: gunzipIfNeeded(count(), limits), totalBytes, bytesRead: () => read };
}

async function openStream(location: string, options: WebSourceOptions): Promise<ByteStream> {
  if (/^https?:\/\//i.test(location)) {
    if (!URL.canParse(location)) throw new BrokenFeed('the address of the feed is not a valid URL; check it');
    const fetched = await openWebSource(location, options);
    if (fetched.isUnchanged) throw new BrokenFeed('the feed was not sent, because it is unchanged');
    return fetched;
  }
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(location) ?? [];
  const known = 'give an http:// or https:// address, a path, or - for standard input';
  if (scheme !== undefined) throw new BrokenFeed(`feeds are not fetched by ${scheme}; ${known}`);
  const status = await stat(location).catch((cause: unknown) => {
    throw unreadable(location, cause);
  });
  if (status.isDirectory()) throw unreadable(location, { code: 'EISDIR' });
  return { bytes: readFile(location), totalBytes: status.isFile() ? status.size : undefined };
}

async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: 256 * 1024 });
  } catch (cause) {
    throw unreadable(path, cause);
  }
}
