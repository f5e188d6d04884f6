/** One request and its answer, as both faces see them: plain values beside Node's own, nothing copied that nobody asks for. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Access } from '../access/access.ts';
import type { Endpoint } from '../operations/endpoint.ts';
import type { PathValues } from './router.ts';

/** A request that has been read and given its access. */
export interface Exchange {
  /** The id that the answer and the log bear. */
  id: string;
  method: string;
  /** The path as the URL standard writes it: dots resolved, other characters percent-encoded. */
  pathname: string;
  /** What follows the path, from `?` on; empty when there is nothing. */
  search: string;
  /** Headers by their names in lower case; those that may be repeated are joined with commas. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The client's address, as limits count it. */
  addressOf(): string;
  access: Access;
  /** What the request is for: the row of the route table says it, or the handler says it more precisely. */
  endpoint: Endpoint;
  /** What the client calls its GraphQL operation; for the log alone. */
  operationName?: string;
  /** The trace that the request is part of, where there are traces (W3C Trace Context). */
  traceId?: string;
  /**
   * The body, which the gate has read where the path takes one; empty elsewhere.
   *
   * @throws {Problem} why it was not read to its end.
   */
  body(): string;
  /** Node's own. */
  incoming: IncomingMessage;
  outgoing: ServerResponse;
}

/** What is answered. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** Text is sent as UTF-8. A stream is sent as it comes, and destroyed when its client has gone or the server stops. */
  body: string | Uint8Array | Readable | null;
  /** The body's compressed forms by their encoding, for as long as whoever answers keeps the body itself. */
  compressed?: Map<string, Promise<Uint8Array>>;
}

/**
 * Answers an exchange.
 *
 * @param values the values in the path.
 * @throws {Problem} what the client is told instead; anything else is a fault of ours.
 */
export type Handler = (exchange: Exchange, values: PathValues) => Answer | Promise<Answer>;

/** A header's value; the first, should there be several. */
export function headerOf({ headers }: Pick<Exchange, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/**
 * How many bytes of a request's body the gate reads before the handlers are asked; 0 leaves the body unread, also that of a request
 * which will be refused for its headers.
 */
export type BodyRule = (exchange: Exchange) => number;
