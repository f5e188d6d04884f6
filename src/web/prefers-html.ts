/** Whether a person with a browser asks: one address may hold a page for people and the same for programs. */
import { type Exchange, headerOf } from '../http/exchange.ts';
import { chooseRepresentation } from '../rest/representation.ts';

/**
 * True when the client likes HTML better than the other forms. One that takes all alike gets the form for programs. The answer to
 * either must bear `Vary: Accept`.
 *
 * @param others media types that the same address also gives.
 */
export function prefersHtml(exchange: Exchange, others: readonly [string, ...string[]]): boolean {
  return chooseRepresentation(headerOf(exchange, 'accept'), [...others, 'text/html']) === 'text/html';
}
