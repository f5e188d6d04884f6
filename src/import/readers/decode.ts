// Decodes the bytes of a feed into text, for all readers.

import { encodingExists, getDecoder } from 'iconv-lite';
import { BrokenFeed } from '../reject.ts';
import { PIECE_LENGTH } from './limits.ts';

/**
 * Decodes a feed, piece by piece. The encoding is, in this order: the one given, the byte order mark's, UTF-16 where
 * every other byte of the first character is zero, the one an XML declaration names, UTF-8. Marks are removed.
 * Bytes that are not text become U+FFFD; rows that contain it are rejected later.
 *
 * @throws BrokenFeed for an unknown encoding
 */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
): AsyncGenerator<string> {
  let head: Uint8Array = new Uint8Array(0);
  let decoder: TextDecoding | undefined;
  for await (const chunk of bytes) {
    if (decoder === undefined) {
      head = Buffer.concat([head, chunk]);
      if (head.length < ENOUGH_TO_TELL) continue;
      decoder = decoderFor(head, encoding);
      yield* decodeInPieces(decoder, head);
    } else {
      yield* decodeInPieces(decoder, chunk);
    }
  }
  if (decoder === undefined) {
    decoder = decoderFor(head, encoding);
    yield* decodeInPieces(decoder, head);
  }
  const rest = decoder.end();
  if (rest !== '') yield rest;
}

/** A decoder with the state between two pieces. */
interface TextDecoding {
  write(bytes: Uint8Array): string;
  end(): string;
}

// An XML declaration with every attribute, in UTF-16.
const ENOUGH_TO_TELL = 512;

function* decodeInPieces(decoder: TextDecoding, bytes: Uint8Array): Generator<string> {
  for (let start = 0; start < bytes.length; start += PIECE_LENGTH) {
    const text = decoder.write(bytes.subarray(start, start + PIECE_LENGTH));
    if (text !== '') yield text;
  }
}

function decoderFor(head: Uint8Array, given: string | undefined): TextDecoding {
  const name = given === undefined ? encodingOf(head) : knownEncoding(given, 'the encoding given');
  return UNICODE.test(name) ? unicodeDecoder(name) : tableDecoder(name);
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

// The library knows these too: the first are ways to write bytes, the others no text may be in.
// Source: WHATWG Encoding Standard §4.2, note; Unicode Technical Report 26.
const NO_ENCODING_OF_TEXT = /^(?:hex|base64|binary|internal|utf-?7(?:-?imap)?|unicode-?1-?1-?utf-?7|cesu-?8)$/;

const UNICODE = /^utf-(?:8|16le|16be)$/;

function unicodeDecoder(name: string): TextDecoding {
  const decoder = new TextDecoder(name);
  return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
}

function tableDecoder(name: string): TextDecoding {
  const decoder = getDecoder(name);
  return { write: (bytes) => decoder.write(Buffer.from(bytes)), end: () => decoder.end() ?? '' };
}
