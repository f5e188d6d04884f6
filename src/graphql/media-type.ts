/** Chooses the media type of a GraphQL response before Yoga does (GraphQL over HTTP, §6.3). */
import { LRUCache } from 'lru-cache';
import { type Exchange, headerOf } from '../http/exchange.ts';

const ANY = '*/*';
// Yoga looks at each part of the header, and repeats them in its refusal.
const LONGEST = 200;
const MOST_KEPT = 100;
const SUPPORTED =
  /(?:^|[,\s])(?:\*\/\*|application\/(?:\*|json|graphql-response\+json)|text\/event-stream|multipart\/mixed)(?:$|[,;\s])/i;

const kept = new LRUCache<string, string>({ max: MOST_KEPT });

/**
 * The `Accept` header of a request as Yoga gets it: `*\/*` if it is absent, longer than 200 characters, or names nothing that is supported, because JSON
 * helps more than a refusal.
 */
export function acceptOf(exchange: Pick<Exchange, 'headers'>): string {
  const accept = headerOf(exchange, 'accept') ?? ANY;
  if (accept.length > LONGEST) return ANY;
  let chosen = kept.get(accept);
  if (chosen === undefined) {
    chosen = SUPPORTED.test(accept) ? accept : ANY;
    kept.set(accept, chosen);
  }
  return chosen;
}
