/** One request and its answer, as handlers see them: plain values beside Node's own objects, without needless copies. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Access } from '../access/access.ts';
import type { Endpoint } from '../operations/endpoint.ts';
import type { Soon } from '../soon.ts';
import type { PathValues } from './router.ts';

/** A request that has been read, with its access. */
export interface Exchange {
  /** The request id in the answer and the log. */
  id: string;
  method: string;
  /** The path as the URL standard writes it: dots resolved, other characters percent-encoded. */
  pathname: string;
  /** The query with its `?`; empty without one. */
  search: string;
  /** Headers by lower-case name; repeatable ones are joined with commas. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The client's address, in the form that limits count. */
  addressOf(): string;
  /** The access of the request. */
  access: Access;
  /** The endpoint, from the row of the route table; the handler may set a more precise one. */
  endpoint: Endpoint;
  /** Whether it was refused because too many requests like it wait: its connection is paused if the client retries at once. */
  isExcess?: true;
  /** The client's name of its GraphQL operation; only for the log. */
  operationName?: string;
  /** The trace of the request, if traces are enabled (W3C Trace Context). */
  traceId?: string;
  /** The body, read by the gate if the path accepts one; otherwise empty. @throws {Problem} if it could not be read completely. */
  body(): string;
  /** Node's request. */
  incoming: IncomingMessage;
  outgoing: ServerResponse;
}

/** The answer to a request. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** Text is sent as UTF-8. A stream is sent as it arrives, and destroyed when its client leaves or the server stops. */
  body: string | Uint8Array | Readable | null;
  /** Of a stream that is only of use as a whole: its connection is cut if it cannot be sent to its end. */
  isWhole?: true;
  /** For answers that are cached: what has been made of this one for its clients. Its headers and body are then shared, too. */
  dressed?: DressedForms;
}

/** An answer as it is sent, except for the headers that differ from request to request. */
export interface Dressed {
  /** Alternating names and values. */
  lines: readonly string[];
  body: Answer['body'];
  isWhole?: Answer['isWhole'];
  /** The length of the body; `undefined` for a stream. */
  bytes: string | undefined;
}

/** The forms of one answer, by their encodings. */
export type DressedForms = Partial<Record<'identity' | 'br' | 'gzip', Soon<Dressed>>>;

/** Answers an exchange. @param values the values in the path. @throws {Problem} for the client; any other error is a bug. */
export type Handler = (exchange: Exchange, values: PathValues) => Soon<Answer>;

/**
 * The most characters of `Accept` or `Accept-Encoding` that are read: each part takes time. A longer one counts as absent. Browsers send
 * 200.
 */
export const LONGEST_PREFERENCE = 500;

/** A header's value; the first of several. */
export function headerOf({ headers }: Pick<Exchange, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Aborted when the client of a request leaves. */
export function goneOf({ outgoing }: Pick<Exchange, 'outgoing'>): AbortSignal {
  const gone = new AbortController();
  if (outgoing.closed) gone.abort();
  else outgoing.once('close', () => gone.abort());
  return gone.signal;
}

/** How many bytes of a body the gate reads before the handler. 0 leaves it unread, such as that of a request refused for its headers. */
export type BodyRule = (exchange: Exchange) => number;
