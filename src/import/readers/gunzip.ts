// Unpacks gzip feeds, recognised by their first bytes; others pass through. Protects against decompression bombs.
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { byteSize } from '../../values/byte-size.ts';
import { BrokenFeed } from '../reject.ts';
import { withHeadOf } from './with-head.ts';

/**
 * Yields the bytes of a feed, unpacked if they are gzip, including several concatenated members.
 * @throws BrokenFeed when the gzip file is cut off or damaged, or the feed is larger than `maxBytes` after unpacking
 */
export async function* gunzipIfNeeded(
  bytes: AsyncIterable<Uint8Array>,
  { maxBytes }: { maxBytes: number },
): AsyncGenerator<Uint8Array> {
  let packedLength = 0;
  let length = 0;
  let isGzip = false;
  const counted = (async function* count() {
    for await (const chunk of bytes) {
      packedLength += chunk.length;
      // An archive of endless empty members never yields a byte, so what it unpacks to cannot limit it.
      if (packedLength > SUSPICIOUS_PACKED && length < packedLength * LOWEST_RATIO && isGzip) {
        throw new BrokenFeed('the gzip archive has hardly any content for its size; check the file');
      }
      yield chunk;
    }
  })();

  const pieces = withHeadOf(2, counted);
  const { value: head = new Uint8Array(0) } = await pieces.next();
  const whole = (async function* prepend() {
    yield head;
    yield* pieces;
  })();
  isGzip = head[0] === 0x1f && head[1] === 0x8b;
  for await (const chunk of isGzip ? unpack(whole) : whole) {
    length += chunk.length;
    if (length > maxBytes) {
      throw new BrokenFeed(
        `the feed is larger than ${byteSize(maxBytes)} unpacked, so nothing was changed; raise the limit with --max-bytes, or split the feed and import each part with --delta`,
      );
    }
    if (length > SUSPICIOUS_LENGTH && length > packedLength * HIGHEST_RATIO) {
      const fault = `unpacks to more than ${HIGHEST_RATIO} times its size, which product data never does`;
      throw new BrokenFeed(`the gzip archive ${fault}; check the file`);
    }
    yield chunk;
  }
}

async function* unpack(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(packed, { objectMode: false });
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  source.on('error', (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  try {
    for await (const chunk of gunzip) yield chunk;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    if (!code.startsWith('Z_')) throw cause;
    const fault = code === 'Z_BUF_ERROR' ? 'cut off' : 'damaged';
    throw new BrokenFeed(`the gzip archive is ${fault}; fetch it again`, { cause });
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

// Deflate compresses zeros at 1032 to 1; XML of products stays below 50.
const HIGHEST_RATIO = 400;
const SUSPICIOUS_LENGTH = 64 * 1024 * 1024;
// Incompressible bytes grow by less than a thousandth (RFC 1951 §3.2.4), and what is read ahead is far less than this.
const LOWEST_RATIO = 0.5;
const SUSPICIOUS_PACKED = 4 * 1024 * 1024;
