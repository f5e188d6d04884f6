/** Refuses requests that only attackers send: very long URLs and very many headers. Runs before all handlers. */
import { Problem } from '../problem.ts';
import type { Exchange } from './exchange.ts';

/** The longest path and query together, in characters. RFC 9110 §4.1 recommends that servers accept at least 8,000. */
export const LONGEST_URL = 8_192;
/** The most header lines. Node silently drops headers beyond its limit, so its limit is set one higher. */
export const MOST_HEADERS = 100;

/** @throws {Problem} `uri_too_long`, `headers_too_large`. */
export function refuseOversized({ pathname, search, method, headers, incoming, outgoing }: Exchange): void {
  if (pathname.length + search.length > LONGEST_URL) {
    throw new Problem('uri_too_long', `The URL is longer than ${LONGEST_URL} characters: send a shorter one.`);
  }
  // Alternating names and values.
  if (incoming.rawHeaders.length > 2 * MOST_HEADERS) {
    throw new Problem('headers_too_large', `The request has more than ${MOST_HEADERS} headers: send fewer.`, {
      headers: { Connection: 'close' },
    });
  }
  // The body of such a request has no meaning and is not read. A proxy in front may disagree on where it ends and take the rest for
  // another request (RFC 9110 §9.3.1), so the connection closes after it.
  if (method !== 'POST' && (Number(headers['content-length']) > 0 || headers['transfer-encoding'] !== undefined)) {
    outgoing.shouldKeepAlive = false;
  }
}
