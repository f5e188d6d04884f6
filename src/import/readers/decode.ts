// Decodes the bytes of a feed into text, for all readers.

import { decode, encode, encodingExists, getDecoder } from 'iconv-lite';
import { BrokenFeed } from '../reject.ts';
import { PIECE_LENGTH } from './feed-row.ts';

/**
 * Decodes a feed, piece by piece. The encoding is, in this order: the one given, that of the byte order mark (which is removed),
 * UTF-16 if every other byte of the first character is zero, the one that an XML declaration names, UTF-8. Bytes that are not text
 * become U+FFFD; rows that contain it are rejected later. Where the feed itself has that character, it is dropped: another program has put
 * it in place of what it could not read.
 *
 * @throws BrokenFeed for an unknown encoding
 */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
): AsyncGenerator<string> {
  let decoder: ReturnType<typeof decoderFor> | undefined;
  for await (const piece of inPieces(bytes)) {
    decoder ??= decoderFor(piece, encoding);
    const text = decoder.write(piece);
    const clean = decoder.isWritten(piece, text) ? text.replaceAll(REPLACEMENT, '') : text;
    if (clean !== '') yield clean;
  }
  const rest = decoder?.end() ?? '';
  if (rest !== '') yield rest;
}

/** Yields pieces of one length, except for the last, however small the chunks are. Each piece overwrites the one before. */
async function* inPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(PIECE_LENGTH);
  let length = 0;
  for await (const chunk of bytes) {
    for (let start = 0; start < chunk.length; ) {
      const part = chunk.subarray(start, start + PIECE_LENGTH - length);
      piece.set(part, length);
      length += part.length;
      start += part.length;
      if (length < PIECE_LENGTH) continue;
      yield piece;
      length = 0;
    }
  }
  if (length > 0) yield piece.subarray(0, length);
}

// An XML declaration with every attribute, in UTF-16.
const ENOUGH_TO_TELL = 512;

/** A decoder that keeps its state between two pieces. */
function decoderFor(head: Uint8Array, given: string | undefined) {
  const name = given === undefined ? encodingOf(head) : knownEncoding(given, 'the encoding given');
  if (/^utf-(?:8|16le|16be)$/.test(name)) {
    const decoder = new TextDecoder(name);
    return {
      write: (bytes: Uint8Array) => decoder.decode(bytes, { stream: true }),
      end: () => decoder.decode(),
      isWritten: openWritten(name),
    };
  }
  const decoder = getDecoder(name);
  // UTF-32 can hold lone surrogates, which PostgreSQL refuses.
  return {
    write: (bytes: Uint8Array) => decoder.write(Buffer.from(bytes)).toWellFormed(),
    end: () => (decoder.end() ?? '').toWellFormed(),
    isWritten: openWritten(name),
  };
}

const REPLACEMENT = '\uFFFD';

/** Returns the function that tells whether each U+FFFD of a text is in its bytes, so that none of them stands for bytes that are not text. */
function openWritten(name: string) {
  const encoded = encode(REPLACEMENT, name);
  const isKnown = decode(encoded, name) === REPLACEMENT;
  // Pieces end between the units of UTF-16 and UTF-32, where a match across two units is none.
  const unit = /^utf-(?:16|32)/.test(name) ? encoded.length : 1;
  let before = Buffer.alloc(0);
  return (piece: Uint8Array, text: string): boolean => {
    const cutOff = before;
    if (unit === 1) before = Buffer.from(piece.subarray(Math.max(piece.length - encoded.length + 1, 0)));
    if (!text.includes(REPLACEMENT) || !isKnown) return false;
    const bytes = Buffer.concat([cutOff, piece]);
    let count = 0;
    for (let at = bytes.indexOf(encoded); at >= 0; at = bytes.indexOf(encoded, at + 1)) if (at % unit === 0) count++;
    return count === text.split(REPLACEMENT).length - 1;
  };
}

function encodingOf(head: Uint8Array): string {
  const [first, second, third] = head;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first !== 0 && second === 0 && third !== 0) return 'utf-16le';
  if (first === 0 && second !== 0 && third === 0) return 'utf-16be';
  const start = Buffer.from(head.subarray(0, ENOUGH_TO_TELL)).toString('latin1');
  const declared = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']{1,40})["']/.exec(start)?.[1];
  // A declaration that is readable as single bytes is not in UTF-16, whatever it states.
  if (declared === undefined || /^utf-?(?:16|32)|^ucs|^iso-10646/i.test(declared)) return 'utf-8';
  return knownEncoding(declared, 'the XML declaration');
}

function knownEncoding(name: string, source: string): string {
  const lower = name.trim().toLowerCase();
  if (/^utf-?8$/.test(lower)) return 'utf-8';
  if (/^utf-?16(?:le)?$/.test(lower)) return 'utf-16le';
  if (/^utf-?16be$/.test(lower)) return 'utf-16be';
  // Files said to be Latin-1 or ASCII are Windows-1252 in practice, and browsers read them so.
  // Source: WHATWG Encoding Standard §4.2.
  if (/^(?:iso-?8859-?1|latin-?1|us-ascii|ascii)$/.test(lower)) return 'windows-1252';
  if (!NO_ENCODING_OF_TEXT.test(lower) && encodingExists(lower)) return lower;
  throw new BrokenFeed(`${source} names "${name}", which is not known; give one such as utf-8 or windows-1252`);
}

// The library knows these too, but the first ones encode bytes, and the others must not be used for text.
// Source: WHATWG Encoding Standard §4.2, note; Unicode Technical Report 26.
const NO_ENCODING_OF_TEXT = /^(?:hex|base64|binary|internal|utf-?7(?:-?imap)?|unicode-?1-?1-?utf-?7|cesu-?8)$/;
