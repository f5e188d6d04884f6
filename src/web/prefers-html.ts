/** Tells browsers from programs at URLs that have a page for people and another form for programs. */
import { type Exchange, headerOf } from '../http/exchange.ts';
import { chooseRepresentation } from '../rest/representation.ts';

/** Whether the client prefers HTML to the URL's `others`; clients without a preference do not. Both responses need `Vary: Accept`. */
export function prefersHtml(exchange: Exchange, others: readonly [string, ...string[]]): boolean {
  return chooseRepresentation(headerOf(exchange, 'accept'), [...others, 'text/html']) === 'text/html';
}
