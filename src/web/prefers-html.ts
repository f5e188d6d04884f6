/** Tells browsers from programs at URLs that have a page for people and another form for programs. */
import { type Exchange, headerOf } from '../http/exchange.ts';
import { chooseRepresentation } from '../rest/representation.ts';

/**
 * True if the client prefers HTML to the other forms. A client without a preference gets the form for programs. Both responses must
 * have `Vary: Accept`.
 *
 * @param others the other media types of the URL.
 */
export function prefersHtml(exchange: Exchange, others: readonly [string, ...string[]]): boolean {
  return chooseRepresentation(headerOf(exchange, 'accept'), [...others, 'text/html']) === 'text/html';
}
