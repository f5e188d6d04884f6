/** The exchange that a request of Yoga's stands for: what its plugins need to know of the gate. */
import type { GraphQLError } from 'graphql';
import type { Exchange } from '../http/exchange.ts';

/** What Yoga hands on from the handler to its plugins and the context. */
export interface ServerContext {
  exchange: Exchange;
  /** Why the request is refused before anything of it is read, if it is. */
  refused?: GraphQLError;
}

const exchanges = new WeakMap<Request, Exchange>();

export function noteExchange(request: Request, exchange: Exchange): void {
  exchanges.set(request, exchange);
}

/** The exchange of a request that {@link noteExchange} was told of. */
export function exchangeOf(request: Request): Exchange {
  const exchange = exchanges.get(request);
  if (!exchange) throw new Error('The request has not come through the gate.');
  return exchange;
}
