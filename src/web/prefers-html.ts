/** Whether a person with a browser asks: one address may hold a page for people and the same for programs. */
import Negotiator from 'negotiator';
import { type Exchange, headerOf } from '../http/exchange.ts';

/**
 * True when the client likes HTML better than the other forms (RFC 9110 §12.5.1). One that takes all alike, as `curl` does
 * with its `Accept: *\/*`, gets the form for programs. The answer to either must bear `Vary: Accept`.
 *
 * @param others media types that the same address also gives.
 */
export function prefersHtml(exchange: Exchange, others: readonly string[]): boolean {
  const accept = headerOf(exchange, 'accept');
  if (accept === undefined) return false;
  return new Negotiator({ headers: { accept } }).mediaType([...others, 'text/html']) === 'text/html';
}
