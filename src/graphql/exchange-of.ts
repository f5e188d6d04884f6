/** Maps each of Yoga's requests to the server's own exchange, which the plugins need. */
import type { GraphQLError } from 'graphql';
import type { Exchange } from '../http/exchange.ts';

/** Passed through Yoga from the handler to the plugins and the context. */
export interface ServerContext {
  exchange: Exchange;
  /** The reason for refusing the request before reading it, if there is one. */
  refused?: GraphQLError;
}

const exchanges = new WeakMap<Request, Exchange>();

export function noteExchange(request: Request, exchange: Exchange): void {
  exchanges.set(request, exchange);
}

/** The exchange of a request that was passed to {@link noteExchange}. */
export function exchangeOf(request: Request): Exchange {
  const exchange = exchanges.get(request);
  if (!exchange) throw new Error('The request has no exchange.');
  return exchange;
}
