/** Compresses streams of JSON lines, and other answers of 1 KiB or more with the encoding that the client prefers; Brotli before gzip if equal. */
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import { type Answer, type Exchange, headerOf, LONGEST_PREFERENCE } from './exchange.ts';

const WORTHWHILE_BYTES = 1_024;
const COMPRESSIBLE = /^(application\/(.+\+)?json|application\/graphql-response\+json|text\/|image\/svg\+xml)/;

const compressors = {
  // At quality 4, Brotli is about as fast as gzip, with smaller output.
  br: (bytes: Uint8Array) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes),
};

/** The only streams that are compressed. Streams of events stay as they are, because some clients do not decompress them. */
const COMPRESSIBLE_STREAM = 'application/x-ndjson';

// Each chunk is flushed, so that a client gets all that was sent so far, and its pauses reach the source.
const streamCompressors = {
  br: () =>
    createBrotliCompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
    }),
  gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH, level: 4 }),
};

/** Negotiator with an option that its types lack: the order of encodings that the client accepts equally. */
interface Negotiation {
  encoding(available: string[], options: { preferred: string[] }): string | undefined;
}

type Encoding = keyof typeof compressors;

/** Compresses an answer in place, if the client accepts that and it is worthwhile; otherwise returns `undefined`. Of streams, only those of JSON lines are. */
export function compress(exchange: Exchange, answer: Answer): Promise<void> | undefined {
  const { headers } = answer;
  if (headers['Content-Type'] === COMPRESSIBLE_STREAM) return compressStream(exchange, answer);
  if (!isCompressible(headers['Content-Type'])) return undefined;
  addVary(answer);
  const encoding = encodingOf(exchange, answer);
  return encoding && compressWith(encoding, exchange, answer);
}

function addVary({ headers }: Answer): void {
  headers.Vary = headers.Vary === undefined ? 'Accept-Encoding' : `${headers.Vary}, Accept-Encoding`;
}

/** Compresses a stream as it is sent. An answer to HEAD gets the headers only. */
function compressStream(exchange: Exchange, answer: Answer): undefined {
  addVary(answer);
  const encoding = preferredEncoding(exchange);
  if (!encoding) return;
  answer.headers['Content-Encoding'] = encoding;
  // An error of the stream destroys the compressor with the same error, and a client that leaves ends both.
  if (answer.body instanceof Readable) answer.body = pipeline(answer.body, streamCompressors[encoding](), () => {});
}

async function compressWith(encoding: Encoding, { method }: Exchange, answer: Answer): Promise<void> {
  const { headers, body } = answer;
  if (body === null || body instanceof Readable) return;
  headers['Content-Encoding'] = encoding;
  delete headers['Content-Length'];
  if (method === 'HEAD') {
    answer.body = null;
    return;
  }
  const bytes = await compressors[encoding](typeof body === 'string' ? Buffer.from(body) : body);
  headers['Content-Length'] = String(bytes.length);
  answer.body = bytes;
}

// Caches the result of the pattern, since answers have few types.
const compressible = new Map<string, boolean>();

function isCompressible(type = ''): boolean {
  let known = compressible.get(type);
  if (known === undefined) {
    known = COMPRESSIBLE.test(type);
    compressible.set(type, known);
  }
  return known;
}

/** The encoding in which {@link compress} sends an answer of a compressible type; `undefined` for the answer as it is. */
export function encodingOf(exchange: Exchange, { headers }: Answer): Encoding | undefined {
  const length = Number(headers['Content-Length'] ?? 0);
  if (length < WORTHWHILE_BYTES || headers['Content-Encoding'] !== undefined) return undefined;
  return preferredEncoding(exchange);
}

function preferredEncoding(exchange: Exchange): Encoding | undefined {
  const accepted = headerOf(exchange, 'accept-encoding');
  if (accepted === undefined || accepted.length > LONGEST_PREFERENCE) return undefined;
  const negotiator: Negotiation = new Negotiator({ headers: { 'accept-encoding': accepted } });
  const encoding = negotiator.encoding(['br', 'gzip', 'identity'], { preferred: ['br', 'gzip'] });
  return encoding === 'br' || encoding === 'gzip' ? encoding : undefined;
}
