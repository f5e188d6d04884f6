/** The endpoint of a request in metrics, the log and traces: one of few names, none of them chosen by clients. */

/** The interface that answered: an API, a web page, or `other`, such as health checks. */
export type Face = 'rest' | 'graphql' | 'mcp' | 'page' | 'other';

export interface Endpoint {
  readonly face: Face;
  /** The path's template, such as `/api/v1/products/{slug}`; never the path from the request. */
  readonly route: string;
  /** The root fields over GraphQL, the tool over MCP; otherwise empty. */
  readonly operation: string;
}

const known = new Map<string, Endpoint>();

/** An endpoint; always the same object for the same names, so that metrics can be looked up by it. */
export function endpointOf(face: Face, route: string, operation = ''): Endpoint {
  const name = `${face} ${route} ${operation}`;
  let endpoint = known.get(name);
  if (!endpoint) {
    endpoint = Object.freeze({ face, route, operation });
    known.set(name, endpoint);
  }
  return endpoint;
}

/** The endpoint of requests not answered yet, and of OPTIONS. */
export const UNMATCHED = endpointOf('other', 'unmatched');
