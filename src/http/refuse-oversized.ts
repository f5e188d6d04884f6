/** Refuses what no client needs and a server is attacked with: long addresses, very many headers. Stands before all handlers. */
import { Problem } from '../problem.ts';
import type { Exchange } from './exchange.ts';

/** The longest path and query together, in characters. RFC 9110 §4.1 has servers take 8,000 at least. */
export const LONGEST_URL = 8_192;
/** The most header lines. Node reads no more than it is told, and leaves out the others in silence: the server is told one more. */
export const MOST_HEADERS = 100;

/** @throws {Problem} `uri_too_long`, `headers_too_large`. */
export function refuseOversized({ pathname, search, method, headers, incoming, outgoing }: Exchange): void {
  if (pathname.length + search.length > LONGEST_URL) {
    throw new Problem('uri_too_long', `The URL is longer than ${LONGEST_URL} characters: send a shorter one.`);
  }
  // Names and values in turn.
  if (incoming.rawHeaders.length > 2 * MOST_HEADERS) {
    throw new Problem('headers_too_large', `There are more than ${MOST_HEADERS} headers: send fewer.`, {
      headers: { Connection: 'close' },
    });
  }
  // A body means nothing here and is not read. What stands before this server might see it end elsewhere, and take the rest
  // for a request of its own (RFC 9110 §9.3.1): so nothing comes after it.
  if (method !== 'POST' && (Number(headers['content-length']) > 0 || headers['transfer-encoding'] !== undefined)) {
    outgoing.shouldKeepAlive = false;
  }
}
