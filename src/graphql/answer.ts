/** The answers to GraphQL operations: Yoga's responses, and data that needs no Yoga. */
import { Readable } from 'node:stream';
import type { GraphQLError } from 'graphql';
import type { Answer } from '../http/exchange.ts';

// Responses to GET depend on the key, so shared caches must not store them.
const CACHE_HEADERS = { 'Cache-Control': 'private, no-store', Vary: 'x-api-key, Accept' };

/** Turns Yoga's response into an answer. */
export async function answerOf(response: Response): Promise<Answer> {
  const headers: Record<string, string> = {};
  // Node frames the response itself (RFC 9112 §6.1): a Content-Length beside chunks would make it invalid. Yoga's refusal of an `Accept` repeats it.
  for (const [name, value] of response.headers) {
    if (!/^(accept|connection|keep-alive|transfer-encoding)$/i.test(name)) headers[NAMES[name] ?? name] = value;
  }
  if (response.body && headers['Content-Type']?.startsWith('text/event-stream')) {
    // Yoga sets a Content-Encoding that does not apply.
    for (const name of Object.keys(headers)) if (/^(content-encoding|cache-control)$/i.test(name)) delete headers[name];
    // Streams are async iterable in every supported version of Node.
    const events = response.body as unknown as AsyncIterable<Uint8Array>;
    return { status: response.status, headers: { ...headers, ...STREAM_HEADERS }, body: Readable.from(events) };
  }
  const body = await response.text();
  headers['Content-Length'] = String(Buffer.byteLength(body));
  return { status: response.status, headers: { ...headers, ...CACHE_HEADERS }, body };
}

/**
 * The answer to a request that is refused before its operation is read: many of them must cost little. `undefined` for media types of several
 * parts, which Yoga writes. @param accept as `acceptOf` returns it.
 */
export function refusedAnswer({ message, extensions }: GraphQLError, accept: string): Answer | undefined {
  if (/event-stream|multipart/i.test(accept)) return undefined;
  const { http, ...shown } = extensions;
  const { status, headers } = http as { status: number; headers: Record<string, string> };
  const body = JSON.stringify({ errors: [{ message, extensions: shown }] });
  const [type] = /application\/(?:graphql-response\+)?json/i.exec(accept) ?? ['application/json'];
  const own = {
    'Content-Type': `${type.toLowerCase()}; charset=utf-8`,
    'Content-Length': String(Buffer.byteLength(body)),
  };
  return { status, headers: { ...own, ...CACHE_HEADERS, ...headers }, body };
}

/** The answer to an operation without errors. @param mediaType the `Content-Type` that Yoga gives it. */
export function dataAnswer(data: unknown, mediaType: string): Answer {
  const body = JSON.stringify({ data });
  const headers = { 'Content-Type': mediaType, 'Content-Length': String(Buffer.byteLength(body)), ...CACHE_HEADERS };
  return { status: 200, headers, body };
}

// Proxies must neither store nor buffer events; `X-Accel-Buffering` is for nginx.
const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'private, no-store, no-transform',
  Vary: 'x-api-key, Accept',
  'X-Accel-Buffering': 'no',
};

// The spellings of the other handlers, so that no header appears twice in two spellings.
const NAMES: Readonly<Record<string, string>> = {
  allow: 'Allow',
  'content-length': 'Content-Length',
  'content-type': 'Content-Type',
  'retry-after': 'Retry-After',
  vary: 'Vary',
  'www-authenticate': 'WWW-Authenticate',
};
