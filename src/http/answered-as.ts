/** Notes for a handler that knows nothing of metrics which endpoint its answers are. */
import { endpointOf, type Face, UNMATCHED } from '../operations/endpoint.ts';
import type { Handler } from './exchange.ts';

/** The handler, whose exchanges bear this endpoint unless it has noted a better one. */
export function answeredAs(face: Face, route: string, handle: Handler): Handler {
  const endpoint = endpointOf(face, route);
  return (exchange) => {
    try {
      const handled = handle(exchange);
      if (handled && exchange.endpoint === UNMATCHED) exchange.endpoint = endpoint;
      return handled;
    } catch (error) {
      if (exchange.endpoint === UNMATCHED) exchange.endpoint = endpoint;
      throw error;
    }
  };
}
